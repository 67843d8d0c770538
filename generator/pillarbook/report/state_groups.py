"""Changes of states that affect the same minions for the same cause."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from pillarbook.compare.atoms import Cited
from pillarbook.compare.chunks import StateName
from pillarbook.compare.diff import Diff
from pillarbook.compare.state_changes import StateChange
from pillarbook.report.own_keys import FEWEST_NAMES, find_nameless_shape, fold_names


@dataclass(frozen=True, slots=True)
class StateGroup:
    """Changes of states that affect the same minions for the same cause."""

    minions: tuple[str, ...]
    files: tuple[str, ...]
    """The files that are the cause."""
    proven: bool
    """Whether compiles show that."""
    states: tuple[StateChange, ...]

    @property
    def only_moves(self) -> bool:
        """Whether the states only run in another order."""
        return all(one.change.kind == "moved" for one in self.states)

    @property
    def places(self) -> tuple[Cited | str, ...]:
        """The lines that are the cause, and the files of which some lines are not known to be."""
        lines = dict.fromkeys(line for one in self.states for line in one.cause.lines)
        vague = {
            file
            for one in self.states
            for file in {*one.cause.files}.difference(line.file for line in one.cause.lines)
        }
        return (*lines, *(file for file in self.files if file in vague))


def other_states(diff: Diff) -> tuple[StateGroup, ...]:
    """Return the changes of states that no change of pillar has a part in, those of many first.

    States that only run in another order are one group, the last one: each other change may move
    any number of them, on each minion other ones.
    """
    if diff.bare:
        return ()
    found: dict[tuple[tuple[str, ...], tuple[str, ...], bool], list[StateChange]] = {}
    moved: list[StateChange] = []
    shown = {atom.id for atom in diff.shown}
    for one in diff.told_states:
        if shown.intersection(one.cause.atoms):
            continue
        if one.change.kind == "moved":
            moved.append(one)
        else:
            key = (one.minions, one.cause.files, one.cause.proven)
            found.setdefault(key, []).append(one)
    groups = _fold(StateGroup(*key, tuple(states)) for key, states in found.items())
    return (*groups, *_join_moves(moved, diff))


def _join_moves(moved: Sequence[StateChange], diff: Diff) -> Iterator[StateGroup]:
    if moved:
        minions = {minion for one in moved for minion in one.minions}
        yield StateGroup(
            tuple(minion for minion in diff.minions if minion in minions),
            tuple(dict.fromkeys(file for one in moved for file in one.cause.files)),
            all(one.cause.proven for one in moved),
            tuple(moved),
        )


def _fold(groups: Iterable[StateGroup]) -> tuple[StateGroup, ...]:
    """Return groups of which those that read alike are one.

    They are minions of several environments, or minions whose states have names of their own.
    """
    found = _join_alike(groups, _words_of)
    found = _join_alike(found, find_nameless_shape, FEWEST_NAMES)
    ranks = {group.minions: rank for rank, group in reversed([*enumerate(found)])}
    return tuple(sorted(found, key=lambda one: (-len(one.minions), ranks[one.minions])))


def _join_alike(
    groups: Iterable[StateGroup], look: Callable[[StateChange], Hashable], fewest: int = 2
) -> list[StateGroup]:
    """Join groups whose states look alike and have one cause, if there are enough of them."""
    alike: dict[Hashable, list[StateGroup]] = {}
    for group in groups:
        alike.setdefault((group.places, group.proven, *map(look, group.states)), []).append(group)
    found: list[StateGroup] = []
    for some in alike.values():
        if len(some) < fewest:
            found += some
            continue
        states = fold_names([state for one in some for state in one.states])
        if len({anywhere(state.change.state) for state in states}) > len(some[0].states):
            found += some  # their names have a meaning
            continue
        minions = dict.fromkeys(minion for one in some for minion in one.minions)
        found.append(replace(some[0], minions=tuple(minions), states=tuple(states)))
    return found


def _words_of(one: StateChange) -> Hashable:
    """Return what a reader sees of a change: not its environment, nor the lines that set values.

    Of a state that is added or removed, that is only its name.
    """
    if one.change.kind != "changed":
        return anywhere(one.change.state), one.change.kind
    arguments = ((a.kind, a.path, repr(a.before), repr(a.after)) for a in one.change.arguments)
    return anywhere(one.change.state), one.change.kind, tuple(arguments)


def anywhere(state: StateName) -> StateName:
    """Return the name of a state without its environment: minions have the same from several."""
    return state._replace(env=None)
