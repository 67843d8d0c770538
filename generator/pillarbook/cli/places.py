"""Lines of files, as people who stand in a folder of the repository name them."""

import os
from pathlib import Path

from pillarbook.cli.value_text import clean_line
from pillarbook.diagnostics import PillarbookError
from pillarbook.inventory.reach import find_repository


def show_place(text: str) -> str:
    """Return a text that may begin with a file of the repository, as one clean line.

    In JSON, on pages and in comments, names of files count from the top of the repository. On a
    terminal they count from the current folder, so that they can be opened from there.

    Args:
        text: ``file``, ``file:line`` or ``file:line: message``; any other text stays as it is.
    """
    here = Path.cwd()
    try:
        top = find_repository(here)
    except PillarbookError:
        top = None
    file, colon, rest = text.partition(":")
    if top is None or top == here or "\0" in file or not os.path.lexists(top / file):
        return clean_line(text)
    return clean_line(f"{os.path.relpath(top / file, here)}{colon}{rest}")
