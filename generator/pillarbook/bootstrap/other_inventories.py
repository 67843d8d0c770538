"""Minions as other systems list them: Ansible's inventory, a table."""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from typing import Any

from pillarbook.bootstrap.guess_minions import NewMinion
from pillarbook.inventory.asked_grains import read_json

ID_COLUMNS = ("id", "minion", "minion_id", "host", "hostname", "name")
"""What the first column of a table with minions may be called."""
DELIMITERS = (",", ";", "\t")
"""What separates the cells of a table; spreadsheets of many countries write semicolons."""
TEXT_GRAINS = frozenset(("host", "kernelrelease", "osrelease", "saltversion"))
"""Grains that are text for Salt, whatever they look like."""


def read_ansible(text: str) -> Iterator[NewMinion]:
    """Yield the hosts of ``ansible-inventory --list``, their groups as the grain ``groups``.

    Source: Ansible "Developing dynamic inventory" (``_meta``, ``hostvars``, ``children``).
    """
    try:
        data: Any = json.loads(text) if '"hostvars"' in text else None
    except (ValueError, RecursionError):
        return
    meta = data.get("_meta") if isinstance(data, dict) else None
    variables = meta.get("hostvars") if isinstance(meta, dict) else None
    if not isinstance(variables, dict):
        return
    groups = {name: one for name, one in data.items() if isinstance(one, dict) and name != "_meta"}
    hosts = dict.fromkeys([*variables, *(host for one in groups.values() for host in _of(one))])
    for host in hosts:
        own = variables.get(host)
        grains = dict(own) if isinstance(own, dict) else {}
        named = [name for name in groups if name not in ("all", "ungrouped")]
        of_host = sorted(name for name in named if _is_in(host, name, groups, set()))
        yield NewMinion(str(host), {**grains, **({"groups": of_host} if of_host else {})})


def _of(group: Mapping[str, Any], key: str = "hosts") -> list[str]:
    listed = group.get(key)
    return [one for one in listed if isinstance(one, str)] if isinstance(listed, list) else []


def _is_in(host: str, name: str, groups: Mapping[str, Any], asked: set[str]) -> bool:
    """Say whether a host is in a group, or in one below it."""
    if name in asked or name not in groups:
        return False
    asked.add(name)
    below = _of(groups[name], "children")
    return host in _of(groups[name]) or any(_is_in(host, one, groups, asked) for one in below)


def read_table(text: str, left_out: list[str] | None = None) -> Iterator[NewMinion]:
    """Yield the rows of a table, whose cells are separated by commas, semicolons or tabs.

    A cell in which another one of these separates texts is a list. What cannot be read is added to
    ``left_out``.
    """
    first = text.partition("\n")[0]
    delimiter = max(DELIMITERS, key=first.count)
    if delimiter not in first or first.lstrip().startswith(("{", "[")):
        return
    rows, begin = csv.reader(io.StringIO(text), delimiter=delimiter, strict=True), 1
    try:
        head = [name.strip() for name in next(rows)]
        if head[0].lower() not in ID_COLUMNS:
            return
        begin = rows.line_num + 1
        for row in rows:
            cells = zip(head[1:], row[1:], strict=False)
            told = ((name, cell.strip()) for name, cell in cells if cell.strip())
            grains = {name: _read_cell(name, cell, delimiter) for name, cell in told}
            if row and row[0].strip():
                yield NewMinion(row[0].strip(), grains)
            begin = rows.line_num + 1
    except csv.Error:
        if left_out is not None:
            left_out.append(f"left out: all from line {begin} on, where a quote is not closed")


def _read_cell(name: str, cell: str, delimiter: str) -> Any:
    separator = ";" if delimiter == "," else ","
    if separator in cell:
        return [part.strip() for part in cell.split(separator) if part.strip()]
    return cell if name in TEXT_GRAINS else read_json(cell)
