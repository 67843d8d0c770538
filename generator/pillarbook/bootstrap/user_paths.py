"""Places as users see them, who are in the folder that ``init`` was called in."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from pillarbook.inventory.reach import find_top
from pillarbook.model import Position

CONFIGURATION = "mkdocs.yml"
Shown = Callable[[Position | None], str]
"""Gives a place as users see it, with a colon behind it; nothing for none."""


def show_places(master: Path, folder: Path) -> Shown:
    """Return a function that shows positions relative to a folder."""
    home = find_top(master.absolute().parent)

    def show(position: Position | None) -> str:
        if position is None:
            return ""
        if position.file == CONFIGURATION:
            return f"{position}: "
        return f"{replace(position, file=os.path.relpath(home / position.file, folder))}: "

    return show
