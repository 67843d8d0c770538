"""A minion's pillar with some of its changes taken back, for trials of its states.

The values in changes are redacted. So the changed paths are looked up in both compiled pillars,
which have the clear values.
"""

from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from pillarbook.compare.change import Change
from pillarbook.compare.pillars import ERRORS
from pillarbook.compare.strict import canonical
from pillarbook.model import KeyPath, ListNode, MapNode, Node

Path: TypeAlias = tuple[Hashable, ...]


class CannotTakeBackError(Exception):
    """The path of a change is not found in the pillars, because it is redacted."""


def take_back(
    base: MapNode, head: MapNode, changes: Sequence[Change], taken: Collection[int]
) -> MapNode:
    """Return the head's pillar with some changes taken back.

    Without any, it has the data of the head; with all of them, the data of the base.

    ``taken`` has the indexes of the changes to take back.

    Raises:
        CannotTakeBackError: The path of a change is not in the pillars.
    """
    made = _Mixed(changes, taken)
    mixed = made.mix(base, head, ())
    made.check()
    assert isinstance(mixed, MapNode)  # noqa: S101 (so are both)
    return mixed


class _Mixed:
    """A pillar between both sides."""

    def __init__(self, changes: Sequence[Change], taken: Collection[int]) -> None:
        self._own: dict[Path, list[tuple[Change, bool]]] = {}
        self._ways: set[Path] = set()
        self._waiting = {id(changes[number]) for number in taken}
        for number, change in enumerate(changes):
            container = _known(change.container)
            self._own.setdefault(container, []).append((change, number in taken))
            self._ways.update(container[:end] for end in range(len(container) + 1))

    def check(self) -> None:
        """Raise an error if a change was not found."""
        if self._waiting:
            raise CannotTakeBackError

    def mix(self, base: Node, head: Node, path: KeyPath) -> Node:
        """Return the node at a path, whose list positions are those of the head."""
        known = _known(path)
        if known not in self._ways:
            return head
        if isinstance(base, MapNode) and isinstance(head, MapNode):
            return self._mix_mappings(base, head, path)
        if isinstance(base, ListNode) and isinstance(head, ListNode):
            return self._mix_lists(base, head, path)
        below = [
            pair for at, pairs in self._own.items() if at[: len(known)] == known for pair in pairs
        ]
        is_taken = all(taken for _, taken in below)
        if is_taken:
            self._waiting.difference_update(id(change) for change, _ in below)
        return base if is_taken else head

    def _of_kind(self, path: KeyPath, kind: str) -> list[tuple[Change, bool]]:
        return [pair for pair in self._own.get(_known(path), ()) if pair[0].kind == kind]

    def _marks(self, path: KeyPath, kind: str) -> dict[Hashable, bool]:
        """Return the keys or positions with such a change, and whether it is taken back."""
        found = {}
        for change, taken in self._of_kind(path, kind):
            found[canonical(change.path[-1])] = taken
        return found

    def _meet(self, path: KeyPath, kind: str, places: Collection[Hashable]) -> None:
        """Note that the changes at some keys or positions were handled."""
        for change, _ in self._of_kind(path, kind):
            if canonical(change.path[-1]) in places:
                self._waiting.discard(id(change))

    def _mix_mappings(self, base: MapNode, head: MapNode, path: KeyPath) -> MapNode:
        old, new = _items(base, path), _items(head, path)
        removed, added, changed = (
            self._marks(path, kind) for kind in ("removed", "added", "changed")
        )
        self._meet(path, "removed", old.keys())
        self._meet(path, "added", new.keys())
        self._meet(path, "changed", old.keys() & new.keys())
        order = [key for key in old if removed.get(key) is not False]
        for change, taken in self._of_kind(path, "reordered"):
            self._waiting.discard(id(change))
            order = order if taken else _refill(order, change)
        for key, previous in zip(new, (None, *new), strict=False):
            if added.get(key) is False:
                order.insert(_behind(order, previous, list(new)), key)
        items: dict[Any, Node] = {}
        for key in order:
            own, left = old.get(key), new.get(key)
            if left is None or own is None:
                name, node = own or left or (None, head)
            elif key in changed:
                name, node = own if changed[key] else left
            else:
                name, node = left[0], self.mix(own[1], left[1], (*path, left[0]))
            items[name] = node
        if not path and ERRORS in head.items:
            items[ERRORS] = head.items[ERRORS]
        return replace(head, items=items)

    def _mix_lists(self, base: ListNode, head: ListNode, path: KeyPath) -> ListNode:
        removed, added, changed = (
            self._marks(path, kind) for kind in ("removed", "added", "changed")
        )
        moves = self._of_kind(path, "moved")
        gone = {*removed, *(change.moved_from for change, _ in moves)}
        came = {*added, *(change.moved_to for change, _ in moves)}
        olds = [at for at in range(len(base.items)) if at not in gone]
        news = [at for at in range(len(head.items)) if at not in came]
        if len(olds) != len(news):
            raise CannotTakeBackError
        for kind in ("removed", "added", "changed"):
            self._meet(path, kind, {*range(max(len(base.items), len(head.items)))})
        self._waiting.difference_update(id(change) for change, _ in moves)
        matched = dict(zip(news, olds, strict=True))
        stays = {at for at, taken in added.items() if not taken}
        stays |= {change.moved_to for change, taken in moves if not taken}
        back = {at for at, taken in removed.items() if taken}
        back |= {change.moved_from for change, taken in moves if taken}
        members: list[tuple[int | None, Node]] = []
        for at, node in enumerate(head.items):
            if at in matched:
                own = base.items[matched[at]]
                if at in changed:
                    members.append((matched[at], own if changed[at] else node))
                else:
                    members.append((matched[at], self.mix(own, node, (*path, at))))
            elif at in stays:
                members.append((None, node))
        for at in sorted(one for one in back if isinstance(one, int)):
            members.insert(_behind_member(members, at), (at, base.items[at]))
        return replace(head, items=tuple(node for _, node in members))


def _known(path: Iterable[Any]) -> Path:
    return tuple(map(canonical, path))


def _items(node: MapNode, path: KeyPath) -> dict[Hashable, tuple[Any, Node]]:
    """Return keys and values by the canonical key, without Salt's errors."""
    return {
        canonical(key): (key, item) for key, item in node.items.items() if path or key != ERRORS
    }


def _refill(order: Sequence[Hashable], change: Change) -> list[Hashable]:
    moving = set(_known(change.before))
    refill = iter([key for key in _known(change.after) if key in order])
    return [next(refill) if key in moving else key for key in order]


def _behind(order: Sequence[Hashable], previous: Hashable, keys: list[Hashable]) -> int:
    """Return the index after the nearest previous key that exists."""
    at = keys.index(previous) if previous is not None else -1
    while at >= 0:
        if keys[at] in order:
            return order.index(keys[at]) + 1
        at -= 1
    return 0


def _behind_member(members: Sequence[tuple[int | None, Node]], at: int) -> int:
    """Return the index after the nearest previous item of the base that exists."""
    places = {number: place for place, (number, _) in enumerate(members) if number is not None}
    before = [number for number in places if number < at]
    return places[max(before)] + 1 if before else 0
