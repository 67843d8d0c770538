"""Whether two texts contain the same data: JSON or YAML in a string.

Anybody may have written the texts, so their size is limited. Content that parsers may read in
different ways does not count as data: a duplicate key, a number that is too large.
"""

import json
import math
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NoReturn

import yaml

from pillarbook.compare.strict import Fingerprints
from pillarbook.inventory.config_yaml import compose

MAX_LENGTH = 256 * 1024
"""Characters; a longer text is not parsed."""
# A short text with aliases can have billions of nodes.
MAX_NODES = 100_000
"""The most nodes of a YAML text, with aliases expanded."""
_MERGE_TAG = "tag:yaml.org,2002:merge"
_NO_DATA = (
    *(yaml.YAMLError, ValueError, RecursionError, OverflowError),
    # from PyYAML, for a tag that does not fit its scalar
    *(LookupError, AttributeError, TypeError),
)


def are_same_data(before: str, after: str, form: str) -> bool:
    """Say whether two texts are the same mapping or list after parsing.

    The order of keys does not count, types do. A text with a single value is just a text: as
    numbers, the versions 1.1 and 1.10 would be equal.

    ``form`` is ``json`` or ``yaml``.
    """
    if len(before) > MAX_LENGTH or len(after) > MAX_LENGTH:
        return False
    parse = _PARSERS[form]
    try:
        one, other = parse(before), parse(after)
        if not isinstance(one, dict | list) or not isinstance(other, dict | list):
            return False
        prints = Fingerprints(in_order=False)
        return prints.of(one) == prints.of(other)
    except _NO_DATA:
        return False


def _parse_json(text: str) -> Any:
    return json.loads(
        text, object_pairs_hook=_as_mapping, parse_float=_as_float, parse_constant=_refuse
    )


def _as_mapping(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    members = list(pairs)
    made = dict(members)
    if len(made) != len(members):
        _refuse("a key twice")
    return made


def _as_float(text: str) -> float:
    made = float(text)
    if not math.isfinite(made):
        _refuse("a number that is too large")
    return made


def _refuse(what: str) -> NoReturn:
    raise ValueError(what)


def _parse_yaml(text: str) -> Any:
    loader = yaml.CSafeLoader(text)
    try:
        node = compose(loader, text)
        if node is None:
            return None
        _weigh(loader, node, {})
        return loader.construct_document(node)
    finally:
        loader.dispose()


def _weigh(loader: yaml.CSafeLoader, node: yaml.Node, known: dict[yaml.Node, int]) -> int:
    """Return the number of nodes at and below a node; infinite if the node contains itself."""
    if isinstance(node, yaml.ScalarNode):
        return 1
    if node not in known:
        if isinstance(node, yaml.MappingNode):
            _check_keys(loader, node)
            below = [part for pair in node.value for part in pair]
        else:
            below = node.value
        weight = 1
        for one in below:  # a loop, because a comprehension needs more stack
            weight += _weigh(loader, one, known)
        if weight > MAX_NODES:
            _refuse("too many nodes")
        known[node] = weight
    return known[node]


def _check_keys(loader: yaml.CSafeLoader, node: yaml.MappingNode) -> None:
    """Refuse keys that are not scalars, and duplicate keys."""
    seen = set()
    for key, _ in node.value:
        if not isinstance(key, yaml.ScalarNode):
            _refuse("a key that is no scalar")
        if key.tag == _MERGE_TAG:
            continue
        made = loader.construct_object(key)
        if made in seen:
            _refuse("a key twice")
        seen.add(made)


_PARSERS: Mapping[str, Callable[[str], Any]] = MappingProxyType(
    {"json": _parse_json, "yaml": _parse_yaml}
)
