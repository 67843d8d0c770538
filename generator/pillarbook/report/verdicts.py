"""Why a minion gets what it gets: every target of the top files, and what each says about it."""

from collections.abc import Iterable, Sequence
from html import escape

from markupsafe import Markup

from pillarbook.redact.model import TargetVerdict, VerdictPart
from pillarbook.report.rows import write_place
from pillarbook.report.values import make_visible

MOST_KEPT = 20_000
"""Targets of fleets' minions that are kept, in rows."""


class Verdicts:
    """Writes the targets of minions; those of one kind of minion are written once."""

    def __init__(self) -> None:
        self._kept: dict[tuple[int, ...], tuple[Sequence[TargetVerdict], Markup]] = {}
        self._rows = 0

    def write(self, targets: Sequence[TargetVerdict]) -> Markup:
        """Return the targets as table bodies: those that match, then the others, in their order."""
        identity = tuple(map(id, targets))
        kept = self._kept.get(identity)
        if kept is None:
            self._rows += len(targets)
            if self._rows > MOST_KEPT:
                self._kept.clear()
                self._rows = len(targets)
            # The targets are kept too, so that their identities stay their own.
            kept = self._kept[identity] = (targets, write_targets(targets))
        return kept[1]


def write_targets(targets: Sequence[TargetVerdict]) -> Markup:
    """Return targets as table bodies, under a row that says what those below have in common."""
    matching = [verdict for verdict in targets if verdict.matched]
    others = [verdict for verdict in targets if not verdict.matched]
    html = _write_group("Matches", matching) + _write_group("Does not match", others)
    return Markup(html)  # noqa: S704 (write_target escapes)


def write_target(verdict: TargetVerdict) -> str:
    """Return a target as a table row: the target, the verdict, what it gives, where it stands."""
    css, word = ("yes", "matches") if verdict.matched else ("no", "does not match")
    names = ", ".join(f"<code>{_text(name)}</code>" for name in verdict.sls)
    return (
        f'<tr class="{css}"><th scope="row"><code>{_text(verdict.target)}</code> '
        f"<small>{_text(verdict.match)}</small>{_write_words(verdict.parts)}</th><td>{word}</td>"
        f"<td>{names}</td><td>{write_place(verdict.file, verdict.line)} "
        f"<small>{_text(verdict.saltenv)}</small></td></tr>\n"
    )


def _write_group(title: str, verdicts: Sequence[TargetVerdict]) -> str:
    if not verdicts:
        return ""
    count = "1 target" if len(verdicts) == 1 else f"{len(verdicts)} targets"
    rows = "".join(map(write_target, verdicts))
    return (
        f'<tbody>\n<tr class="section"><th colspan="4" scope="rowgroup">{title} '
        f"<small>{count}</small></th></tr>\n{rows}</tbody>\n"
    )


def _write_words(parts: Iterable[VerdictPart]) -> str:
    """Return the words of a target with the verdict of each; a nodegroup's own below it."""
    words = "".join(
        f'<li class="{"yes" if part.matched else "no"}"><code>{_text(part.text)}</code> '
        f"<small>{'matches' if part.matched else 'does not match'}</small>"
        f"{_write_words(part.parts)}</li>"
        for part in parts
    )
    return f"<ul>{words}</ul>" if words else ""


def _text(text: str) -> str:
    return escape(make_visible(text))
