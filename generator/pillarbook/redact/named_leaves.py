"""The leaves of a tree, each with the path that the rules judge.

The two paths differ if a mapping names its value: in ``{name: password, value: x}`` the rules
judge ``value`` with the key ``password`` after it.
"""

from collections.abc import Hashable, Iterator

from pillarbook.model import (
    KeyPath,
    Leaf,
    ListNode,
    MapNode,
    Node,
    Origin,
    distinct_origins,
    share_overridden,
)
from pillarbook.redact.redaction_rules import Rules


def named_leaves(
    node: Node,
    rules: Rules,
    path: KeyPath = (),
    asked: KeyPath | None = None,
    before: tuple[Origin, ...] = (),
) -> Iterator[tuple[KeyPath, KeyPath, Node, tuple[Origin, ...]]]:
    """Yield ``(path, asked, node, origins)`` for each scalar, empty mapping and empty list.

    ``asked`` is the path that the rules judge; None if it is the same. ``before`` are origins that
    the node overrode.
    """
    asked = path if asked is None else asked
    if isinstance(node, Leaf):
        yield path, asked, node, distinct_origins(before + node.origins)
        return
    before += node.overrode
    if not node.items:
        yield path, asked, node, distinct_origins(before + node.origins)
    overridden = share_overridden(node, before)
    for key, below, item in named_members(node, asked, rules):
        yield from named_leaves(item, rules, (*path, key), below, overridden(key))


def named_members(
    node: MapNode | ListNode, asked: KeyPath, rules: Rules
) -> list[tuple[Hashable, KeyPath, Node]]:
    """Return ``(key, asked, node)`` for each member of a container."""
    keys = range(len(node.items)) if isinstance(node, ListNode) else node.items
    members = rules.members(asked, node.items)
    return [(key, below, item) for key, (below, item) in zip(keys, members, strict=True)]
