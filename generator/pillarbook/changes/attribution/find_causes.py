"""Finds the hunks that cause each atom, by compiles without some hunks.

Hunks explain an atom if without them the atom's path has the value of the base, and nothing else
changes then, except atoms that the same hunks explain. The cause that an atom cites is the smallest
part of these hunks without which its path has the value of the base. An edit that the other hunks
of this part hide is no cause of it; an atom that only follows from a failure cites the part without
which it does not fail. If one hunk is enough, an atom also cites the others that are: it needs all
of them.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from pillarbook.changes.attribution.hunk_trials import (
    HunkTrials,
    Representative,
    TooManyTrialsError,
    TrialResult,
)
from pillarbook.changes.attribution.hunks import Hunk
from pillarbook.compare.change_positions import Placed, is_restored
from pillarbook.model.limited_cache import recall

Hunks = frozenset[Hunk]
# Two atoms may each cite more because of the other, so the loop needs an end.
MAX_ROUNDS = 20
"""The most rounds in which the hunks of atoms are adjusted to each other."""


@dataclass(frozen=True, slots=True)
class ChangeCause:
    """The cause of an atom."""

    hunks: tuple[Hunk, ...]
    """The hunks that it cites, in order."""
    proven: bool
    """Whether compiles without the hunks prove it."""
    bound: tuple[int, ...] = ()
    """Atoms that must be taken back together with it, because a compile fails otherwise."""
    own: Mapping[Representative, tuple[Hunk, ...]] = field(default_factory=dict)
    """The causes of its members, if not all of them have the same; else empty."""

    def by_member(self, own: Mapping[Representative, tuple[Hunk, ...]]) -> "ChangeCause":
        """Return the cause with other hunks, given for each member."""
        several = len({*own.values()}) > 1
        hunks = tuple(dict.fromkeys(hunk for some in own.values() for hunk in some))
        return replace(self, hunks=hunks, own=own if several else {})


class CauseFinder:
    """Finds the causes of the atoms of some minions.

    ``prefer`` returns the hunks that may have caused an atom, the most likely first; ``follow`` are
    the atoms that follow from a failure.
    """

    def __init__(
        self,
        trials: HunkTrials,
        hunks: Sequence[Hunk],
        members: Sequence[Representative],
        prefer: Callable[[int], Sequence[Hunk]],
        follow: Collection[int] = (),
    ) -> None:
        self._trials = trials
        self._hunks = hunks
        self._prefer = prefer
        self._follow = follow
        self._members: dict[int, list[tuple[Representative, Placed]]] = {}
        for member in members:
            for atom, placed in zip(member.atoms, member.changes, strict=True):
                self._members.setdefault(atom, []).append((member, placed))
        self._cited: dict[int, Hunks] = {}
        # By the hunks that are taken back. Emptied when an atom cites others than before.
        self._known_strangers: dict[Hunks, tuple[frozenset[int], bool]] = {}

    def find(self, atoms: Iterable[int]) -> dict[int, ChangeCause]:
        """Return the cause of each atom.

        An atom that no member has gets a proposal.
        """
        try:
            for atom in self._members:
                self._cited[atom] = self._find_first(atom)
            self._agree()
            for atom in self._members:
                self._cited[atom] = self._leave_out(atom)
        except TooManyTrialsError:
            pass  # causes that were not found yet stay proposals
        return {atom: self._judge(atom) for atom in atoms}

    def add_needed(
        self, causes: Mapping[int, ChangeCause], idle: Collection[Hunk]
    ) -> dict[int, ChangeCause]:
        """Return causes with all hunks that are enough alone: their atoms need each of them."""
        needed = {
            (atom, member): [*cause.hunks]
            for atom, cause in causes.items()
            if cause.proven and len(cause.hunks) == 1
            for member, _ in self._members.get(atom, ())
        }
        members = list(dict.fromkeys(member for _, member in needed))
        try:
            for hunk in self._hunks if members else ():
                for one in self._restored(hunk, members) if hunk not in idle else ():
                    if one in needed and hunk not in needed[one]:
                        needed[one].append(hunk)
        except TooManyTrialsError:
            pass  # what is cited so far is true, too
        own: dict[int, dict[Representative, tuple[Hunk, ...]]] = {}
        for (atom, member), hunks in needed.items():
            own.setdefault(atom, {})[member] = self._in_order(frozenset(hunks))
        return {**causes, **{atom: causes[atom].by_member(some) for atom, some in own.items()}}

    def _restored(
        self, hunk: Hunk, members: Sequence[Representative]
    ) -> Iterator[tuple[int, Representative]]:
        """Yield the atoms whose places are as in the base without a hunk, with their members."""
        for member, seen in self._trials.without((hunk,), members).items():
            places = {(one.path, one.is_order) for one in seen.changed if not seen.fails}
            for atom, placed in zip(member.atoms, member.changes, strict=True):
                is_near = (placed.path, placed.is_order) in places
                if is_near and is_restored(placed, member.changes, seen.left):
                    yield atom, member

    def add_parts(
        self, atom: int, cause: ChangeCause, is_asked: Callable[[Hunk], bool]
    ) -> ChangeCause:
        """Return a cause that cites the lines of its hunks, if they are known.

        They are if there are lines that are enough alone for each member that cites the hunk.
        """
        own = {member: cause.own.get(member, cause.hunks) for member, _ in self._members[atom]}
        try:
            for hunk in filter(is_asked, cause.hunks):
                parts = {
                    member: tuple(
                        part
                        for part in hunk.parts()
                        if self._is_restored(atom, frozenset((part,)), member)
                    )
                    for member, hunks in own.items()
                    if hunk in hunks
                }
                if frozenset.intersection(*map(frozenset, parts.values())):
                    for member, lines in parts.items():
                        at = own[member].index(hunk)
                        own[member] = (*own[member][:at], *lines, *own[member][at + 1 :])
        except TooManyTrialsError:
            pass  # what is cited so far is true, too
        return cause.by_member(own)

    def _find_first(self, atom: int) -> Hunks:
        """Return hunks without which the atom's path has the value of the base, or none."""
        order = self._order(atom)
        for hunk in order:  # the most likely are first, which mostly avoids trials of the others
            if self._is_restored(atom, frozenset((hunk,))):
                return frozenset((hunk,))
        # Single hunks first, then known sets, then all hunks: a person would try the same
        # (docs/decisions/0019).
        near = [hunk for hunk in order if self._see_alone(hunk, atom)]
        # Small sets before large ones, since a trial of many hunks renders most files anew.
        preferred = self._prefer(atom)
        shown = [hunk for hunk in order if hunk in preferred or self._may_take_part(hunk, atom)]
        for known in dict.fromkeys(self._cited.values()):
            if len(known) > 1 and self._is_restored(atom, known):
                return self._shrink(atom, self._sort(atom, known))
        for start in (preferred, shown, near, order):
            if len(start) > 1 and self._is_restored(atom, frozenset(start)):
                return self._shrink(atom, start)
        return frozenset()

    def _order(self, atom: int) -> list[Hunk]:
        return list(dict.fromkeys([*self._prefer(atom), *self._hunks]))

    def _may_take_part(self, hunk: Hunk, atom: int) -> bool:
        """Say whether a hunk is likely to be a cause together with others.

        Alone it changes the atom's place, lets a compile fail, or is a whole file, which nothing
        may name on the other side.
        """
        return (0, 0) in (hunk.base, hunk.head) or self._is_seen_alone(atom, hunk)

    def _see_alone(self, hunk: Hunk, atom: int) -> Mapping[Representative, TrialResult]:
        members = [member for member, _ in self._members[atom]]
        return self._trials.without((hunk,), members)

    def _shrink(
        self, atom: int, start: Sequence[Hunk], only: Representative | None = None
    ) -> Hunks:
        """Return the smallest sufficient subset of some hunks, preferring the most likely ones.

        It is sufficient for all members of the atom, or for ``only`` one.
        """
        kept = list(start)
        size = len(kept) // 2
        while size:
            at = len(kept)
            while at > 0:
                fewer = kept[: max(0, at - size)] + kept[at:]
                if fewer and self._is_restored(atom, frozenset(fewer), only):
                    kept = fewer
                at -= size
            size //= 2
        return frozenset(kept)

    def _is_restored(self, atom: int, without: Hunks, only: Representative | None = None) -> bool:
        """Say whether the atom's path has the value of the base, for all or ``only`` one member."""
        asked = [one for one in self._members[atom] if only in (None, one[0])]
        seen = self._trials.without(without, [member for member, _ in asked])
        for member, placed in asked:
            one = seen.get(member)
            if one is None or one.fails or not is_restored(placed, member.changes, one.left):
                return False
        return True

    def _strangers(self, without: Hunks) -> tuple[frozenset[int], bool]:
        """Return what else changes without some hunks.

        These are the atoms whose values change although they cite none of the hunks; and whether
        anything changes that belongs to no atom, or fails.
        """
        return recall(self._known_strangers, without, partial(self._find_strangers, without))

    def _find_strangers(self, without: Hunks) -> tuple[frozenset[int], bool]:
        atoms: set[int] = set()
        is_loose = False
        for member, seen in self._trials.without(without).items():
            if not member.is_compared:
                continue
            own = dict(zip(member.atoms, member.changes, strict=True))
            by_path = {placed.path: atom for atom, placed in own.items() if not placed.is_order}
            is_loose = is_loose or seen.fails
            for change in seen.changed:
                exact = None if change.is_order else by_path.get(change.path)
                if exact is not None and self._cites(exact, without):
                    continue
                near = [
                    atom
                    for atom, placed in own.items()
                    # The order of keys is independent of the values below them.
                    if placed.touches(change) and (change.is_order or not placed.is_order)
                ]
                if not near:
                    is_loose = True
                elif not any(self._cites(atom, without) for atom in near):
                    atoms.add(near[0])
        return frozenset(atoms), is_loose

    def _cites(self, atom: int, hunks: Hunks) -> bool:
        return not hunks.isdisjoint(self._cited.get(atom, frozenset()))

    def _agree(self) -> None:
        """Add hunks to atoms until no other atom changes without them."""
        for _ in range(MAX_ROUNDS):
            more = {cited: self._lack(cited) for cited in {*self._cited.values()} if cited}
            if not any(more.values()):
                return
            self._known_strangers.clear()
            for atom, cited in self._cited.items():
                self._cited[atom] = cited | more.get(cited, frozenset())

    def _lack(self, cited: Hunks) -> Hunks:
        atoms, is_loose = self._strangers(cited)
        lacking = frozenset(hunk for atom in atoms for hunk in self._cited.get(atom, ()))
        if not is_loose:
            return lacking
        for hunk in self._hunks:
            if hunk not in cited and not self._strangers(cited | {hunk})[1]:
                return lacking | {hunk}
        return frozenset(self._hunks) - cited

    def _leave_out(self, atom: int) -> Hunks:
        """Return the hunks of an atom without those that it does not need."""
        cited = self._cited[atom]
        for hunk in reversed(self._order(atom)):
            if len(cited) > 1 and hunk in cited and self._holds(atom, cited - {hunk}):
                cited = cited - {hunk}
                self._cited[atom] = cited
                self._known_strangers.clear()
        return cited

    def _holds(self, atom: int, cited: Hunks) -> bool:
        """Say whether some hunks are a cause of the atom."""
        return self._is_restored(atom, cited) and self._strangers(cited) == (frozenset(), False)

    def _judge(self, atom: int) -> ChangeCause:
        cited = self._cited.get(atom, frozenset())
        if not cited:
            return ChangeCause(tuple(self._prefer(atom)[:1]), proven=False)
        try:
            if not self._holds(atom, cited):
                return ChangeCause(self._in_order(cited), proven=False)
            needed = self._shrink(atom, self._sort(atom, cited))
            is_smallest = len(needed) == 1 or not any(
                self._is_restored(atom, needed - {hunk}) for hunk in needed
            )
            needed = self._leave_out_hidden(atom, needed)
            bound, own = self._bound(atom, cited), self._find_own(atom, needed)
            return ChangeCause(self._in_order(needed), is_smallest, bound, own)
        except TooManyTrialsError:
            return ChangeCause(self._in_order(cited), proven=False)

    def _leave_out_hidden(self, atom: int, needed: Hunks) -> Hunks:
        """Return hunks without those whose edits the others hide.

        An atom that follows from a failure keeps those without which no minion fails.
        """
        for hunk in reversed(self._sort(atom, needed)):
            fewer = needed - {hunk}
            is_hidden = fewer and (atom in self._follow or not self._is_seen_alone(atom, hunk))
            if is_hidden and self._is_mended(atom, fewer):
                needed = fewer
        return needed

    def _is_seen_alone(self, atom: int, hunk: Hunk) -> bool:
        """Say whether a hunk alone changes the atom's place, or lets a compile fail."""
        seen = self._see_alone(hunk, atom)
        return any(
            seen[member].fails or any(map(placed.touches, seen[member].changed))
            for member, placed in self._members[atom]
            if member in seen
        )

    def _is_mended(self, atom: int, without: Hunks) -> bool:
        """Say whether no minion fails anew, and the atom's place has something else again."""
        seen = self._trials.without(without, [member for member, _ in self._members[atom]])
        return all(
            member in seen
            and seen[member].is_mended
            and any(
                placed.touches(change) and change.is_order == placed.is_order
                for change in seen[member].changed
            )
            for member, placed in self._members[atom]
        )

    def _find_own(self, atom: int, needed: Hunks) -> dict[Representative, tuple[Hunk, ...]]:
        """Return the cause of each member if some of them need fewer hunks than all together."""
        if len(needed) == 1:
            return {}
        start = self._sort(atom, needed)
        own = {
            member: self._in_order(self._shrink(atom, start, member))
            for member, _ in self._members[atom]
        }
        return own if len({*own.values()}) > 1 else {}

    def _sort(self, atom: int, hunks: Hunks) -> list[Hunk]:
        """Return some hunks, those first that most likely caused an atom."""
        return [hunk for hunk in self._order(atom) if hunk in hunks]

    def _in_order(self, hunks: Hunks) -> tuple[Hunk, ...]:
        return tuple(hunk for hunk in self._hunks if hunk in hunks)

    def _bound(self, atom: int, cited: Hunks) -> tuple[int, ...]:
        """Return the atoms with a common hunk, if a compile without only some hunks fails."""
        if len(cited) == 1 or not any(self._fails(cited - {hunk}) for hunk in cited):
            return ()
        others = (one for one in self._cited if one != atom and self._cites(one, cited))
        return tuple(sorted(others))

    def _fails(self, without: Hunks) -> bool:
        return any(seen.fails for seen in self._trials.without(without).values())
