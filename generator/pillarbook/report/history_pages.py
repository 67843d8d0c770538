"""What changed in each build: the page of all builds, and a section of other pages."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, TypeAlias

import jinja2
from markupsafe import Markup

from pillarbook.compare.change import Change
from pillarbook.compare.outcomes import show_result
from pillarbook.model.limited_cache import LimitedCache
from pillarbook.model.phrases import count
from pillarbook.redact.tokens import Tokens
from pillarbook.report.change_rows import MinionChange
from pillarbook.report.history_reader import (
    HistoryChange,
    HistoryCommit,
    HistoryEntry,
    SavedHistory,
    read_entry,
    redact_entry,
    show_time,
)
from pillarbook.report.inline_change import InlineChange
from pillarbook.report.key_patterns import KeyPattern, KeyPatterns, TypedPath
from pillarbook.report.source import DescribesReport
from pillarbook.report.source_links import ForgeLinks
from pillarbook.report.templates import find_macro
from pillarbook.report.value_html import write_code, write_link, write_text
from pillarbook.roots.revision_names import SHORT

MAX_OPEN = 10
"""Changes of a key or a minion that are not folded."""
MAX_TOLD = 60
"""Changes of a key that are told."""
# There is such a page for each minion.
MAX_OF_MINION = 30
"""Changes of a minion that are told."""
MAX_KEPT = 1_000
"""Sections of minions that are kept."""
MAX_BUILDS = 10
"""Builds that are not folded."""
MAX_ALL_BUILDS = 1_000
"""Builds that are told."""
MAX_CHANGES = 12
"""Changes of a build that are told."""
MAX_FOLDED = 3
"""Changes of a build that are told if it is folded."""
_ABSENT = object()
_OfKey: TypeAlias = tuple[HistoryEntry, HistoryChange, TypedPath]
"""A build, a change in it, and the pattern of the key that it changed."""


class HistoryPages:
    """Writes what changed in each build."""

    def __init__(
        self,
        saved: SavedHistory,
        about: DescribesReport,
        patterns: KeyPatterns,
        forge: ForgeLinks,
        templates: jinja2.Environment,
    ) -> None:
        self._saved = saved
        self._about = about
        self._patterns = patterns
        self._forge = forge
        self._templates = templates
        self._write_section = find_macro(templates, "history_section", "history_parts")
        self._tokens = Tokens()
        self._inline = InlineChange(self._tokens.token, write_code, write_text)
        self._own: list[HistoryEntry] = []
        # Minions that changed alike share their rows.
        self._kept = LimitedCache[tuple[int | str, ...], Markup](MAX_KEPT)

    def add(self, entry: Mapping[str, Any]) -> None:
        """Take the entry of this build, before the pages of keys and of all builds are written."""
        self._own = [read_entry(entry, self._tokens)]

    @property
    def last(self) -> HistoryEntry | None:
        """The build before; None for the first one."""
        return self._before[0] if self._before else None

    def write(self, address_of: Callable[[KeyPattern], str]) -> str:
        """Return the page of all builds; ``address_of`` finds the page of a key, if it has one."""

        def find(change: Change | None) -> str:
            return address_of(self._pattern_of(change)) if change and change.path else ""

        entries = self._entries
        return self._templates.get_template("history.html").render(
            builds=[self._describe(one, MAX_CHANGES) for one in entries[:MAX_BUILDS]],
            find=find,
            folded=[self._describe(one, MAX_FOLDED) for one in entries[MAX_BUILDS:MAX_ALL_BUILDS]],
            left=max(0, len(entries) - MAX_ALL_BUILDS),
        )

    def write_minion(self, minion: str, change: MinionChange | None) -> Markup:
        """Return the section of a minion's page; empty if no build changed it.

        ``change`` is that of this build, which another section of the page shows.
        """
        found = self._by_minion.get(minion, ())
        own = [self._show_own(change)] if change is not None and self._saved.is_compared else []
        key = (*(id(one) for _, one in found), *(one["text"] for one in own))
        known = self._kept.get(key)
        if known is None:
            shown, left = found[:MAX_OF_MINION], found[MAX_OF_MINION:]
            rows = [self._show(entry, one, is_linked=False) for entry, one in shown]
            known = self._write([*own, *rows], left, has_who=False)
            self._kept[key] = known
        return known

    def write_key(self, pattern: KeyPattern) -> Markup:
        """Return the section of a key's page; empty if no build changed it."""
        found = [
            (entry, replace(one, change=change))
            for entry, one, typed in self._by_top.get(pattern.typed[:1], ())
            for change in _find_at(one, typed, pattern)
        ]
        return self._write_all(found)

    def write_top(self, pattern: KeyPattern) -> Markup:
        """Return the section of the page of a top-level key and of all keys below it."""
        found = self._by_top.get(pattern.typed[:1], ())
        return self._write_all([(entry, one) for entry, one, _ in found])

    def _write_all(self, found: Sequence[tuple[HistoryEntry, HistoryChange]]) -> Markup:
        rows = [self._show(entry, one) for entry, one in found[:MAX_TOLD]]
        return self._write(rows, found[MAX_TOLD:], has_who=True)

    def _write(
        self, rows: Sequence[Mapping[str, Any]], left: Sequence[Any], *, has_who: bool
    ) -> Markup:
        if not rows:
            return Markup()
        return self._write_section(rows[:MAX_OPEN], rows[MAX_OPEN:], bool(left), has_who=has_who)

    def _describe(self, entry: HistoryEntry, most: int) -> dict[str, Any]:
        """Return a build on the page of all builds, with so many of its changes."""
        shown = entry.changes[:most]
        return {
            "entry": entry,
            "commit": entry.commit
            and self._show_commit(HistoryCommit(entry.commit, None, None), is_linked=True),
            "rows": [self._show(entry, one) for one in shown],
            "left": len(entry.changes) - len(shown) + entry.left_out,
        }

    def _show(
        self, entry: HistoryEntry, one: HistoryChange, *, is_linked: bool = True
    ) -> dict[str, Any]:
        """Return a row of a table; ``is_linked`` says whether its commits are links."""
        is_last = not one.commits and entry.commit is not None
        last = HistoryCommit(entry.commit, None, None) if is_last and entry.commit else None
        return {
            "time": entry.time,
            "commits": [self._show_commit(commit, is_linked=is_linked) for commit in one.commits],
            "last": last and self._show_commit(last, is_linked=is_linked),
            "word": one.word if one.secrets is None else "",  # the text says it
            "change": one.change,
            "text": Markup() if one.change is None else self._show_values(one, one.change),
            "who": one.group.who,
        }

    def _show_own(self, change: MinionChange) -> dict[str, Any]:
        """Return the row for this build, whose causes are not known yet."""
        about = self._about.describe()
        last = about.commit and HistoryCommit(about.commit.id, None, None)
        told = count(len(change.changes), "change") if change.changes else show_result(change.word)
        return {
            "time": show_time(about.time),
            "commits": [],
            "last": last and self._show_commit(last, is_linked=False),
            "word": "",
            "change": None,
            "text": Markup(write_link("#changes", told)),  # noqa: S704 (escapes)
            "who": "",
        }

    def _show_commit(self, commit: HistoryCommit, *, is_linked: bool) -> dict[str, str | None]:
        return {
            "id": commit.id[:SHORT],
            "address": self._forge.commit_address(commit.id) if is_linked else None,
            "date": commit.date,
            "author": commit.author,
        }

    def _show_values(self, one: HistoryChange, change: Change) -> Markup:
        if one.is_long:
            return Markup("a long value")
        if one.variants > 1:
            return Markup(f"{one.variants:,} different values")  # noqa: S704 (a number)
        text = self._inline.write(change, one.secrets)
        return Markup(text.removeprefix(f"{change.kind}: "))  # noqa: S704 (escapes)

    @cached_property
    def _before(self) -> list[HistoryEntry]:
        """The builds before, the newest first; read when all secrets are known."""
        newest_first = self._saved.entries[::-1]
        redacted = (redact_entry(one, self._saved.clean) for one in newest_first)
        return [read_entry(one, self._tokens) for one in redacted]

    @property
    def _entries(self) -> list[HistoryEntry]:
        return [*self._own, *self._before]

    @cached_property
    def _by_minion(self) -> Mapping[str, Sequence[tuple[HistoryEntry, HistoryChange]]]:
        """The last changes of each minion, and one more if there are more."""
        found: dict[str, list[tuple[HistoryEntry, HistoryChange]]] = {}
        for entry in self._before:
            by_group: dict[int, list[tuple[HistoryEntry, HistoryChange]]] = {}
            for one in entry.changes:
                by_group.setdefault(id(one.group), []).append((entry, one))
            for pairs in by_group.values():
                for minion in pairs[0][1].group.minions:
                    own = found.setdefault(minion, [])
                    if len(own) <= MAX_OF_MINION:
                        own += pairs
        return found

    @cached_property
    def _by_top(self) -> Mapping[TypedPath, Sequence[_OfKey]]:
        found: dict[TypedPath, list[_OfKey]] = {}
        for entry in self._entries:
            for one in entry.changes:
                if one.change is not None and one.change.path:
                    typed = self._pattern_of(one.change).typed
                    found.setdefault(typed[:1], []).append((entry, one, typed))
        return found

    def _pattern_of(self, change: Change) -> KeyPattern:
        return self._patterns.pattern_of(change.path, tuple(sorted(change.positions)))


def _find_at(one: HistoryChange, typed: TypedPath, pattern: KeyPattern) -> Iterator[Change]:
    """Yield what a change is for one key, if it changes that key."""
    depth, change = len(typed), one.change
    if change is None or typed != pattern.typed[:depth]:
        return
    rest = pattern.path[depth:]
    varies = any(at >= depth for at in pattern.varying)
    if not rest or ((varies or one.has_no_values) and change.kind != "reordered"):
        yield change
    elif change.kind in ("added", "removed", "changed"):
        before, after = _find_inside(change.before, rest), _find_inside(change.after, rest)
        if before is not _ABSENT or after is not _ABSENT:
            both = (None if side is _ABSENT else side for side in (before, after))
            yield replace(change, path=pattern.path, before=next(both), after=next(both))


def _find_inside(data: Any, keys: Iterable[Hashable]) -> Any:
    """Return what is in data at some keys, or ``_ABSENT``."""
    for key in keys:
        if not isinstance(data, Mapping) or key not in data:
            return _ABSENT
        data = data[key]
    return data
