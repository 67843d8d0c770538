"""The pages of groups of minions: what these have in common, and what differs among them.

A group is what a grain or a glob of ids means; only those have a page that other pages name. A
page says of its group what the pages of keys say of the fleet, so it grows with the tree and not
with the fleet.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import quote

import jinja2
from markupsafe import Markup

from pillarbook.compare.fold import FoldedChange, ListPosition, PathKey
from pillarbook.report.addresses import Page, pair_name
from pillarbook.report.group_links import GroupLinks
from pillarbook.report.key_fleet import KeyEntry, KeyValue
from pillarbook.report.key_pages import KeyPages
from pillarbook.report.key_patterns import TypedPath, typed_path
from pillarbook.report.minion import MinionSummary
from pillarbook.report.minion_sets import first_of
from pillarbook.report.page_parts import SharedPart
from pillarbook.report.value_html import TokenOf, show_in_short

MAX_MEMBERS = 60
"""Minions that a page names."""
MAX_COMMON = 300
"""Keys with the same values on all minions that a page lists; those of this group come first."""
MAX_DIFFERING = 200
"""Keys that differ among the minions that a page lists."""
MAX_VALUES = 4
"""Values of a key that a row shows."""
MAX_CHANGED = 100
"""Keys that differ between two environments that a page lists."""


@dataclass(frozen=True, slots=True)
class GroupKeys:
    """The keys of some minions."""

    common: tuple[KeyEntry, ...]
    """Those that all of them have, with the same values at the same places."""
    differing: tuple[KeyEntry, ...]
    """Those that only some have, or not all alike."""
    crowded: tuple[KeyEntry, ...]
    """Those with so many values over the fleet that these are not told apart."""


def find_group_keys(keys: Iterable[KeyEntry], minions: int) -> GroupKeys:
    """Return the keys of some minions, each where it belongs.

    The minions are a set of bits.
    """
    common, differing, crowded = [], [], []
    for entry in keys:
        here = entry.minions & minions
        if not here:
            continue
        if entry.is_crowded:
            crowded.append(entry)
        elif here == minions and all(_is_all_or_none(one, minions) for one in entry.values):
            common.append(entry)
        else:
            differing.append(entry)
    return GroupKeys(tuple(common), tuple(differing), tuple(crowded))


def _is_all_or_none(value: KeyValue, minions: int) -> bool:
    """Say whether all of some minions have a value at the same places, or none has it."""
    by_path: dict[object, int] = {}
    for spot in value.spots:
        path = typed_path(spot.leaf.path)
        by_path[path] = by_path.get(path, 0) | spot.minions
    return all(not one & minions or one & minions == minions for one in by_path.values())


class GroupPages:
    """Writes the pages of groups, once every minion was written."""

    def __init__(
        self, groups: GroupLinks, keys: KeyPages, token: TokenOf, templates: jinja2.Environment
    ) -> None:
        self._groups = groups
        self._fleet = groups.fleet
        self._keys = keys
        self._token = token
        self._template = templates.get_template("minion_group.html")
        # By the minions: most changes are those of the same few groups.
        self._sets: dict[tuple[str, ...], int] = {}

    def write(self, number: int) -> str:
        """Return the page of a group."""
        term = self._groups.terms[number]
        everyone = self._groups.names.members_of(term)
        minions = everyone & ~self._groups.failed
        found = find_group_keys(self._keys.keys, minions)
        own = [one for one in found.common if not one.minions & ~minions]
        rest = [one for one in found.common if one.minions & ~minions]
        # Different values first: a key that only some have says less of what differs among them.
        differing = sorted(found.differing, key=lambda one: bool(minions & ~one.minions))
        members = first_of(everyone, MAX_MEMBERS)
        return self._template.render(
            term=term,
            minions=everyone.bit_count(),
            failed=(everyone & self._groups.failed).bit_count(),
            members=[Markup(self._summaries[one].link("../")) for one in members],  # noqa: S704 (escapes)
            members_left=everyone.bit_count() - len(members),
            query=quote(term),
            own=len(own),
            common_count=len(found.common),
            common=[
                (self._describe(one), self._show_values(one, minions), one_is_own)
                for one_is_own, some in ((True, own), (False, rest))
                for one in some
            ][:MAX_COMMON],
            differing_count=len(differing),
            lacking_count=sum(bool(minions & ~one.minions) for one in differing),
            differing=[
                (self._describe(one), self._count_values(one, minions))
                for one in differing[:MAX_DIFFERING]
            ],
            crowded=[self._describe(one) for one in found.crowded],
            environments=list(self._compare(everyone)),
        )

    def _describe(self, entry: KeyEntry) -> dict[str, Any]:
        pattern = entry.pattern
        address = f"../keys/{self._keys.address_of(pattern)}"
        return {"path": pattern.path, "varying": pattern.varying, "address": address}

    def _show_values(self, entry: KeyEntry, minions: int) -> dict[str, Any]:
        """Return the values that minions have in common."""
        found = [one.value for one in entry.values if one.minions & minions]
        shown = [self._show(one) for one in found[:MAX_VALUES]]
        return {"values": shown, "left": len(found) - len(shown)}

    def _count_values(self, entry: KeyEntry, minions: int) -> dict[str, Any]:
        """Return how many minions have each value, the most first."""
        found = [(one.minions & minions, one.value) for one in entry.values]
        found = sorted((one for one in found if one[0]), key=lambda one: -one[0].bit_count())
        return {
            "values": [(self._show(one), who.bit_count()) for who, one in found[:MAX_VALUES]],
            "left": max(0, len(found) - MAX_VALUES),
            "lacking": (minions & ~entry.minions).bit_count(),
            # Members of a list may be the same ones in another order.
            "is_moved": all(who == minions for who, _ in found),
        }

    def _show(self, value: Any) -> Markup:
        return Markup(show_in_short(value, self._token))  # noqa: S704 (escapes)

    def _compare(self, minions: int) -> Iterator[dict[str, Any]]:
        """Yield for each pair of environments the keys that differ for some minions."""
        for pair, changes in zip(self._fleet.pairs, self._changes, strict=True):
            keys: dict[TypedPath, int] = {}
            for path, who in changes:
                if who & minions:
                    keys[path] = keys.get(path, 0) | who & minions
            yield {
                "base": pair.base.name,
                "head": pair.head.name,
                "is_compared": pair.is_compared,
                "uri": f"../environments/{pair_name(pair.base.name, pair.head.name)}.html",
                "count": len(keys),
                "keys": [
                    (tuple(map(_name_position, path)), who.bit_count())
                    for path, who in list(keys.items())[:MAX_CHANGED]
                ],
            }

    @cached_property
    def _summaries(self) -> Sequence[MinionSummary]:
        return [one.summary for one in self._fleet.minions.values()]

    @cached_property
    def _changes(self) -> Sequence[Sequence[tuple[TypedPath, int]]]:
        """The path of each change of each pair, with its minions as a set of bits."""
        return [[self._read_change(one) for one in pair.changes] for pair in self._fleet.pairs]

    def _read_change(self, folded: FoldedChange) -> tuple[TypedPath, int]:
        known = self._sets.get(folded.minions)
        if known is None:
            known = self._sets[folded.minions] = self._groups.names.set_of(folded.minions)
        return typed_path(folded.path), known


def _name_position(typed: tuple[type, Hashable]) -> Hashable:
    """Return a key of a path; a position in a list that may be any is a sign for it."""
    _, key = typed
    return str(key) if isinstance(key, PathKey | ListPosition) else key


@dataclass(eq=False)
class SharedSections:
    """Writes a page for each part that minions share."""

    _parts: Sequence[SharedPart]
    _read: Callable[[SharedPart], str]
    _minions: Sequence[str]
    _groups: GroupLinks

    def plan(self) -> tuple[Page, ...]:
        """Return the pages."""
        return tuple(
            Page(part.address, part.title, "section", number=number)
            for number, part in enumerate(self._parts)
        )

    def write(self, number: int, templates: jinja2.Environment) -> str:
        """Return the page of a part."""
        part = self._parts[number]
        who = self._groups.name([self._minions[rank] for rank in part.minions], "../")
        rows = Markup(self._read(part))  # noqa: S704 (they are those of minions' pages)
        return templates.get_template("section.html").render(part=part, rows=rows, who=who)
