"""Diagnostics as workflow commands: GitHub shows them as annotations beside the changed lines.

Source: GitHub's "Workflow commands" and the runner's ``ActionCommand``, which say what is escaped;
the runner keeps ten annotations of each level from a step and drops the rest without a word.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from pillarbook.diagnostics.diagnostic import Diagnostic, Severity
from pillarbook.diagnostics.formats.repository_findings import RepositoryPaths
from pillarbook.diagnostics.formats.wording import clean, count_severities, shorten, with_minions

MAX_SHOWN = 10
"""The most annotations of one level that GitHub takes from a step."""
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}

_Group: TypeAlias = list[Diagnostic]
"""Findings of one rule on one line, the worst first; they are one annotation."""


def to_github(diagnostics: Sequence[Diagnostic], paths: RepositoryPaths) -> Iterator[str]:
    """Yield one workflow command a line, worst first; none if there are no findings."""
    shown, left = _choose(_group(diagnostics))
    for group in shown:
        yield _annotate(group, paths)
    if left:
        counted = count_severities([one for group in left for one in group])
        message = (
            f"not shown here: {counted}, of {len(diagnostics)} findings; "
            "'pillarbook check' lists all of them"
        )
        yield _command("notice", {"title": "pillarbook check"}, message)


def _group(diagnostics: Sequence[Diagnostic]) -> list[_Group]:
    """Return the findings by line and rule, the worst first."""
    groups: dict[tuple[str, int | None, str], _Group] = {}
    for one in sorted(diagnostics, key=lambda one: -one.severity):
        at = one.position
        key = (at.file, at.line, one.code) if at else (one.message, None, one.code)
        groups.setdefault(key, []).append(one)
    return list(groups.values())


def _choose(groups: Sequence[_Group]) -> tuple[list[_Group], list[_Group]]:
    """Return the groups that GitHub shows, and the others; with room for a last notice."""
    sizes = Counter(group[0].severity for group in groups)
    room = dict.fromkeys(Severity, MAX_SHOWN)
    if any(size > MAX_SHOWN for size in sizes.values()):
        room[Severity.NOTE] -= 1
    shown: list[_Group] = []
    left: list[_Group] = []
    for group in groups:
        level = group[0].severity
        (shown if room[level] else left).append(group)
        room[level] = max(0, room[level] - 1)
    return shown, left


def _annotate(group: _Group, paths: RepositoryPaths) -> str:
    first, more = group[0], len(group) - 1
    position = paths.find(first.position)
    properties = {} if position is None else {"file": clean(position.file)}
    if position is not None and position.line:
        properties["line"] = str(position.line)
    minions = dict.fromkeys(minion for one in group for minion in one.minions)
    lines = [with_minions(paths.describe(first), tuple(minions))]
    if more:
        lines.append(f"and {more} more of '{first.code}' here")
    if first.help:
        lines.append(shorten(first.help))
    return _command(_LEVELS[first.severity], {**properties, "title": first.code}, "\n".join(lines))


def _command(name: str, properties: Mapping[str, str], message: str) -> str:
    named = ",".join(f"{key}={_escape_property(value)}" for key, value in properties.items())
    return f"::{name} {named}::{_escape_data(message)}"


def _escape_data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape_data(text).replace(":", "%3A").replace(",", "%2C")
