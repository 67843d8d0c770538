"""The page of one minion: its pillar, the lines that set each value, and its targets."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby, starmap
from typing import TypeAlias

import jinja2
from markupsafe import Markup

from pillarbook.compare.change import Change
from pillarbook.diagnostics import PillarbookError, fold_follow_on
from pillarbook.model.shared_results import SharedResults
from pillarbook.redact.redacted_pillar import Redacted, RedactedTarget
from pillarbook.redact.redacted_states import MinionStates
from pillarbook.redact.shown_access import AccessPath
from pillarbook.report.change_rows import MAX_MINION_ROWS, ChangeRows, MinionChange, SinceRows
from pillarbook.report.environment_differences import DifferenceRows
from pillarbook.report.finding_rows import write_findings
from pillarbook.report.grain_rows import GrainRows
from pillarbook.report.history_pages import HistoryPages
from pillarbook.report.key_patterns import KeyPatterns
from pillarbook.report.key_reads import KeyReads
from pillarbook.report.minion_states import StateParts
from pillarbook.report.page_parts import MARK, PartedPage, may_share
from pillarbook.report.rows import Row, Rows, RowSection, sections_by_key
from pillarbook.report.sides import MinionSides
from pillarbook.report.slug import slug
from pillarbook.report.source import ReportSource
from pillarbook.report.templates import find_macro
from pillarbook.report.value_html import write_link

ReadSecret: TypeAlias = tuple[Row, tuple[AccessPath, ...]]
"""The row of a secret in the pillar's table, and how it came."""
MAX_TARGETS = 50_000
"""Rows of targets that are kept."""
MAX_SECRETS = 50_000
"""Rows of secrets that are kept."""
MAX_CHANGES = 2_000
"""Rows of a minion's changes that are kept."""


@dataclass(frozen=True, slots=True)
class MinionSummary:
    """What the pages about the fleet say of a minion."""

    minion: str
    """The minion's id."""
    slug: str
    """The name of its page."""
    outcome: str
    """``ok``, ``partial``, ``failed`` or ``empty``."""
    values: int
    """How many values it gets."""
    secrets: tuple[Redacted, ...]
    """The secrets among them."""
    overridden: int
    """How many of its values were given in more than one place."""
    diagnostics: int
    """How many diagnostics concern it, without follow-on errors."""
    unknown: int = 0
    """How many of its values are unknown."""

    def link(self, root: str, anchor: str = "") -> str:
        """Return a link to its page, or to an id there, as HTML; ``root`` leads to the site's."""
        place = f"#{anchor}" if anchor else ""
        return write_link(f"{root}minions/{self.slug}.html{place}", self.minion)


@dataclass(frozen=True, slots=True)
class MinionPage:
    """A minion's page without the frame that the theme gives it."""

    content: PartedPage
    """The page's content, from its heading on."""
    states: str
    """The content of the page of its states; empty if the fleet has none."""
    summary: MinionSummary
    """The minion in one line of the lists."""
    secrets: tuple[ReadSecret, ...]
    """The secrets among its values, with how they came."""
    sections: tuple[RowSection, ...]


class RevealedPillarError(PillarbookError):
    """A pillar that shows its secrets was to become a page."""

    def __init__(self, minion: str) -> None:
        super().__init__(f"the pillar of {minion} shows its secrets and is not for publishing")


class MinionPages:
    """Writes the pages of minions one after the other, sharing what they share.

    ``guide`` says where the site explains the rules of diagnostics: addresses by code, as seen from
    the site's root. ``history`` is None if nobody keeps the builds.
    """

    def __init__(
        self,
        source: ReportSource,
        templates: jinja2.Environment,
        guide: Mapping[str, str],
        patterns: KeyPatterns,
        history: HistoryPages | None = None,
    ) -> None:
        self._source = source
        self._guide = guide
        self._history = history
        self._template = templates.get_template("minion.html")
        self._token = source.token
        self._templates = templates
        self._write_target = find_macro(templates, "target_row")
        self._write_secret = find_macro(templates, "own_secret", "access")
        self._patterns = patterns
        self.key_reads = KeyReads()
        """Says which values were read; for the pages about the fleet, too."""
        self.forget()

    def forget(self) -> None:
        """Drop the parts that pages share; if another page is written, they are made again."""
        self._rows = Rows(self._token, self._patterns)
        # All minions with one top file share its verdicts.
        self._targets: SharedResults[Markup] = SharedResults(MAX_TARGETS)
        # A secret's row follows from that of its value and from the ways by which it came.
        self._secrets: SharedResults[Markup] = SharedResults(MAX_SECRETS)
        # Minions that change alike share the whole tuple.
        self._changes: SharedResults[Markup] = SharedResults(MAX_CHANGES)
        self._differences = DifferenceRows(self._token)
        self._grains = GrainRows(self._token)
        self._states = StateParts(self._templates, self._token, self.key_reads)

    def write(
        self,
        minion: str,
        sides: MinionSides,
        change: MinionChange | None = None,
        states: MinionStates | None = None,
    ) -> MinionPage:
        """Return the page of a minion.

        Raises:
            RevealedPillarError: A pillar shows its secrets.
        """
        pillar = sides.declared
        if pillar.revealed or any(side.revealed for _, side in sides.sides):
            raise RevealedPillarError(minion)
        leaves = [leaf for leaf in pillar.leaves if leaf.path]
        sections = self._rows.sections(leaves, pillar.data if leaves else {})
        by_key = sections_by_key(sections)
        diagnostics = self._source.diagnostics_of(minion)
        secrets = tuple(self._find_ways(minion, sections))
        matching = [target for target in pillar.targets if target.matched]
        summary = MinionSummary(
            minion=minion,
            slug=slug(minion),
            outcome=pillar.outcome,
            values=len(leaves),
            secrets=tuple(one for section in sections for one in section.secrets),
            overridden=sum(section.overridden for section in sections),
            diagnostics=len(fold_follow_on(diagnostics)),
            unknown=pillar.unknown,
        )
        part = self._states.write(states, leaves, sections, by_key) if states else None
        differences = self._differences.write(sides) if sides.sides else None
        rows = [] if differences is None else [differences.part]
        parts = [part for part in [*(one.part for one in sections), *rows] if may_share(part)]
        text = self._template.render(
            summary=summary,
            pillar=pillar,
            rows=_join(MARK if may_share(one.part) else one.html for one in sections),
            token=self._token,
            secrets=Markup().join(starmap(self._secret_row, secrets)),
            findings=write_findings(diagnostics, by_key),
            guide=self._guide,
            targets=[
                (top, _join(map(self._target_row, found)))
                for top, found in groupby(matching, lambda one: (one.file, one.saltenv))
            ],
            matching=len(matching),
            states=part,
            differences=differences,
            different=_join(MARK if may_share(one) else one.html for one in rows),
            change=change,
            changes=self._change_rows(change.changes) if change is not None else "",
            max_changes=MAX_MINION_ROWS,
            history="" if self._history is None else self._history.write_minion(minion, change),
            grains=self._grains.write(self._source.grains(minion)),
        )
        own = self._states.write_page(minion, part) if part is not None else ""
        content = PartedPage(text, tuple(parts))
        return MinionPage(content, own, summary, secrets, tuple(sections))

    def _target_row(self, target: RedactedTarget) -> Markup:
        return self._targets.find(lambda: self._write_target(target), target)

    def _secret_row(self, row: Row, ways: tuple[AccessPath, ...]) -> Markup:
        return self._secrets.find(lambda: self._write_secret(row, ways, self._token), row, ways)

    def _change_rows(self, changes: tuple[Change, ...]) -> Markup:
        """Return the rows of the first changes of a minion."""
        return self._changes.find(
            lambda: _join(
                SinceRows(ChangeRows(self._templates, self._token, prefix="was-")).write_changes(
                    changes[:MAX_MINION_ROWS]
                )
            ),
            changes,
        )

    def _find_ways(self, minion: str, sections: Iterable[RowSection]) -> Iterator[ReadSecret]:
        """Yield the secrets of a minion with how they came."""
        for section in sections:
            for row in section.secret_rows:
                origins = row.leaf.origins
                yield row, self._source.ways(minion, origins[-1]) if origins else ()


def _join(parts: Iterable[str]) -> Markup:
    return Markup("".join(parts))  # noqa: S704 (what writes rows escapes)
