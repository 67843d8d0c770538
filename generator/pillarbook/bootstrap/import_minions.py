"""What ``inventory import`` does: reads minions from a source, and refreshes the inventory."""

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pillarbook.bootstrap.import_sources import MAX_NAMED, read_source
from pillarbook.bootstrap.known_minions import GRAINS_FILE
from pillarbook.bootstrap.private_grains import GrainChoice
from pillarbook.bootstrap.refresh_inventory import (
    add_minions,
    declared_ids,
    guessed_ids,
    replace_guessed,
)
from pillarbook.bootstrap.yaml_lines import read_exactly
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
