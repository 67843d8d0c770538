"""Minions from what knows them: Salt's cache, dumps and rosters, Ansible's inventory, a table."""

import io
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

from pillarbook.bootstrap.guess_minions import NewMinion
from pillarbook.bootstrap.known_minions import (
    LARGEST_DUMP,
    KnownMinions,
    find_known,
    is_id,
    read_roster,
)
from pillarbook.bootstrap.listing import list_files
from pillarbook.bootstrap.other_inventories import read_ansible, read_table
from pillarbook.diagnostics import PillarbookError
from pillarbook.inventory.json_objects import DumpError, JsonObjects

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


_Reader: TypeAlias = Callable[[str], Iterator[NewMinion]]
_OF_JSON: Mapping[str, _Reader] = {"Ansible inventory": read_ansible, "dump": _read_dump}
_OF_TEXT: Mapping[str, _Reader] = {"table": read_table, "salt-ssh roster": read_roster}
