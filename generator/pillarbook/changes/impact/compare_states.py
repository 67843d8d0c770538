"""Looks at the states of one minion on both sides of a comparison."""

from functools import partial

from pillarbook.changes.comparison import Sides
from pillarbook.changes.comparison.state_sides import StatePair, StatesOf
from pillarbook.changes.impact.causing_files import find_files
from pillarbook.changes.impact.fleet_impact import StateComparison
from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.session.session import Session


def look_at(
    sides: Sides,
    minion: str,
    before: CompiledPillar | None,
    after: CompiledPillar,
    *,
    affected: bool,
) -> StateComparison | None:
    """Return the states of a minion of the head, where they may be others in the base.

    ``before`` is None for a minion that is new; ``affected`` says whether files of its states
    differ.
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
    """Return the states of a minion in two environments; None where it has none."""
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
