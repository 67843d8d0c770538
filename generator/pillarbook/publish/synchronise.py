"""Bringing a folder that cannot be replaced to the state of another, file by file."""

import filecmp
import os
import shutil
from pathlib import Path

IN_WRITING = ".pillarbook-part"
"""Ends the name of a file while it is written."""


def synchronise(source: Path, target: Path) -> None:
    """Make ``target`` hold what ``source`` holds.

    Each file is replaced in one step, unchanged files are not touched, and what ``source`` lacks is
    removed last. Hidden entries at the top of ``target`` are not the site's and stay.
    """
    for folder, subfolders, files in os.walk(source):
        here = target / Path(folder).relative_to(source)
        for name in subfolders:
            _make_folder(here / name)
        for name in files:
            _replace_file(Path(folder, name), here / name)
    _remove_surplus(source, target, top=True)


def _make_folder(folder: Path) -> None:
    # A link would lead out of the site.
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        folder.unlink()
    folder.mkdir(exist_ok=True)


def _replace_file(source: Path, target: Path) -> None:
    if target.is_dir() and not target.is_symlink():
        shutil.rmtree(target)
    elif target.is_file() and not target.is_symlink() and filecmp.cmp(source, target, False):
        return
    part = target.with_name(f".{target.name}{IN_WRITING}")
    shutil.copyfile(source, part)
    part.replace(target)


def _remove_surplus(source: Path, target: Path, *, top: bool) -> None:
    for entry in sorted(target.iterdir()):
        twin = source / entry.name
        is_folder = entry.is_dir() and not entry.is_symlink()
        if top and entry.name.startswith(".") and not entry.name.endswith(IN_WRITING):
            continue
        if is_folder and twin.is_dir():
            _remove_surplus(twin, entry, top=False)
        elif is_folder:
            shutil.rmtree(entry)
        elif not twin.is_file():
            entry.unlink()
