"""What the search box finds: minions, keys, values, grains, files, states, rules and pages."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from urllib.parse import quote

from markupsafe import Markup

from pillarbook.diagnostics.guide_texts import rule_name
from pillarbook.diagnostics.rules import RULES, Rule
from pillarbook.model import KeyPath, format_path
from pillarbook.model.phrases import count
from pillarbook.report.addresses import Page, help_address, sls_address, source_address
from pillarbook.report.fleet_summary import FleetMinion, FleetSummary
from pillarbook.report.found_values import MOST_MINIONS, FoundGrains, search_text
from pillarbook.report.key_fleet import KeyEntry, KeyValue
from pillarbook.report.key_pages import KeyPages
from pillarbook.report.minion_sets import first_of
from pillarbook.report.row_ids import row_id
from pillarbook.report.search_rows import PARTS, WORDS, SearchEntry, SearchPart
from pillarbook.report.sls_facts import FilePage
from pillarbook.report.state_fleet import StateFleet

MAX_TAGS = 3
"""Grains that are told beside a minion."""
FEW = 3
"""Minions with one value of a grain that are found one by one."""


@dataclass(frozen=True, slots=True)
class SitePage:
    """A page of the site that the report did not write."""

    title: str
    """Its title, as HTML."""
    address: str
    """Its address, as seen from the site's root."""
    headings: Sequence[tuple[str, str]]
    """Its headings, as HTML, each with its id."""


class SearchEntries:
    """Lists what is found, once every minion was written."""

    def __init__(self, fleet: FleetSummary) -> None:
        self._fleet = fleet
        self._minions: tuple[FleetMinion, ...] = tuple(fleet.minions.values())

    def list_minions(self) -> SearchPart:
        """Return the minions."""
        return SearchPart(map(self._minion, self._minions), WORDS)

    def list_keys(self, pages: KeyPages) -> SearchPart:
        """Return the keys."""
        return SearchPart((_key(one, pages) for one in pages.keys), WORDS)

    def list_values(self, pages: KeyPages) -> SearchPart:
        """Return the values of keys."""
        return SearchPart(
            chain.from_iterable(
                self._find_in_crowd(one, pages) if one.is_crowded else self._list_told(one, pages)
                for one in pages.keys
            ),
            PARTS,
        )

    def list_grains(self, grains: FoundGrains) -> SearchPart:
        """Return the values of grains."""
        tags = {tag for one in self._fleet.tags.values() for tag in one}
        found = (
            entry
            for text, name, minions in grains.values.items()
            for entry in self._grain(name, text, minions, is_tag=f"{name}:{text}" in tags)
        )
        return SearchPart(found, PARTS)

    def _minion(self, one: FleetMinion) -> SearchEntry:
        tags = ", ".join(self._fleet.tags[one.summary.minion][:MAX_TAGS])
        return SearchEntry("Minions", one.summary.minion, tags, page=_page_of(one))

    def _list_told(self, key: KeyEntry, pages: KeyPages) -> Iterator[SearchEntry]:
        """Yield the values of a key, all of which its page has."""
        for value in key.values:
            text = search_text(value.value)
            if text is None:
                continue
            if value.minions.bit_count() == 1:
                path = value.spots[0].leaf.path
                yield self._value_of(key, text, path, first_of(value.minions, 1)[0])
            else:
                yield _value(key, text, value, pages)

    def _find_in_crowd(self, key: KeyEntry, pages: KeyPages) -> Iterator[SearchEntry]:
        """Yield the values of a key of which there are too many for a page."""
        for text, path, minions in key.found.items():
            for rank in minions[:MOST_MINIONS]:
                yield self._value_of(key, text, path or key.pattern.path, rank)
            if len(minions) > MOST_MINIONS:
                page, anchor = _split(pages.address_of(key.pattern))
                told = format_path(key.pattern.path)
                # The page does not list these values, so the search box must not filter it by one.
                yield SearchEntry(
                    "Values", text, told, "and more minions", page, anchor or "values"
                )

    def _value_of(self, key: KeyEntry, text: str, path: KeyPath, rank: int) -> SearchEntry:
        """Return a value as one minion has it."""
        one = self._minions[rank]
        told = format_path(key.pattern.path)
        return SearchEntry("Values", text, told, one.summary.minion, _page_of(one), row_id(path))

    def _grain(
        self, name: str, text: str, minions: Sequence[int], *, is_tag: bool
    ) -> Iterator[SearchEntry]:
        """Yield what a grain says of minions; the list of minions can be filtered by a tag."""
        label, number = f"{name}:{text}", len(minions)
        many = f"more than {MOST_MINIONS}" if number > MOST_MINIONS else number
        if is_tag and number > 1:
            page = f"minions/index.html?q={quote(label)}"
            yield SearchEntry("Grains", label, minion=f"{many} minions", page=page)
            return
        for rank in minions if number <= FEW else minions[:1]:
            one = self._minions[rank]
            detail = "" if number <= FEW else f"{many} minions, such as"
            yield SearchEntry("Grains", label, detail, one.summary.minion, _page_of(one), "grains")


def list_names(
    files: Iterable[FilePage], states: StateFleet, pages: Iterable[SearchEntry]
) -> SearchPart:
    """Return what has a name: files of the pillar, states, and pages."""
    return SearchPart(chain(_list_files(files), _list_states(states), pages), WORDS)


def list_pages(written: Iterable[Page], own: Iterable[SitePage]) -> Iterator[SearchEntry]:
    """Yield the pages that sum up the fleet, those about rules, and those of the site itself."""
    for page in written:
        if page.kind == "rule":
            yield SearchEntry("Rules", page.title, RULES[page.title].title, page=page.uri)
        elif page.in_nav or page.kind in ("pair", "minion-group", "guide"):
            yield SearchEntry("Pages", page.title, page=page.uri)
    for one in own:
        rule = _rule_of(one)
        if rule is not None:
            yield SearchEntry("Rules", rule.code, rule.title, page=one.address)
            continue
        yield SearchEntry("Pages", _as_text(one.title), page=one.address)
        for heading, anchor in one.headings:
            label, title = _as_text(heading), _as_text(one.title)
            yield SearchEntry("Pages", label, title, page=one.address, anchor=anchor)


def _rule_of(page: SitePage) -> Rule | None:
    """Return the rule that a page explains."""
    code = page.address.removeprefix("rules/").removesuffix(".html")
    return RULES.get(code) if page.address == help_address(rule_name(code)) else None


def _list_files(files: Iterable[FilePage]) -> Iterator[SearchEntry]:
    for one in files:
        source = one.source
        page = source_address(source, "")
        yield SearchEntry("SLS files", source.name, f"{source.saltenv}, {source.file}", page=page)
        # Whoever has the path of a file at hand looks for that.
        yield SearchEntry("SLS files", source.file, source.saltenv, page=page)


def _list_states(states: StateFleet) -> Iterator[SearchEntry]:
    for (saltenv, sls), line in sorted(states.sls.items()):
        page = sls_address(saltenv, sls, "")
        yield SearchEntry("States", sls, f"state SLS in {saltenv}", page=page)
        for state in line.states.items():
            function, name = state[0]
            detail = f"{function} in {sls}, {saltenv}"
            yield SearchEntry("States", name, detail, page=page, anchor="states")


def _key(key: KeyEntry, pages: KeyPages) -> SearchEntry:
    page, anchor = _split(pages.address_of(key.pattern))
    types = " or ".join(key.types)
    minions = count(key.minions.bit_count(), "minion")
    return SearchEntry("Keys", format_path(key.pattern.path), types, minions, page, anchor)


def _value(key: KeyEntry, text: str, value: KeyValue, pages: KeyPages) -> SearchEntry:
    """Return a value of several minions, which the page of its key names."""
    page, anchor = _split(pages.address_of(key.pattern))
    minions = count(value.minions.bit_count(), "minion")
    return SearchEntry("Values", text, format_path(key.pattern.path), minions, page, anchor)


def _split(address: str) -> tuple[str, str]:
    page, _, anchor = address.partition("#")
    return f"keys/{page}", anchor


def _page_of(one: FleetMinion) -> str:
    """Return the address of a minion's page; nothing if its id tells it."""
    summary = one.summary
    return "" if summary.slug == summary.minion else f"minions/{summary.slug}.html"


def _as_text(html: str) -> str:
    return str(Markup(html).striptags())  # noqa: S704 (only to make it text)
