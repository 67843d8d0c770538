"""The page of one minion: what it gets, where each value came from, and why."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

import jinja2
from markupsafe import Markup

from pillarbook.diagnostics import PillarbookError
from pillarbook.model import KeyPath
from pillarbook.redact.model import RedactedPillar, TargetVerdict
from pillarbook.report.book import Book
from pillarbook.report.rows import Rows, write_place
from pillarbook.report.slug import slug
from pillarbook.report.values import Token, make_visible, show_key, show_value


@dataclass(frozen=True, slots=True)
class MinionSummary:
    """What the front page says about a minion."""

    minion: str
    """The minion's id."""
    slug: str
    """The name of its page."""
    outcome: str
    """``ok``, ``partial``, ``failed`` or ``empty``."""
    values: int
    """How many values it gets."""
    secrets: tuple[int, ...]
    """The places of the secrets among them."""
    overridden: int
    """How many of its values were given in more than one place."""
    diagnostics: int
    """How many diagnostics concern it."""


@dataclass(frozen=True, slots=True)
class MinionPage:
    """A minion's page without the frame that the theme gives it."""

    html: str
    """The page's content, from its heading on."""
    summary: MinionSummary
    """The same in one line."""


class RevealedPillarError(PillarbookError):
    """A pillar that shows its secrets was to become a page."""

    def __init__(self, minion: str) -> None:
        super().__init__(f"the pillar of {minion} shows its secrets and is not for publishing")


class MinionPages:
    """Writes the pages of minions one after the other, sharing what they share."""

    def __init__(self, book: Book, templates: jinja2.Environment) -> None:
        self._book = book
        self._template = templates.get_template("minion.html")
        self._rows = Rows(book.token)
        self._verdicts: dict[TargetVerdict, str] = {}

    def write(self, minion: str) -> MinionPage:
        """Return the page of a minion; its pillar is asked for here.

        Raises:
            RevealedPillarError: The pillar shows its secrets.
        """
        pillar = self._book.pillar(minion)
        if pillar.revealed:
            raise RevealedPillarError(minion)
        leaves = [leaf for leaf in pillar.leaves if leaf.path]
        sections = self._rows.sections(leaves)
        diagnostics = self._book.diagnostics_of(minion)
        summary = MinionSummary(
            minion=minion,
            slug=slug(minion),
            outcome=pillar.outcome,
            values=len(leaves),
            secrets=tuple(place for section in sections for place in section.secrets),
            overridden=sum(section.overridden for section in sections),
            diagnostics=len(diagnostics),
        )
        html = self._template.render(
            summary=summary,
            pillar=pillar,
            rows=Markup("".join(section.html for section in sections)),  # noqa: S704 (escaped there)
            diagnostics=diagnostics,
            targets=self._write_targets(pillar),
            grains=write_grains(self._book.grains(minion), self._book.token),
        )
        return MinionPage(html, summary)

    def _write_targets(self, pillar: RedactedPillar) -> Markup:
        rows = []
        for verdict in pillar.targets:
            row = self._verdicts.get(verdict)
            if row is None:
                row = self._verdicts[verdict] = write_target(verdict)
            rows.append(row)
        return Markup("".join(rows))  # noqa: S704 (write_target escapes)


def write_target(verdict: TargetVerdict) -> str:
    """Return a target as a table row: the target, the verdict, what it gives, where it stands."""
    css, word = ("yes", "matches") if verdict.matched else ("no", "does not match")
    names = ", ".join(verdict.sls)
    return (
        f'<tr class="{css}"><th scope="row"><code>{_text(verdict.target)}</code> '
        f"<small>{_text(verdict.match)}</small></th><td>{word}</td>"
        f"<td>{_text(names)}</td><td>{_text(verdict.saltenv)}</td>"
        f"<td>{write_place(verdict.file, verdict.line)}</td></tr>\n"
    )


def write_grains(grains: Mapping[str, Any], token: Token) -> Markup:
    """Return grains as table rows, one a value."""
    rows = (
        f'<tr><th scope="row">{".<wbr>".join(map(show_key, path))}</th>'
        f"<td>{show_value(value, token)}</td></tr>\n"
        for path, value in _scalars(grains, ())
        if path
    )
    return Markup("".join(rows))  # noqa: S704 (keys and values are escaped)


def _scalars(value: Any, path: KeyPath) -> Iterator[tuple[KeyPath, Any]]:
    if isinstance(value, Mapping) and value:
        for key, item in value.items():
            yield from _scalars(item, (*path, key))
    elif isinstance(value, list) and value:
        for index, item in enumerate(value):
            yield from _scalars(item, (*path, index))
    else:
        yield path, value


def _text(text: str) -> str:
    return escape(make_visible(text))
