"""What has changed since a revision, gathered while the pages of minions are written."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pillarbook.compare.acknowledgements import acknowledge
from pillarbook.compare.diff import Diff, DiffBuilder
from pillarbook.compare.outcomes import ABSENT, FAILING
from pillarbook.redact.redacted_pillar import RedactedPillar
from pillarbook.report.acknowledged_changes import name_changes
from pillarbook.report.change_rows import MinionChange
from pillarbook.report.fleet_summary import FleetSummary
from pillarbook.report.group_names import GroupNames
from pillarbook.report.minion import RevealedPillarError
from pillarbook.report.source import ReportSource, RevisionSource
from pillarbook.report.tags import read_tags


class RevisionChanges:
    """Compares the fleet of a source with what it was, minion after minion."""

    def __init__(self, source: ReportSource, since: RevisionSource) -> None:
        self._source = source
        self._since = since
        self._builder = DiffBuilder(since.ignore)
        self._finished: tuple[Diff, GroupNames] | None = None
        self.committed = since.committed
        """The files as they were."""

    def add(self, minion: str) -> MinionChange | None:
        """Return what has changed for the minion whose pillar was asked for last.

        It is without what is ignored; None if nothing changed.

        Raises:
            RevealedPillarError: A pillar shows its secrets.
        """
        base, head = self._ask(minion)
        assert head is not None  # noqa: S101 (it is the source's)
        if base is head and head.outcome not in FAILING:
            self._builder.skip(minion, head.outcome)
            return None
        changes = self._builder.add(base, head)
        word = self._builder.word_of(minion)
        was = ABSENT if base is None else base.outcome
        label, _ = self._since.labels
        if word == "unchanged":
            return None
        return MinionChange(word, label, was, self._since.ignore.keep(minion, changes))

    def finish(self, fleet: FleetSummary) -> tuple[Diff, GroupNames]:
        """Return the comparison, and what finds words for groups of its minions."""
        if self._finished is None:
            self._finished = self._finish(fleet)
        return self._finished

    def _finish(self, fleet: FleetSummary) -> tuple[Diff, GroupNames]:
        gone = self._since.gone
        for minion in gone:
            self._builder.add(*self._ask(minion))
        sides = (("base", self._since.diagnostics), ("head", self._source.diagnostics))
        told = [(side, one) for side, found in sides for one in found]
        # An export names no groups, and its summary has no minions.
        is_whole = bool(fleet.minions) and not gone
        words = GroupNames(fleet.tags if is_whole else read_tags(self._grains(gone)))
        diff = self._since.explain(self._builder.finish(*self._since.labels, told))
        named = name_changes(diff, words, self._source.token)
        return acknowledge(named, self._since.acknowledgements), words

    def _ask(self, minion: str) -> tuple[RedactedPillar | None, RedactedPillar | None]:
        base, head = self._since.pillars(minion)
        if any(side is not None and side.revealed for side in (base, head)):
            raise RevealedPillarError(minion)
        return base, head

    def _grains(self, gone: Sequence[str]) -> Iterator[tuple[str, Mapping[str, Any]]]:
        yield from ((minion, self._source.grains(minion)) for minion in self._source.minions)
        yield from ((minion, self._since.grains(minion)) for minion in gone)
