"""The printed text of values: as YAML, and by ``{{ value }}``, which YAML reads back.

Source: Salt ``salt/utils/yamldumper.py`` (``SafeOrderedDumper``, ``safe_dump``),
``salt/utils/jinja.py`` (``SerializerExtension.finalizer``, ``PrintableDict``, ``_yaml_safe_repr``).
"""

from collections import OrderedDict, defaultdict
from collections.abc import Callable
from typing import Any

import yaml

from pillarbook.compile.renderers.jinja.ordered_set import OrderedSet
from pillarbook.compile.renderers.jinja.plain_data import to_plain

_NO_FOLDING = 2**31 - 1
_ESCAPED = ("\n", "\r", "\t")


class SaltDumper(yaml.CSafeDumper):
    """PyYAML's safe dumper; an ``OrderedDict`` keeps its order, and unknown types become NULL.

    Markup is an unknown type, as in Salt.
    """


# A list of pairs is not sorted.
SaltDumper.add_representer(
    OrderedDict, lambda dumper, data: dumper.represent_dict(list(data.items()))
)
SaltDumper.add_representer(defaultdict, yaml.representer.SafeRepresenter.represent_dict)
SaltDumper.add_representer(
    OrderedSet,
    lambda dumper, data: dumper.represent_mapping("tag:yaml.org,2002:set", dict.fromkeys(data)),
)
SaltDumper.add_representer(
    None,  # type: ignore[arg-type] # PyYAML takes it
    lambda dumper, _: dumper.represent_scalar("tag:yaml.org,2002:null", "NULL"),
)


def dump_yaml(value: Any, *, flow_style: Any) -> str:
    """Return a value as YAML without the end of the document; keys are sorted, Unicode stays.

    ``flow_style`` is True for braces, False for blocks, None for braces around scalars only.
    """
    text: str = yaml.dump(
        to_plain(value), Dumper=SaltDumper, allow_unicode=True, default_flow_style=flow_style
    )
    return text.strip().removesuffix("\n...")


def _quote_for_yaml(text: str) -> str:
    """Return a text as a double-quoted YAML scalar on one line; Unicode stays."""
    quoted: str = yaml.dump(
        text, Dumper=SaltDumper, allow_unicode=True, default_style='"', width=_NO_FOLDING
    )
    return quoted.rstrip("\n")


class PrintableDict(dict[Any, Any]):
    r"""A mapping that prints like Python's, but for texts with line breaks or tabs in it.

    Python's ``'a\nb'`` would be two characters to YAML where it means one.
    """

    def __str__(self) -> str:
        return _join(self, str)

    def __repr__(self) -> str:
        return _join(self, repr)


def finalize_output(value: Any) -> Any:
    """Return a value as it must be printed, including containers at any depth."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return PrintableDict((key, finalize_output(item)) for key, item in value.items())
    if isinstance(value, list):
        return [finalize_output(item) for item in value]
    if isinstance(value, tuple | set):
        return value.__class__([finalize_output(item) for item in value])
    return value


def _join(mapping: dict[Any, Any], show: Callable[[Any], str]) -> str:
    pairs = (
        f"{key!r}: {_show_text(item) if isinstance(item, str) else show(item)}"
        for key, item in mapping.items()
    )
    return "{" + ", ".join(pairs) + "}"


def _show_text(text: str) -> str:
    return _quote_for_yaml(text) if any(mark in text for mark in _ESCAPED) else repr(text)
