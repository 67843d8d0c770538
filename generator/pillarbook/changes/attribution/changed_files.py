"""The changed files of a comparison: those that declare the fleet, and those of its pillar."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from pillarbook.changes.attribution.hunks import ChangedFile, cut
from pillarbook.changes.comparison import Sides
from pillarbook.changes.comparison.side_files import follow_links, names_in, read_allowed, read_file
from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.project import FileRead
from pillarbook.compile.tree_access import STATES
from pillarbook.compile.tree_lookups import PathLookup
from pillarbook.roots.file_access import Files
from pillarbook.session.session import Session

LARGEST = 16 * 1024 * 1024
"""Bytes; a larger file is one hunk."""


def find_changed(sides: Sides, compiled: Iterable[CompiledPillar]) -> tuple[ChangedFile, ...]:
    """Return the files that differ between both sides, in the order of their names."""
    paths = {*declared_files(sides), *_in_roots(sides.base), *_in_roots(sides.head)}
    paths |= {*_opened(sides)}
    states = {*_states_of(sides.base), *_states_of(sides.head)}
    for one in compiled:
        paths.update(look.path for look in one.looks if isinstance(look, PathLookup))
        paths.update(folder / name for name in _states_read(one) for folder in states)
    return cut_files(sides, paths)


def cut_files(sides: Sides, paths: Iterable[Path]) -> tuple[ChangedFile, ...]:
    """Return those of some files that differ between both sides, in the order of their names.

    Links are followed; a file that a side may not read counts as missing there.
    """
    base, head = (side.files.files for side in sides.declared)
    real = _follow(paths, base, head)
    named = _follow(declared_files(sides), base, head)

    def read(session: Session, files: Files, path: Path) -> bytes | None:
        if path in named:
            return read_file(files, path, LARGEST + 1)
        return read_allowed(session.compiler.project.options, files, path, LARGEST + 1)

    found = []
    for path in sorted(real):
        old, new = read(sides.base, base, path), read(sides.head, head, path)
        if old != new:
            shown = sides.head.shown.clean_name(sides.head.compiler.project.shown(path))
            found.append(cut(path, shown, old, new))
    return tuple(found)


def _follow(paths: Iterable[Path], base: Files, head: Files) -> set[Path]:
    """Return the targets of paths on both sides, with links followed."""
    found = {follow_links(files, path) for path in set(paths) for files in (base, head)}
    return {path for path in found if path is not None}


def declared_files(sides: Sides) -> Iterator[Path]:
    """Yield the files that declare the fleet and the master's options."""
    for side, session in zip(sides.declared, (sides.base, sides.head), strict=True):
        settings, options = side.settings, session.compiler.project.options
        if settings.file is not None:
            yield settings.file
        yield from (settings.master, *settings.inventory)
        yield from {options.top / place.file for place in options.places.values()}


def _in_roots(session: Session) -> Iterator[Path]:
    """Yield the files below the roots of the pillar."""
    trees = {tree.full: tree for tree in session.compiler.project.mapped.values()}
    for scope in session.compiler.project.scopes.values():
        if scope.kind == "pillar":
            trees.update((tree.full, tree) for _, tree in scope.roots.trees())
    for full, tree in trees.items():
        yield from (Path(full, name) for name in tree.names())


def _opened(sides: Sides) -> Iterator[Path]:
    """Yield the files that code of the tree opened, and those in folders that it listed."""
    top = sides.head.compiler.project.options.top
    for path in (top / shown for shown in sides.opened.paths):
        yield path
        for side in sides.declared:
            yield from (path / name for name in names_in(side.files.files, path) or ())


def _states_of(session: Session) -> Iterator[Path]:
    """Yield the folders of states; few of their files are read for a pillar."""
    for scope in session.compiler.project.scopes.values():
        yield from (Path(tree.full) for _, tree in scope.states.trees())


def _states_read(compiled: CompiledPillar) -> Iterator[str]:
    """Yield the files of states that a pillar's compile looked for, relative to the roots."""
    looked = [look for look in compiled.looks if isinstance(look, FileRead)]
    for read in (*looked, *(read for result in compiled.renders for read in result.files)):
        if read.path.startswith(STATES) and not read.path.endswith("/"):
            yield read.path.removeprefix(STATES)
