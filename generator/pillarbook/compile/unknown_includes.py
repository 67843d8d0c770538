"""Names that an unknown answer decides: included SLS files, and keys of the pillar."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from pillarbook.compile.renderers.unknown_text import holds_unknown_leaf, unknown_leaf
from pillarbook.diagnostics import Diagnostic, new_diagnostic
from pillarbook.model import Leaf, ListNode, MapNode, Node, plain
from pillarbook.model.unknown import Unknown, UnknownKey, unknown_of

INCLUDE = "include"
_EMPTY = ListNode((), ())
CODE = "unknown-name"
REMEDY = "declare answers; `pillarbook answers list` prints the lines for that"


def has_includes(tree: MapNode) -> bool:
    """Say whether the includes of a file, if it has any, are a list."""
    return isinstance(tree.items.get(INCLUDE, _EMPTY), ListNode)


def without_includes(tree: MapNode) -> MapNode:
    """Return the data of a file without its include list."""
    if INCLUDE not in tree.items:
        return tree
    return replace(tree, items={key: one for key, one in tree.items.items() if key != INCLUDE})


def join_includes(
    trees: Sequence[MapNode], differences: Sequence[Unknown]
) -> tuple[bool, ListNode | None]:
    """Return whether several include lists can be joined, and the result; None for no includes.

    An entry that is not in all of them is unknown, with its name as its shape. ``differences`` say
    what the difference of each tree to the first one depends on.
    """
    lists = [tree.items.get(INCLUDE, _EMPTY) for tree in trees]
    entries = [{_name(one): one for one in _members(node)} for node in lists]
    are_lists = all(isinstance(node, ListNode) for node in lists)
    order = _join_orders(entries)
    repeats = any(len(_members(node)) != len(own) for node, own in zip(lists, entries, strict=True))
    if not are_lists or order is None or repeats:
        return False, None
    joined, depends = [], Unknown(()).joined(*differences)
    for name in order:
        entry = next(own[name] for own in entries if name in own)
        if not all(name in own for own in entries):
            entry = _perhaps(entry, depends)
        unknown = unknown_of(entry)
        if holds_unknown_leaf(entry) if unknown is None else unknown.shape is None:
            return False, None
        joined.append(entry)
    origins = next((node.origins for node in lists if node is not _EMPTY), ())
    return True, ListNode(tuple(joined), origins) if joined else None


def _members(node: Node) -> Sequence[Node]:
    return node.items if isinstance(node, ListNode) else ()


def _perhaps(entry: Node, depends: Unknown) -> Node:
    """Return an entry that may be missing."""
    name = entry.value if isinstance(entry, Leaf) else None
    shape = name if isinstance(name, str) else None
    return unknown_leaf(entry, replace(depends, may_miss=True, shape=shape))


def _name(entry: Node) -> Any:
    """Return what is equal for equal entries."""
    unknown = unknown_of(entry)
    return repr(plain(entry)) if unknown is None else (unknown.sources, unknown.shape)


def _join_orders(entries: Sequence[dict[Any, Node]]) -> list[Any] | None:
    """Return all names in an order in which each of the lists has them; None if there is none."""
    order: list[Any] = []
    for own in entries:
        last = -1
        for name in own:
            if name not in order:
                order.insert(last + 1, name)
                last += 1
            elif order.index(name) < last:
                return None
            else:
                last = order.index(name)
    return order


def describe_unknown_names(tree: Node | None) -> tuple[Diagnostic, ...]:
    """Return a note for each line of an SLS with a name that is not known."""
    found = {str(one.position): one for one in _find(tree)}
    return tuple(found.values())


def _find(node: Node | None, *, is_top: bool = True) -> Iterator[Diagnostic]:
    if isinstance(node, MapNode):
        for key, item in node.items.items():
            if is_top and key == INCLUDE and isinstance(item, ListNode):
                for entry in item.items:
                    yield from _describe("the name of an SLS that is included", entry)
            elif key.__class__ is UnknownKey:
                yield from _describe("a key", item)
            else:
                yield from _find(item, is_top=False)
    elif isinstance(node, ListNode):
        for item in node.items:
            yield from _find(item, is_top=False)


def _describe(what: str, node: Node) -> Iterator[Diagnostic]:
    unknown = unknown_of(node)
    if unknown is not None and node.origins:
        last = node.origins[-1]
        message = f"{what} is not known, because it depends on {', '.join(unknown.sources)}"
        yield new_diagnostic(CODE, message, last.position, remedy=REMEDY)
