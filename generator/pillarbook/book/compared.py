"""Two sides of a fleet, compiled and compared."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from pillarbook.book.because import explain_changes
from pillarbook.book.because.explain import TouchedMinion
from pillarbook.book.because.trials import MOST_COMPILES
from pillarbook.book.clock import tell_clocks
from pillarbook.book.fleet import FleetBook
from pillarbook.book.ignored import ignore_between, make_ignore
from pillarbook.book.impact import DeclaredHunks, Impact, look_at, look_in_environments
from pillarbook.book.sides import Sides, Survey, Surveyed
from pillarbook.book.sides.states import StatesOf
from pillarbook.compare.diff import Diff, DiffBuilder
from pillarbook.compare.outcomes import FAILING
from pillarbook.compile.pillar import CompiledPillar
from pillarbook.diagnostics import Collector, Diagnostic, PillarbookError
from pillarbook.inventory.change_settings import IgnoreRule
from pillarbook.redact import RedactedPillar


@dataclass(frozen=True, slots=True)
class _Compared:
    """A minion on both sides; of one that nothing touches, only how it went."""

    minion: str
    """Its id, as it is declared."""
    base: CompiledPillar | None
    """What it gets in the base."""
    head: CompiledPillar | None
    """What it gets in the head."""
    outcome: str = ""
    """Its outcome in the head, where that has it."""


class UnknownEnvironmentError(PillarbookError):
    """An environment to compare that is not among those of the configuration."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        names = ", ".join(f"'{one}'" for one in known) or "fewer than two"
        super().__init__(
            f"there is no environment '{name}' to compare; there are {names}: name those to compare"
            " under `environments:` in the configuration; without it they are those of"
            " `pillar_roots`"
        )


def compare_sides(
    sides: Sides,
    step: Callable[[], None] = lambda: None,
    survey: Survey | None = None,
    trials: int = MOST_COMPILES,
) -> Diff:
    """Compare every minion as it is on one side with itself on the other.

    Args:
        sides: Both sides.
        step: Called after each minion, to show progress.
        survey: The look at the head, where it was begun before.
        trials: Compiles of a minion that may be spent to find the cause of each change.
    """
    with survey or Survey(sides) as looking:
        surveyed = looking.finish(step)
    impact = Impact(sides.base, sides.head, DeclaredHunks(sides))
    compared = [_compile(sides, minion, surveyed.get(minion), impact) for minion in sides.minions]
    impact.learn()
    sides.head.settle_with(())
    sides.base.settle_with(
        one.base for one in compared if one.base is not None and one.base is not one.head
    )
    sides.head.settle_with(())  # its names may hold what only the base says is secret
    builder = DiffBuilder(ignore_between(sides))
    touched = _add_all(builder, sides, compared)
    told = [
        (side, one)
        for side, book in (("base", sides.base), ("head", sides.head))
        for one in book.diagnostics
    ]
    told += [("head", one) for one in sides.tell_opened()]
    diff = explain_changes(sides, builder.finish(*sides.labels, told, sides.notes), touched, trials)
    return impact.finish(diff, trials)


def _add_all(
    builder: DiffBuilder, sides: Sides, compared: Iterable[_Compared]
) -> list[TouchedMinion]:
    """Take what minions get on both sides, and return those that the change touches."""
    touched: list[TouchedMinion] = []
    for one in compared:
        base, head = one.base, one.head
        if base is head and one.outcome not in FAILING:
            builder.skip(sides.head.shown_id(one.minion), one.outcome)
            continue
        after = _show(sides.head, head)
        before = after if base is head else _show(sides.base, base)
        changes = builder.add(before, after)
        if base is not head and head is not None and after is not None:
            touched.append(TouchedMinion(base, head, before, after, changes))
    return touched


def _compile(sides: Sides, minion: str, known: Surveyed | None, impact: Impact) -> _Compared:
    """Return what a minion gets, where it has to be looked at; one object where nothing differs.

    Its states are left to ``impact``.
    """
    if known is None:
        return _Compared(minion, sides.compile_base(minion), None)
    own = sides.head.declared(minion).id
    states = known.states_touched
    if not (known.touched or states) and known.outcome not in FAILING:
        return _Compared(own, None, None, known.outcome)
    head = known.compiled or sides.head.compile(minion)
    base = sides.compile_base(minion) if known.touched else head
    if known.touched or states:
        impact.take(look_at(sides, minion, base, head, touched=states))
    return _Compared(own, base, head, known.outcome)


def _show(book: FleetBook, compiled: CompiledPillar | None) -> RedactedPillar | None:
    return None if compiled is None else book.shown_pillar(compiled)


def compare_environments(
    book: FleetBook,
    names: tuple[str, str],
    step: Callable[[], None] = lambda: None,
    rules: Sequence[IgnoreRule] = (),
) -> Diff:
    """Compare every minion in one environment with itself in another.

    Args:
        book: The fleet; its environments are known.
        names: The environments' names, the base's first.
        step: Called after each minion, to show progress.
        rules: Say which changes are ignored.

    Raises:
        UnknownEnvironmentError: One of them is no environment that is compared.
    """
    known = {side.name: side for side in book.environments}
    for name in names:
        if name not in known:
            raise UnknownEnvironmentError(name, tuple(known))
    impact = Impact(book, book)
    compiled = list(_compile_in(book, names, step))
    _look_at_states(book, names, compiled, impact)
    book.settle()
    found = {"base": Collector(), "head": Collector()}
    builder = DiffBuilder(make_ignore(rules))
    for both in compiled:
        builder.add(*map(book.shown_pillar, both))
        for side, one in zip(found, both, strict=True):
            for said in book.diagnostics_in(one):
                found[side].add(said)
    bare = [
        f"{name} has no top file, so Salt gives nothing there but what external pillars give"
        for number, name in enumerate(names)
        if not known[name].has_top and all(one[number].outcome == "empty" for one in compiled)
    ]
    told: list[tuple[str, Diagnostic]] = [
        (side, one) for side, collected in found.items() for one in collected.finish()
    ]
    notes = tell_clocks((book.project.clock,), (one for _, one in told))
    return impact.finish(builder.finish(*names, told, notes, bare=bare))


def _compile_in(
    book: FleetBook, names: tuple[str, str], step: Callable[[], None]
) -> Iterator[tuple[CompiledPillar, CompiledPillar]]:
    """Yield what each minion gets in two environments; their secrets are learned."""
    sides = []
    for name in names:
        side = [book.compile_in(name, minion) for minion in book.minions]
        for one in side:
            book.learn(one)
        sides.append(side)
        step()
    yield from zip(*sides, strict=True)


def _look_at_states(
    book: FleetBook,
    names: tuple[str, str],
    compiled: Iterable[tuple[CompiledPillar, CompiledPillar]],
    impact: Impact,
) -> None:
    states = StatesOf(book)
    for both in compiled:
        impact.take(look_in_environments(book, states, names, both))
    impact.learn()
