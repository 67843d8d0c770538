"""Finds the files that cause a change of states, and the lines in them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from pillarbook.changes.attribution.changed_files import declared_files
from pillarbook.changes.attribution.hunks import ChangedFile, Hunk, cut, find_line, line_of
from pillarbook.changes.comparison import Sides
from pillarbook.changes.comparison.state_sides import StatePair
from pillarbook.compare.atoms import Cited
from pillarbook.compare.chunks import ChunkChange
from pillarbook.compile.project import FileRead, Scope, scope_of
from pillarbook.compile.tree_lookups import Look, RootsLookup
from pillarbook.highstate.compiled_states import CompiledStates
from pillarbook.inventory.minions import Minion
from pillarbook.roots.tree_interface import FoundFile


@dataclass(frozen=True, slots=True)
class CausingFiles:
    """The files that cause a change of a state."""

    files: tuple[str, ...] = ()
    """The files, as origins name them."""
    lines: tuple[Cited, ...] = ()
    """Lines of hunks in these files, if it is known which hunk it is."""


FilesOf: TypeAlias = Callable[[ChunkChange], CausingFiles]


def find_files(
    sides: Sides, minions: tuple[Minion, Minion], pair: StatePair, change: ChunkChange
) -> CausingFiles:
    """Return the changed files that a state is made of: those of its own SLS, or else all.

    If only one side has the SLS, these are its files and those that name it, if there are any.
    """
    sessions = sides.base, sides.head
    scopes = [
        session.compiler.project.scope_of_states(scope_of(one, session.compiler.project))
        for session, one in zip(sessions, minions, strict=True)
    ]
    shared = sides.states.share(minions[1], minions[0])
    compiled = [one for one in (pair.base, pair.head) if one is not None]
    sls = (str(change.state.env), str(change.state.sls))
    # otherwise, files that name the SLS count as well
    is_on_both = all(sls in one.sls for one in compiled)
    own = [look for one in compiled if is_on_both for look in one.sls[sls].files]
    everything = [look for one in compiled for look in _looks_of(one)]
    for looks in (own, everything):
        differ = dict.fromkeys(look for look in looks if not shared.answers_alike((look,)))
        found = [
            {one.shown: one for look in differ for one in _find_changed(sides, scope, look)}
            for scope in scopes
        ]
        shown = list(dict.fromkeys(name for some in found for name in some))
        near = [one for one in shown if any(_names(some.get(one), sls[1]) for some in found)]
        shown = shown if is_on_both else near or shown
        if shown:
            files = {one: sides.head.shown.clean_name(one) for one in shown}
            lines = (
                line
                for one in shown
                for line in _find_lines(files[one], (found[0].get(one), found[1].get(one)), change)
            )
            return CausingFiles(tuple(files.values()), tuple(lines))
    return CausingFiles(tuple(dict.fromkeys(_declared(sides))))


def _names(file: FoundFile | None, sls: str) -> bool:
    """Say whether a file is that of an SLS, or has its name, in which dots may come first."""
    if file is None:
        return False
    return sls.replace(".", "/") in file.full or sls.rpartition(".")[2].encode() in file.content


def _find_lines(
    shown: str, found: tuple[FoundFile | None, FoundFile | None], change: ChunkChange
) -> list[Cited]:
    """Return a line of each hunk in a file that causes a change.

    These are the hunks with values of the state, or with the ID of a new or removed state, or else
    the only hunk of the file.
    """
    base, head = found
    if base is None or head is None:
        return []
    file = cut(Path(head.full), shown, base.content, head.content)
    lines = [line for hunk in file.hunks if (line := _find_line(hunk, file, change))]
    return lines or [line_of(hunk) for hunk in file.hunks if len(file.hunks) == 1]


def _find_line(hunk: Hunk, file: ChangedFile, change: ChunkChange) -> Cited | None:
    """Return the line of a hunk that has a value or the ID of a state; None for another hunk."""
    cited = [find_line(hunk, argument) for argument in change.arguments]
    cited.append(_find_id(hunk, file, change))
    # A line of the head is one that the reader can open.
    return min(filter(None, cited), key=lambda one: one.side == "base", default=None)


def _find_id(hunk: Hunk, file: ChangedFile, change: ChunkChange) -> Cited | None:
    """Return the line of a hunk that has the ID of a new or removed state, written in full."""
    if change.kind not in ("added", "removed"):
        return None
    side, content = ("head", file.head) if change.kind == "added" else ("base", file.base)
    lines = (content or b"").split(b"\n")
    for number in hunk.lines_on(side):
        text = lines[number - 1].decode(errors="replace").strip()
        if text.endswith(":") and text[:-1].strip("'\"") == change.state.state_id:
            # A line that is replaced is the same cause as the one that replaces it.
            is_replaced = side == "base" and hunk.lines_on("head")
            return line_of(hunk) if is_replaced else Cited(hunk.shown, number, side)
    return None


def _looks_of(states: CompiledStates) -> Iterator[Look]:
    for result in states.renders:
        yield from result.files
    yield from states.looks


def _find_changed(sides: Sides, scope: Scope, look: Look) -> Iterator[FoundFile]:
    """Yield the file that a lookup finds, unless only its path differs."""
    found = _find(scope, look)
    if found is not None and sides.states.differs(Path(found.full)):
        yield found


def _find(scope: Scope, look: Look) -> FoundFile | None:
    """Return the file that a lookup finds."""
    if isinstance(look, FileRead):
        return scope.roots.find(look.path, look.saltenv)
    if isinstance(look, RootsLookup) and look.what == "top":
        return scope.roots.find(look.name, look.saltenv)
    if isinstance(look, RootsLookup) and look.what == "sls":
        return scope.roots.find_sls(look.name, look.saltenv)[0]
    return None


def _declared(sides: Sides) -> Iterator[str]:
    """Yield the files that declare the fleet or the options and differ."""
    base, head = (side.files.files for side in sides.declared)
    for path in dict.fromkeys(declared_files(sides)):
        contents = [files.read(path) if files.is_file(path) else None for files in (base, head)]
        if contents[0] != contents[1]:
            yield sides.head.shown.clean_name(sides.head.compiler.project.shown(path))
