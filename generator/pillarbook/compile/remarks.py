"""What is said of calls that are answered, and that do something else than they seem to."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from pillarbook.compile.clock import READS_CLOCK
from pillarbook.diagnostics import Diagnostic, Severity
from pillarbook.inventory.clock import Clock
from pillarbook.model import Position
from pillarbook.roots import Found


@dataclass(frozen=True, slots=True)
class _Words:
    """What is said under one rule."""

    calls: re.Pattern[str]
    """The call, in a line of a template."""
    message: str
    """What stands behind ``SLS 'web'``."""
    remedy: str
    """What to do about it."""
    severity: Severity = Severity.WARNING
    """How bad it is."""


_WORDS = {
    "mine-in-pillar": _Words(
        re.compile(r"\bmine\b['\"\])]*[.\[]?\s*['\"]?get\b"),
        "calls 'mine.get', which finds nothing when a master renders pillar",
        "call salt['saltutil.runner']('mine.get', tgt=..., fun=...), which reads the mine",
    ),
    READS_CLOCK: _Words(
        re.compile(r"\b(strftime|date_format|status|system)\b"),
        "reads the clock",
        "a master renders it with the time of the compile, so its minions get another value",
        Severity.NOTE,
    ),
    "unknown-renderer": _Words(
        re.compile(r"\bslsutil\b['\"\])]*[.\[]?\s*['\"]?renderer\b"),
        "calls 'slsutil.renderer' for a renderer that is unknown to Salt, which gives {} for it",
        "correct the first line of the file or text, or `default_renderer`",
    ),
}


def word_remark(
    rule: str, what: str, files: Iterable[Found], clock: Clock | None = None
) -> Diagnostic:
    """Return what is said of a call, with the likeliest line of it.

    Args:
        rule: The rule: ``mine-in-pillar``, ``reads-clock`` or ``unknown-renderer``.
        what: What is rendered: ``SLS 'web'``.
        files: The files that took part, the rendered one first.
        clock: The declared time.
    """
    found, words = list(files), _WORDS[rule]
    places = (
        Position(file.shown, number)
        for file in found
        for number, line in enumerate(file.content.decode("utf-8", "replace").splitlines(), 1)
        if words.calls.search(line)
    )
    return Diagnostic(
        code=rule,
        severity=words.severity,
        message=f"{what} {words.message}" + (tell_time(clock) if rule == READS_CLOCK else ""),
        position=next(places, Position(found[0].shown, 1)),
        help=words.remedy,
    )


def tell_time(clock: Clock | None) -> str:
    """Return which time a file was given that reads the clock."""
    return "" if clock is None else f", which stands at {clock} here, by {clock.source}"
