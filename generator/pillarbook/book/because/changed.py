"""Which files a change is made of: those that declare a fleet, and those that its pillar is of."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from pillarbook.book.because.hunks import ChangedFile, cut
from pillarbook.book.fleet import FleetBook
from pillarbook.book.sides import Sides
from pillarbook.compile.looks import PathLook
from pillarbook.compile.pillar import CompiledPillar
from pillarbook.roots.files import Files

LARGEST = 16 * 1024 * 1024
"""Bytes of a file that is cut into hunks; a larger one is one."""


def find_changed(sides: Sides, compiled: Iterable[CompiledPillar]) -> tuple[ChangedFile, ...]:
    """Return the files that are others on both sides, in the order of their names.

    Args:
        sides: Both sides; what they compile is compiled.
        compiled: What minions get that the change touches, on either side.
    """
    base, head = (side.files.files for side in sides.declared)
    paths = {*_declared(sides), *_in_roots(sides.base), *_in_roots(sides.head)}
    for one in compiled:
        paths.update(look.path for look in one.looks if isinstance(look, PathLook))
    real = {files.resolve(path) for path in paths for files in (base, head)}
    found = []
    for path in sorted(real):
        old, new = _read(base, path), _read(head, path)
        if old != new:
            found.append(cut(path, sides.head.project.shown(path), old, new))
    return tuple(found)


def _declared(sides: Sides) -> Iterator[Path]:
    """Yield the files that declare the fleet and the master's options."""
    for side, book in zip(sides.declared, (sides.base, sides.head), strict=True):
        settings, options = side.settings, book.project.options
        if settings.file is not None:
            yield settings.file
        yield from (settings.master, *settings.inventory)
        yield from {options.folder / place.file for place in options.places.values()}


def _in_roots(book: FleetBook) -> Iterator[Path]:
    """Yield the files below the folders that pillar is rendered from."""
    trees = {tree.full: tree for tree in book.project.mapped.values()}
    for scope in book.project.scopes.values():
        for roots in (scope.roots, scope.states):
            trees.update((tree.full, tree) for _, tree in roots.trees())
    for full, tree in trees.items():
        yield from (Path(full, name) for name in tree.names())


def _read(files: Files, path: Path) -> bytes | None:
    try:
        return files.read(path, LARGEST + 1) if files.is_file(path) else None
    except OSError:
        return None
