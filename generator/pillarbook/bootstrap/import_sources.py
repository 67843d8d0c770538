"""Minions from what knows them: Salt's cache, dumps and rosters, Ansible's inventory, a table."""

import codecs
import io
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
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
from pillarbook.model.phrases import count, list_some

_KINDS = (
    "a master's cache folder, a dump of `salt '*' grains.items --out=json` or of `salt-run"
    " cache.grains --out=json`, a salt-ssh roster, the output of `ansible-inventory --list`, or a"
    " CSV table with the ids in its first column"
)


MAX_NAMED = 5
"""Ids that a line names."""


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
        text = _decode(source.read_bytes())
    except OSError as error:
        raise SourceError(source, f"cannot be read: {error.strerror}") from error
    doubts: list[str] = []
    for what, read in (_OF_JSON if text.lstrip().startswith("{") else _OF_TEXT).items():
        left_out: list[str] = []
        listed = list(read(text, left_out))
        minions = {one.id: one for one in listed if is_id(one.id)}
        if minions:
            left_out += _list_doubtful([one.id for one in listed])
            return KnownMinions(
                f"the {what} {source.name}", tuple(minions.values()), left_out=tuple(left_out)
            )
        doubts += left_out
    why = "; ".join(("no minions found", *doubts))
    raise SourceError(source, f"{why}; give {_KINDS}")


def _decode(data: bytes) -> str:
    """Return the text of a file; a shell of Windows writes UTF-16."""
    is_utf_16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return data.decode("utf-16" if is_utf_16 else "utf-8-sig", "replace")


def _list_doubtful(ids: Sequence[str]) -> Iterator[str]:
    """Yield what to say of ids that are there twice, or are none."""
    twice = [one for one, times in Counter(ids).items() if times > 1]
    if twice:
        named = list_some(twice, MAX_NAMED, str)
        yield f"listed more than once, and taken from the last place: {named}"
    bad = sum(not is_id(one) for one in ids)
    if bad:
        yield f"left out, because no minion can have the id: {count(bad, 'entry', 'entries')}"


def _read_dump(text: str, left_out: list[str]) -> Iterator[NewMinion]:
    """Yield the minions of what Salt printed; one that did not answer has no grains there."""
    silent: list[str] = []
    try:
        for member in JsonObjects(io.BytesIO(text.encode()), "the dump").members():
            grains = member.value
            if isinstance(grains, dict):
                minion = grains.get("id", member.key) if member.key == "local" else member.key
                yield NewMinion(str(minion), grains)
            elif is_id(member.key):
                silent.append(member.key)
    except DumpError as error:
        left_out.append(f"not read to its end: {error}")
    if silent:
        left_out.append(
            f"left out, because they have no grains there: {list_some(silent, MAX_NAMED, str)}"
        )


_Reader: TypeAlias = Callable[[str, list[str]], Iterator[NewMinion]]
_OF_JSON: Mapping[str, _Reader] = {
    "Ansible inventory": lambda text, _: read_ansible(text),
    "dump": _read_dump,
}
_OF_TEXT: Mapping[str, _Reader] = {
    "table": read_table,
    "salt-ssh roster": lambda text, _: read_roster(text),
}
