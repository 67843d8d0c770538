"""The pages about keys: a list of all, one for each top-level key, and one for a key that varies.

The page of a top-level key has all keys below it. A key has a page of its own if there is more to
say than fits there: several values or places that set it, or minions that no few words name.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import Any

import jinja2
from markupsafe import Markup

from pillarbook.model import format_path
from pillarbook.report.addresses import ROWS, Page, list_name, split_list
from pillarbook.report.history_pages import HistoryPages
from pillarbook.report.key_facts import KeyFacts
from pillarbook.report.key_fleet import KeyEntry, places_of
from pillarbook.report.key_patterns import KeyPattern, TypedPath, page_name, top_page_name
from pillarbook.report.key_values import KeyValues
from pillarbook.report.pictures import draw_spread
from pillarbook.report.row_ids import RowIds

# Protects the browser: a key has about a kilobyte on the page of its top-level key.
MAX_TOLD = 250
"""Keys below a top-level key that one page describes; of more, its page lists them briefly."""
# Which keys have a page of their own, and what is left out of it: docs/decisions/0027.
FEW_VALUES = 5
"""Values of a key on the page of its top-level key."""
MANY_VALUES = 300
"""Values of a key on its own page."""
MAX_NEAR = 12
"""Keys beside a key that its page names."""
MAX_READERS = 6
"""State SLS files that a row names."""


@dataclass(frozen=True, slots=True)
class TopKey:
    """A top-level key with all keys below it."""

    name: str
    """The file name of its page, without extension."""
    title: str
    """What the page is called, plain text."""
    entries: tuple[KeyEntry, ...]
    part: int | None = None
    """Which part of the keys its page describes, counted from 1; None for all of them."""

    @property
    def uri(self) -> str:
        """The file name of the page; no other has a number behind the sign."""
        return f"{self.name}.html" if self.part is None else f"{self.name}~{self.part}.html"


class KeyPages:
    """Writes the pages about keys, once every minion was written."""

    def __init__(
        self,
        keys: Sequence[KeyEntry],
        facts: KeyFacts,
        values: KeyValues,
        templates: jinja2.Environment,
        history: HistoryPages | None = None,
    ) -> None:
        self.keys = keys
        """All keys, by path."""
        self._uses = facts.uses
        self._unknown = facts.unknown
        self._templates = templates
        self._history = history
        self._values = values
        self.tops: tuple[TopKey, ...] = tuple(_group_by_top(keys))
        """The top-level keys, each of which has a page."""
        self.own: tuple[KeyEntry, ...] = tuple(filter(self._needs_page, keys))
        """The keys that have a page of their own."""
        self._owns = frozenset(one.pattern.typed for one in self.own)
        self._top_pages = [page for top in self.tops for page in (top, *_split(top))]
        self._rows: dict[TypedPath, tuple[str, str]] = {}
        for top in self.tops:
            self._rows.update(_find_rows(top))

    @property
    def list_pages(self) -> int:
        """How many pages the list of keys takes."""
        return max(1, -(-len(self.keys) // ROWS))

    def plan(self) -> tuple[Page, ...]:
        """Return the pages about keys besides the first one."""
        return (
            *(
                Page(f"keys/{list_name(part)}", f"Keys, page {part + 1}", "keys", number=part)
                for part in range(1, self.list_pages)
            ),
            *(
                Page(f"keys/{top.uri}", _title_of(top), "key-top", number=number)
                for number, top in enumerate(self._top_pages)
            ),
            *(
                Page(
                    f"keys/{page_name(one.pattern)}.html",
                    f"Key {format_path(one.pattern.path)}",
                    "key",
                    number=number,
                )
                for number, one in enumerate(self.own)
            ),
        )

    def list_names(self, page: Page) -> list[str]:
        """Return the keys that a page about keys below a top-level key describes."""
        return [format_path(one.pattern.path) for one in self._top_pages[page.number].entries]

    def write_list(self, number: int) -> str:
        """Return a page of the list of keys."""
        keys, start = self.keys, number * ROWS
        parts = split_list(len(keys))
        ends = [(keys[first - 1], keys[last - 1]) for _, first, last in parts]
        return self._templates.get_template("keys.html").render(
            keys=[self._line_of(one) for one in keys[start : start + ROWS]],
            max_readers=MAX_READERS,
            has_uses=self._uses is not None,
            has_several=self._has_several,
            count=len(keys),
            parts=parts,
            names=[[format_path(one.pattern.path[:1]) for one in pair] for pair in ends],
            number=number,
            unknown=self._values.groups.name(self._unknown, "../"),
        )

    def write_top(self, number: int) -> str:
        """Return the page of a top-level key, or of a part of its keys."""
        top = self._top_pages[number]
        if top.part is None and _is_large(top):
            return self._write_brief(top)
        rows = ((one, self._rows[one.pattern.typed][1]) for one in top.entries)
        return self._templates.get_template("key_top.html").render(
            title=top.title,
            part=top.part,
            whole=f"{top.name}.html",
            keys=[{**self._describe(one), "id": anchor} for one, anchor in rows],
            is_one=len(top.entries) == 1 and len(top.entries[0].pattern.path) == 1,
            has_uses=self._uses is not None,
            has_several=self._has_several,
            max_readers=MAX_READERS,
            history="" if top.part else self._write_history(top),
        )

    def _write_brief(self, top: TopKey) -> str:
        """Return a list of many keys; minions' pages lead to its rows, and these to the parts."""
        lines = []
        for one in top.entries:
            page, anchor = self._rows[one.pattern.typed]
            line = {**self._line_of(one), "id": anchor, "address": f"{page}#{anchor}"}
            lines.append({**line, "value": self._values.show_only(one)})
        return self._templates.get_template("key_brief.html").render(
            title=top.title, keys=lines, history=self._write_history(top)
        )

    def _write_history(self, top: TopKey) -> Markup | str:
        if self._history is None:
            return ""
        return self._history.write_top(top.entries[0].pattern)

    def write_key(self, number: int) -> str:
        """Return a key's own page."""
        entry = self.own[number]
        return self._templates.get_template("key.html").render(
            key=self._describe(entry, in_full=True),
            top=f"{top_page_name(entry.pattern)}.html",
            near=[self._line_of(one) for one in self._find_near(entry)],
            has_uses=self._uses is not None,
            has_several=self._has_several,
            history="" if self._history is None else self._history.write_key(entry.pattern),
        )

    def _line_of(self, entry: KeyEntry) -> dict[str, Any]:
        """Return what a list says of a key."""
        counts = [value.minions.bit_count() for value in entry.values]
        return {
            "path": entry.pattern.path,
            "varying": entry.pattern.varying,
            "address": self.address_of(entry.pattern),
            "types": " or ".join(entry.types),
            "minions": entry.minions.bit_count(),
            "count": len(entry.values),
            "is_crowded": entry.is_crowded,
            "spread": None if entry.is_crowded else draw_spread(counts),
            "uses": self._uses_of(entry.pattern.typed),
        }

    def _describe(self, entry: KeyEntry, *, in_full: bool = False) -> dict[str, Any]:
        """Return all that a page says of a key; in full on its own page."""
        in_full = in_full or len(entry.pattern.path) == 1  # its page is that of the top-level key
        most = MANY_VALUES if in_full else FEW_VALUES
        return {**self._line_of(entry), **self._values.describe(entry, most, in_full=in_full)}

    def address_of(self, pattern: KeyPattern) -> str:
        """Return the address of what there is to say of a key, from ``keys``."""
        if pattern.typed in self._owns:
            return f"{page_name(pattern)}.html"
        page, _ = self._rows[pattern.typed]
        return f"{page}#{pattern.anchor}"

    def find_address(self, pattern: KeyPattern) -> str:
        """Return the address of a key, or of the keys around it if no minion has it; else empty."""
        if pattern.typed in self._rows:
            return self.address_of(pattern)
        name = top_page_name(pattern)
        return f"{name}.html" if any(top.name == name for top in self.tops) else ""

    def _needs_page(self, entry: KeyEntry) -> bool:
        if len(entry.pattern.path) == 1:
            return False
        # All members of a list that everybody gets are told in a few rows.
        return (
            len(entry.values) > FEW_VALUES
            or any(one.minions != entry.minions or len(places_of(one)) > 1 for one in entry.values)
            or not self._values.groups.tells_all(entry.minions)
        )

    def _find_near(self, entry: KeyEntry) -> list[KeyEntry]:
        """Return the keys of the same mapping, those next to it in order."""
        above = entry.pattern.typed[:-1]
        near = self._siblings.get(above, [])
        at = next(at for at, one in enumerate(near) if one is entry)
        first = max(0, min(at - MAX_NEAR // 2, len(near) - MAX_NEAR - 1))
        return [one for one in near[first : first + MAX_NEAR + 1] if one is not entry]

    @cached_property
    def _siblings(self) -> dict[TypedPath, list[KeyEntry]]:
        found: dict[TypedPath, list[KeyEntry]] = {}
        for one in self.keys:
            found.setdefault(one.pattern.typed[:-1], []).append(one)
        return found

    def _uses_of(self, typed: TypedPath) -> list[Any]:
        uses = (self._uses or {}).get(typed, {})
        return sorted(uses.items(), key=lambda pair: (-pair[1].found, pair[0]))

    @cached_property
    def _has_several(self) -> bool:
        """Whether states come from more than one environment."""
        uses = (self._uses or {}).values()
        return len({saltenv for one in uses for saltenv, _ in one}) > 1


def _is_large(top: TopKey) -> bool:
    return len(top.entries) > MAX_TOLD


def _split(top: TopKey) -> Iterator[TopKey]:
    """Yield the parts of a top-level key that are described apart; none of a small one."""
    for start in range(0, len(top.entries) if _is_large(top) else 0, MAX_TOLD):
        entries = top.entries[start : start + MAX_TOLD]
        yield replace(top, entries=entries, part=start // MAX_TOLD + 1)


def _find_rows(top: TopKey) -> Iterator[tuple[TypedPath, tuple[str, str]]]:
    """Yield for each key the page that describes it, and the id of its row."""
    ids = RowIds()
    for page in list(_split(top)) or [top]:
        for one in page.entries:
            yield one.pattern.typed, (page.uri, ids.take(one.pattern.anchor))


def _title_of(top: TopKey) -> str:
    return f"Key {top.title}" if top.part is None else f"Key {top.title}, part {top.part}"


def _group_by_top(keys: Iterable[KeyEntry]) -> Iterator[TopKey]:
    by_name = sorted(
        ((top_page_name(one.pattern), at, one) for at, one in enumerate(keys)),
        key=lambda found: found[:2],
    )
    for name, some in groupby(by_name, key=lambda found: found[0]):
        entries = tuple(one for _, _, one in some)
        title = str(entries[0].pattern.path[0])
        yield TopKey(name, title if title.strip() else f'"{title}"', entries)
