"""What a comparison finds that may fail a job, and whether it proves that nothing changes."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from pillarbook.compare.change import Change
from pillarbook.compare.diff import Diff, MinionResult
from pillarbook.compare.outcomes import ABSENT, FAILING
from pillarbook.compare.state_changes import StateResult
from pillarbook.diagnostics import Diagnostic
from pillarbook.model import KeyPath
from pillarbook.model.phrases import count
from pillarbook.redact.redacted_pillar import secret_of

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


def find_secret_access(diff: Diff) -> dict[str, tuple[KeyPath, ...]]:
    """Return the minions that can newly read a secret, with the paths of these secrets.

    A secret that a minion had under another key is none, nor is another value of one that it had.
    New minions are not among them.
    """
    before: dict[str, set[int]] = {}
    for atom in diff.atoms:
        known = {secret for secret, _ in _secrets_in(atom.change.before)}
        for minion in atom.minions if known else ():
            before.setdefault(minion, set()).update(known)
    found: dict[str, dict[KeyPath, None]] = {}
    for atom in diff.atoms:
        given = new_secrets(atom.change)
        for minion in atom.minions if given else ():
            had = before.get(minion, set())
            paths = [path for secret, path in given.items() if secret not in had]
            if paths:
                found.setdefault(minion, {}).update(dict.fromkeys(paths))
    return {minion: tuple(paths) for minion, paths in found.items()}


def new_secrets(change: Change) -> dict[int, KeyPath]:
    """Return the secrets that a change gives, each with its path.

    Another value of a secret that was there is none.
    """
    if change.kind in ("moved", "reordered") or any(_secrets_in(change.before)):
        return {}
    return dict(_secrets_in(change.after, change.path))


def _secrets_in(data: Any, path: KeyPath = ()) -> Iterator[tuple[int, KeyPath]]:
    secret = secret_of(data)
    if secret is not None:
        yield secret.secret_id, path
    elif isinstance(data, dict):
        for key, part in data.items():
            yield from _secrets_in(part, (*path, key))
    elif isinstance(data, list | tuple):
        for at, part in enumerate(data):
            yield from _secrets_in(part, (*path, at))
