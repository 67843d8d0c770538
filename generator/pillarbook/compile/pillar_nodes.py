"""Changes to the pillar tree that a compile makes itself."""

from collections.abc import Sequence

from pillarbook.model import ListNode, MapNode, plain

EMPTY = MapNode({}, (), kind="plain")


def updated(base: MapNode, update: MapNode) -> MapNode:
    """Return ``base`` with top-level keys replaced, as ``dict.update`` does."""
    if base is update or (not base.items and update.kind == "plain"):
        return update
    items = {**base.items, **update.items}
    known = base if base.items else update
    shared = base.shared or update.shared
    return MapNode(items, known.origins, known.overrode, "plain", shared=shared)


def with_key(tree: MapNode, key: str, node: MapNode | ListNode) -> MapNode:
    """Return a pillar with a new key, or with another value for a key."""
    items = {**tree.items, key: node}
    return MapNode(items, tree.origins, tree.overrode, tree.kind, tree.alias, tree.shared)


def listed_with(tree: MapNode, failed: Sequence[str]) -> list[str]:
    """Return a pillar's ``_errors`` with more entries."""
    known = tree.items.get("_errors")
    before = [str(item) for item in plain(known)] if isinstance(known, ListNode) else []
    return [*before, *failed]
