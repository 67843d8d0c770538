"""Looks at the states of one minion on both sides of a comparison."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from pillarbook.book.because.changed import declared_files
from pillarbook.book.fleet import FleetBook
from pillarbook.book.impact.tell import Looked
from pillarbook.book.sides import Sides
from pillarbook.book.sides.states import StatePair, StatesOf
from pillarbook.compare.chunks import ChunkChange
from pillarbook.compile.highstate.highstate import CompiledStates
from pillarbook.compile.looks import Look, RootsLook
from pillarbook.compile.pillar import CompiledPillar
from pillarbook.compile.project import FileRead, Scope
from pillarbook.compile.scopes import scope_of
from pillarbook.inventory.minions import Minion
from pillarbook.roots import Found


def look_at(
    sides: Sides,
    minion: str,
    before: CompiledPillar | None,
    after: CompiledPillar,
    *,
    touched: bool,
) -> Looked | None:
    """Return the states of a minion of the head, where they may be others in the base.

    Args:
        sides: Both sides.
        minion: The minion's id, as it is shown.
        before: Its pillar in the base; None for a minion that is new.
        after: Its pillar in the head.
        touched: Whether files of its states are others.
    """
    states = sides.states
    pair = states.compile(minion, before, after, touched=touched)
    if pair is None:
        return None
    declared, other = states.declared(minion)
    return Looked(
        pair,
        partial(states.base.compile_unmarked, other or declared),
        partial(states.head.compile_unmarked, declared),
        partial(_files_of, sides, (other or declared, declared), pair),
    )


def look_in_environments(
    book: FleetBook, states: StatesOf, names: tuple[str, str], sides: tuple[CompiledPillar, ...]
) -> Looked | None:
    """Return the states of a minion in two environments; None where it has none.

    Args:
        book: The fleet.
        states: Compiles them.
        names: The environments.
        sides: Its pillar in each.
    """
    minion = book.shown_id(sides[0].minion)
    base, head = (book.forced(name, minion) for name in names)
    if not (states.has_any(base) or states.has_any(head)):
        return None
    if any(one.raises is not None or one.outcome == "failed" for one in sides):
        return None
    compiled = [states.compile(*one) for one in zip((base, head), sides, strict=True)]
    pair = StatePair(compiled[0], compiled[1], sides[0], sides[1], by_pillar_alone=False)
    return Looked(
        pair,
        partial(states.compile_unmarked, base),
        partial(states.compile_unmarked, head),
    )


def _files_of(
    sides: Sides, minions: tuple[Minion, Minion], pair: StatePair, change: ChunkChange
) -> tuple[str, ...]:
    """Return the files that a state is made of and that are others: its own SLS's, else any."""
    books = sides.base, sides.head
    scopes = [
        book.project.scope_of_states(scope_of(one, book.project))
        for book, one in zip(books, minions, strict=True)
    ]
    shared = sides.states.share(minions[1], minions[0])
    compiled = [one for one in (pair.base, pair.head) if one is not None]
    sls = (str(change.state.env), str(change.state.sls))
    is_on_both = all(sls in one.sls for one in compiled)  # else what names it counts, too
    own = [look for one in compiled if is_on_both for look in one.sls[sls].files]
    everything = [look for one in compiled for look in _looks_of(one)]
    for looks in (own, everything):
        differ = dict.fromkeys(look for look in looks if not shared.answers_alike((look,)))
        found = [_find(scope, look) for look in differ for scope in scopes]
        # Other roots lead to other files, which need not have changed.
        changed = (one for one in found if one and sides.states.differs(Path(one.full)))
        shown = dict.fromkeys(one.shown for one in changed)
        if shown:
            return tuple(map(sides.head.clean_name, shown))
    return tuple(dict.fromkeys(_declared(sides)))


def _looks_of(states: CompiledStates) -> Iterator[Look]:
    for result in states.renders:
        yield from result.files
    yield from states.looks


def _find(scope: Scope, look: Look) -> Found | None:
    """Return the file that a look leads to."""
    if isinstance(look, FileRead):
        return scope.roots.find(look.path, look.saltenv)
    if isinstance(look, RootsLook) and look.what == "top":
        return scope.roots.find(look.name, look.saltenv)
    if isinstance(look, RootsLook) and look.what == "sls":
        return scope.roots.find_sls(look.name, look.saltenv)[0]
    return None


def _declared(sides: Sides) -> Iterator[str]:
    """Yield the files that declare the fleet or the options and are others."""
    base, head = (side.files.files for side in sides.declared)
    for path in dict.fromkeys(declared_files(sides)):
        contents = [files.read(path) if files.is_file(path) else None for files in (base, head)]
        if contents[0] != contents[1]:
            yield sides.head.clean_name(sides.head.project.shown(path))
