"""The rule ``changed-alias``: a merge changes the value of YAML aliases in several places."""

from collections.abc import Iterator

from pillarbook.checks.finding import is_other_value
from pillarbook.diagnostics import Diagnostic, new_diagnostic
from pillarbook.model import (
    KeyPath,
    Leaf,
    ListNode,
    MapNode,
    Node,
    Origin,
    distinct_origins,
    format_path,
    leaves,
)
from pillarbook.model.phrases import count

MAX_NAMED = 3


def find_changed_aliases(tree: MapNode) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each SLS that changed an object that several keys share."""
    places: dict[int, list[tuple[KeyPath, MapNode | ListNode]]] = {}
    _gather(tree, (), places)
    for found in places.values():
        if len(found) > 1:
            yield from _changes([path for path, _ in found], found[0][1])


def _gather(
    node: Node, path: KeyPath, places: dict[int, list[tuple[KeyPath, MapNode | ListNode]]]
) -> None:
    """Collect the paths of each shared object; objects within it only for its first path."""
    if isinstance(node, Leaf) or not node.shared:
        return
    if node.alias:
        known = places.setdefault(node.alias, [])
        known.append((path, node))
        if len(known) > 1:
            return
    pairs = node.items.items() if isinstance(node, MapNode) else enumerate(node.items)
    for key, item in pairs:
        _gather(item, (*path, key), places)


def _changes(paths: list[KeyPath], node: MapNode | ListNode) -> Iterator[Diagnostic]:
    """Yield the changes by other SLS than that with the aliases, one for each SLS."""
    home = node.origins[0]
    said = set()
    for below, _, before in leaves(node):
        origins = distinct_origins(before)
        who = (origins[-1].sls, origins[-1].saltenv)
        is_change = len(origins) < 2 or is_other_value(origins[-2], origins[-1])
        if who != (home.sls, home.saltenv) and who not in said and is_change:
            said.add(who)
            yield _word(paths, below, origins[-1], home)


def _word(paths: list[KeyPath], below: KeyPath, change: Origin, home: Origin) -> Diagnostic:
    named = [f"'{format_path((*path, *below))}'" for path in paths[:MAX_NAMED]]
    more = len(paths) - MAX_NAMED
    also = " and ".join(named[1:]) + (f" and {count(more, 'more key')}" if more > 0 else "")
    return new_diagnostic(
        "changed-alias",
        f"SLS '{change.sls}' changes {named[0]}, and with it {also}: they are aliases of one anchor"
        f" in SLS '{home.sls}' ({home.position})",
        change.position,
        path=(*paths[0], *below),
        remedy="write the value again at the key that should differ, or use a merge key (`<<`)",
        related=(home.position,),
    )
