"""The page that says who can read what."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import jinja2
from markupsafe import Markup

from pillarbook.report.fleet_summary import FleetSummary
from pillarbook.report.secret_access import FleetSecrets, Secret
from pillarbook.report.secret_groups import ItemGroup, SecretGroups, group_secrets
from pillarbook.report.secret_table import Ages, SecretTable
from pillarbook.report.value_html import TokenOf

MAX_COLUMNS = 16
"""Groups of minions that the matrix shows."""
MAX_ROWS = 40
"""Groups of secrets that it shows."""
MAX_LISTED = 200
"""Minions that a group names; those beyond are counted."""
MAX_LINKS = 2_000
"""Minions that all groups name together before they name only the first few."""
FEW = 5
"""How many that is."""


@dataclass(frozen=True, slots=True)
class ReaderColumn:
    """A group of minions, in the matrix and below it."""

    number: int
    """What it is called by where there is no room for more, from 1."""
    name: Markup
    """Its name."""
    minions: int
    """How many it has."""
    secrets: int
    """How many secrets they read."""
    links: Markup
    """Links to the pages of the first of them."""
    left: int
    """How many are not linked."""


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """Secrets that the same minions read."""

    anchor: str
    """The id of their section below; empty where they have none."""
    keys: Markup
    """The first few key paths."""
    left: int
    """How many are not named."""
    name: Markup
    """What the minions that read them are called together."""
    is_forgeable: bool
    """Whether minions could get one of them by setting grains."""
    cells: tuple[bool, ...]
    """Which groups of minions read them."""


def write_secrets(
    fleet: FleetSummary,
    found: FleetSecrets,
    ages: Ages,
    token: TokenOf,
    templates: jinja2.Environment,
) -> str:
    """Return the page.

    Args:
        fleet: All minions.
        found: Their secrets.
        ages: When values last changed, by file and line.
        token: Gives tokens of secrets.
        templates: The environment of page templates.
    """
    groups = group_secrets(found, fleet.tags)
    table = SecretTable(fleet, groups, ages, token)
    sections = table.write()
    readers = sum(len(one.minions) for one in groups.readers)
    return templates.get_template("secrets.html").render(
        secrets=len(found.secrets),
        values=len({secret.place for secret in found.secrets}),
        readers=readers,
        minions=len(fleet.minions),
        forgeable=sum(secret.is_forgeable for secret in found.secrets),
        oldest=_find_oldest(found.secrets, ages),
        is_cut=any(age.at_least for age in ages.values()),
        columns=list(_list_columns(groups, table)),
        rows=[_write_row(group, groups, table) for group in groups.groups[:MAX_ROWS]],
        groups=len(groups.readers),
        item_groups=len(groups.groups),
        table=Markup("".join(sections)),  # noqa: S704 (escaped there)
        left=table.left,
    )


def _list_columns(groups: SecretGroups, table: SecretTable) -> Iterator[ReaderColumn]:
    links = MAX_LINKS
    for number, readers in enumerate(groups.readers[:MAX_COLUMNS]):
        most = min(MAX_LISTED, max(links, FEW))
        named = readers.minions[:most]
        links -= len(named)
        name = groups.name(number)
        yield ReaderColumn(
            number=number + 1,
            name=table.write_name(name, linked=False),
            minions=len(readers.minions),
            secrets=len(readers.secrets),
            links=table.link_all(named),
            left=len(readers.minions) - len(named),
        )


def _write_row(group: ItemGroup, groups: SecretGroups, table: SecretTable) -> MatrixRow:
    items = [groups.items[number] for number in group.items]
    keys, left = table.write_keys(items)
    return MatrixRow(
        anchor=table.anchor_of(group),
        keys=keys,
        left=left,
        name=table.write_name(groups.names.name(group.together), linked=False),
        is_forgeable=any(item.is_forgeable for item in items),
        cells=tuple(
            number in set(group.readers) for number in range(min(len(groups.readers), MAX_COLUMNS))
        ),
    )


def _find_oldest(secrets: Iterable[Secret], ages: Ages) -> tuple[str, bool] | None:
    """Return since when the secret has not changed that has stood longest, at least or exactly."""
    found = []
    for secret in secrets:
        places = ((source.file, source.line) for source, _ in secret.sources)
        dates = [ages[place] for place in places if place in ages]  # type: ignore[index]
        found += [(age.date, age.at_least) for age in dates if age.date is not None]
    return min(found, default=None)
