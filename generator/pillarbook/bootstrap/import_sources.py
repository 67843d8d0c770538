"""Minions from what knows them: Salt's cache, dumps and rosters, Ansible's inventory, a table."""

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from pillarbook.bootstrap.guess_minions import NewMinion
from pillarbook.bootstrap.known_minions import (
    LARGEST_DUMP,
    KnownMinions,
    find_known,
    is_id,
    read_roster,
)
from pillarbook.bootstrap.listing import list_files
from pillarbook.diagnostics import PillarbookError
from pillarbook.inventory.asked_grains import read_json
from pillarbook.inventory.json_objects import DumpError, JsonObjects

ID_COLUMNS = ("id", "minion", "minion_id", "host", "hostname", "name")
"""What the first column of a table with minions may be called."""
TEXT_GRAINS = frozenset(("host", "kernelrelease", "osrelease", "saltversion"))
"""Grains that are text for Salt, whatever they look like."""
_KINDS = (
    "a master's cache folder, a dump of `salt '*' grains.items --out=json` or of `salt-run"
    " cache.grains --out=json`, a salt-ssh roster, the output of `ansible-inventory --list`, or a"
    " CSV table with the ids in its first column"
)


class SourceError(PillarbookError):
    """A source that has no minions, or cannot be read."""

    def __init__(self, source: Path, why: str) -> None:
        super().__init__(f"{source}: {why}")


def read_source(source: Path) -> KnownMinions:
    """Return the minions that a file or a folder lists.

    Raises:
        SourceError: It has none, or cannot be read.
    """
    if source.is_dir():
        found = find_known(list_files(source.absolute()))
        if found is None:
            raise SourceError(source, f"no minions found; give {_KINDS}")
        return found
    try:
        if source.stat().st_size > LARGEST_DUMP:
            raise SourceError(source, "the file is too large")
        text = source.read_bytes().decode("utf-8-sig", "replace")
    except OSError as error:
        raise SourceError(source, f"cannot be read: {error.strerror}") from error
    for what, read in (_OF_JSON if text.lstrip().startswith("{") else _OF_TEXT).items():
        minions = tuple(one for one in read(text) if is_id(one.id))
        if minions:
            return KnownMinions(f"the {what} {source.name}", minions)
    raise SourceError(source, f"no minions found; give {_KINDS}")


def _read_dump(text: str) -> Iterator[NewMinion]:
    """Yield the minions of what Salt printed; one that did not answer has no grains there."""
    try:
        for member in JsonObjects(io.BytesIO(text.encode()), "the dump").members():
            grains = member.value
            if isinstance(grains, dict):
                minion = grains.get("id", member.key) if member.key == "local" else member.key
                yield NewMinion(str(minion), grains)
    except DumpError:
        return


def _read_ansible(text: str) -> Iterator[NewMinion]:
    """Yield the hosts of ``ansible-inventory --list``, their groups as the grain ``groups``.

    Source: Ansible "Developing dynamic inventory" (``_meta``, ``hostvars``, ``children``).
    """
    try:
        data = json.loads(text)
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


def _read_table(text: str) -> Iterator[NewMinion]:
    """Yield the rows of a table; a cell with semicolons is a list."""
    first = text.partition("\n")[0]
    if "," not in first or first.lstrip().startswith(("{", "[")):
        return
    rows = csv.reader(io.StringIO(text))
    head = [name.strip() for name in next(rows)]
    if head[0].lower() not in ID_COLUMNS:
        return
    for row in rows:
        cells = zip(head[1:], row[1:], strict=False)
        grains = {name: _read_cell(name, cell.strip()) for name, cell in cells if cell.strip()}
        if row and row[0].strip():
            yield NewMinion(row[0].strip(), grains)


def _read_cell(name: str, cell: str) -> Any:
    if ";" in cell:
        return [part.strip() for part in cell.split(";") if part.strip()]
    return cell if name in TEXT_GRAINS else read_json(cell)


_Reader: TypeAlias = Callable[[str], Iterator[NewMinion]]
_OF_JSON: Mapping[str, _Reader] = {"Ansible inventory": _read_ansible, "dump": _read_dump}
_OF_TEXT: Mapping[str, _Reader] = {"table": _read_table, "salt-ssh roster": read_roster}
