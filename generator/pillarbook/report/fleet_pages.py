"""What writes the pages that sum up a fleet; each is asked for once every minion was written."""

from dataclasses import dataclass
from functools import cached_property

import jinja2

from pillarbook.model import format_path
from pillarbook.report.addresses import KEYS, SLS, STATES, TARGETS, Page
from pillarbook.report.gatherers import Gatherer
from pillarbook.report.group_links import GroupLinks
from pillarbook.report.group_pages import GroupPages
from pillarbook.report.history_pages import HistoryPages
from pillarbook.report.key_facts import find_facts
from pillarbook.report.key_fleet import KeyEntry, KeyFleet
from pillarbook.report.key_pages import KeyPages
from pillarbook.report.key_patterns import KeyPatterns, top_page_name
from pillarbook.report.key_sources import KeySources
from pillarbook.report.key_values import KeyValues
from pillarbook.report.secret_access import Access, FleetSecrets
from pillarbook.report.secret_table import Ages
from pillarbook.report.sls_pages import FleetSources, SlsPages
from pillarbook.report.source import ReportSource
from pillarbook.report.source_fleet import SourceFleet
from pillarbook.report.source_links import ForgeLinks
from pillarbook.report.state_fleet import StateFleet, StatePages
from pillarbook.report.targets_page import TargetFleet, TargetPages


@dataclass(frozen=True, slots=True)
class Gathered:
    """What was gathered of all minions, for the pages of one subject each."""

    access: Access
    """Who reads which secret."""
    keys: KeyFleet
    states: StateFleet
    targets: TargetFleet
    """The targets of the top files."""
    sources: SourceFleet
    """How many minions have a value of each line of a file."""

    def list(self) -> tuple[Gatherer, ...]:
        """Return all of them."""
        return self.access, self.keys, self.states, self.targets, self.sources


@dataclass(eq=False)
class FleetPages:
    """Makes what writes the pages of each subject, when the first of them is asked for."""

    _source: ReportSource
    _gathered: Gathered
    _groups: GroupLinks
    _patterns: KeyPatterns
    _forge: ForgeLinks
    _templates: jinja2.Environment
    _history: HistoryPages | None

    def plan(self, page: Page) -> tuple[Page, ...]:
        """Return the pages that belong to the one of a subject that is just written."""
        if page is STATES:
            return self.states.plan()
        if page is KEYS:
            return self.keys.plan()
        if page is SLS:
            return self.sls.plan()
        return self.targets.plan() if page is TARGETS else ()

    def list_names(self, page: Page) -> list[str]:
        """Return the names of what a page is about."""
        if page.kind == "key-top":
            return self.keys.list_names(page)
        if page.kind == "sls":
            return self.sls.list_names(page)
        return [page.minion] if page.minion is not None else [page.title]

    @cached_property
    def states(self) -> StatePages:
        """What writes the pages about states."""
        states = self._gathered.states
        return StatePages(states, self._all_keys, self._groups, self._forge, self._templates)

    @cached_property
    def targets(self) -> TargetPages:
        """What writes the pages of targets."""
        return TargetPages(self._gathered.targets, self._groups, self.sls, self._templates)

    @cached_property
    def sls(self) -> SlsPages:
        """What writes the pages of SLS files."""
        patterns = {format_path(one.pattern.path[:1]): one.pattern for one in self._all_keys}
        tops = {key: f"{top_page_name(pattern)}.html" for key, pattern in patterns.items()}
        fleet = FleetSources(self._gathered.sources.give(), self._gathered.targets, tops)
        return SlsPages(fleet, self._source, self._groups, self._forge, self._templates)

    @cached_property
    def keys(self) -> KeyPages:
        """What writes the pages about keys."""
        states = self._gathered.states if self._source.has_states else None
        facts = find_facts(self._groups.fleet, states, self._patterns)
        sources = KeySources(self.sls.files, self._ages, self._forge)
        values = KeyValues(self._groups, facts.differences, sources, self._source.token)
        return KeyPages(self._all_keys, facts, values, self._templates, self._history)

    @cached_property
    def groups(self) -> GroupPages:
        """What writes the pages of groups of minions."""
        return GroupPages(self._groups, self.keys, self._source.token, self._templates)

    def find_secrets(self) -> tuple[FleetSecrets, Ages]:
        """Return who reads what, and when it last changed."""
        found = self._secrets
        places = {(one.file, one.line) for secret in found.secrets for one, _ in secret.sources}
        return found, {place: age for place, age in self._ages.items() if place in places}

    # Once: it puts the values of a whole fleet in order, and pages of two kinds ask for it.
    @cached_property
    def _all_keys(self) -> tuple[KeyEntry, ...]:
        return self._gathered.keys.finish()

    @cached_property
    def _secrets(self) -> FleetSecrets:
        return self._gathered.access.finish(self._groups.fleet.name)

    @cached_property
    def _ages(self) -> Ages:
        """When the lines of all values last changed: one walk through the history for all pages."""
        secrets = self._secrets.secrets
        sources = (one for secret in secrets for one, _ in secret.sources)
        lines = {(one.file, one.line) for one in sources if one.line is not None}
        return self._source.ages(sorted(lines.union(*(key.lines for key in self._all_keys))))
