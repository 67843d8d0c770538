"""Lines of files, as people who are in a folder of the repository name them."""

import os
from functools import lru_cache
from pathlib import Path

from pillarbook.cli.value_text import clean_line
from pillarbook.diagnostics import PillarbookError
from pillarbook.inventory.reach import find_repository


def show_place(text: str) -> str:
    """Return a text that may begin with a file of the repository, as one clean line.

    In JSON, on pages and in comments, names of files count from the top of the repository. On a
    terminal they count from the current folder, so that they can be opened from there.

    Any text but ``file``, ``file:line`` and ``file:line: message`` stays as it is.
    """
    here = Path.cwd()
    top = _find_top(here)
    file, colon, rest = text.partition(":")
    if top is None or top == here or "\0" in file or not os.path.lexists(top / file):
        return clean_line(text)
    return clean_line(f"{os.path.relpath(top / file, here)}{colon}{rest}")


# By the current folder, which a command never leaves; no command makes a repository. So one search
# serves all the lines that it prints.
@lru_cache(maxsize=1)
def _find_top(here: Path) -> Path | None:
    """Return the top of the repository around a folder; None if there is none."""
    try:
        return find_repository(here)
    except PillarbookError:
        return None
