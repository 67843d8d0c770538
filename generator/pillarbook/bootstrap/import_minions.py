"""What ``inventory import`` does: reads minions from a source, and refreshes the inventory."""

import codecs
import io
import json
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from pillarbook.bootstrap.guess_minions import NewMinion
from pillarbook.bootstrap.known_minions import (
    GRAINS_FILE,
    LARGEST_DUMP,
    KnownMinions,
    find_known,
    is_id,
    read_ansible,
    read_roster,
    read_table,
)
from pillarbook.bootstrap.listing import list_files
from pillarbook.bootstrap.private_grains import GrainChoice
from pillarbook.bootstrap.refresh_inventory import (
    add_minions,
    declared_ids,
    guessed_ids,
    replace_guessed,
)
from pillarbook.bootstrap.yaml_lines import read_exactly
from pillarbook.diagnostics import PillarbookError
from pillarbook.inventory.json_objects import DumpError, JsonObjects
from pillarbook.model.phrases import count, list_some


@dataclass(frozen=True, slots=True)
class Import:
    """An inventory with the minions of a source."""

    inventory: str
    """The text of the inventory."""
    grains: str
    """The text of the file with the grains: JSON."""
    confirmed: str | None
    """The text without the minions that ``init`` guessed; None if there are none."""
    said: tuple[str, ...]
    """What was added, kept and left out: a line each."""


def import_minions(source: Path, inventory: Path, wanted: Collection[str] = ()) -> Import:
    """Return an inventory with the minions of a source; what people wrote in it stays.

    The inventory need not exist; without ``wanted``, all grains but private ones are imported.

    Raises:
        SourceError: The source has no minions.
        YamlFormError: The inventory is written in a way in which no lines can be added.
    """
    known = read_source(source)
    choice = GrainChoice(wanted)
    grains = {one.id: choice.choose(one.grains) for one in known.minions}
    text = read_exactly(inventory) if inventory.exists() else ""
    declared = declared_ids(text, str(inventory))
    new = [minion for minion in grains if minion not in set(declared)]
    name = grains_file(inventory).name
    changed = add_minions(text, new, name, str(inventory)) if new else text
    guessed = guessed_ids(changed, str(inventory))
    gone = [minion for minion in declared if minion not in grains and minion not in guessed]
    counted = f"{count(len(grains), 'minion')} of {known.what}"
    said = [counted, *known.left_out, *_describe(inventory, new, gone)]
    if choice.left_out:
        said.append(
            f"not imported, for privacy: {', '.join(choice.left_out)}; --grains imports them"
        )
    confirmed = replace_guessed(changed, grains, name, str(inventory)) if guessed else None
    return Import(changed, write_grains(grains), confirmed, tuple(said))


def write_grains(grains: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the text of a file with the grains of minions, by id."""
    written = json.dumps(grains, indent=1, ensure_ascii=False, sort_keys=True, default=str)
    return f"{written}\n"


def grains_file(inventory: Path) -> Path:
    """Return the file beside an inventory that holds imported grains."""
    return inventory.with_suffix(GRAINS_FILE)


def _describe(inventory: Path, new: list[str], gone: list[str]) -> Iterator[str]:
    yield f"{inventory}: {list_some(new, MAX_NAMED, str) or 'no minions'} added"
    if gone:
        named = list_some(gone, MAX_NAMED, str)
        yield f"{inventory}: {named} not in the source, but kept; remove them by hand"


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
