"""The effect of the files that declare a fleet on its states: each hunk is taken back alone."""

from collections.abc import Iterator
from contextlib import ExitStack
from functools import cached_property, partial
from typing import TypeAlias

from pillarbook.changes.attribution.changed_files import cut_files, declared_files
from pillarbook.changes.attribution.hunks import ChangedFile, Hunk, line_of
from pillarbook.changes.comparison import Sides
from pillarbook.changes.comparison.alike import are_declared_alike
from pillarbook.changes.comparison.state_sides import StatesOf
from pillarbook.changes.comparison.trial import Trial
from pillarbook.changes.impact.state_causes import Compile
from pillarbook.compare.atoms import Cited
from pillarbook.diagnostics import PillarbookError

# A hunk in a declaration may change every minion, so the fleet is opened again for each hunk.
MAX_HUNKS = 16
"""The most hunks that are tried, since each needs a fleet of its own."""
Opened: TypeAlias = tuple[Cited, Trial, StatesOf]


class DeclaredHunks:
    """The hunks of the master file, the configuration and the inventory."""

    def __init__(self, sides: Sides) -> None:
        self._sides = sides
        self._stack = ExitStack()

    def of(self, minion: str) -> Iterator[tuple[Cited, Compile]]:
        """Yield a line of each hunk, and a function that compiles states without the hunk."""
        for line, trial, states in self._opened:
            if trial.session.fleet.has(minion):
                yield line, partial(states.compile_unmarked, trial.session.fleet.declared(minion))

    def own_of(self, minion: str) -> tuple[Cited, ...]:
        """Return a line of each hunk that changes the declaration of the minion itself."""
        declared = self._sides.head.fleet.declared(minion)
        return tuple(
            line
            for line, trial, _ in self._opened
            if not trial.session.fleet.has(minion)
            or not are_declared_alike(declared, trial.session.fleet.declared(minion))
        )

    def close(self) -> None:
        """Close the fleets that were opened."""
        self._stack.close()

    @cached_property
    def _opened(self) -> tuple[Opened, ...]:
        files = cut_files(self._sides, declared_files(self._sides))
        hunks = [(file, hunk) for file in files for hunk in file.hunks]
        if len(hunks) > MAX_HUNKS:
            return ()
        opened = (self._open(file, hunk) for file, hunk in hunks)
        return tuple(one for one in opened if one is not None)

    def _open(self, file: ChangedFile, hunk: Hunk) -> Opened | None:
        """Return the head without a hunk; None if there is no valid fleet without it."""
        patch = {file.file: file.without((hunk,))}
        try:
            trial = self._stack.enter_context(self._sides.try_with(patch))
        except PillarbookError:
            return None
        return line_of(hunk), trial, StatesOf(trial.session)
