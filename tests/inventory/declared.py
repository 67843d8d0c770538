"""Inventories written to a folder, and read."""

from pathlib import Path

from tests.support.fleets import write_files

from pillarbook.inventory.minions import Minion, load_inventory
from pillarbook.inventory.reach import Reach


def load(folder: Path, *names: str, reach: Reach | None = None) -> tuple[Minion, ...]:
    paths = [folder / name for name in names or ("minions.yml",)]
    return load_inventory(
        paths, shown=lambda path: path.relative_to(folder).as_posix(), reach=reach
    )


def one(folder: Path, text: str, **files: str) -> Minion:
    write_files(folder, {"minions.yml": text, **files})
    (minion,) = load(folder)
    return minion
