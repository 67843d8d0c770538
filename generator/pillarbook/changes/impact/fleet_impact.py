"""Compare the states of a fleet, and add the result to a comparison of its pillar."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import starmap

from pillarbook.changes.comparison import Sides
from pillarbook.changes.comparison.alike import is_same_data
from pillarbook.changes.comparison.new_calls import Call, describe_new_calls, find_new_calls
from pillarbook.changes.comparison.state_sides import StatePair, StatesOf
from pillarbook.changes.impact.causing_files import find_files
from pillarbook.changes.impact.declaration_hunks import DeclaredHunks
from pillarbook.changes.impact.state_causes import (
    MAX_TRIALS,
    ChangedStates,
    StateComparison,
    find_causes,
)
from pillarbook.compare.diff import MAX_NAMED, Diff, Idle
from pillarbook.compare.outcomes import FAILING
from pillarbook.compare.state_changes import ChunkChanges, StateChanges
from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.diagnostics import Collector, Diagnostic
from pillarbook.highstate.compiled_states import CompiledStates
from pillarbook.model.phrases import count, list_some
from pillarbook.session.session import Session


class Impact:
    """Collects the states of minions on both sides, and compares them.

    For two environments, one session is both sides, and ``declared`` is None.
    """

    def __init__(self, base: Session, head: Session, declared: DeclaredHunks | None = None) -> None:
        self._sessions = base, head
        self._declared = declared
        self._looked: list[StateComparison] = []
        self._lacking = 0
        self._hidden: list[tuple[str, ...]] = []
        # For each minion of which the states fail on both sides, the SLS files that differ.
        self._calls: list[set[Call]] = []

    def take(self, looked: StateComparison | None) -> None:
        """Add a minion; None for one without states, or with the same states.

        States that are the same on both sides are not kept, and neither are those of which nothing
        is known on one side: Salt does not fail, so it is no failure.
        """
        if looked is None:
            return
        sides = [states for _, _, states in self._sides_of(looked.pair)]
        self._lacking += any(states.lack_some for states in sides)
        self._calls.append(find_new_calls(looked.pair.base, looked.pair.head))
        if all(states.outcome in FAILING for states in sides):
            self._hidden += filter(None, [tuple(_differing_sls(looked.pair))])
        if not (any(states.are_unknown for states in sides) or _stays(looked.pair)):
            self._looked.append(looked)

    def _sides_of(self, pair: StatePair) -> Iterator[tuple[str, Session, CompiledStates]]:
        base, head = self._sessions
        if pair.base is not None:
            yield "base", base, pair.base
        yield "head", head, pair.head

    def learn(self) -> None:
        """Collect the secrets of all added states in both sessions; they are not frozen yet."""
        for looked in self._looked:
            for _, session, states in self._sides_of(looked.pair):
                session.collect_secrets(states, for_show=False)

    def finish(
        self,
        diff: Diff,
        most: int = MAX_TRIALS,
        names: Mapping[str, str] | None = None,
        besides: Iterable[str] = (),
    ) -> Diff:
        """Return a comparison that includes the states; secrets must be frozen before.

        ``most`` limits the compiles that find out why states change; ``names`` has the ids of
        minions in the comparison, by their own ids, if it was made before all secrets were known;
        ``besides`` are more sentences on what is not compared.
        """
        base, head = self._sessions
        found = StateChanges()
        members = []
        for looked in self._looked:
            pair = looked.pair
            before = None if pair.base is None else base.shown.redact_with_faults(pair.base)
            after = head.shown.redact_with_faults(pair.head)
            if names is not None:
                after = replace(after, minion=names[pair.head.minion])
            changes = found.add(before, after)
            if changes:
                members.append(self._member(looked, after.minion, changes, diff))
        try:
            states, results = found.finish(find_causes(members, most))
        finally:
            if self._declared is not None:
                self._declared.close()
        cited = {line for one in states for line in one.cause.lines}
        # A report has the findings of the head's states already.
        known = set(starmap(_identity, diff.diagnostics))
        described = (pair for pair in self._describe() if _identity(*pair) not in known)
        return replace(
            diff,
            states=states,
            state_results=results,
            diagnostics=self._name_causes((*diff.diagnostics, *described)),
            idle=tuple(one for one in diff.idle if one.line not in cited and not self._hides(one)),
            not_compared=(
                *diff.not_compared,
                *self._describe_lacking(),
                *self._describe_hidden(),
                *describe_new_calls(self._calls, self._sessions[1].shown.clean_name, "the states"),
                *besides,
            ),
        )

    def _describe_lacking(self) -> Iterator[str]:
        if self._lacking:
            yield (
                "states that depend on unknown values are not compared, on"
                f" {count(self._lacking, 'minion')}; `pillarbook check` names them (unknown-state)"
            )

    def _describe_hidden(self) -> Iterator[str]:
        if self._hidden:
            clean = self._sessions[1].shown.clean_name
            names = {clean(path) for paths in self._hidden for path in paths}
            yield (
                f"on {count(len(self._hidden), 'minion')}, other states fail on both sides, so"
                " changes of these state files are not compared:"
                f" {list_some(sorted(names), MAX_NAMED, str)}"
            )

    def _hides(self, idle: Idle) -> bool:
        """Say whether a line is of states that are not compared."""
        paths = {path for some in self._hidden for path in some}
        return any(f"/{idle.line.file}".endswith(f"/{path}") for path in paths)

    def _member(
        self, looked: StateComparison, minion: str, changes: ChunkChanges, diff: Diff
    ) -> ChangedStates:
        pair, atoms, declared = looked.pair, diff.minions[minion].atoms, self._declared
        assert pair.base is not None  # noqa: S101 (so are changes there)
        assert pair.before is not None  # noqa: S101 (as well)
        member = ChangedStates(
            minion=minion,
            looked=looked,
            base=pair.base,
            before=pair.before,
            atoms=atoms,
            changes=tuple(diff.atoms[number - 1].change for number in atoms),
            states=changes,
        )
        if declared is None or pair.by_pillar_alone:
            return member
        return replace(
            member,
            declared=partial(declared.of, minion),
            declared_by=partial(declared.own_of, minion),
        )

    def _name_causes(
        self, diagnostics: Sequence[tuple[str, Diagnostic]]
    ) -> tuple[tuple[str, Diagnostic], ...]:
        """Return the diagnostics of both sides; those that follow from another one name it."""
        named: dict[str, Iterator[Diagnostic]] = {}
        for side, session in zip(("base", "head"), self._sessions, strict=True):
            own = [one for label, one in diagnostics if label == side]
            named[side] = iter(session.compiler.findings.name_causes(own))
        return tuple((side, next(named[side])) for side, _ in diagnostics)

    def _describe(self) -> Iterator[tuple[str, Diagnostic]]:
        """Yield the diagnostics of the states of both sides."""
        found = {"base": Collector(), "head": Collector()}
        for looked in self._looked:
            for side, session, states in self._sides_of(looked.pair):
                for one in session.shown.diagnostics_in(states):
                    found[side].add(one)
        yield from ((side, one) for side, some in found.items() for one in some.finish())


def _identity(side: str, one: Diagnostic) -> tuple[object, ...]:
    return side, one.code, one.message, one.position, one.of_states


def _differing_sls(pair: StatePair) -> Iterator[str]:
    """Yield the files of state SLS that are others, if they give other data or do not render."""
    for name, after in pair.head.sls.items():
        before = None if pair.base is None else pair.base.sls.get(name)
        if before is None or before.files == after.files:
            continue
        if before.tree is None or after.tree is None or not is_same_data(before.tree, after.tree):
            yield after.files[0].path


def _stays(pair: StatePair) -> bool:
    if pair.base is None or pair.head.outcome in FAILING:
        return False
    return pair.base.outcome == pair.head.outcome and is_same_data(pair.base.tree, pair.head.tree)


def look_at(
    sides: Sides,
    minion: str,
    before: CompiledPillar | None,
    after: CompiledPillar,
    *,
    affected: bool,
) -> StateComparison | None:
    """Return the states of a minion of the head, if they may differ from the base.

    ``before`` is None for a new minion; ``affected`` says whether files of its states differ.
    """
    states = sides.states
    pair = states.compile(minion, before, after, affected=affected)
    if pair is None:
        return None
    declared, other = states.declared(minion)
    return StateComparison(
        pair,
        partial(states.base.compile_unmarked, other or declared),
        partial(states.head.compile_unmarked, declared),
        partial(find_files, sides, (other or declared, declared), pair),
    )


def look_in_environments(
    session: Session, states: StatesOf, names: tuple[str, str], sides: tuple[CompiledPillar, ...]
) -> StateComparison | None:
    """Return the states of a minion in two environments; None if it has none."""
    minion = session.fleet.shown_id(sides[0].minion)
    base, head = (session.fleet.forced(name, minion) for name in names)
    if not (states.has_any(base) or states.has_any(head)):
        return None
    if any(one.raises is not None or one.outcome == "failed" for one in sides):
        return None
    compiled = [states.compile(*one) for one in zip((base, head), sides, strict=True)]
    pair = StatePair(compiled[0], compiled[1], sides[0], sides[1], by_pillar_alone=False)
    return StateComparison(
        pair,
        partial(states.compile_unmarked, base),
        partial(states.compile_unmarked, head),
    )
