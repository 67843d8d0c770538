"""The effect of a change on states, in words."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pillarbook.compare.atoms import Atom
from pillarbook.compare.chunks import StateName
from pillarbook.compare.diff import Diff
from pillarbook.compare.outcomes import FAILING
from pillarbook.compare.state_changes import StateChange, StateResult
from pillarbook.model import KeyPath, format_path
from pillarbook.model.phrases import clip, count, cut_errors, list_some
from pillarbook.redact import Redacted
from pillarbook.report.diff_wording import write_line
from pillarbook.report.folded_atoms import FoldedAtoms
from pillarbook.report.own_keys import fold_names
from pillarbook.report.result_wording import NEW_FAULTS
from pillarbook.report.state_groups import StateGroup, anywhere, other_states

MAX_NAMED = 3
"""States that are named one by one."""
MAX_FILES = 5
"""Files, or lines of them, that are named as causes."""
MAX_NAME = 80
"""Characters of the name of a state."""
STILL = "still failing"
"""The result of what fails as before."""
ALARMING = ("newly failing", "empty", NEW_FAULTS, STILL, "fixed")
"""Results of states other than that they differ, the worst first."""
EFFECTS: Mapping[str, str] = {
    "added": "adds {}",
    "removed": "removes {}",
    "changed": "changes {}",
    "replaced": "replaces {}",
    "moved": "moves {} in the run order",
}
"""What is said of states with each kind of change, and of those with another name or function."""
_EFFECTS_BETWEEN: Mapping[str, str] = {
    "added": "{} only in {head}",
    "removed": "{} only in {base}",
    "changed": "{} with other arguments",
    "replaced": "{} with another name or function",
    "moved": "{} at another place in the run order",
}


@dataclass(frozen=True, slots=True)
class StateAlarm:
    """Minions whose states fail, are now empty, or are fixed, with the same faults."""

    word: str
    """One of ``ALARMING``."""
    faults: tuple[str, ...]
    """What goes wrong, with file and line."""
    minions: tuple[str, ...]


class StateWords:
    """Describes the effect of a comparison on states."""

    def __init__(self, diff: Diff) -> None:
        self._diff = diff
        self._by_atom = states_by_atom(diff)
        self._states = {one.id: one for one in diff.told_states}
        self.head = head_of_states(diff)
        """How many states change on how many minions; empty if none do."""
        self.others = other_states(diff)
        """The changes of states that no change of pillar has a part in."""
        self.changes = "" if diff.environment else "changes "
        """What is said before states that were named; between environments nothing changes."""

    def describe_states(self, states: Iterable[StateChange], write: Callable[[str], str]) -> str:
        """Return the changes of some states, as ``describe_states`` does, or how they differ."""
        diff = self._diff
        return describe_states(states, write, (diff.base, diff.head) if diff.environment else None)

    def describe(self, told: FoldedAtoms | Atom, write: Callable[[str], str]) -> str:
        """Return which states change because of a change of pillar; empty for none."""
        return self.describe_effect(self.states_of(told), write)

    def states_of(self, told: FoldedAtoms | Atom) -> list[StateChange]:
        """Return the changes of states that a change of pillar has a part in."""
        atoms = told.atoms if isinstance(told, FoldedAtoms) else (told,)
        ids = dict.fromkeys(one for atom in atoms for one in self._by_atom.get(atom.id, ()))
        return fold_names([self._states[number] for number in ids])

    def describe_once(
        self, told: FoldedAtoms, known: set[int], write: Callable[[str], str]
    ) -> tuple[str, list[StateChange]]:
        """Return which states change because of a change of pillar, and those not told before.

        ``known`` has the ids of the changes of states that are told; those of this one are added.
        """
        found = self.states_of(told)
        new = [one for one in found if one.id not in known]
        again = {anywhere(one.change.state) for one in found if one.id in known}
        known.update(one.id for one in found)
        lines = [self.describe_effect(new, write)]
        if again:
            same = "state" if len(again) == 1 else count(len(again), "state")
            lines.append(f"{self.changes}the same {same} as above")
        return ", ".join(filter(None, lines)), new

    def describe_effect(self, states: Sequence[StateChange], write: Callable[[str], str]) -> str:
        """Return the changes of states because of a pillar change, with the state files in them."""
        files = tuple(dict.fromkeys(file for one in states for file in one.cause.files))
        group = StateGroup(minions=(), files=files, proven=True, states=tuple(states))
        also = describe_files(group, write)
        return self.describe_states(states, write) + (f", also {also}" if also else "")

    def alarms(self, most_faults: int) -> list[StateAlarm]:
        """Return what goes wrong with states, the worst first, then that of most minions."""
        diff = self._diff
        found: dict[tuple[str, tuple[str, ...]], list[str]] = {}
        for minion, result in () if diff.bare else diff.state_results.items():
            if result.word in ALARMING and not self._follows(minion):
                for word, faults in self._divide(result):
                    cut = faults[:most_faults] if word == STILL else cut_errors(faults, most_faults)
                    found.setdefault((word, cut), []).append(minion)
        ordered = sorted(found.items(), key=lambda one: (ALARMING.index(one[0][0]), -len(one[1])))
        return [StateAlarm(word, faults, tuple(minions)) for (word, faults), minions in ordered]

    def _divide(self, result: StateResult) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield a result of states with its faults; the new ones first, if they failed before."""
        new = tuple(one for one in result.new_faults if one not in self._diff.follow_on)
        old = tuple(one for one in result.faults if one not in new)
        if new:
            yield NEW_FAULTS, new
        if old or not new:
            yield result.word, old

    def describe_follow_on(self, minions: Iterable[str]) -> str:
        """Return how many errors of states follow from the failures of minions; empty for none."""
        failing = [minion for minion in minions if self._follows(minion)]
        faults = {fault for minion in failing for fault in self._follow_on_of(minion)}
        whose = "its" if len(failing) == 1 else "their"
        return f"{count(len(faults), 'follow-on error')} in {whose} states" if faults else ""

    def _follow_on_of(self, minion: str) -> tuple[str, ...]:
        """Return the errors of a minion's states; only the new ones, if its pillar has new ones."""
        result = self._diff.state_results[minion]
        is_news = self._diff.minions[minion].new_faults and result.base in FAILING
        return result.new_faults if is_news else result.faults

    def describe_reason(self, alarm: StateAlarm, write: Callable[[str], str]) -> str:
        """Return which removed keys the states of an alarm still read; empty for none.

        Errors that were there before the change have another reason.
        """
        if alarm.word == STILL:
            return ""
        minions = set(alarm.minions)
        read = {
            tuple(one.missing[1].split(":"))
            for side, one in self._diff.diagnostics
            if side == "head" and one.of_states and not minions.isdisjoint(one.minions)
            if one.missing is not None and one.missing[0] == "key"
        }
        removed = dict.fromkeys(
            format_path(atom.change.path)
            for atom in self._diff.atoms
            if atom.change.kind == "removed" and not minions.isdisjoint(atom.minions)
            if any(_has(atom.change.path, key) for key in read)
        )
        keys = list_some(tuple(removed), MAX_NAMED, write)
        if not keys:
            return ""
        base = self._diff.environment
        return (
            f"they read what {f'only {write(base)} has' if base else 'this change removes'}: {keys}"
        )

    def _follows(self, minion: str) -> bool:
        """Say whether the states of a minion fail because its pillar does, and only so."""
        result, pillar = self._diff.state_results.get(minion), self._diff.minions[minion]
        if result is None or not result.faults or pillar.head not in FAILING:
            return False
        return self._diff.follow_on.issuperset(result.faults)


def _has(removed: KeyPath, key: Sequence[str]) -> bool:
    """Say whether a key is, or was in, what a change removes; ``*`` is any key."""
    pairs = zip(removed, key, strict=False)
    return len(removed) <= len(key) and all(one in ("*", str(had)) for had, one in pairs)


def states_by_atom(diff: Diff) -> dict[int, list[int]]:
    """Return the ids of the changes of states that each atom has a part in."""
    found: dict[int, list[int]] = {}
    for one in diff.told_states:
        for atom in one.cause.atoms:
            found.setdefault(atom, []).append(one.id)
    return found


def head_of_states(diff: Diff) -> str:
    """Return how many states change on how many minions; empty if none do."""
    if diff.bare:
        return ""
    minions = {minion for one in diff.told_states for minion in one.minions}
    parts = []
    if minions:
        changed, moved = _count_states(fold_names(diff.told_states))
        verb = _verb_of("changed", changed, diff)
        told = [f"{count(changed, 'state')} {verb}"] if changed else []
        told += [f"{count(moved, 'state')} moved in the run order"] if moved else []
        parts.append(f"{', '.join(told)} on {count(len(minions), 'minion')}")
    results = diff.state_results
    alone = {name for name in diff.only_states if results[name].word not in ALARMING}
    same = "is the same" if diff.environment else "does not change"
    if alone and alone == minions:
        parts[0] += f" whose pillar {same}"
    elif alone:
        verb = _verb_of("change", 2, diff)
        parts.append(f"states {verb} on {count(len(alone), 'minion')} whose pillar {same}")
    return "; ".join(parts)


def _verb_of(word: str, number: int, diff: Diff) -> str:
    """Return what states do in a comparison; between environments, they differ."""
    if not diff.environment:
        return word
    return "differs" if number == 1 else "differ"


def _count_states(states: Iterable[StateChange]) -> tuple[int, int]:
    """Return how many states change, and how many run in another order, on some minions.

    A state that has another name or function now counts once.
    """
    kinds: dict[StateName, set[str]] = {}
    for one in states:
        kinds.setdefault(anywhere(one.change.state), set()).add(one.change.kind)
    added, removed = (
        Counter(name.state_id for name, found in kinds.items() if found == {kind})
        for kind in ("added", "removed")
    )
    changed = sum(found != {"moved"} for found in kinds.values())
    moved = sum("moved" in found for found in kinds.values())
    return changed - (added & removed).total(), moved


def describe_states(
    states: Iterable[StateChange],
    write: Callable[[str], str],
    names: tuple[str, str] | None = None,
) -> str:
    """Return the changes of some states: ``changes 2 states (`a`, `b`), adds 1 state (`c`)``.

    With the names of two environments, it says in which of them a state is.
    """
    found: dict[str, dict[StateName, None]] = {kind: {} for kind in EFFECTS}
    unproven = False
    for one in states:
        found[one.change.kind][anywhere(one.change.state)] = None
        unproven = unproven or not one.cause.proven
    # The states of these IDs have another name or function now.
    ids = {one.state_id for one in found["added"]} & {one.state_id for one in found["removed"]}
    if ids and ids == {one.state_id for kind in ("added", "removed") for one in found[kind]}:
        found["removed"], found["replaced"], found["added"] = {}, found["added"], {}
    told = {state for kind in found if kind != "moved" for state in found[kind]}
    found["moved"] = {state: None for state in found["moved"] if state not in told}
    base, head = map(write, names or ("", ""))
    parts = [
        form.format(f"{count(len(some), 'state')} ({_list(some, write)})", base=base, head=head)
        for kind, form in (_EFFECTS_BETWEEN if names else EFFECTS).items()
        if (some := list(found[kind]))
    ]
    return ", ".join(parts) + (" (not proven)" if unproven and parts else "")


def _list(states: Sequence[StateName], write: Callable[[str], str]) -> str:
    return list_some(call_states(states), MAX_NAMED, write)


def call_states(states: Sequence[StateName]) -> list[str]:
    """Return short names of states: their IDs, with more if an ID is not unique."""
    ids = Counter(show_part(state.state_id) for state in states)
    called = []
    for state in states:
        name = show_part(state.state_id)
        if ids[name] > 1 and show_part(state.name) != name:
            name = f"{name}: {show_part(state.name)}"
        elif ids[name] > 1:
            name = f"{name} ({function_of(state)})"
        called.append(clip(" ".join(name.split()), MAX_NAME))  # a command has lines
    return called


def show_part(part: Any) -> str:
    """Return a part of the name of a state; a secret is said to be one."""
    return "(secret)" if isinstance(part, Redacted) else str(part)


def function_of(state: StateName) -> str:
    """Return the function of a state: ``file.managed``."""
    return f"{show_part(state.state)}.{show_part(state.fun)}"


def describe_files(group: StateGroup, write: Callable[[str], str]) -> str:
    """Return which files some changes are because of; empty if none are known."""
    places = group.places
    if not places:
        return ""
    told = {one.file for one in places if not isinstance(one, str)}
    shown = list_some(
        [
            (f"other lines of {write(one)}" if one in told else write(one))
            if isinstance(one, str)
            else write_line(one, write)
            for one in places
        ],
        MAX_FILES,
        str,
    )
    return f"because of {shown}{'' if group.proven else ' (not proven)'}"
