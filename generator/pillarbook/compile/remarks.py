"""What is said of calls that are answered, and that do something else than they seem to."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from pillarbook.diagnostics import Diagnostic, Severity
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


_WORDS = {
    "mine-in-pillar": _Words(
        re.compile(r"\bmine\b['\"\])]*[.\[]?\s*['\"]?get\b"),
        "calls 'mine.get', which finds nothing when a master renders pillar",
        "call salt['saltutil.runner']('mine.get', tgt=..., fun=...), which reads the mine",
    ),
    "unknown-renderer": _Words(
        re.compile(r"\bslsutil\b['\"\])]*[.\[]?\s*['\"]?renderer\b"),
        "calls 'slsutil.renderer' for a renderer that is unknown to Salt, which gives {} for it",
        "correct the first line of the file or text, or `default_renderer`",
    ),
}


def word_remark(rule: str, what: str, files: Iterable[Found]) -> Diagnostic:
    """Return what is said of a call, with the likeliest line of it.

    Args:
        rule: The rule: ``mine-in-pillar`` or ``unknown-renderer``.
        what: What is rendered: ``SLS 'web'``.
        files: The files that took part, the rendered one first.
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
        severity=Severity.WARNING,
        message=f"{what} {words.message}",
        position=next(places, Position(found[0].shown, 1)),
        help=words.remedy,
    )
