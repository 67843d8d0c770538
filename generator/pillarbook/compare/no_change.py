"""Whether a comparison proves that nothing changes for any minion."""

from collections.abc import Iterator
from dataclasses import dataclass

from pillarbook.compare.alarms import changes_besides_values, newly_fails
from pillarbook.compare.diff import Diff
from pillarbook.model.phrases import count


@dataclass(frozen=True, slots=True)
class NoChange:
    """What a comparison proves about a change that should have no effect."""

    holds: bool
    """Whether nothing changes, and everything could be compared."""
    words: str
    """One sentence for people: the proof, or the reason against it."""


def prove_no_change(diff: Diff, *, has_states: bool) -> NoChange:
    """Return whether nothing changes on any minion.

    Changes that follow from a failure do not count, because the failure counts. Another order of
    keys counts, unless all states were compared and none changes, because a state can loop over a
    mapping.
    """
    values = [one for one in diff.shown if one.change.kind != "reordered" or not has_states]
    ordered = len(diff.shown) - len(values)
    against = list(_find_against(diff, bool(values)))
    if against:
        return NoChange(holds=False, words=f"Not proven to change nothing: {', '.join(against)}")
    known = [f"{count(len(diff.minions), 'minion')} compared"]
    if diff.values:
        known.append(f"{count(diff.values, 'value')} equal")
    if diff.skipped:
        known.append(f"{count(diff.skipped, 'minion')} read nothing that changed")
    known.append("states included" if has_states else "states not compared")
    if ordered:
        known.append(f"{count(ordered, 'mapping')} in another order, on which no state depends")
    failing = sum(one.base == "failed" for one in diff.minions.values())
    if failing:
        known.append(f"{count(failing, 'minion')} without a pillar, as before")
    ignored = sum(one.atoms for one in diff.ignored)
    if ignored:
        known.append(f"{count(ignored, 'change')} ignored by the configuration")
    return NoChange(holds=True, words=f"Proven to change nothing: {'; '.join(known)}")


def _find_against(diff: Diff, has_values: bool) -> Iterator[str]:
    if has_values:
        yield "values change"
    if newly_fails(diff):
        yield "something newly fails, or could not be compared"
    has_new = any(one.new_faults for one in diff.minions.values())
    if has_new or any(one.new_faults for one in diff.state_results.values()):
        yield "minions that failed before have new errors"
    if changes_besides_values(diff):
        yield "states change, or minions are new, removed or fixed"
    if diff.unknown:
        yield f"{count(diff.unknown, 'unknown value')} could not be compared"
    if diff.not_compared:
        yield "not everything was compared"
    if diff.bare or not diff.minions:
        yield "no minion has anything to compare"
