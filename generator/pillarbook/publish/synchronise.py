"""Copies the state of a folder to one that cannot be replaced, file by file."""

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

IN_WRITING = ".pillarbook-part"
"""The end of a file's name while the file is written."""
CHUNK = 2**20
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_OLD = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def synchronise(source: Path, target: Path) -> None:
    """Give ``target`` the content of ``source``.

    Each file is replaced in one step, unchanged files are not touched, and files that ``source``
    lacks are removed last. Hidden entries at the top of ``target`` are not part of the site and
    stay. Folders of ``target`` are opened one inside the other, so no link leads out of it.
    """
    folder = os.open(target, _FOLDER)
    try:
        _write(source, folder)
        _remove_surplus(source, folder, top=True)
    finally:
        os.close(folder)


def _write(source: Path, target: int) -> None:
    for entry in source.iterdir():
        if not entry.is_dir():
            _replace_file(entry, target)
            continue
        if not _is_folder(entry.name, target):
            with suppress(FileNotFoundError):
                os.unlink(entry.name, dir_fd=target)
            os.mkdir(entry.name, dir_fd=target)
        with _inner(entry.name, target) as inner:
            _write(entry, inner)


def _replace_file(source: Path, target: int) -> None:
    if _is_folder(source.name, target):
        shutil.rmtree(source.name, dir_fd=target)
    elif _is_same(source, target):
        return
    part = f".{source.name}{IN_WRITING}"
    with suppress(FileNotFoundError):
        os.unlink(part, dir_fd=target)
    with (
        source.open("rb") as new,
        os.fdopen(os.open(part, _NEW, 0o666, dir_fd=target), "wb") as out,
    ):
        shutil.copyfileobj(new, out, CHUNK)
    os.replace(part, source.name, src_dir_fd=target, dst_dir_fd=target)


def _is_same(source: Path, target: int) -> bool:
    try:
        descriptor = os.open(source.name, _OLD, dir_fd=target)
    except OSError:  # missing, or a link
        return False
    with os.fdopen(descriptor, "rb") as old, source.open("rb") as new:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return False
        while True:
            chunk = new.read(CHUNK)
            if chunk != old.read(CHUNK):
                return False
            if not chunk:
                return True


def _remove_surplus(source: Path, target: int, *, top: bool) -> None:
    for name in sorted(os.listdir(target)):
        twin = source / name
        is_folder = _is_folder(name, target)
        if top and name.startswith(".") and not name.endswith(IN_WRITING):
            continue
        if is_folder and twin.is_dir():
            with _inner(name, target) as inner:
                _remove_surplus(twin, inner, top=False)
        elif is_folder:
            shutil.rmtree(name, dir_fd=target)
        elif not twin.is_file():
            os.unlink(name, dir_fd=target)


@contextmanager
def _inner(name: str, folder: int) -> Iterator[int]:
    inner = os.open(name, _FOLDER, dir_fd=folder)
    try:
        yield inner
    finally:
        os.close(inner)


def _is_folder(name: str, folder: int) -> bool:
    """Say whether a folder contains another one with that name, and not a link to one."""
    try:
        return stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
    except FileNotFoundError:
        return False
