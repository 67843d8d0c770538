"""Inventories written to a folder, and read."""

from collections.abc import Mapping
from pathlib import Path

from pillarbook.inventory.minions import Minion, load_inventory
from pillarbook.inventory.reach import Reach


def load(folder: Path, *names: str, reach: Reach | None = None) -> tuple[Minion, ...]:
    paths = [folder / name for name in names or ("minions.yml",)]
    return load_inventory(
        paths, shown=lambda path: path.relative_to(folder).as_posix(), reach=reach
    )


def write(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def one(folder: Path, text: str, **files: str) -> Minion:
    write(folder, {"minions.yml": text, **files})
    (minion,) = load(folder)
    return minion
