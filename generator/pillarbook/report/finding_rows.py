"""What is wrong with one minion: a few diagnostics of a rule in full, many of them as one."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from pillarbook.diagnostics import Diagnostic, Severity, fold_follow_on
from pillarbook.diagnostics.siblings import name_many
from pillarbook.model import KeyPath, Position, format_path
from pillarbook.report.rows import SectionsByKey, find_anchor

MAX_COUNT: Mapping[Severity, int] = {Severity.ERROR: 20, Severity.WARNING: 5, Severity.NOTE: 3}
"""Diagnostics of one rule that a page lists one by one; the pillar must stay near the top."""
MAX_PLACES = 5
"""Places that a page names of the others."""
Subject: TypeAlias = tuple[KeyPath, str | None] | Position
"""A key with the id of its row if it has one, or a place in a file."""


@dataclass(frozen=True, slots=True)
class FindingRow:
    """A diagnostic, or several of one rule."""

    code: str
    """The rule."""
    severity: Severity
    """How bad it is."""
    message: str
    """What is wrong, plain text; as far as the key that it is about."""
    subjects: tuple[Subject, ...]
    """The keys it is about; of several diagnostics also places."""
    help: str | None
    """What to do about it."""
    places: tuple[Position, ...] = ()
    """Where to look."""
    after: str = ""
    """What the message says behind the key."""
    more: int = 0
    """How many subjects are left out."""
    follow_on: tuple[Diagnostic, ...] = ()
    """The errors that only follow from it."""


def write_findings(diagnostics: Sequence[Diagnostic], sections: SectionsByKey) -> list[FindingRow]:
    """Return the rows of a minion's page, in the order of the diagnostics."""
    folded = fold_follow_on(diagnostics)
    by_rule: dict[tuple[str, Severity], list[Diagnostic]] = {}
    for diagnostic in folded:
        by_rule.setdefault((diagnostic.code, diagnostic.severity), []).append(diagnostic)
    found = []
    for (_, severity), members in by_rule.items():
        if len(members) > MAX_COUNT[severity]:
            rows = [(_fold(members, sections), members)]
        else:
            rows = list(zip(_list(members, sections), ([one] for one in members), strict=True))
        for row, own in rows:
            follow = tuple(other for one in own for other in folded[one])
            found.append(replace(row, follow_on=follow))
    return found


def _list(members: Sequence[Diagnostic], sections: SectionsByKey) -> Iterator[FindingRow]:
    """Yield a row for each diagnostic of a rule; each remedy is given once."""
    told: set[str | None] = set()
    for one in members:
        yield _describe(one, sections, None if one.help in told else one.help)
        told.add(one.help)


def _describe(one: Diagnostic, sections: SectionsByKey, remedy: str | None) -> FindingRow:
    named = f"'{format_path(one.path)}'" if one.path else ""
    before, _, after = one.message.partition(named) if named else (one.message, "", "")
    return FindingRow(
        code=one.code,
        severity=one.severity,
        message=before,
        after=after,
        subjects=((one.path, find_anchor(one.path, sections)),) if one.path else (),
        places=() if one.position is None else (one.position, *one.related),
        help=remedy,
    )


def _fold(members: Sequence[Diagnostic], sections: SectionsByKey) -> FindingRow:
    first = members[0]
    named = name_many(first.code, len(members)) or f"{len(members):,} times: {first.message}"
    found: dict[tuple[str, Subject], None] = {}
    for one in members:
        if one.path:  # by its text too: 1 and True are equal and yet two keys
            found[str(one.path), (one.path, find_anchor(one.path, sections))] = None
        elif one.position:
            found["", Position(one.position.file, one.position.line)] = None
    subjects = tuple(subject for _, subject in found)
    return FindingRow(
        code=first.code,
        severity=first.severity,
        message=f"{named}:" if subjects else named,
        subjects=subjects[:MAX_PLACES],
        help=first.help if all(member.help == first.help for member in members) else None,
        more=max(0, len(subjects) - MAX_PLACES),
    )
