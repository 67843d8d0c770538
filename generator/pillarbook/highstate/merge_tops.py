"""Salt's strategies for merging the top files of the states.

Source: Salt ``salt/state.py`` (``_merge_tops_merge``, ``_merge_tops_same``,
``_merge_tops_merge_all``).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeAlias

from pillarbook.compile.renderers.yaml import is_falsy
from pillarbook.compile.top.top_shapes import BELOW_ENVIRONMENT
from pillarbook.highstate.state_faults import breaks_off, type_name
from pillarbook.model import Leaf, ListNode, MapNode, Node

Merged: TypeAlias = dict[Any, dict[Any, Node]]
"""The entries of each target, by environment."""
TopsByEnvironment: TypeAlias = Mapping[str, Sequence[Node]]
"""The data of the top files, by the environment in whose roots they are."""
AS_TARGETS = "below an environment, write targets such as `'*':`, without dashes before them"
NO_TARGETS = "SaltRenderError: Unable to render top file. No targets found."


def merge_by_base(tops: TopsByEnvironment, _default: Any) -> Merged:
    """Merge with ``merge``: the top file of ``base`` decides about each environment it names."""
    merged: Merged = {}
    for tree in tops.get("base", ()):
        for saltenv, targets in _sections(tree):
            _put(merged, saltenv, targets)
    for environment, trees in tops.items():
        if environment == "base":
            continue
        for tree in trees:
            for saltenv, targets in _sections(tree):
                # Only an environment that `base` does not name has targets of its own.
                if saltenv == environment and saltenv not in merged:
                    _put(merged, saltenv, targets)
    return merged


def merge_same(tops: TopsByEnvironment, default: Any) -> Merged:
    """Merge with ``same``: each environment's top file counts only for that environment."""
    merged: Merged = {}
    for environment, trees in tops.items():
        if any(not isinstance(tree, MapNode) or tree.items.keys() - {"include"} for tree in trees):
            for tree in trees:
                for saltenv, targets in _sections(tree):
                    if saltenv == environment:
                        _put(merged, saltenv, targets)
            continue
        for tree in tops.get(default, ()):
            own = [targets for saltenv, targets in _sections(tree) if saltenv == environment]
            for targets in own[:1]:
                _put(merged, environment, targets)
    return merged


def merge_all(tops: TopsByEnvironment, _default: Any) -> Merged:
    """Merge with ``merge_all``: every top file counts, the SLS names of a target are joined."""
    merged: Merged = {}
    for trees in tops.values():
        for tree in trees:
            for saltenv, targets in _sections(tree):
                for target, entries in _targets_of(targets):
                    known = merged.setdefault(saltenv, {})
                    known[target] = _joined(known[target], entries) if target in known else entries
    return merged


STRATEGIES: Mapping[str, Callable[[TopsByEnvironment, Any], Merged]] = MappingProxyType(
    {"merge": merge_by_base, "same": merge_same, "merge_all": merge_all}
)
"""The merges by the option ``top_file_merging_strategy``."""


def _sections(tree: Node) -> Iterator[tuple[Any, Node]]:
    if not isinstance(tree, MapNode):
        words = f"AttributeError: '{type_name(tree)}' object has no attribute 'items'"
        raise breaks_off(words, tree.origins, BELOW_ENVIRONMENT)
    return ((saltenv, body) for saltenv, body in tree.items.items() if saltenv != "include")


def _put(merged: Merged, saltenv: Any, targets: Node) -> None:
    for target, entries in _targets_of(targets):
        merged.setdefault(saltenv, {})[target] = entries


def _targets_of(targets: Node) -> Iterator[tuple[Any, Node]]:
    """Yield the targets of a section."""
    if isinstance(targets, MapNode):
        yield from targets.items.items()
    elif not is_falsy(targets) or (isinstance(targets, Leaf) and targets.value != ""):
        is_empty = isinstance(targets, Leaf) and targets.value is None
        remedy = "indent its targets below it, or remove it" if is_empty else AS_TARGETS
        raise breaks_off(NO_TARGETS, targets.origins, remedy)


def _joined(one: Node, other: Node) -> Node:
    if not isinstance(one, ListNode) or not isinstance(other, ListNode):
        raise breaks_off(NO_TARGETS, other.origins, "write a dash before the name of each SLS")
    matchers = [item for part in (one, other) for item in part.items if isinstance(item, MapNode)]
    names: dict[str, Node] = {}
    for part in (one, other):
        for item in part.items:
            if isinstance(item, Leaf) and isinstance(item.value, str):
                names.setdefault(item.value, item)
    # Salt puts the matcher first and keeps the last one; names stay in the order of their first
    # mention.
    return ListNode((*matchers[-1:], *names.values()), other.origins)
