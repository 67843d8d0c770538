"""The values of a key for its pages: who has each, what sets it, and how environments differ."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import groupby
from typing import Any

from markupsafe import Markup

from pillarbook.model.phrases import and_more
from pillarbook.report.addresses import pair_name
from pillarbook.report.group_links import GroupLinks
from pillarbook.report.inline_change import InlineChange
from pillarbook.report.key_facts import Differences, KeyDifference
from pillarbook.report.key_fleet import KeyEntry, KeyPlace, KeySpot, KeyValue, places_of
from pillarbook.report.key_sources import KeySources
from pillarbook.report.minion import MinionSummary
from pillarbook.report.minion_sets import first_of
from pillarbook.report.places import write_origins
from pillarbook.report.row_ids import row_id
from pillarbook.report.rows import write_overridden
from pillarbook.report.value_html import (
    TokenOf,
    show_in_short,
    show_key,
    show_value,
    write_code,
    write_text,
)

MAX_MEMBERS = 40
"""Minions of a value that are named one by one."""
MAX_PLACES = 6
"""Places that set a value, as far as they are shown."""
MAX_NAMES = 4
"""Keys that ``*`` stands for, as far as a value names them."""
MAX_CHANGES = 3
"""Changes between two environments that are shown."""


class KeyValues:
    """Describes the values of keys, once every minion was written."""

    def __init__(
        self, groups: GroupLinks, differences: Differences, sources: KeySources, token: TokenOf
    ) -> None:
        self._fleet = groups.fleet
        self._sources = sources
        self._differences = differences
        self._token = token
        self._inline = InlineChange(token, write_code, write_text)
        self.groups = groups
        """Names groups of minions."""

    def describe(self, entry: KeyEntry, most: int, *, in_full: bool) -> dict[str, Any]:
        """Return what there is to say of a key, with so many of its values.

        With ``in_full``, minions are named one by one.
        """
        shown = entry.values[:most]
        rest = entry.values[most:]
        others = 0
        for value in rest:
            others |= value.minions
        lacking = self._everyone & ~entry.minions & ~self.groups.failed
        return {
            "shown": [self._describe_value(entry, value, in_full=in_full) for value in shown],
            "others": len(rest),
            "others_minions": others.bit_count(),
            "lacking": self._name(lacking, lambda _: ""),
            "lacking_count": lacking.bit_count(),
            "failed_count": self.groups.failed.bit_count(),
            "environments": self._describe_differences(entry),
            "description": self._sources.describe(entry),
        }

    def show_only(self, entry: KeyEntry) -> Markup | None:
        """Return the value of a key that has but one, in short; None for several."""
        if entry.is_crowded or len(entry.values) != 1:
            return None
        return Markup(show_in_short(entry.values[0].value, self._token))  # noqa: S704 (escapes)

    def _describe_value(self, entry: KeyEntry, value: KeyValue, *, in_full: bool) -> dict[str, Any]:
        """Return a row of a key's table."""
        anchors, places = _Anchors(value.spots), places_of(value)
        is_listed = not in_full or self.groups.lists_each(value.minions)
        members = [] if is_listed else first_of(value.minions, MAX_MEMBERS)
        return {
            "html": None if entry.is_crowded else Markup(show_value(value.value, self._token)),  # noqa: S704 (escapes)
            "names": _varying_names(entry, value),
            "who": self._name(value.minions, anchors.of),
            "members": [self._link(number, anchors.of(number)) for number in members],
            "left": value.minions.bit_count() - len(members) if members else 0,
            "places": [
                self._describe_place(place, anchors if len(places) > 1 else None)
                for place in places[:MAX_PLACES]
            ],
            "more_places": max(0, len(places) - MAX_PLACES),
        }

    def _describe_place(self, place: KeyPlace, anchors: "_Anchors | None") -> dict[str, Any]:
        """Return what sets a value, and for whom if there are other places."""
        overridden = (
            write_overridden(one, self._token, self._sources.address(one.file, one.line))
            for one in place.overridden
        )
        last = place.origins[0]
        address = self._sources.address(last.file, last.line)
        return {
            "origin": Markup(write_origins(place.origins, address)),  # noqa: S704 (escapes)
            "since": self._sources.since(last.file, last.line),
            "overridden": Markup("".join(overridden)),  # noqa: S704 (escapes)
            "who": "" if anchors is None else self._name(place.minions, anchors.of),
        }

    def _name(self, minions: int, anchor: Callable[[int], str]) -> Markup:
        return self.groups.name_set(
            minions, "../", lambda number: self._link(number, anchor(number))
        )

    def _link(self, number: int, anchor: str) -> Markup:
        return Markup(self._minions[number].link("../", anchor))  # noqa: S704 (escapes)

    def _describe_differences(self, entry: KeyEntry) -> list[dict[str, Any]]:
        """Return for each other environment how the key differs there."""
        found = self._differences.get(entry.pattern.typed, ())
        return [
            self._describe_pair(number, list(some))
            for number, some in groupby(found, key=lambda one: one.number)
        ]

    def _describe_pair(self, number: int, found: Sequence[KeyDifference]) -> dict[str, Any]:
        base, head = self._fleet.environments[0].name, self._fleet.environments[number].name
        # Equal changes differ in list positions or in the lines that set the values.
        told: dict[tuple[str, str], dict[str, None]] = {}
        for one in found:
            kind = one.change.kind
            text = kind, self._inline.write(one.change).removeprefix(f"{kind}: ")
            told.setdefault(text, {}).update(dict.fromkeys(one.minions))
        for kind in ("added", "removed"):  # the page has the values of one environment already
            some = [text for text in told if text[0] == kind]
            if len(some) > MAX_CHANGES:
                minions = {minion: None for text in some for minion in told.pop(text)}
                told[kind, f"{len(some):,} different values"] = minions
        most = sorted(told.items(), key=lambda pair: -len(pair[1]))
        return {
            "base": base,
            "head": head,
            "uri": f"../environments/{pair_name(base, head)}.html",
            "changes": [
                (kind, Markup(text), self.groups.name(tuple(minions), "../"))  # noqa: S704 (escapes)
                for (kind, text), minions in most[:MAX_CHANGES]
            ],
            "more": max(0, len(most) - MAX_CHANGES),
        }

    @cached_property
    def _minions(self) -> Sequence[MinionSummary]:
        return [one.summary for one in self._fleet.minions.values()]

    @cached_property
    def _everyone(self) -> int:
        return (1 << len(self._minions)) - 1


class _Anchors:
    """The ids of a value's rows on the pages of its minions."""

    def __init__(self, spots: Iterable[KeySpot]) -> None:
        self._spots = [(spot.minions, row_id(spot.leaf.path)) for spot in spots]

    def of(self, number: int) -> str:
        """Return the id of the row on a minion's page."""
        bit = 1 << number
        return next((anchor for minions, anchor in self._spots if minions & bit), "")


def _varying_names(entry: KeyEntry, value: KeyValue) -> Markup:
    """Return the keys that ``*`` stands for where a value is set, not list positions."""
    if entry.is_crowded:
        return Markup()
    names: dict[str, None] = {}
    for spot in value.spots:
        keys = [spot.leaf.path[at] for at in entry.pattern.varying]
        told = ":".join(show_key(key) for key in keys if isinstance(key, str))
        if told:
            names[told] = None
    shown = ", ".join(list(names)[:MAX_NAMES]) + and_more(len(names) - MAX_NAMES)
    return Markup(shown)  # noqa: S704 (show_key escapes)
