"""YAML as Salt writes it into a template's output.

Source: Salt ``salt/utils/yamldumper.py`` (``SafeOrderedDumper``, ``safe_dump``).
"""

from collections import OrderedDict, defaultdict
from typing import Any

import yaml

from pillarbook.compile.renderers.jinja.ordered_set import OrderedSet
from pillarbook.compile.renderers.jinja.plain_data import to_plain

_NO_FOLDING = 2**31 - 1


class SaltDumper(yaml.CSafeDumper):
    """PyYAML's safe dumper; an ``OrderedDict`` keeps its order, what it does not know is NULL.

    Markup is among what it does not know, as it is in Salt.
    """


def _represent_ordered_dict(dumper: SaltDumper, data: dict[Any, Any]) -> yaml.Node:
    return dumper.represent_dict(list(data.items()))  # a list of pairs is not sorted


def _represent_unknown(dumper: SaltDumper, _data: object) -> yaml.Node:
    return dumper.represent_scalar("tag:yaml.org,2002:null", "NULL")


def _represent_set(dumper: SaltDumper, data: OrderedSet) -> yaml.Node:
    return dumper.represent_mapping("tag:yaml.org,2002:set", dict.fromkeys(data))


SaltDumper.add_representer(OrderedDict, _represent_ordered_dict)
SaltDumper.add_representer(defaultdict, yaml.representer.SafeRepresenter.represent_dict)
SaltDumper.add_representer(OrderedSet, _represent_set)
SaltDumper.add_representer(None, _represent_unknown)  # type: ignore[arg-type] # PyYAML takes it


def dump_yaml(value: Any, *, flow_style: Any) -> str:
    """Return a value as YAML without what ends a document; keys sorted, Unicode as it is.

    Args:
        value: Plain data or views.
        flow_style: True for braces, False for blocks, None for braces around scalars only.
    """
    text: str = yaml.dump(
        to_plain(value), Dumper=SaltDumper, allow_unicode=True, default_flow_style=flow_style
    )
    return text.strip().removesuffix("\n...")


def quote_for_yaml(text: str) -> str:
    """Return a text as a double-quoted YAML scalar on one line, Unicode as it is.

    Source: Salt ``salt/utils/jinja.py`` (``_yaml_safe_repr``).
    """
    quoted: str = yaml.dump(
        text, Dumper=SaltDumper, allow_unicode=True, default_style='"', width=_NO_FOLDING
    )
    return quoted.rstrip("\n")
