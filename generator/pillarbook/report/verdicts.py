"""Why a minion gets what it gets: every target of the top files, and what each says about it."""

from collections.abc import Iterable, Sequence
from html import escape

from markupsafe import Markup

from pillarbook.redact.redacted_pillar import RedactedTarget, VerdictPart
from pillarbook.report.rows import write_place
from pillarbook.report.value_html import make_visible

MAX_KEPT = 50_000
"""Targets that are kept."""


class Verdicts:
    """Writes the targets of minions; a verdict that minions share is written once."""

    def __init__(self) -> None:
        # By id, and the verdict is kept beside its HTML so that its id stays its own. All minions
        # with one top file share verdicts.
        self._rows: dict[int, tuple[RedactedTarget, str]] = {}

    def write(self, targets: Sequence[RedactedTarget]) -> Markup:
        """Return the targets as table bodies: those that match, then the others, in their order."""
        if len(self._rows) > MAX_KEPT:
            self._rows.clear()
        matching = [self._row(verdict) for verdict in targets if verdict.matched]
        others = [self._row(verdict) for verdict in targets if not verdict.matched]
        html = _write_group("Matches", matching) + _write_group("Does not match", others)
        return Markup(html)  # noqa: S704 (write_target escapes)

    def _row(self, verdict: RedactedTarget) -> str:
        kept = self._rows.get(id(verdict))
        if kept is None:  # the verdict is kept too, so that its identity stays its own
            kept = self._rows[id(verdict)] = (verdict, write_target(verdict))
        return kept[1]


def write_target(verdict: RedactedTarget) -> str:
    """Return a target as a table row: the target, the verdict, what it gives, where it stands."""
    css, word = ("yes", "matches") if verdict.matched else ("no", "does not match")
    names = ", ".join(f"<code>{_text(name)}</code>" for name in verdict.sls)
    return (
        f'<tr class="{css}"><th scope="row"><code>{_text(verdict.target)}</code> '
        f"<small>{_text(verdict.match)}</small>{_write_words(verdict.parts)}</th><td>{word}</td>"
        f"<td>{names}</td><td>{write_place(verdict.file, verdict.line)} "
        f"<small>{_text(verdict.saltenv)}</small></td></tr>\n"
    )


def _write_group(title: str, rows: Sequence[str]) -> str:
    if not rows:
        return ""
    count = "1 target" if len(rows) == 1 else f"{len(rows)} targets"
    return (
        f'<tbody>\n<tr class="section"><th colspan="4" scope="rowgroup">{title} '
        f"<small>{count}</small></th></tr>\n{''.join(rows)}</tbody>\n"
    )


def _write_words(parts: Iterable[VerdictPart]) -> str:
    """Return the words of a target with the verdict of each; a nodegroup's own below it."""
    words = "".join(
        f'<li class="{"yes" if part.matched else "no"}">{_write_operators(part.operators)}'
        f"<code>{_text(part.text)}</code> "
        f"<small>{'matches' if part.matched else 'does not match'}</small>"
        f"{_write_words(part.parts)}</li>"
        for part in parts
    )
    return f"<ul>{words}</ul>" if words else ""


def _write_operators(operators: str) -> str:
    return f'<span class="operators">{_text(operators)}</span> ' if operators else ""


def _text(text: str) -> str:
    return escape(make_visible(text))
