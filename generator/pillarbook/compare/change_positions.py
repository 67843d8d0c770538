"""Whether two changes of a minion's pillar are about the same place.

A place is a path in which list positions are ignored. The order of a mapping's keys is a place of
its own.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from pillarbook.compare.change import Change
from pillarbook.compare.fold import ANY_POSITION, fold_path
from pillarbook.compare.strict import Fingerprints, canonical
from pillarbook.model.shared_results import SharedResults


@dataclass(frozen=True, slots=True)
class Placed:
    """A change with its place."""

    path: tuple[Hashable, ...]
    """The path in comparable form."""
    is_order: bool
    """Whether the change is about the order of keys."""
    content: Hashable
    """The content, without positions and origins."""

    def touches(self, other: "Placed") -> bool:
        """Say whether both changes are about the same place, or one is inside the other."""
        if self.is_order or other.is_order:
            return self._touches_order(other)
        return _leads_to(self.path, other.path) or _leads_to(other.path, self.path)

    def _touches_order(self, other: "Placed") -> bool:
        if self.is_order and other.is_order:
            return self.path == other.path
        order, value = (self, other) if self.is_order else (other, self)
        # New and removed keys move others; a value that replaces a mapping replaces its order, too.
        return value.path[:-1] == order.path or _leads_to(value.path, order.path)


def _leads_to(path: tuple[Hashable, ...], deeper: tuple[Hashable, ...]) -> bool:
    return deeper[: len(path)] == path


class ChangePositions:
    """Finds the places of changes; each change is processed once."""

    def __init__(self) -> None:
        self._prints = Fingerprints()
        # Minions that share parts share changes.
        self._known: SharedResults[Placed] = SharedResults()

    def of(self, change: Change) -> Placed:
        """Return a change with its place."""
        return self._known.find(partial(self._place, change), change)

    def all_of(self, changes: Iterable[Change]) -> tuple[Placed, ...]:
        """Return changes with their places."""
        return tuple(map(self.of, changes))

    def _place(self, change: Change) -> Placed:
        path = fold_path(change)
        if change.kind == "moved":
            path = (*path, ANY_POSITION)
        told = tuple(map(canonical, path))
        values = self._prints.of(change.before), self._prints.of(change.after)
        return Placed(told, change.kind == "reordered", (change.kind, told, *values))


class Left:
    """The remaining differences to the base, indexed by place."""

    def __init__(self, changes: Sequence[Placed]) -> None:
        self._changes = changes
        self._paths = {one.path for one in changes}
        self._ways = {one.path[:end] for one in changes for end in range(len(one.path) + 1)}

    def near(self, atom: Placed) -> Counter[Hashable]:
        """Return the changes at or around an atom's place, each with its count."""
        path = atom.path
        if path not in self._ways and not any(
            path[:end] in self._paths for end in range(len(path))
        ):
            return Counter()
        return Counter(
            one.content
            for one in self._changes
            if one.is_order == atom.is_order and atom.touches(one)
        )


def is_restored(atom: Placed, atoms: Iterable[Placed], left: Left) -> bool:
    """Say whether a place has the value of the base, except for other atoms of the minion."""
    near = left.near(atom)
    if not near:
        return True
    others = Counter(one.content for one in atoms if one.content in near)
    others[atom.content] -= 1
    return all(count <= others[content] for content, count in near.items())
