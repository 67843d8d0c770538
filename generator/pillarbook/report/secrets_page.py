"""Who can read what: a page, and JSON for programs, which has all that the page leaves out."""

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import jinja2
from markupsafe import Markup

from pillarbook.model import to_tagged
from pillarbook.report.group_links import GroupLinks
from pillarbook.report.members import LinkBudget
from pillarbook.report.secret_access import FleetSecrets, Secret, SecretWay, Source
from pillarbook.report.secret_groups import ItemGroup, SecretGroups, group_secrets
from pillarbook.report.secret_table import Ages, SecretTable
from pillarbook.report.value_html import TokenOf
from pillarbook.roots.history import LineAge

MAX_COLUMNS = 16
"""Groups of minions that the matrix shows."""
MAX_ROWS = 40
"""Groups of secrets that it shows."""
MAX_LINKS = 2_000
"""Minions that all groups name together before they name only the first few."""
MAX_KEYS = 3
"""Key paths that a row of the matrix names."""


def write_secrets(
    links: GroupLinks,
    found: FleetSecrets,
    ages: Ages,
    token: TokenOf,
    templates: jinja2.Environment,
) -> str:
    """Return the page."""
    groups = group_secrets(found, links.names)
    table = SecretTable(links, groups, ages, token, templates)
    sections = table.write()
    readers = sum(len(one.minions) for one in groups.readers)
    summaries = [minion.summary for minion in links.fleet.minions.values()]
    return templates.get_template("secrets.html").render(
        secrets=len(found.secrets),
        values=len({secret.secret_id for secret in found.secrets}),
        readers=readers,
        minions=len(summaries),
        unknown=sum(summary.unknown > 0 for summary in summaries),
        failing=sum(summary.outcome in {"partial", "failed"} for summary in summaries),
        forgeable=sum(secret.is_forgeable for secret in found.secrets),
        oldest=_find_oldest(found.secrets, ages),
        is_cut=any(age.at_least for age in ages.values()),
        columns=list(_list_columns(groups, table)),
        rows=[_describe_row(group, groups, table) for group in _find_rows(groups)],
        groups=len(groups.readers),
        item_groups=len(groups.groups),
        table=Markup("".join(sections)),  # noqa: S704 (escaped there)
        left=table.left,
    )


def _list_columns(groups: SecretGroups, table: SecretTable) -> Iterator[dict[str, Any]]:
    """Yield what the page says of the largest groups of minions."""
    budget = LinkBudget(MAX_LINKS)
    for number, readers in enumerate(groups.readers[:MAX_COLUMNS]):
        named = readers.minions[: budget.take(len(readers.minions))]
        yield {
            "number": number + 1,
            "name": table.write_name(groups.name(number), linked=False),
            "links": table.link_all(named),
            "left": len(readers.minions) - len(named),
        }


def _find_rows(groups: SecretGroups) -> Iterator[ItemGroup]:
    """Yield the most widely read secrets that a shown group reads: an empty row looks unread."""
    shown = (one for one in groups.groups if any(number < MAX_COLUMNS for number in one.readers))
    return islice(shown, MAX_ROWS)


def _describe_row(group: ItemGroup, groups: SecretGroups, table: SecretTable) -> dict[str, Any]:
    """Return a row of the matrix: secrets that the same minions read."""
    items = [groups.items[number] for number in group.items]
    readers = set(group.readers)
    return {
        "anchor": table.anchor_of(group),
        "keys": [(item.path, item.positions) for item in items[:MAX_KEYS]],
        "left": max(0, len(items) - MAX_KEYS),
        "name": table.write_name(groups.names.name(group.together), linked=False),
        "is_forgeable": any(item.is_forgeable for item in items),
        "cells": [number in readers for number in range(min(len(groups.readers), MAX_COLUMNS))],
    }


def _find_oldest(secrets: Iterable[Secret], ages: Ages) -> tuple[str, bool] | None:
    """Return since when the secret has not changed that has stood longest, at least or exactly."""
    found = []
    for secret in secrets:
        places = ((source.file, source.line) for source, _ in secret.sources)
        dates = [ages[place] for place in places if place in ages]  # type: ignore[index]
        found += [(age.date, age.at_least) for age in dates if age.date is not None]
    return min(found, default=None)


SCHEMA = "pillarbook.secrets/2"


def write_secrets_json(found: FleetSecrets, ages: Ages, token: TokenOf) -> str:
    """Return who reads what as JSON.

    Shape: ``{"schema", "secrets": [{"path", "token", "minions", "sources": [{"file", "line",
    "sls", "saltenv", "reason", "minions", "changed"}], "ways": [{"kind", "name", "targets",
    "match", "saltenv", "file", "line", "sls", "forgeable", "reads", "minions"}], "readers"}],
    "readers": [{"minions": [ID], "secrets"}]}``. The minions of an entry of ``readers`` read the
    same secrets; ``readers`` of a secret and ``secrets`` of such an entry are indexes, ``minions``
    elsewhere are counts.
    """
    readers_of: dict[int, list[int]] = {}
    for number, readers in enumerate(found.readers):
        for secret in readers.secrets:
            readers_of.setdefault(secret, []).append(number)
    written = {
        "schema": SCHEMA,
        "secrets": [
            {
                "path": [to_tagged(key) for key in secret.path],
                "token": token(secret.secret_id),
                "minions": secret.minions,
                "sources": [_write_source(*one, ages) for one in secret.sources],
                "ways": [_write_way(way) for way in secret.ways],
                "readers": readers_of[secret.number],
            }
            for secret in found.secrets
        ],
        "readers": [
            {"minions": list(readers.minions), "secrets": list(readers.secrets)}
            for readers in found.readers
        ],
    }
    return json.dumps(written, separators=(",", ":")) + "\n"


def _write_source(source: Source, minions: int, ages: Ages) -> dict[str, Any]:
    age = None if source.line is None else ages.get((source.file, source.line))
    return {
        "file": source.file,
        "line": source.line,
        "sls": source.sls,
        "saltenv": source.saltenv,
        "reason": source.reason,
        "minions": minions,
        "changed": None if age is None else _write_age(age),
    }


def _write_age(age: LineAge) -> dict[str, Any]:
    return {
        "status": age.status,
        "commit": age.commit,
        "date": age.date,
        "at_least": age.at_least,
    }


def _write_way(way: SecretWay) -> dict[str, Any]:
    route, forged = way.route, way.route.forged
    place = route.position
    return {
        "kind": route.kind,
        "name": route.name,
        "targets": list(way.targets),
        "match": route.match,
        "saltenv": route.saltenv,
        "file": None if place is None else place.file,
        "line": None if place is None else place.line,
        "sls": list(route.sls),
        "forgeable": forged and {"grains": list(forged.grains), "only": forged.only},
        "reads": [{"file": one.file, "grains": list(one.grains)} for one in way.reads],
        "minions": way.minions,
    }
