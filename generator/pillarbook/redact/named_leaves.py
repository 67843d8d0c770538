"""The leaves of a tree, with the keys that rules are asked about."""

from collections.abc import Iterator

from pillarbook.model import KeyPath, Leaf, MapNode, Node, Origin, distinct_origins
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
    elif isinstance(node, MapNode):
        members = rules.members(asked, node.items)
        for key, (below, item) in zip(node.items, members, strict=True):
            yield from named_leaves(item, rules, (*path, key), below, before)
    else:
        for at, item in enumerate(node.items):
            yield from named_leaves(item, rules, (*path, at), (*asked, at), before)
