"""What minions lose or get that newly fail, are empty, new or removed, or lose a target."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pillarbook.compare.atoms import Atom, Cited
from pillarbook.compare.diff import Diff
from pillarbook.model import format_path
from pillarbook.model.phrases import count, list_some
from pillarbook.redact.redacted_pillar import RedactedTarget
from pillarbook.report.diff_wording import MAX_LINES, MAX_SECRETS, write_line
from pillarbook.report.state_wording import StateAlarm, StateWords

MAX_NAMED = 5
"""Top-level keys that are named."""
MAX_KEYS = 12
"""Those of a minion that is new or removed."""


def describe_effects(
    diff: Diff,
    states: StateWords,
    minions: Sequence[str],
    write: Callable[[str], str],
    write_place: Callable[[str], str],
) -> list[str]:
    """Return the cause of the failures of some minions, and what they lose or get because of it."""
    lines = (
        describe_failure_cause(diff, minions, write_place),
        describe_keys(diff, minions, write),
        describe_lost(diff, minions, write),
        states.describe_follow_on(minions),
    )
    return [line for line in lines if line]


def describe_lost(diff: Diff, minions: Iterable[str], write: Callable[[str], str]) -> str:
    """Return what only follows from the failures of some minions; empty for nothing."""
    ids = dict.fromkeys(one for name in minions for one in diff.minions[name].atoms)
    found = [diff.atoms[one - 1] for one in ids]
    follow = [atom for atom in found if atom.consequence_of is not None]
    lost = _lost(follow)
    words = []
    if lost:
        tops = dict.fromkeys(format_path(path[:1]) for path in lost)
        words.append(f"{count(len(lost), 'key')} lost: {list_some(tuple(tops), MAX_NAMED, write)}")
    others = sum(atom.change.kind in ("added", "changed") for atom in follow)
    if others:
        words.append(f"{count(others, 'value')} changed by it")
    return "; ".join(words)


def describe_failure_cause(
    diff: Diff, minions: Iterable[str], write_place: Callable[[str], str]
) -> str:
    """Return the proven cause of the failures of some minions, if it is in another file.

    It is known from the changes that follow from a failure; empty if there are none.
    """
    cited: dict[Cited, None] = {}
    for atom in (diff.atoms[one - 1] for name in minions for one in diff.minions[name].atoms):
        if atom.consequence_of is None or not atom.proven:
            continue
        place = diff.diagnostics[atom.consequence_of][1].position
        cited |= {one: None for one in atom.because if place is None or one.file != place.file}
    lines = list_some(tuple(cited), MAX_LINES, lambda line: write_line(line, write_place))
    return f"because of {lines}" if lines else ""


def describe_keys(diff: Diff, minions: Sequence[str], write: Callable[[str], str]) -> str:
    """Return the top-level keys of minions that are new, removed or newly empty, else nothing."""
    keys = dict.fromkeys(format_path((key,)) for name in minions for key in _keys_of(diff, name))
    named = list_some(tuple(keys), MAX_KEYS, write)
    paths = dict.fromkeys(path for name in minions for path in diff.minions[name].secrets)
    secrets = list_some([format_path(path) for path in paths], MAX_SECRETS, write)
    also = f"; secrets among them: {secrets}" if paths else ""
    is_gone = all(diff.minions[name].word == "empty" for name in minions)
    lost = "lost " if is_gone and not diff.environment else ""
    where = f" only in {write(diff.base)}" if is_gone and diff.environment else ""
    return f"{lost}{count(len(keys), 'top-level key')}{where}: {named}{also}" if keys else ""


def _keys_of(diff: Diff, minion: str) -> Iterator[Any]:
    result = diff.minions[minion]
    yield from result.keys
    if result.word == "empty":
        paths = (diff.atoms[number - 1].change.path for number in result.atoms)
        yield from (path[0] for path in paths if path)


def _lost(atoms: Sequence[Atom]) -> dict[tuple[Any, ...], None]:
    """Return the paths of all values that are gone."""
    found: dict[tuple[Any, ...], None] = {}
    for atom in atoms:
        if atom.change.kind == "removed":
            _add_leaves(atom.change.path, atom.change.before, found)
    return found


def _add_leaves(path: tuple[Any, ...], data: Any, found: dict[tuple[Any, ...], None]) -> None:
    if isinstance(data, dict) and data:
        for key, part in data.items():
            _add_leaves((*path, key), part, found)
    else:
        found[path] = None  # a list is one key


MAX_TARGETS = 3
"""Lines of top files, and targets of each, that are named for a group of minions."""
MAX_SLS = 5
"""SLS files that are named for a target."""


@dataclass(frozen=True, slots=True)
class LostTargets:
    """Minions that lose the same targets."""

    minions: tuple[str, ...]
    targets: tuple[RedactedTarget, ...]
    """The targets, as the base has them."""
    state_alarms: tuple[StateAlarm, ...]
    """Failures of their states, and of no others', that read a key which is gone."""
    environment: str = ""
    """The base if it is an environment; empty if it is what was before."""

    def describe(self, name: Callable[[str], str], place: Callable[[str], str]) -> list[str]:
        """Return which SLS files are lost, one target a line."""
        by_line: dict[str, list[RedactedTarget]] = {}
        for one in self.targets:
            by_line.setdefault(one.place, []).append(one)
        listed = list(by_line.items())[:MAX_TARGETS]
        told = [self._describe_line(some, place(where), name) for where, some in listed]
        left = len(self.targets) - sum(len(some) for _, some in listed)
        return [*told, count(left, "more target")] if left > 0 else told

    def _describe_line(
        self, some: Sequence[RedactedTarget], place: str, name: Callable[[str], str]
    ) -> str:
        sls = list_some(list(dict.fromkeys(sls for one in some for sls in one.sls)), MAX_SLS, name)
        # A target whose SLS has the minion's id in its name is one.
        names = list(dict.fromkeys(one.target for one in some))
        ending = "" if len(names) == 1 else "s"
        target = f"the target{ending} {list_some(names, MAX_TARGETS, name)} in {place}"
        if self.environment:
            return (
                f"{target} {'give' if ending else 'gives'} {sls} only in {name(self.environment)}"
            )
        return f"{target} (before) no longer {'give' if ending else 'gives'} {sls}"


def list_other_alarms(
    lost: Iterable[LostTargets], states: StateWords, most_faults: int
) -> list[StateAlarm]:
    """Return the failures of states that are not because of a lost target, the worst first."""
    told = {alarm for one in lost for alarm in one.state_alarms}
    return [one for one in states.alarms(most_faults) if one not in told]


def group_lost_targets(diff: Diff, states: StateWords, most_faults: int) -> list[LostTargets]:
    """Return the minions that lose a target and keys with it.

    Those of equal targets are together, or those of each line of a top file, if that is shorter.
    """
    found: dict[tuple[RedactedTarget, ...], list[str]] = {}
    for minion, result in () if diff.bare else diff.minions.items():
        if minion in diff.lost_a_target:
            found.setdefault(result.lost, []).append(minion)
    groups = [(tuple(minions), targets) for targets, minions in found.items()]
    by_line = list(_group_by_line(found))
    if 2 * len(by_line) < sum(1 + len(targets) for targets in found):
        groups = sorted(by_line, key=lambda group: -len(group[0]))
    alarms: dict[tuple[str, ...], list[StateAlarm]] = {}
    for alarm in states.alarms(most_faults):
        whose = [group for group, _ in groups if set(alarm.minions) <= set(group)]
        if whose and states.describe_reason(alarm, str):
            alarms.setdefault(min(whose, key=len), []).append(alarm)
    return [
        LostTargets(minions, targets, tuple(alarms.pop(minions, ())), diff.environment)
        for minions, targets in groups
    ]


def _group_by_line(
    found: Mapping[tuple[RedactedTarget, ...], Iterable[str]],
) -> Iterator[tuple[tuple[str, ...], tuple[RedactedTarget, ...]]]:
    """Yield the minions that lose the targets of the same lines, with these targets."""
    lines: dict[str, tuple[dict[RedactedTarget, None], dict[str, None]]] = {}
    for targets, minions in found.items():
        for one in targets:
            told, members = lines.setdefault(one.place, ({}, {}))
            told[one] = None
            members.update(dict.fromkeys(minions))
    alike: dict[frozenset[str], tuple[dict[str, None], list[RedactedTarget]]] = {}
    for told, members in lines.values():
        alike.setdefault(frozenset(members), (members, []))[1].extend(told)
    yield from ((tuple(members), tuple(told)) for members, told in alike.values())
