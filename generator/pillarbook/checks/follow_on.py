"""Which errors only follow from another one.

A missing file fails in each SLS that imports it. A pillar SLS that fails takes its keys with it,
so the states that read them fail too; and these take the IDs that other states require.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from pillarbook.diagnostics import Diagnostic, Severity

UNSEEN = ("sls", "file")
"""What is missing with a content that nobody knows, so it may have set any key or ID."""


def name_causes(
    diagnostics: Sequence[Diagnostic], mentions: Callable[[str, str], bool]
) -> tuple[Diagnostic, ...]:
    """Return diagnostics of which each that follows from another one names it.

    Args:
        diagnostics: All diagnostics of a run, or of a minion.
        mentions: Says whether a file, as positions name it, holds a word.
    """
    errors = [at for at, one in enumerate(diagnostics) if one.severity is Severity.ERROR]
    causes: dict[int, int] = {}
    for at in errors:
        cause = _find_cause(at, errors, diagnostics, mentions)
        if cause is not None:
            causes[at] = cause
    return tuple(
        one if (root := _root(at, causes)) == at else replace(one, caused_by=diagnostics[root])
        for at, one in enumerate(diagnostics)
    )


def _find_cause(
    at: int,
    errors: Sequence[int],
    diagnostics: Sequence[Diagnostic],
    mentions: Callable[[str, str], bool],
) -> int | None:
    """Return the likeliest cause of an error: one that all its minions have; None for none."""
    missing = diagnostics[at].missing
    if missing is None:
        return None
    if missing[0] == "file":
        alike = [other for other in errors if diagnostics[other].missing == missing]
        first = max(alike, key=lambda other: (len(diagnostics[other].minions), -other))
        return None if first == at else first
    found = list(_failing_files(at, errors, diagnostics, mentions))
    minions = set(diagnostics[at].minions)
    if not minions or not minions <= {name for one in found for name in diagnostics[one].minions}:
        return None
    return max(found, key=lambda one: len(minions.intersection(diagnostics[one].minions)))


def _failing_files(
    at: int,
    errors: Sequence[int],
    diagnostics: Sequence[Diagnostic],
    mentions: Callable[[str, str], bool],
) -> Iterator[int]:
    """Yield the errors of files that would have set what is missing, the likeliest first."""
    kind, name = diagnostics[at].missing or ("", "")
    if kind not in ("key", "id") or not diagnostics[at].of_states:
        return
    word = name.partition(":")[0] if kind == "key" else name
    near = [
        one
        for one in errors
        if one != at
        and diagnostics[one].of_states == (kind == "id")
        and not {*diagnostics[one].minions}.isdisjoint(diagnostics[at].minions)
    ]
    for one in near:
        position = diagnostics[one].position
        if position is not None and mentions(position.file, word):
            yield one
    yield from (one for one in near if (diagnostics[one].missing or ("",))[0] in UNSEEN)


def _root(at: int, causes: Mapping[int, int]) -> int:
    """Return the first cause of an error; errors that follow from each other have none."""
    seen = {at}
    while at in causes:
        at = causes[at]
        if at in seen:
            return min(seen)
        seen.add(at)
    return at
