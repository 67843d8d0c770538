"""Writes the first inventory: of what knows the minions, else of guesses."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from pillarbook.bootstrap.config_texts import write_inventory
from pillarbook.bootstrap.grow_fleet import USUAL, Grown
from pillarbook.bootstrap.import_minions import grains_file, write_grains
from pillarbook.bootstrap.known_minions import KnownMinions
from pillarbook.bootstrap.listing import lies_in
from pillarbook.bootstrap.new_files import NewFiles
from pillarbook.bootstrap.private_grains import GrainChoice
from pillarbook.bootstrap.refresh_inventory import add_minions
from pillarbook.bootstrap.yaml_lines import as_yaml
from pillarbook.inventory.declaration_errors import InventoryError
from pillarbook.inventory.minions import load_inventory
from pillarbook.model.phrases import count

INVENTORY = "minions.yml"
BESIDE = "pillarbook-minions.yml"
"""The inventory beside a file of that name that is none."""


@dataclass(frozen=True, slots=True)
class FirstInventory:
    """What was done about an inventory."""

    name: str
    said: tuple[str, ...]
    """What was written, kept and left out: a line each."""
    guesses: tuple[str, ...] = ()
    """What was made up, and is to be looked over: a line each."""


def keep_private_out(known: KnownMinions | None) -> tuple[KnownMinions | None, tuple[str, ...]]:
    """Return known minions without private grains and secrets, and the names of those."""
    if known is None:
        return None, ()
    choice = GrainChoice()
    minions = tuple(replace(one, grains=choice.choose(one.grains)) for one in known.minions)
    return replace(known, minions=minions), tuple(choice.left_out)


def write_first_inventory(
    new: NewFiles, grown: Grown, known: KnownMinions | None, left_out: tuple[str, ...]
) -> FirstInventory:
    """Write the inventory, unless there is one.

    ``known`` says where the minions are from, None if they are made up; ``left_out`` are private
    grains that none of them has here.

    Raises:
        CannotWriteError: A file cannot be written.
    """
    if lies_in(new.folder, INVENTORY) and _is_inventory(new):
        return FirstInventory(INVENTORY, (f"{INVENTORY}: found, not changed",))
    is_free = new.is_free(INVENTORY) and new.is_free(_grains_of(INVENTORY))
    name = INVENTORY if is_free else new.free_name(BESIDE, BESIDE)
    if known is not None and known.is_sure:
        grains = {one.id: one.grains for one in known.minions}
        new.write(_grains_of(name), write_grains(grains))
        new.write(name, add_minions("", grains, _grains_of(name), name))
    else:
        new.write(name, write_inventory(grown, known))
    return FirstInventory(
        name,
        tuple(_describe(new, name, grown, known, left_out)),
        tuple(_describe_guesses(name, grown, known)),
    )


def _grains_of(inventory: str) -> str:
    return grains_file(Path(inventory)).name


def _describe(
    new: NewFiles, name: str, grown: Grown, known: KnownMinions | None, left_out: tuple[str, ...]
) -> Iterator[str]:
    ids = count(len(grown.fleet.minions), "minion")
    origin = f"of {known.what}" if known else "guessed from the targets of the top files"
    yield f"{name}: written, {ids} {origin}"
    if left_out:
        yield (
            f"not imported, for privacy: {', '.join(left_out)};"
            " `pillarbook inventory import --grains` imports them"
        )
    if name != INVENTORY and not new.is_free(INVENTORY):
        yield f"{INVENTORY} is not an inventory, and does not change"


def _describe_guesses(name: str, grown: Grown, known: KnownMinions | None) -> Iterator[str]:
    if known is None:
        yield (
            f"{name}: ids and grains are invented (`guessed: true`); replace them with yours. To"
            " get them from Salt: `salt '*' grains.items --out=json > grains.json`, then"
            " `pillarbook inventory import grains.json"
            f"{'' if name == INVENTORY else f' --output {name}'} --replace-guessed`"
        )
    yield from _describe_guessed(grown, name)


def _describe_guessed(grown: Grown, inventory: str) -> Iterator[str]:
    """Yield what grains were made up, those that Salt finds out itself in one line."""
    guessed: dict[str, dict[str, str]] = {}
    for one in grown.fleet.minions.values():
        for grain, why in one.guesses.items():
            guessed.setdefault(grain, {})[one.id] = why
    usual = [grain for grain, whys in guessed.items() if USUAL in whys.values()]
    if usual:
        yield f"{inventory}: usual values are guessed for the grains {', '.join(usual)}"
    for grain, whys in guessed.items():
        if grain not in usual:
            first = next(iter(whys))
            value = as_yaml(grown.fleet.minions[first].grains[grain])
            whom = first if len(whys) == 1 else f"{len(whys):,} minions"
            yield (
                f"{inventory}: the grain '{grain}' is guessed to be {value} on {whom} "
                f"({whys[first]}); correct it"
            )


def _is_inventory(new: NewFiles) -> bool:
    try:
        return bool(load_inventory([new.folder / INVENTORY], shown=str))
    except InventoryError:
        return False
