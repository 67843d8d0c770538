"""The list of all minions: it can be filtered and sorted, and is split if it is long."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import jinja2

from pillarbook.report.addresses import ROWS, split_list
from pillarbook.report.fleet_summary import OUTCOMES, FleetSummary
from pillarbook.report.minion import MinionSummary
from pillarbook.report.value_html import make_visible

SCHEMA = "pillarbook.minions/2"


@dataclass(frozen=True, slots=True)
class MinionRow:
    """A minion in the list."""

    summary: MinionSummary
    """The counts of its page."""
    pillarenv: str | None
    """Its pillarenv as declared."""
    tags: tuple[str, ...]
    """The grains that are shown."""


def list_rows(fleet: FleetSummary, minions: Iterable[str]) -> list[MinionRow]:
    """Return the rows of some minions."""
    return [
        MinionRow(minion.summary, minion.pillarenv, fleet.tags[name])
        for name in minions
        for minion in [fleet.minions[name]]
    ]


def write_list(fleet: FleetSummary, number: int, templates: jinja2.Environment) -> str:
    """Return a page of the list; the minions are in inventory order."""
    names = list(fleet.minions)
    start = number * ROWS
    return templates.get_template("minions.html").render(
        rows=list_rows(fleet, names[start : start + ROWS]),
        minions=len(names),
        parts=split_list(len(names)),
        number=number,
        outcomes=[(word, fleet.outcomes[word]) for word in OUTCOMES if fleet.outcomes[word]],
        unknown=[one.summary.unknown for one in fleet.minions.values() if one.summary.unknown],
    )


def write_index(fleet: FleetSummary) -> str:
    """Return the minions of all pages as a script, for the filter box of any of them.

    Browsers read no JSON beside a page that was opened from disk, but they do run a script.
    Shape: ``{"schema", "rows": minions a page, "words": [TEXT], "minions": [[ID, SLUG or 0 if
    it is the id, OUTCOME, PILLARENV, values, overridden, secrets, diagnostics,
    unknown, TAG...]]}``; in capitals are indexes into ``words``, but for ID and SLUG.
    """
    words: dict[str, int] = {}
    minions = [list(_write_entry(row, words)) for row in list_rows(fleet, fleet.minions)]
    data = {"schema": SCHEMA, "rows": ROWS, "words": list(words), "minions": minions}
    return f"globalThis.pillarbookMinions = {json.dumps(data, separators=(',', ':'))};\n"


def _write_entry(row: MinionRow, words: dict[str, int]) -> Iterator[str | int]:
    summary = row.summary
    shown = make_visible(summary.minion)
    yield shown
    yield summary.slug if summary.slug != shown else 0
    yield words.setdefault(summary.outcome, len(words))
    yield words.setdefault(make_visible(row.pillarenv or ""), len(words))
    yield from _count(summary)
    for tag in row.tags:
        yield words.setdefault(make_visible(tag), len(words))


def _count(summary: MinionSummary) -> Sequence[int]:
    secrets = len(summary.secrets)
    return summary.values, summary.overridden, secrets, summary.diagnostics, summary.unknown
