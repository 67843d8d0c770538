"""Minions that a folder already lists: a dump of grains, a master's cache, a roster, and others.

Of a cache only the grains are taken, of a roster only the ids and the grains: passwords and pillar
stay where they are.
"""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any

import msgpack

from pillarbook.bootstrap.guess_minions import NewMinion
from pillarbook.bootstrap.listing import Listing, is_aside, read_config
from pillarbook.inventory.asked_grains import read_json
from pillarbook.inventory.json_objects import DumpError, JsonObjects

LARGEST_DUMP = 512 * 1024 * 1024
"""Bytes of a dump that is still read."""
LARGEST_CACHE = 16 * 1024 * 1024
"""Bytes of one minion's cached data."""
MAX_VALUES = 10_000
"""Values in the grains that a roster gives to one minion."""
SIGNS = frozenset(("os", "os_family", "kernel", "osrelease", "saltversion", "nodename", "cpuarch"))
"""Grains that every minion has; data with two of them are grains."""
# Salt's master keeps the key of a minion in a file of that name.
MAX_ID = 255
"""Characters of a minion's id, as a file's name may have."""
MAX_LEVELS = 3
"""Folders that a dump or an inventory may lie in."""
GRAINS_FILE = ".grains.json"
"""How the files end that an import writes; they are no dumps."""
CACHE_FILE = "data.p"
_TABLES = frozenset(("fleet", "hosts", "inventory", "machines", "minions", "nodes", "servers"))
_ROSTERS = frozenset(("roster", "roster.yml", "roster.yaml"))
_LOCAL = "local"


@dataclass(frozen=True, slots=True)
class KnownMinions:
    """Minions that somebody knows."""

    what: str
    """Where they are from, in words: ``the grains dump grains.json``."""
    minions: tuple[NewMinion, ...]
    is_open: bool = False
    """Whether others may be invented beside them."""
    left_out: tuple[str, ...] = ()
    """What of the source was not taken, in words."""

    @property
    def is_sure(self) -> bool:
        """Whether the source has the grains of its minions, so that none is guessed."""
        return any(one.fixed for one in self.minions)


def find_known(listing: Listing) -> KnownMinions | None:
    """Return the minions that the folder lists; the best source counts."""
    for find in (_find_dump, _find_cache, _find_roster, _find_ansible, _find_table):
        found = find(listing)
        if found is not None:
            minions = tuple(one for one in found.minions if is_id(one.id))
            return replace(found, minions=minions) if minions else None
    return None


def is_id(text: str) -> bool:
    """Say whether a text may be a minion's id: the name of a file, without signs that hide.

    Source: Salt ``salt/utils/verify.py`` (``valid_id``).
    """
    return 0 < len(text) <= MAX_ID and "/" not in text and text.isprintable()


def _find_dump(listing: Listing) -> KnownMinions | None:
    for name in listing.files:
        if (
            not name.endswith(".json")
            or name.endswith(GRAINS_FILE)
            or name.count("/") > MAX_LEVELS
            or not _may_be_dump(listing, name)
        ):
            continue
        minions = tuple(_read_dump(listing, name))
        if minions:
            return KnownMinions(f"the grains dump {name}", minions)
    return None


def _may_be_dump(listing: Listing, name: str) -> bool:
    text = listing.read(name)
    if text is None or (listing.folder / name).stat().st_size > LARGEST_DUMP:
        return False
    return sum(f'"{sign}"' in text for sign in SIGNS) > 1


def _read_dump(listing: Listing, name: str) -> Iterator[NewMinion]:
    """Yield the minions of what ``salt '*' grains.items --out=json`` printed."""
    try:
        with (listing.folder / name).open("rb") as stream:
            for member in JsonObjects(stream, name).members():
                grains = member.value
                if isinstance(grains, dict) and len(SIGNS & grains.keys()) > 1:
                    minion = member.key if member.key != _LOCAL else grains.get("id", _LOCAL)
                    yield NewMinion(str(minion), grains, fixed=True)
    except (OSError, DumpError):
        return


def _find_cache(listing: Listing) -> KnownMinions | None:
    found: dict[str, list[NewMinion]] = {}
    for name in listing.files:
        path = PurePosixPath(name)
        if path.name != CACHE_FILE or path.parent.parent.name != "minions":
            continue
        grains = _read_cached(listing, name)
        if grains is not None:
            minion = NewMinion(path.parent.name, grains, fixed=True)
            found.setdefault(str(path.parent.parent), []).append(minion)
    for folder, minions in found.items():
        return KnownMinions(f"the master's cache {folder}", tuple(minions))
    return None


def _read_cached(listing: Listing, name: str) -> dict[str, Any] | None:
    path = listing.folder / name
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > LARGEST_CACHE:
            return None
        data = _unpack(path.read_bytes())
    except (OSError, ValueError, msgpack.UnpackException):
        return None
    grains = data.get("grains") if isinstance(data, dict) else None
    return grains if isinstance(grains, dict) else None


def _unpack(content: bytes) -> Any:
    """Return what the master's cache holds; dates, the extension 78, stay the text that they are.

    Source: Salt ``salt/payload.py`` (``loads``).
    """
    return msgpack.unpackb(
        content,
        strict_map_key=False,
        unicode_errors="replace",
        ext_hook=lambda _code, data: data.decode("utf-8", "replace"),
    )


def _find_roster(listing: Listing) -> KnownMinions | None:
    files = (name for name in listing.files if PurePosixPath(name).name in _ROSTERS)
    return _find_in(files, listing, read_roster, "the salt-ssh roster")


def _find_ansible(listing: Listing) -> KnownMinions | None:
    files = (name for name in listing.files if _may_hold_minions(name, ".json"))
    return _find_in(files, listing, read_ansible, "the Ansible inventory")


def _find_table(listing: Listing) -> KnownMinions | None:
    """Return the minions of a table that is called like one; others hold data of the pillar."""
    files = (name for name in listing.files if _may_hold_minions(name, ".csv"))
    named = (name for name in files if PurePosixPath(name).stem in _TABLES)
    return _find_in(named, listing, read_table, "the table")


def _find_in(
    files: Iterable[str],
    listing: Listing,
    read: Callable[[str], Iterable[NewMinion]],
    what: str,
) -> KnownMinions | None:
    """Return the minions of the first file that has any."""
    for name in files:
        minions = tuple(read(listing.read(name) or ""))
        if minions:
            return KnownMinions(f"{what} {name}", minions)
    return None


def _may_hold_minions(name: str, ending: str) -> bool:
    return name.endswith(ending) and name.count("/") <= MAX_LEVELS and not is_aside(name)


def read_roster(text: str) -> Iterator[NewMinion]:
    """Yield the minions of a salt-ssh roster, with the grains that it gives them.

    Source: Salt ``salt/roster/flat.py``, ``salt/client/ssh/__init__.py`` (``minion_opts``).
    """
    roster = read_config(text)
    for minion, entry in roster.items() if isinstance(roster, dict) else ():
        if isinstance(entry, str):
            yield NewMinion(str(minion))
        elif isinstance(entry, Mapping) and "host" in entry:
            yield NewMinion(str(minion), _grains_of(entry))


def _grains_of(entry: Mapping[str, Any]) -> dict[str, Any]:
    options = entry.get("minion_opts")
    grains = options.get("grains") if isinstance(options, Mapping) else None
    return dict(grains) if isinstance(grains, Mapping) and _is_small(grains) else {}


def _is_small(value: Any) -> bool:
    """Say whether data is no more than a minion's grains are, counted through YAML's aliases."""
    waiting, count = [value], 0
    while waiting:
        one = waiting.pop()
        members = [*one.values()] if isinstance(one, dict) else one if isinstance(one, list) else []
        count += len(members)
        if count > MAX_VALUES:
            return False
        waiting += members
    return True


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
