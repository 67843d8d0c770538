"""What a comparison finds that may fail a job."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from types import MappingProxyType

from pillarbook.compare.diff import Diff, MinionResult
from pillarbook.compare.outcomes import ABSENT, FAILING
from pillarbook.compare.secret_access import find_secret_access
from pillarbook.compare.state_changes import StateResult
from pillarbook.diagnostics import Diagnostic

NEWLY_BAD = ("newly failing", "empty")
NOT_COMPARED = "not-compared"
"""The rule of what could not be compared."""


def is_alarm(diff: Diff, what: str) -> bool:
    """Say whether a comparison has something that may fail a job.

    ``what`` is a name in ``ALARMS``, or the code of a rule: then it is a finding that only the head
    has.
    """
    known = ALARMS.get(what)
    return any(one.code == what for one in new_findings(diff)) if known is None else known(diff)


def new_findings(diff: Diff) -> Iterator[Diagnostic]:
    """Yield the diagnostics of the head that the base lacks, or has on fewer minions."""
    before: dict[Hashable, set[str]] = {}
    for side, one in diff.diagnostics:
        if side == "base":
            before.setdefault(_identity(one), set()).update(one.minions)
    for side, one in diff.diagnostics:
        known = before.get(_identity(one))
        if side == "head" and (known is None or not known.issuperset(one.minions)):
            yield one


def changes_minion(diff: Diff, minion: str) -> bool:
    """Say whether a minion of the head is new, fixed, newly failing, or changed.

    A failing minion with new errors is newly failing here; not one that only fails as before. Its
    states count as its pillar does.
    """
    pillar, states = diff.minions[minion], diff.state_results.get(minion)
    results = (pillar,) if states is None else (pillar, states)
    if pillar.word == "gone":
        return False
    if any(one.word not in {"unchanged", "still failing"} for one in results):
        return True
    return _has_new_errors(diff, results) or minion in diff.changed | _state_changed(diff)


def changes_besides_values(diff: Diff, *, counted: bool = False) -> bool:
    """Say whether a state changes, or a minion is new, removed or fixed.

    With ``counted``, changes of states that the base acknowledges are left out.
    """
    return bool(_state_changed(diff, counted=counted)) or any(
        one.word == "fixed" or ABSENT in (one.base, one.head) for one in _results(diff)
    )


def _state_changed(diff: Diff, *, counted: bool = False) -> frozenset[str]:
    """Return the minions with a change in their states that does not follow from a failure."""
    follows = {
        atom.id
        for atom in diff.atoms
        if atom.consequence_of is not None or (counted and atom.acknowledged == "base")
    }
    return frozenset(
        minion
        for one in diff.told_states
        if not one.cause.atoms or not follows.issuperset(one.cause.atoms)
        if not counted or one.acknowledged != "base"
        for minion in one.minions
    )


def _results(diff: Diff) -> Iterator[MinionResult | StateResult]:
    yield from diff.minions.values()
    yield from diff.state_results.values()


def _has_new_errors(diff: Diff, results: Iterable[MinionResult | StateResult]) -> bool:
    """Say whether a minion that failed before has an error which it had not.

    Else a fleet in which every minion has an old error would never have a new failure.
    """
    return any(not diff.follow_on.issuperset(one.new_faults) for one in results)


def newly_fails(diff: Diff) -> bool:
    """Say whether a minion newly fails or is newly empty, or something could not be compared."""
    return any(one.word in NEWLY_BAD for one in _results(diff)) or any(
        one.code == NOT_COMPARED for _, one in diff.diagnostics
    )


def _has_new_failure(diff: Diff) -> bool:
    return newly_fails(diff) or _has_new_errors(diff, _results(diff))


def _has_failure(diff: Diff) -> bool:
    return _has_new_failure(diff) or any(one.head in FAILING for one in _results(diff))


def _has_change(diff: Diff) -> bool:
    return bool(diff.counted) or changes_besides_values(diff, counted=True)


def _has_secret_access(diff: Diff) -> bool:
    """Say whether a minion can read a secret that it could not read in the base."""
    new_minions = any(result.secrets for result in diff.minions.values())
    return new_minions or bool(find_secret_access(diff))


def _identity(one: Diagnostic) -> Hashable:
    """Return a finding without its line, which moves."""
    return one.code, one.message, repr(one.path), one.position and one.position.file


ALARMS: Mapping[str, Callable[[Diff], bool]] = MappingProxyType(
    {
        "new-failure": _has_new_failure,
        "failure": _has_failure,
        "change": _has_change,
        "secret-access": _has_secret_access,
    }
)
"""What may fail a job, besides findings of a rule."""
