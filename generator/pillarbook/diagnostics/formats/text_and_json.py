"""Diagnostics as text for people, and as the JSON that the guide documents."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from pillarbook.diagnostics.diagnostic import Diagnostic, Severity, fold_follow_on, index_causes
from pillarbook.diagnostics.formats.wording import clean, count_severities, name_minions
from pillarbook.diagnostics.siblings import FindingGroup, join_siblings
from pillarbook.model import to_tagged
from pillarbook.model.phrases import count

Paint: TypeAlias = Callable[[Severity], str]
SCHEMA = "pillarbook.check/1"
MAX_FOLLOW_ON = 5
"""Follow-on errors that are listed under their cause."""
MAX_PLACES = 50
"""Places of joined findings, and names at each of them, that are listed."""


def to_text(
    diagnostics: Sequence[Diagnostic],
    ignored: int = 0,
    paint: Paint = str,
    write: Callable[[str], str] = str,
) -> Iterator[str]:
    """Yield the lines of a listing, and a last line with the counts.

    The configuration ignores ``ignored`` findings. ``paint`` returns the word of a severity, with
    its colour; ``write`` writes a place.
    """
    for row in join_siblings(fold_follow_on(diagnostics)):
        yield from describe(row.shown, paint, write)
        yield from _list_members(row, write)
        yield from _describe_follow_on(row.follow_on, write)
    counted = count_severities(diagnostics)
    yield f"{counted} ({ignored} ignored by the configuration)" if ignored else counted


def to_json(diagnostics: Sequence[Diagnostic], ignored: int = 0) -> dict[str, Any]:
    """Return diagnostics, and the number of those that the configuration ignores, as JSON."""
    return {
        "schema": SCHEMA,
        "ignored": ignored,
        "diagnostics": [
            {
                "code": one.code,
                "severity": str(one.severity),
                "message": one.message,
                "file": one.position.file if one.position else None,
                "line": one.position.line if one.position else None,
                "path": None if one.path is None else [to_tagged(key) for key in one.path],
                "minions": list(one.minions),
                "help": one.help,
                "related": [{"file": at.file, "line": at.line} for at in one.related],
                **({} if cause is None else {"caused_by": cause}),
            }
            for one, cause in zip(diagnostics, index_causes(diagnostics), strict=True)
        ],
    }


def describe(
    diagnostic: Diagnostic, paint: Paint = str, write: Callable[[str], str] = str
) -> Iterator[str]:
    """Yield the lines for one diagnostic: position and message, then minions, then the remedy."""
    position = f"{write(str(diagnostic.position))}: " if diagnostic.position else ""
    message = _as_line(f": {diagnostic.message} [{diagnostic.code}]")
    yield f"{_as_line(position)}{paint(diagnostic.severity)}{message}"
    if diagnostic.minions:
        yield _as_line(f"    on {name_minions(diagnostic.minions)}")
    if diagnostic.help:
        yield _as_line(f"    {diagnostic.help}")


def _list_members(row: FindingGroup, write: Callable[[str], str]) -> Iterator[str]:
    """Yield a line for each place of several findings, with what they are about there.

    A remedy that is not that of the row follows in a line of its own.
    """
    places: dict[tuple[str, str | None], list[str]] = {}
    for one, name in row.members:
        remedy = None if one.help == row.shown.help else one.help
        place = write(str(one.position)) if one.position else ""
        names = places.setdefault((place, remedy), [])
        is_file = one.position is not None and one.position.line is None
        names += [name] if name and name not in names and not is_file else []
    for (place, remedy), names in list(places.items())[:MAX_PLACES]:
        more = [f"{len(names) - MAX_PLACES:,} more"] if len(names) > MAX_PLACES else []
        named = ", ".join([*names[:MAX_PLACES], *more])
        yield _as_line(f"      {': '.join(filter(None, (place, named)))}")
        if remedy is not None:
            yield _as_line(f"          {remedy}")
    if len(places) > MAX_PLACES:
        yield f"      {len(places) - MAX_PLACES:,} more; `--format json` lists them"


def _describe_follow_on(follow: Sequence[Diagnostic], write: Callable[[str], str]) -> Iterator[str]:
    if not follow:
        return
    yield f"    {count(len(follow), 'follow-on error')}:"
    for one in follow[:MAX_FOLLOW_ON]:
        position = f"{write(str(one.position))}: " if one.position else ""
        yield _as_line(f"      {position}{one.message} [{one.code}]")
    if len(follow) > MAX_FOLLOW_ON:
        yield f"      {len(follow) - MAX_FOLLOW_ON:,} more; `--format json` lists them"


def _as_line(text: str) -> str:
    """Return a line that neither a terminal nor GitHub's runner takes for a command.

    The runner looks for ``::`` at the start of a line, and for ``##[`` anywhere in it.
    """
    line = clean(text).replace("##[", "## [")
    return f"./{line}" if line.lstrip().startswith("::") else line
