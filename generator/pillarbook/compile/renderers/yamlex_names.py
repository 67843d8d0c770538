"""Names in yamlex files, which Salt prints in double quotes.

Source: Salt ``salt/serializers/yamlex.py`` (``SLSString``).
"""

from typing import Any

import yaml

from pillarbook.compile.renderers.jinja.sls_map import SlsMap
from pillarbook.model import MapNode, Node


class YamlexName(str):
    """The name of an SLS or an environment in a yamlex file.

    Only ``printed`` and templates show the quotes, so that messages and pages show plain names.
    """

    __slots__ = ()


class SlsText(str):
    """A text that prints as YAML in double quotes, for templates."""

    __slots__ = ()

    def __str__(self) -> str:
        text: str = yaml.dump(str.__str__(self), Dumper=yaml.SafeDumper, default_style='"')
        return text.removesuffix("\n")

    __repr__ = __str__


def names_in(tree: Node, value: Any) -> Any:
    """Return a file's names of SLS or environments; they are marked if yamlex made the file.

    ``value`` is a name, a list of names, or an include with its options.
    """
    if not _is_yamlex(tree):
        return value
    if isinstance(value, list):
        return [names_in(tree, item) for item in value]
    if isinstance(value, dict):
        return {names_in(tree, name): _printing(options) for name, options in value.items()}
    return YamlexName(value) if isinstance(value, str) else value


def data_in(tree: Node, value: Any) -> Any:
    """Return the data of a file as templates get it."""
    return _printing(value) if _is_yamlex(tree) else value


def _is_yamlex(tree: Node) -> bool:
    return isinstance(tree, MapNode) and tree.kind in ("sls", "aggregate")


def _printing(value: Any) -> Any:
    if isinstance(value, dict):
        return SlsMap((_printing(key), _printing(item)) for key, item in value.items())
    if isinstance(value, list):
        return [_printing(item) for item in value]
    if isinstance(value, set):
        return set(map(_printing, value))
    return SlsText(value) if isinstance(value, str) else value


def printed(name: Any) -> str:
    """Return a name as Salt prints it."""
    return str(as_salt_gives(name))


def as_salt_gives(name: Any) -> Any:
    """Return a name as a template gets it."""
    return SlsText(name) if isinstance(name, YamlexName) else name
