"""Diagnostics as workflow commands: GitHub shows them as annotations beside the changed lines.

Source: GitHub's "Workflow commands" and the runner's ``ActionCommand``, which say what is escaped;
the runner keeps ten annotations of each level from a step and drops the rest without a word.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pillarbook.diagnostics.diagnostic import Diagnostic, Severity
from pillarbook.diagnostics.formats.plain_text import count_severities
from pillarbook.diagnostics.formats.repository_paths import RepositoryPaths
from pillarbook.diagnostics.formats.wording import clean, shorten, with_minions

MAX_SHOWN = 10
"""Annotations of one level that GitHub takes from a step."""
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


@dataclass(slots=True)
class _Group:
    """Findings of one rule at one place, which are one annotation."""

    level: Severity
    found: list[Diagnostic] = field(default_factory=list)
    minions: dict[str, None] = field(default_factory=dict)


def to_github(diagnostics: Sequence[Diagnostic], places: RepositoryPaths) -> Iterator[str]:
    """Yield one workflow command a line, worst first; nothing where nothing is found.

    Args:
        diagnostics: The findings.
        places: Where their files lie.
    """
    shown, left = _choose(_group(diagnostics))
    for group in shown:
        yield _annotate(group, places)
    if left:
        counted = count_severities(one for group in left for one in group.found)
        message = (
            f"not shown here: {counted}, of {len(diagnostics)} findings; "
            "'pillarbook check' lists all of them"
        )
        yield _command("notice", {"title": "pillarbook check"}, message)


def _group(diagnostics: Sequence[Diagnostic]) -> list[_Group]:
    """Return the findings by place and rule, the worst first."""
    groups: dict[tuple[str, int | None, str], _Group] = {}
    for one in sorted(diagnostics, key=lambda one: -one.severity):
        place = one.position
        key = (place.file, place.line, one.code) if place else (one.message, None, one.code)
        group = groups.setdefault(key, _Group(one.severity))
        group.found.append(one)
        group.minions.update(dict.fromkeys(one.minions))
    return list(groups.values())


def _choose(groups: Sequence[_Group]) -> tuple[list[_Group], list[_Group]]:
    """Return what GitHub shows of the groups, and what is left; a last notice has its room."""
    sizes = Counter(group.level for group in groups)
    room = dict.fromkeys(Severity, MAX_SHOWN)
    if any(size > MAX_SHOWN for size in sizes.values()):
        room[Severity.NOTE] -= 1
    shown: list[_Group] = []
    left: list[_Group] = []
    for group in groups:
        (shown if room[group.level] else left).append(group)
        room[group.level] = max(0, room[group.level] - 1)
    return shown, left


def _annotate(group: _Group, places: RepositoryPaths) -> str:
    first, more = group.found[0], len(group.found) - 1
    position = places.find(first.position)
    where = {} if position is None else {"file": clean(position.file)}
    if position is not None and position.line:
        where["line"] = str(position.line)
    lines = [with_minions(places.describe(first), tuple(group.minions))]
    if more:
        lines.append(f"and {more} more of '{first.code}' here")
    if first.help:
        lines.append(shorten(first.help))
    return _command(_LEVELS[group.level], {**where, "title": first.code}, "\n".join(lines))


def _command(name: str, properties: Mapping[str, str], message: str) -> str:
    named = ",".join(f"{key}={_escape_property(value)}" for key, value in properties.items())
    return f"::{name} {named}::{_escape_data(message)}"


def _escape_data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape_data(text).replace(":", "%3A").replace(",", "%2C")
