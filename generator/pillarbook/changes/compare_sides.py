"""Compiles two sides of a fleet and compares them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from pillarbook.changes.attribution.explain import explain_changes
from pillarbook.changes.attribution.hunk_trials import MAX_COMPILES, AffectedMinion
from pillarbook.changes.comparison import HeadScan, ScanResult, Sides
from pillarbook.changes.comparison.new_calls import describe_new_calls, find_new_calls
from pillarbook.changes.comparison.state_sides import StatesOf
from pillarbook.changes.ignored_changes import ignore_between, make_ignore
from pillarbook.changes.impact.declaration_hunks import DeclaredHunks
from pillarbook.changes.impact.fleet_impact import Impact, look_at, look_in_environments
from pillarbook.compare.diff import Diff, DiffBuilder
from pillarbook.compare.outcomes import FAILING
from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.project import FileRead
from pillarbook.compile.remarks import READS_CLOCK
from pillarbook.diagnostics import Collector, Diagnostic, PillarbookError
from pillarbook.inventory.change_settings import IgnoreRule
from pillarbook.inventory.declared_clock import describe_clocks
from pillarbook.model.phrases import count, list_some
from pillarbook.redact import RedactedPillar
from pillarbook.session.session import Session

MAX_NAMED = 5
"""Files that a note names before it counts the others."""


@dataclass(frozen=True, slots=True)
class _Compared:
    """A minion on both sides; only its outcome, if it is not affected."""

    minion: str
    """Its id, as it is declared."""
    base: CompiledPillar | None
    head: CompiledPillar | None
    outcome: str = ""
    """Its outcome in the head, if the head has it."""


_TOO_FEW = "a comparison needs two environments, but there are fewer"


class UnknownEnvironmentError(PillarbookError):
    """An environment to compare that is not among those of the configuration."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        names = ", ".join(f"'{one}'" for one in known)
        fault = f"unknown environment '{name}'; known: {names}" if known else _TOO_FEW
        super().__init__(
            f"{fault}. The configuration lists them under"
            " `environments:`, or else all of `pillar_roots` are compared"
        )


def compare_sides(
    sides: Sides,
    step: Callable[[], None] = lambda: None,
    scan: HeadScan | None = None,
    trials: int = MAX_COMPILES,
) -> Diff:
    """Compare both sides of every minion.

    ``scan`` is that of the head, if it was begun before; ``trials`` limits the compiles of a minion
    that find the cause of each change.
    """
    with scan or HeadScan(sides) as looking:
        scanned = looking.finish(step)
    impact = Impact(sides.base, sides.head, DeclaredHunks(sides))
    compared = [_compile(sides, minion, scanned.get(minion), impact) for minion in sides.minions]
    if sides.base.compiler.findings.has_rules:  # rules look at the fleet as a whole
        for minion in sides.base.fleet.minions:
            sides.compile_base(minion)
    # First everything is compiled and its secrets are collected, then they are frozen, then results
    # are shown: a secret of the last minion may be plain text on the first one.
    impact.learn()
    if sides.head.fleet.notes:
        sides.head.freeze_asked_secrets([one.head for one in compared if one.head is not None])
        sides.base.freeze_asked_secrets([one.base for one in compared if one.base is not None])
    sides.head.freeze_secrets(())
    sides.base.freeze_secrets(
        one.base for one in compared if one.base is not None and one.base is not one.head
    )
    sides.head.freeze_secrets(())  # its names may contain secrets that only the base declares
    builder = DiffBuilder(ignore_between(sides))
    affected = _add_all(builder, sides, compared)
    shown = frozenset(sides.minions)
    told = [
        (side, one)
        for side, session in (("base", sides.base), ("head", sides.head))
        for one in session.shown.diagnostics
        if not one.minions or not shown.isdisjoint(one.minions)
    ]
    told += [("head", one) for one in sides.describe_opened()]
    diff = explain_changes(
        sides, builder.finish(*sides.labels, told, sides.notes), affected, trials
    )
    calls = (find_new_calls(one.base, one.head) for one in compared)
    hidden = (
        *_describe_unrendered(sides, compared),
        *describe_new_calls(calls, sides.head.shown.clean_name, "the pillar"),
    )
    if hidden:
        diff = replace(diff, may_hide_changes=True)
    return impact.finish(diff, trials, besides=(*sides.describe_not_compared(), *hidden))


def _describe_unrendered(sides: Sides, compared: Iterable[_Compared]) -> Iterator[str]:
    """Yield the sentence about changed files that render on neither side."""
    both = [(_failing_reads(one.base), _failing_reads(one.head)) for one in compared]
    changed = [files for pair in both if (files := _differing_files(*pair))]
    if changed:
        names = {sides.head.shown.clean_name(path) for files in changed for path in files}
        yield (
            "files changed whose values are not compared, because they render on neither side, on"
            f" {count(len(changed), 'minion')}: {list_some(sorted(names), MAX_NAMED, str)}"
        )


def _failing_reads(compiled: CompiledPillar | None) -> dict[FileRead, frozenset[FileRead]]:
    """Return the files of each render that fails, by the first, without its digest."""
    renders = () if compiled is None else compiled.renders
    return {
        replace(one.files[0], digest=None): frozenset(one.files)
        for one in renders
        if one.message is not None and one.files
    }


def _differing_files(
    base: Mapping[FileRead, frozenset[FileRead]], head: Mapping[FileRead, frozenset[FileRead]]
) -> set[str]:
    """Return the files that differ in renders which fail on both sides.

    A file that only one side reads is no change: an error ends a render before it reads the rest.
    """
    differing: set[str] = set()
    for render, before in base.items():
        digests = {replace(read, digest=None): read.digest for read in before}
        for read in head.get(render, ()):
            if digests.get(key := replace(read, digest=None), read.digest) != read.digest:
                differing.add(key.path)
    return differing


def _add_all(
    builder: DiffBuilder, sides: Sides, compared: Iterable[_Compared]
) -> list[AffectedMinion]:
    """Add both sides of minions to the builder, and return the affected minions."""
    affected: list[AffectedMinion] = []
    for one in compared:
        base, head = one.base, one.head
        if base is head and one.outcome not in FAILING:
            builder.skip(sides.head.fleet.shown_id(one.minion), one.outcome)
            continue
        after = _show(sides.head, head)
        before = after if base is head else _show(sides.base, base)
        changes = builder.add(before, after)
        if base is not head and head is not None and after is not None:
            affected.append(AffectedMinion(base, head, before, after, changes))
    return affected


def _compile(sides: Sides, minion: str, known: ScanResult | None, impact: Impact) -> _Compared:
    """Compile a minion that may be affected; both sides are one object if nothing differs.

    Its states are left to ``impact``.
    """
    if known is None:
        return _Compared(minion, sides.compile_base(minion), None)
    own = sides.head.fleet.declared(minion).id
    states = known.states_affected
    # The base gives the same answers, so its pillar is that of the head (docs/decisions/0018). A
    # failing minion always is compiled, so that it is never counted as unchanged by mistake.
    if not (known.affected or states) and known.outcome not in FAILING:
        return _Compared(own, None, None, known.outcome)
    head = known.compiled or sides.head.compiler.compile(minion)
    base = sides.compile_base(minion) if known.affected else head
    if known.affected or states:
        impact.take(look_at(sides, minion, base, head, affected=states))
    return _Compared(own, base, head, known.outcome)


def _show(session: Session, compiled: CompiledPillar | None) -> RedactedPillar | None:
    return None if compiled is None else session.shown.redact_with_faults(compiled)


def compare_environments(
    session: Session,
    names: tuple[str, str],
    step: Callable[[], None] = lambda: None,
    rules: Sequence[IgnoreRule] = (),
) -> Diff:
    """Compare every minion in one environment with itself in another.

    ``step`` is called after each side, to show progress.

    Raises:
        UnknownEnvironmentError: One of them is no environment that is compared.
    """
    known = {side.name: side for side in session.fleet.environments}
    for name in names:
        if name not in known:
            raise UnknownEnvironmentError(name, tuple(known))
    impact = Impact(session, session)
    compiled = list(_compile_in(session, names, step))
    _look_at_states(session, names, compiled, impact)
    session.freeze_fleet_secrets()  # of all minions, even if only some are compared
    found = {"base": Collector(), "head": Collector()}
    builder = DiffBuilder(make_ignore(rules, clean=session.shown.clean_name))
    for both in compiled:
        builder.add(*map(session.shown.redact_with_faults, both))
        for side, one in zip(found, both, strict=True):
            for said in session.shown.diagnostics_in(one):
                found[side].add(said)
    bare = [
        f"{name} has no top file, so the pillar there has only values of external pillars"
        for number, name in enumerate(names)
        if not known[name].has_top and all(one[number].outcome == "empty" for one in compiled)
    ]
    told: list[tuple[str, Diagnostic]] = [
        (side, one) for side, collected in found.items() for one in collected.finish()
    ]
    # Whether or not the configuration ignores what reads the clock:
    heard = (said for both in compiled for one in both for said in one.diagnostics)
    clocks = (session.compiler.project.clock,)
    notes = [*session.fleet.notes]
    if any(one.code == READS_CLOCK for one in heard):
        notes.append(describe_clocks(clocks))
    diff = impact.finish(builder.finish(*names, told, notes, bare=bare))
    return replace(diff, environment=names[0])


def _compile_in(
    session: Session, names: tuple[str, str], step: Callable[[], None]
) -> Iterator[tuple[CompiledPillar, CompiledPillar]]:
    """Yield each minion's pillars in two environments; their secrets are collected."""
    sides = []
    for name in names:
        sides.append([session.compiler.compile_in(name, minion) for minion in session.fleet.asked])
        step()
    session.shown.redactor.index(chain(*sides))
    for one in chain(*sides):
        session.collect_secrets(one)
    yield from zip(*sides, strict=True)


def _look_at_states(
    session: Session,
    names: tuple[str, str],
    compiled: Iterable[tuple[CompiledPillar, CompiledPillar]],
    impact: Impact,
) -> None:
    states = StatesOf(session)
    for both in compiled:
        impact.take(look_in_environments(session, states, names, both))
    impact.learn()
