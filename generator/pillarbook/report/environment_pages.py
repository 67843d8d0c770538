"""How the environments differ: all pairs in one table, and a page for each pair.

A page names what people can take in; the JSON beside it has everything.
"""

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby

import jinja2
from markupsafe import Markup

from pillarbook.compare import FoldedChange
from pillarbook.report.addresses import pair_name
from pillarbook.report.change_table import ChangeRows, anchor_of
from pillarbook.report.fleet_summary import (
    NOT_COMPARED,
    OUTCOMES,
    WORDS,
    EnvironmentPair,
    FleetSummary,
)
from pillarbook.report.members import MemberGroups
from pillarbook.report.value_html import TokenOf, make_visible, show_key

MAX_VARIANTS = 20
"""Ways in which one key differs that a page shows; those of most minions."""
MAX_FAULTS = 10
"""What goes wrong for minions of one result, as far as a page lists it."""
MAX_BYTES = 1_200_000
"""Length of the rows of a page, in characters."""
KINDS = ("added", "removed", "changed", "moved", "reordered")


@dataclass(frozen=True, slots=True)
class PairLine:
    """A pair of environments in a line of a table."""

    pair: EnvironmentPair
    """The pair."""
    uri: str
    """Its page, from the folder ``environments``."""
    kinds: tuple[tuple[str, int], ...]
    """The kinds of change there are, and how many of each."""
    words: tuple[tuple[str, int], ...]
    """What became of how many minions, besides those that are unchanged."""


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
    """Return the page that says what is compared, and what that comes to."""
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
    fleet: FleetSummary, number: int, token: TokenOf, templates: jinja2.Environment
) -> str:
    """Return the page of the first environment and another.

    Args:
        fleet: All minions.
        number: Which environment the other is.
        token: Gives tokens of secrets.
        templates: The environment of page templates.
    """
    pair = fleet.pair(number)
    groups = MemberGroups(fleet.minions)
    names = escape(make_visible(pair.base.name)), escape(make_visible(pair.head.name))
    rows = _PairRows(ChangeRows(token, names), groups)
    html = Markup("".join(rows.write(pair.changes)))  # noqa: S704 (escaped there)
    results = [
        (result, pair.faults[result], Markup(groups.cell(members)))  # noqa: S704 (escaped there)
        for result, members in pair.results.items()
    ]
    return templates.get_template(
        "pair.html"
    ).render(
        pair=pair,
        rows=html,
        left=rows.left,
        results=results,
        most_faults=MAX_FAULTS,
        groups=[(group, Markup(group.links)) for group in groups.finish()],  # noqa: S704 (as above)
        words=[
            (word, pair.words[word], why.format(base=pair.base.name, head=pair.head.name))
            for word, why in (*WORDS.items(), (NOT_COMPARED, "nothing is given without one"))
            if pair.words[word]
        ],
        kinds=[(kind, pair.kinds[kind]) for kind in KINDS if pair.kinds[kind]],
        json=pair_name(pair.base.name, pair.head.name) + ".json",
        others=[
            (side.name, pair_name(pair.base.name, side.name) + ".html")
            for side in fleet.environments[1:]
            if side != pair.head
        ],
    )


class _PairRows:
    """Writes the rows of a pair, section by section, until the page is long enough."""

    def __init__(self, rows: ChangeRows, groups: MemberGroups) -> None:
        self._rows = rows
        self._groups = groups
        self._anchors: Counter[str] = Counter()
        self._length = 0
        self.left = 0
        """Changes that found no place on the page."""

    def write(self, changes: Sequence[FoldedChange]) -> Iterator[str]:
        for _, section in groupby(changes, lambda change: change.path[:1]):
            members = list(section)
            if self._length > MAX_BYTES:
                self.left += len(members)
                continue
            html = "".join(self._write_section(members))
            yield f"<tbody>\n{html}</tbody>\n"

    def _write_section(self, changes: Sequence[FoldedChange]) -> Iterator[str]:
        paths = [list(group) for _, group in groupby(changes, lambda change: change.path)]
        if any(len(change.path) > 1 for change in changes):
            yield self._write_header(changes[0].path[0], len(paths))
        for variants in paths:
            if self._length > MAX_BYTES:
                self.left += len(variants)
                continue
            row = "".join(self._write_variants(variants))
            self._length += len(row)
            yield row

    def _write_header(self, key: Hashable, keys: int) -> str:
        anchor = self._next_anchor(anchor_of((key,)))
        count = "1 key" if keys == 1 else f"{keys:,} keys"
        return (
            f'<tr id="{anchor}" class="section"><th colspan="5" scope="rowgroup">'
            f'<a href="#{anchor}">{show_key(key)}</a> <small>{count}</small></th></tr>\n'
        )

    def _next_anchor(self, anchor: str) -> str:
        self._anchors[anchor] += 1
        times = self._anchors[anchor]
        return anchor if times == 1 else f"{anchor}~{times}"

    def _write_variants(self, variants: Sequence[FoldedChange]) -> Iterator[str]:
        """Yield the ways in which one key differs; where there are many, those of most minions."""
        shown = variants
        if len(variants) > MAX_VARIANTS:
            shown = sorted(variants, key=lambda one: -len(one.minions))[:MAX_VARIANTS]
        for change in shown:
            anchor = self._next_anchor(anchor_of(change.path))
            members = f"<td>{self._groups.cell(change.minions)}</td>"
            yield self._rows.write(change.change, change.path, anchor, last=members)
        left = len(variants) - len(shown)
        if left:
            self.left += left
            text = f"This key differs in {left:,} more ways, on fewer minions each."
            yield f'<tr class="more"><td colspan="5"><small>{text}</small></td></tr>\n'
