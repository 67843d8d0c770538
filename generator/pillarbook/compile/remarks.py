"""What is said of calls that are answered, and that do something else than they seem to."""

import re
from collections.abc import Iterable

from pillarbook.diagnostics import Diagnostic, Severity
from pillarbook.model import Position
from pillarbook.roots import Found

CALLS_MINE = re.compile(r"\bmine\b['\"\])]*[.\[]?\s*['\"]?get\b")


def word_remark(rule: str, what: str, files: Iterable[Found]) -> Diagnostic:
    """Return what is said of a call of ``mine.get``, with the likeliest line of it.

    Args:
        rule: The rule: ``mine-in-pillar``.
        what: What is rendered: ``SLS 'web'``.
        files: The files that took part, the rendered one first.
    """
    found = list(files)
    places = (
        Position(file.shown, number)
        for file in found
        for number, line in enumerate(file.content.decode("utf-8", "replace").splitlines(), 1)
        if CALLS_MINE.search(line)
    )
    return Diagnostic(
        code=rule,
        severity=Severity.WARNING,
        message=f"{what} calls 'mine.get', which finds nothing when a master renders pillar",
        position=next(places, Position(found[0].shown, 1)),
        help="call salt['saltutil.runner']('mine.get', tgt=..., fun=...), which reads the mine",
    )
