"""How the environments differ: all pairs in one table, and for each pair a page and its JSON.

A page names what people can take in; the JSON beside it has everything.
"""

import json
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Final

import jinja2
from markupsafe import Markup

from pillarbook.compare.change import change_to_json
from pillarbook.compare.fold import ANY_POSITION, FoldedChange
from pillarbook.model import to_tagged
from pillarbook.report.addresses import pair_name
from pillarbook.report.change_rows import MAX_BYTES, ChangeRows
from pillarbook.report.diff_wording import describe_variants
from pillarbook.report.fleet_summary import (
    NOT_COMPARED,
    OUTCOMES,
    WORDS,
    EnvironmentPair,
    FleetSummary,
)
from pillarbook.report.members import MemberGroups
from pillarbook.report.source import EnvironmentSide
from pillarbook.report.value_html import TokenOf

MAX_VARIANTS = 20
"""Ways in which one key differs that a page shows; those of most minions."""
MAX_VALUES = 3
"""Values with rows of their own, if one file sets them in only one environment."""
MAX_FAULTS = 10
"""What goes wrong for minions of one result, as far as a page lists it."""
KINDS = ("added", "removed", "changed", "moved", "reordered")


@dataclass(frozen=True, slots=True)
class PairLine:
    """A pair of environments in a line of a table."""

    pair: EnvironmentPair
    uri: str
    """Its page, from the folder ``environments``."""
    kinds: tuple[tuple[str, int], ...]
    """The kinds of change there are, and how many of each."""
    words: tuple[tuple[str, int], ...]
    """How many minions have each result, except ``unchanged``."""


def list_pairs(fleet: FleetSummary) -> list[PairLine]:
    """Return a line for each pair."""
    return [
        PairLine(
            pair,
            pair_name(pair.base.name, pair.head.name) + ".html",
            tuple((kind, pair.kinds[kind]) for kind in KINDS if pair.kinds[kind]),
            tuple((word, pair.words[word]) for word in WORDS if pair.words[word]),
        )
        for pair in fleet.pairs
    ]


def write_environments(fleet: FleetSummary, templates: jinja2.Environment) -> str:
    """Return the page that lists the environments that are compared, with the results."""
    environments = [
        (side, fleet.outcomes_in(number)) for number, side in enumerate(fleet.environments)
    ]
    bare = [side for side, counts in environments if not side.has_top and set(counts) <= {"empty"}]
    return templates.get_template("environments.html").render(
        environments=environments,
        bare=bare,
        lines=list_pairs(fleet) if environments else [],
        outcomes=OUTCOMES,
        minions=len(fleet.minions),
    )


def write_pair(
    fleet: FleetSummary,
    number: int,
    groups: MemberGroups,
    token: TokenOf,
    templates: jinja2.Environment,
) -> str:
    """Return the page of the first environment and another."""
    pair = fleet.pair(number)
    rows = _PairRows(ChangeRows(templates, token, (pair.base.name, pair.head.name)), groups)
    sections = list(rows.write(pair.changes))
    results = [
        (result, pair.faults[result], Markup(groups.cell(members)))  # noqa: S704 (escaped there)
        for result, members in pair.results.items()
    ]
    return templates.get_template("pair.html").render(
        pair=pair,
        sections=sections,
        left=rows.left,
        results=results,
        most_faults=MAX_FAULTS,
        groups=list(groups.finish()),
        words=[
            (word, pair.words[word], why.format(base=pair.base.name, head=pair.head.name))
            for word, why in (*WORDS.items(), (NOT_COMPARED, "no pillar without a top file"))
            if pair.words[word]
        ],
        kinds=[(kind, pair.kinds[kind]) for kind in KINDS if pair.kinds[kind]],
        json=pair_name(pair.base.name, pair.head.name) + ".json",
        script=pair_name(pair.base.name, pair.head.name) + ".js",
        others=[
            (side.name, pair_name(pair.base.name, side.name) + ".html")
            for side in fleet.environments[1:]
            if side != pair.head
        ],
    )


@dataclass(frozen=True, slots=True)
class PairSection:
    """The changes under one top-level key."""

    key: Hashable
    anchor: str
    """The id of its own row; empty if it has none."""
    keys: int
    """How many key paths differ."""
    rows: list[tuple[Markup, int]]
    """For each key path its rows, and in how many more ways it differs."""


class _PairRows:
    """Writes the rows of a pair, section by section, until the page is long enough."""

    def __init__(self, rows: ChangeRows, groups: MemberGroups) -> None:
        self._rows = rows
        self._groups = groups
        self._order = {minion: at for at, minion in enumerate(groups.minions)}
        self.left = 0
        """Changes for which there is no room on the page."""

    def write(self, changes: Sequence[FoldedChange]) -> Iterator[PairSection]:
        for _, section in groupby(changes, lambda change: change.path[:1]):
            members = list(section)
            if self._rows.length > MAX_BYTES:
                self.left += len(members)
            else:
                yield self._write_section(members)

    def _write_section(self, changes: Sequence[FoldedChange]) -> PairSection:
        paths = [list(group) for _, group in groupby(changes, lambda change: change.path)]
        has_row = any(len(change.path) > 1 for change in changes)
        key = changes[0].path[0] if has_row else None
        anchor = self._rows.take_id((key,)) if has_row else ""
        rows = []
        for variants in paths:
            if self._rows.length > MAX_BYTES:
                self.left += len(variants)
            else:
                rows.append(self._write_variants(variants))
        return PairSection(key, anchor, len(paths), rows)

    def _write_variants(self, variants: Sequence[FoldedChange]) -> tuple[Markup, int]:
        """Return the ways in which one key differs: if they are many, those of most minions."""
        shown = list(self._join_one_sided(variants))
        left = max(0, len(shown) - MAX_VARIANTS)
        if left:
            shown = sorted(shown, key=lambda one: -len(one[0].minions))[:MAX_VARIANTS]
        rows = "".join(
            self._rows.write(
                one.change,
                one.path,
                [describe_variants(many, similar=False)] if many > 1 else (),
                members=self._groups.cell(one.minions),
            )
            for one, many in shown
        )
        self.left += left + sum(many - 1 for _, many in shown)
        return Markup(rows), left  # noqa: S704 (escaped where written)

    def _join_one_sided(
        self, variants: Sequence[FoldedChange]
    ) -> Iterator[tuple[FoldedChange, int]]:
        """Yield changes, each with the number of those that it stands for.

        If only one environment has a key, its values there are many for one reason: their file.
        """
        alike: dict[Hashable, list[FoldedChange]] = {}
        for one in variants:
            change = one.change
            origin = change.before_origin or change.after_origin
            is_alone = change.kind in ("added", "removed") and not change.positions
            key = (change.kind, origin.file) if is_alone and origin else id(one)
            alike.setdefault(key, []).append(one)
        for some in alike.values():
            if len(some) <= MAX_VALUES:
                yield from ((one, 1) for one in some)
            else:
                minions = {minion for one in some for minion in one.minions}
                ordered = tuple(sorted(minions, key=self._order.__getitem__))
                yield replace(some[0], minions=ordered), len(some)


PAIR_SCHEMA = "pillarbook.environments/1"
ANY_IN_JSON: Final = {"$any": "position"}


def write_pair_json(fleet: FleetSummary, number: int, token: TokenOf) -> str:
    """Return the first environment against another as JSON.

    Shape: ``{"schema", "base", "head", "minions": {ID: {"outcome", "base", "head"}}, "changes":
    [{"path", "kind", "before", "after", "before_origin", "after_origin", "group"}], "groups":
    [[ID]]}``. A change affects the minions of its group, an index into ``groups``; in a path
    ``{"$any": "position"}`` stands for any position in a list.
    """
    pair = fleet.pair(number)
    groups: dict[tuple[str, ...], int] = {}
    changes = [
        {
            "path": [ANY_IN_JSON if key is ANY_POSITION else to_tagged(key) for key in change.path],
            **change_to_json(change.change, token),
            "group": groups.setdefault(change.minions, len(groups)),
        }
        for change in pair.changes
    ]
    written = {
        "schema": PAIR_SCHEMA,
        "base": _side_to_json(pair.base),
        "head": _side_to_json(pair.head),
        "minions": {
            name: {
                "outcome": minion.words[number],
                "base": minion.outcomes[0],
                "head": minion.outcomes[number],
            }
            for name, minion in fleet.minions.items()
        },
        "changes": changes,
        "groups": list(groups),
    }
    return json.dumps(written) + "\n"


def _side_to_json(side: EnvironmentSide) -> dict[str, Any]:
    return {"name": side.name, "is_pillarenv": side.is_pillarenv, "has_top": side.has_top}
