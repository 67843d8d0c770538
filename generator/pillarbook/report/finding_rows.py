"""What is wrong with one minion: a few diagnostics of a rule in full, many of them as one."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import islice
from typing import Any

from markupsafe import Markup

from pillarbook.diagnostics import Diagnostic, Severity
from pillarbook.diagnostics.rules import RULES
from pillarbook.model import KeyPath, format_path
from pillarbook.report.rows import RowSection, find_anchor, write_place
from pillarbook.report.value_html import make_visible

MAX_COUNT: Mapping[Severity, int] = {Severity.ERROR: 20, Severity.WARNING: 5, Severity.NOTE: 3}
"""Diagnostics of one rule that a page tells one by one; the pillar must not be pushed away."""
MAX_PLACES = 40
"""Places that a page names of the others."""


@dataclass(frozen=True, slots=True)
class FindingRow:
    """A diagnostic, or several of one rule."""

    code: str
    """The rule."""
    severity: Severity
    """How bad it is."""
    message: str
    """What is wrong, plain text."""
    keys: Markup
    """The keys it is about, linked to their rows."""
    places: Markup
    """Where to look."""
    help: str | None
    """What to do about it."""


def write_findings(
    diagnostics: Sequence[Diagnostic], sections: Mapping[Any, RowSection]
) -> list[FindingRow]:
    """Return what the page of a minion tells, in the order of the diagnostics.

    Args:
        diagnostics: Those of the minion, worst first.
        sections: The sections of its page by top-level key, to link to.
    """
    by_rule: dict[tuple[str, Severity], list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        by_rule.setdefault((diagnostic.code, diagnostic.severity), []).append(diagnostic)
    found = []
    for (_, severity), members in by_rule.items():
        if len(members) > MAX_COUNT[severity]:
            found.append(_fold(members, sections))
        else:
            found += [_describe(member, sections) for member in members]
    return found


def _describe(one: Diagnostic, sections: Mapping[Any, RowSection]) -> FindingRow:
    positions = () if one.position is None else (one.position, *one.related)
    places = " <small>also</small> ".join(write_place(at.file, at.line) for at in positions)
    keys = _write_key(one.path, sections) if one.path else ""
    return FindingRow(
        code=one.code,
        severity=one.severity,
        message=one.message,
        keys=Markup(keys),  # noqa: S704 (escaped there)
        places=Markup(places),  # noqa: S704 (escaped there)
        help=one.help,
    )


def _fold(members: Sequence[Diagnostic], sections: Mapping[Any, RowSection]) -> FindingRow:
    first = members[0]
    rule = RULES.get(first.code)
    written = list(dict.fromkeys(_places(members, sections)))
    shown = ", ".join(islice(written, MAX_PLACES))
    more = f" and {len(written) - MAX_PLACES:,} more" if len(written) > MAX_PLACES else ""
    return FindingRow(
        code=first.code,
        severity=first.severity,
        message=f"{len(members):,} times: {rule.title if rule else first.message}",
        keys=Markup(f"{shown}{more}"),  # noqa: S704 (escaped there)
        places=Markup(),
        help=first.help if all(member.help == first.help for member in members) else None,
    )


def _places(members: Sequence[Diagnostic], sections: Mapping[Any, RowSection]) -> Iterator[str]:
    for member in members:
        if member.path:
            yield _write_key(member.path, sections)
        elif member.position:
            yield write_place(member.position.file, member.position.line)


def _write_key(path: KeyPath, sections: Mapping[Any, RowSection]) -> str:
    key = f"<code>{escape(make_visible(format_path(path)))}</code>"
    anchor = find_anchor(path, sections.get((type(path[0]), path[0])))
    return f'<a href="#{anchor}">{key}</a>' if anchor else key
