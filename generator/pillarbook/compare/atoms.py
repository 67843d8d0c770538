"""Changes of a fleet as atoms: each is one change, with the minions that it affects.

An atom is exact: its changes are equal in all that is needed to apply them, so
a minion's atoms give back what was found for it alone. One rule ignores all of an atom, or none
does. For reading, ``report/told_changes.py`` goes further and takes list positions out of paths.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Literal, TypeAlias

from pillarbook.compare.change import Change
from pillarbook.compare.strict import Fingerprints, canonical
from pillarbook.redact.redacted_pillar import RedactedOrigin

AckSource: TypeAlias = Literal["base", "itself"]
"""Where a change is acknowledged: in the base, or only by the change itself."""


@dataclass(frozen=True, slots=True)
class Cited:
    """A line of a change."""

    file: str
    """The file, as origins name it."""
    line: int
    """The line, counted from 1."""
    side: str
    """The side that has it: ``base`` or ``head``."""


@dataclass(frozen=True, slots=True)
class Atom:
    """One change of some minions."""

    id: int
    """Its number, counted from 1."""
    change: Change
    minions: tuple[str, ...]
    """The affected minions, in the order in which they were added."""
    because: tuple[Cited, ...] = ()
    """A line of each hunk that is its cause; none if there are no hunks."""
    proven: bool = False
    """Whether compiles without those hunks show that they are the cause."""
    bound: tuple[int, ...] = ()
    """The ids of atoms without which it cannot be taken back: the compile would fail."""
    ignored: int | None = None
    """The number of the rule that ignores it, counted from 1; None if none does."""
    consequence_of: int | None = None
    """The index of the new failure that it follows from, in the comparison's diagnostics."""
    change_id: str | None = None
    """The stable id of the change that it is a part of; None if it has none."""
    acknowledged: AckSource | None = None
    """Where the change is acknowledged; None if it is not."""


class Atoms:
    """Collects the changes of a fleet's minions into atoms."""

    def __init__(self) -> None:
        self._prints = Fingerprints()
        # By identity, which minions with equal parts share, and the rule that ignores the change.
        # The change is kept beside its number, so that no other object gets its id.
        self._known: dict[tuple[int, int | None], tuple[Change, int]] = {}
        self._numbers: dict[Hashable, int] = {}
        self._changes: list[tuple[Change, int | None]] = []
        self._order: dict[str, int] = {}
        self._groups: dict[Hashable, tuple[Sequence[Change], tuple[int, ...], list[int]]] = {}

    def add(
        self, minion: str, changes: Sequence[Change], ignored: tuple[int | None, ...] = ()
    ) -> None:
        """Take what changed for a minion.

        The changes are in the order to apply, and may not be changed later; one object that many
        minions have is looked at once. ``ignored`` has the number of the rule that ignores each of
        them, None for none; it is empty if there are no rules.
        """
        known = self._groups.get((id(changes), ignored))
        if known is None:  # the changes are kept, so that their id stays their own
            numbers = tuple(dict.fromkeys(map(self._number, changes, ignored or repeat(None))))
            known = self._groups[id(changes), ignored] = (changes, numbers, [])
        known[2].append(self._order.setdefault(minion, len(self._order)))

    def finish(self) -> tuple[tuple[Atom, ...], dict[str, tuple[int, ...]]]:
        """Return the atoms, and the ids of each minion's, both in the order to apply.

        Atoms that affect many come first.
        """
        names = list(self._order)
        members: list[list[int]] = [[] for _ in self._changes]
        for _, numbers, minions in self._groups.values():
            for number in numbers:
                members[number] += minions
        order = sorted(range(len(members)), key=lambda number: -len(members[number]))
        ids = {number: at for at, number in enumerate(order, 1)}
        atoms = tuple(
            Atom(ids[at], change, tuple(names[one] for one in sorted(members[at])), ignored=rule)
            for at, (change, rule) in ((at, self._changes[at]) for at in order)
        )
        of: list[tuple[int, ...]] = [()] * len(names)
        for _, numbers, minions in self._groups.values():
            own = tuple(ids[number] for number in numbers)
            for minion in minions:
                of[minion] = own
        return atoms, dict(zip(names, of, strict=True))

    def _number(self, change: Change, rule: int | None) -> int:
        known = self._known.get((id(change), rule))
        if known is not None:
            return known[1]
        origins = _place(change.before_origin), _place(change.after_origin)
        content = (content_of(change, self._prints), origins, rule)
        number = self._numbers.get(content)
        if number is None:
            number = self._numbers[content] = len(self._changes)
            self._changes.append((change, rule))
        self._known[id(change), rule] = (change, number)  # kept, so that its id stays its own
        return number


def content_of(change: Change, prints: Fingerprints) -> Hashable:
    """Return all of a change but its origins, comparable."""
    return (
        change.kind,
        tuple(map(canonical, change.path)),
        tuple(sorted(change.positions)),
        prints.of(change.before),
        prints.of(change.after),
        None if change.behind is None else tuple(map(canonical, change.behind)),
        (change.moved_from, change.moved_to),
        change.replaced and tuple(map(prints.of, change.replaced)),
    )


def _place(origin: RedactedOrigin | None) -> Hashable:
    if origin is None:
        return None
    return origin.file, origin.line, origin.sls, origin.saltenv
