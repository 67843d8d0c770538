"""The pages about the states of the fleet, one state SLS, and every key of the fleet."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape

import jinja2
from markupsafe import Markup

from pillarbook.report.addresses import ROWS, list_name
from pillarbook.report.fleet_summary import FleetSummary
from pillarbook.report.group_names import GroupNames
from pillarbook.report.key_html import show_path
from pillarbook.report.state_fleet import (
    KeyLine,
    ReadCount,
    Sls,
    SlsLine,
    StateFleet,
    count_reads,
    missing_reads,
)
from pillarbook.report.state_rows import sls_address
from pillarbook.report.value_html import make_visible

MAX_LISTED = 1000
"""Rows of a list that a page shows."""
MAX_MINIONS = 200
"""Minions that the page of a state SLS names."""
MAX_READERS = 6
"""State SLS files that a row of a key names."""


@dataclass(frozen=True, slots=True)
class SlsRow:
    """A state SLS in the list."""

    sls: Sls
    """Environment and name."""
    uri: str
    """Its page, from the folder ``states``."""
    minions: int
    """How many get it."""
    group: Markup
    """Who they are."""
    states: int
    """How many states it has, on whichever minion."""
    keys: int
    """How many keys it reads."""
    missing: int
    """How many keys it reads that some of them do not have."""


class StatePages:
    """Writes the pages about states, once every minion was written.

    Args:
        states: The states of the fleet.
        fleet: All minions.
        templates: The environment of page templates.
    """

    def __init__(
        self, states: StateFleet, fleet: FleetSummary, templates: jinja2.Environment
    ) -> None:
        states.finish()
        self._states = states
        self._fleet = fleet
        self._templates = templates
        self._names = GroupNames(fleet.tags)
        self._keys: list[KeyLine] | None = None
        self.sls: tuple[Sls, ...] = tuple(sorted(states.sls))
        """The state SLS files, each of which has a page."""

    @property
    def key_pages(self) -> int:
        """How many pages the list of keys takes."""
        return max(1, -(-len(self._all_keys()) // ROWS))

    def write_index(self) -> str:
        """Return the page about all states."""
        states, minions = self._states, len(self._fleet.minions)
        unread = [line for line in self._all_keys() if not line.readers]
        missing = list(missing_reads(states))
        missing.sort(key=lambda pair: (-pair[1].bare, -pair[1].default))
        return self._templates.get_template("states.html").render(
            rows=[self._row(sls, states.sls[sls]) for sls in self.sls],
            minions=minions,
            unknown=self._group(states.unknown, "../"),
            broken=self._group(states.broken, "../"),
            unread=[self._key(line) for line in unread[:MAX_LISTED]],
            unread_count=len(unread),
            missing=[_Miss.of(sls, one) for sls, one in missing[:MAX_LISTED]],
            missing_count=len(missing),
        )

    def write_sls(self, number: int) -> str:
        """Return the page of a state SLS.

        Args:
            number: Which one it is.
        """
        sls = self.sls[number]
        line = self._states.sls[sls]
        named = line.minions[:MAX_MINIONS]
        recorded = sum(count for reads, count in line.reads.items() if reads.recorded)
        return self._templates.get_template("state_sls.html").render(
            sls=sls,
            file=line.file,
            minions=len(line.minions),
            group=self._group(line.minions, "../../"),
            named=[(one, self._fleet.minions[one].summary.slug) for one in named],
            reads=[(_show(one), one) for one in count_reads(line)],
            recorded=recorded,
            states=line.states.most_common(),
        )

    def write_keys(self, number: int) -> str:
        """Return a page of the list of keys.

        Args:
            number: Which page, counted from 0.
        """
        keys = self._all_keys()
        start = number * ROWS
        parts = [
            (list_name(part), first + 1, min(first + ROWS, len(keys)))
            for part, first in enumerate(range(0, len(keys), ROWS))
        ]
        return self._templates.get_template("keys.html").render(
            keys=[self._key(line) for line in keys[start : start + ROWS]],
            count=len(keys),
            parts=parts if len(parts) > 1 else [],
            number=number,
            unknown=self._group(self._states.unknown, "../"),
        )

    def _all_keys(self) -> list[KeyLine]:
        if self._keys is None:
            self._keys = sorted(self._states.keys, key=lambda line: tuple(map(str, line.path)))
        return self._keys

    @cached_property
    def _has_several(self) -> bool:
        """Whether states come from more than one environment."""
        return len({saltenv for saltenv, _ in self._states.sls}) > 1

    def _key(self, line: KeyLine) -> "_Key":
        return _Key.of(line, "../", several=self._has_several)

    def _row(self, sls: Sls, line: SlsLine) -> SlsRow:
        reads = count_reads(line)
        return SlsRow(
            sls,
            sls_address(*sls, "../").removeprefix("../states/"),
            len(line.minions),
            self._group(line.minions, "../"),
            len(line.states),
            len(reads),
            sum(one.default + one.bare > 0 for one in reads),
        )

    def _group(self, minions: Sequence[str], root: str) -> Markup:
        """Return what a group is called; nothing where it is empty."""
        if not minions:
            return Markup()
        name = self._names.name(self._names.set_of(minions))

        def link(minion: str) -> str:
            address = f"{root}minions/{self._fleet.minions[minion].summary.slug}.html"
            return f'<a href="{address}">{escape(make_visible(minion))}</a>'

        text = name.write(lambda term: f"<code>{escape(make_visible(term))}</code>", link)
        return Markup(text)  # noqa: S704 (both write HTML)


@dataclass(frozen=True, slots=True)
class _Key:
    """A key in a list, as HTML."""

    path: Markup
    minions: int
    values: int
    readers: Markup
    more: int

    @classmethod
    def of(cls, line: KeyLine, root: str, *, several: bool) -> "_Key":
        readers = line.readers.most_common()
        return cls(
            Markup(show_path(line.path, line.positions)),  # noqa: S704 (show_path escapes)
            line.minions,
            len(line.values),
            Markup(", ".join(_readers(readers[:MAX_READERS], root, several=several))),  # noqa: S704 (as above)
            max(0, len(readers) - MAX_READERS),
        )


def _readers(readers: Iterable[tuple[Sls, int]], root: str, *, several: bool) -> Iterable[str]:
    """Yield state SLS files; where there are several environments, each with its own."""
    for (saltenv, sls), count in readers:
        name = "targets of the top file"
        if sls:
            address = sls_address(saltenv, sls, root)
            called = f"{sls} ({saltenv})" if several else sls
            name = f'<a href="{address}">{escape(make_visible(called))}</a>'
        yield f"{name} <small>{count:,}</small>"


@dataclass(frozen=True, slots=True)
class _Miss:
    """A key that is read and missing, in a list."""

    path: Markup
    sls: str
    uri: str
    count: ReadCount

    @classmethod
    def of(cls, sls: Sls, count: ReadCount) -> "_Miss":
        uri = sls_address(*sls, "../").removeprefix("../states/")
        return cls(_show(count), sls[1], uri, count)


def _show(count: ReadCount) -> Markup:
    if not count.path:
        return Markup("<i>the whole pillar</i>")
    return Markup(show_path(count.path))  # noqa: S704 (show_path escapes)
