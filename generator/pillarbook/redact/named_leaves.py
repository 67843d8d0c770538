"""The leaves of a tree, with the keys that rules are asked about."""

from collections.abc import Hashable, Iterator

from pillarbook.model import KeyPath, Leaf, ListNode, MapNode, Node, Origin, distinct_origins
from pillarbook.patterns.named_values import is_named
from pillarbook.redact.redaction_rules import Rules


def named_leaves(
    node: Node,
    rules: Rules,
    path: KeyPath = (),
    asked: KeyPath | None = None,
    before: tuple[Origin, ...] = (),
) -> Iterator[tuple[KeyPath, KeyPath, Node, tuple[Origin, ...]]]:
    """Yield ``(path, asked, node, origins)`` for each scalar, empty mapping and empty list.

    Args:
        node: Where to begin.
        rules: Says which names beside a value are those of secrets.
        path: The path of the node.
        asked: The keys that rules are asked about it; None for its path.
        before: Origins that every leaf below overrode.
    """
    asked = path if asked is None else asked
    if isinstance(node, Leaf):
        yield path, asked, node, distinct_origins(before + node.origins)
        return
    before += node.overrode
    if not node.items:
        yield path, asked, node, distinct_origins(before + node.origins)
    for key, below, item in named_members(node, asked, rules):
        yield from named_leaves(item, rules, (*path, key), below, before)


def named_members(
    node: MapNode | ListNode, asked: KeyPath, rules: Rules
) -> list[tuple[Hashable, KeyPath, Node]]:
    """Return key, the keys that rules are asked about, and node of each member of a container."""
    if isinstance(node, ListNode):
        return [(at, (*asked, at), item) for at, item in enumerate(node.items)]
    name = rules.name_beside(node.items)
    if name is None:
        return [(key, (*asked, key), item) for key, item in node.items.items()]
    return [
        (key, (*asked, key, name) if is_named(key) else (*asked, key), item)
        for key, item in node.items.items()
    ]
