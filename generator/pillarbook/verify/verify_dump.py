"""Compares compiled pillars with those of a live master's minions."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.project import Project
from pillarbook.inventory.minions import Minion
from pillarbook.model import Leaf, ListNode
from pillarbook.session.session import Session
from pillarbook.verify.conceal import Concealer, Hidden
from pillarbook.verify.dump import Dump
from pillarbook.verify.dump_causes import DumpCause, causes_by_diagnostics, possible_causes
from pillarbook.verify.dump_differences import (
    SEALED,
    Comparison,
    DumpDifference,
    GivenPillar,
    PillarComparer,
)
from pillarbook.verify.grain_questions import Asker
from pillarbook.verify.inventory_changes import ABSENT
from pillarbook.verify.inventory_trials import Case, Compare, TrialSearch
from pillarbook.verify.printed_values import MASK, printed
from pillarbook.verify.project_trials import (
    ClockTrials,
    FunctionTrials,
    TimedParts,
    UnopenedMessages,
)
from pillarbook.verify.proposals import MAX_PAIRS, Pair, Proposer
from pillarbook.verify.shown_findings import DumpFinding, Showing
from pillarbook.verify.verification import Verification


def verify(
    session: Session,
    dump: Dump,
    shown: str,
    *,
    wanted: Callable[[str], bool] = lambda _: True,
    step: Callable[[], None] = lambda: None,
) -> Verification:
    """Compare each minion's pillar with the one in a dump.

    Raises:
        DumpError: The dump cannot be read.
    """
    return _Verifier(session).run(dump, shown, wanted, step)


@dataclass(frozen=True, slots=True)
class _Seen:
    """A minion's compile with its comparison."""

    compiled: CompiledPillar
    """Its pillar here."""
    comparison: Comparison
    project: Project | None = None
    """The project of the compile, if it is not the session's own."""
    timed: TimedParts = field(default_factory=TimedParts)
    """The parts of the pillar that depend on the time."""

    @property
    def differs(self) -> bool:
        """Whether there is a difference to explain."""
        return bool(self.comparison.differences) or self.compiled.raises is not None


class _Verifier:
    """Compares one minion of the dump after the other."""

    def __init__(self, session: Session) -> None:
        project = session.compiler.project
        self._session = session
        self._comparer = PillarComparer()
        self._concealer = Concealer(session.shown.redactor)
        self._asker = Asker(project)
        minions = [session.fleet.declared(minion) for minion in session.fleet.minions]
        environments = [str(name) for name in project.options.values.get("pillar_roots") or {}]
        self._search = TrialSearch(Proposer(minions, environments))
        self._clock = ClockTrials(project, session.compiler.compile_as)
        self._functions = FunctionTrials(project, session.compiler.compile_as)
        self._unopened = UnopenedMessages(project)
        self._findings: dict[str, DumpFinding] = {}

    def run(
        self, dump: Dump, shown: str, wanted: Callable[[str], bool], step: Callable[[], None]
    ) -> Verification:
        """Read the dump to its end, and return the result."""
        found = Verification(dump=shown)
        declared = [minion for minion in self._session.fleet.minions if wanted(minion)]
        known = set(declared)
        compared: set[str] = set()
        strangers: dict[str, None] = {}
        for given in dump.answers():
            if not wanted(given.minion):
                continue
            if given.minion not in known:
                strangers[given.minion] = None
            elif given.pillar is None:
                found.silent[given.minion] = given.silence or "gave no pillar"
            else:
                found.silent.pop(given.minion, None)
                try:
                    found.not_compared += self._verify(given.minion, GivenPillar(given.pillar))
                    compared.add(given.minion)
                # Anybody may have written the dump, and one minion of it must not end the command.
                except RecursionError:
                    found.silent[given.minion] = "nests too deep to be compared"
                step()
        found.compared = len(compared)
        for minion in compared & found.silent.keys():
            del found.silent[minion]
        found.not_in_dump = tuple(
            minion for minion in declared if minion not in compared and minion not in found.silent
        )
        found.not_in_inventory = tuple(strangers)
        found.lost = dump.lost
        found.trials, found.unfinished = self._search.trials, self._search.unfinished
        showing = Showing(self._session, self._concealer)
        found.differing = showing.show(
            {one: self._findings[one] for one in declared if one in self._findings}
        )
        found.clean_names(self._session.shown.clean_name)
        return found

    def _verify(self, minion: str, given: GivenPillar) -> Counter[str]:
        """Compare one minion, and return the number of its values that were not compared."""
        # A dump may have a minion twice, after a retry of `salt`: the last answer counts.
        self._findings.pop(minion, None)
        compiled = self._session.compiler.compile(minion)
        pillar = self._session.shown.redact(compiled)
        seen = _Seen(compiled, self._compare(compiled, given))
        seen = self._without_timed(self._session.fleet.declared(minion), seen)
        if not seen.differs:
            self._concealer.take_sealed(seen.comparison)
            return seen.comparison.not_compared
        diagnostics = self._session.shown.diagnostics_of(minion)
        hidden = self._concealer.hide(pillar, seen.comparison, diagnostics)
        seen = self._without_unopened(minion, seen, given)
        if seen.differs:
            causes = self._explain(self._session.fleet.declared(minion), seen, given, hidden)
            if seen.compiled is not compiled:
                pillar = self._session.shown.redact(seen.compiled)
            self._findings[minion] = DumpFinding(pillar, seen.comparison, hidden, tuple(causes))
        return seen.comparison.not_compared

    def _without_timed(self, declared: Minion, seen: _Seen) -> _Seen:
        """Return the comparison of a minion without parts that depend on the time."""
        if not seen.comparison.differences:
            return seen
        timed = self._clock.find(declared, seen.compiled)
        return replace(seen, comparison=timed.leave_out(seen.comparison), timed=timed)

    def _without_unopened(self, minion: str, seen: _Seen, given: GivenPillar) -> _Seen:
        """Return the comparison of a minion on a master without keys for its messages."""
        project = self._unopened.find_project(seen.comparison, given)
        if project is None:
            return seen
        compiled = self._session.compiler.compile_as(self._session.fleet.declared(minion), project)
        comparison = seen.timed.leave_out(self._compare(compiled, given))
        lost = seen.comparison.weight - comparison.weight
        if lost <= 0:
            return seen
        comparison.not_compared[SEALED] += lost
        return _Seen(compiled, comparison, project, seen.timed)

    def _compare(self, compiled: CompiledPillar, given: GivenPillar) -> Comparison:
        options = any(one.code == "incomplete-pillar-opts" for one in compiled.diagnostics)
        return self._comparer.compare(
            compiled.tree, given, errors=bool(compiled.errors), options=options
        )

    def _explain(
        self, minion: Minion, seen: _Seen, given: GivenPillar, hidden: Hidden
    ) -> list[DumpCause]:
        def compare(changed: Minion) -> tuple[Comparison, CompiledPillar]:
            compiled = self._session.compiler.compile_as(changed, seen.project, briefly=True)
            return seen.timed.leave_out(self._compare(compiled, given)), compiled

        asked = self._asker.find(minion, seen.compiled, seen.comparison)
        pairs = list(self._pairs(seen.comparison, hidden))
        case = Case(minion, seen.comparison, asked, pairs, compare, self._asker.find)
        causes = self._search.explain(case)
        if causes and causes[0].certainty == "proven":
            hidden.settle(self._hidden_if(causes[0], minion, compare))
            return causes
        causes += causes_by_diagnostics(
            self._session.shown.diagnostics_of(minion.id), seen.comparison
        )
        causes += self._functions.causes(minion, seen.comparison)
        return causes or list(possible_causes(asked.near, seen.comparison, minion.position.file))

    def _hidden_if(self, cause: DumpCause, minion: Minion, compare: Compare) -> Hidden:
        """Return the secrets of a minion after the change by which a cause explains everything."""
        for change in cause.changes:
            minion = change.apply(minion)
        comparison, compiled = compare(minion)
        return self._concealer.hide(
            self._session.shown.redact(compiled, notes=False), comparison, ()
        )

    def _pairs(self, comparison: Comparison, hidden: Hidden) -> Iterator[Pair]:
        """Yield differing values that may be seen, our value first."""
        count = 0
        for one in comparison.differences:
            for pair in _pairs_of(one):
                if count == MAX_PAIRS:
                    return
                if self._is_open(one, pair, hidden):
                    count += 1
                    yield pair

    def _is_open(self, one: DumpDifference, pair: Pair, hidden: Hidden) -> bool:
        values = [value for side in pair for value in (side if isinstance(side, list) else [side])]
        return all(
            value is ABSENT
            or self._concealer.reason_for(one.path, value, hidden, is_new=one.ours is None) is None
            for value in values
        )


def _pairs_of(one: DumpDifference) -> Iterator[Pair]:
    ours = one.ours
    if isinstance(ours, Leaf | ListNode):
        value = printed(ours)
        if one.kind == "different" and _is_simple(value) and _is_simple(one.theirs):
            yield value, one.theirs
    elif ours is None:
        for value in _values_in(one.theirs):
            yield ABSENT, value


def _values_in(data: Any) -> Iterator[Any]:
    if isinstance(data, dict):
        for item in data.values():
            yield from _values_in(item)
    elif _is_simple(data):
        yield data


def _is_simple(value: Any) -> bool:
    """Say whether a value is a scalar or a list of scalars, as the value of a grain."""
    if isinstance(value, list):
        return bool(value) and not any(isinstance(item, dict | list) for item in value)
    return value is not None and value not in ("", MASK) and not isinstance(value, dict)
