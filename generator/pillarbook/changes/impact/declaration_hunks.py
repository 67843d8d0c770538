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
Opened: TypeAlias = tuple[Hunk, Trial, StatesOf]


class DeclaredHunks:
    """The hunks of the master file, the configuration and the inventory."""

    def __init__(self, sides: Sides) -> None:
        self._sides = sides
        self._stack = ExitStack()

    def of(self, minion: str) -> Iterator[tuple[Cited, Compile]]:
        """Yield a line of each hunk, and a function that compiles states without the hunk."""
        for hunk, trial, states in self._opened:
            if trial.session.fleet.has(minion):
                declared = trial.session.fleet.declared(minion)
                yield self._line_of(minion, hunk), partial(states.compile_unmarked, declared)

    def own_of(self, minion: str) -> tuple[Cited, ...]:
        """Return a line of each hunk that changes the declaration of the minion itself."""
        return tuple(
            self._line_of(minion, hunk)
            for hunk, trial, _ in self._opened
            if self._declares(minion, trial)
        )

    def close(self) -> None:
        """Close the fleets that were opened."""
        self._stack.close()

    def _line_of(self, minion: str, hunk: Hunk) -> Cited:
        """Return the line of a hunk that declares a minion; the first one if nobody knows."""
        lines = (
            line_of(part) for part, trial in self._parts[hunk] if self._declares(minion, trial)
        )
        return next(lines, line_of(hunk))

    def _declares(self, minion: str, without: Trial) -> bool:
        """Say whether a minion is declared in another way without a hunk, or only with it."""
        fleet, declared = without.session.fleet, self._sides.head.fleet.declared(minion)
        return not fleet.has(minion) or not are_declared_alike(declared, fleet.declared(minion))

    @cached_property
    def _hunks(self) -> dict[Hunk, ChangedFile]:
        files = cut_files(self._sides, declared_files(self._sides))
        hunks = {hunk: file for file in files for hunk in file.hunks}
        return hunks if len(hunks) <= MAX_HUNKS else {}

    @cached_property
    def _opened(self) -> tuple[Opened, ...]:
        opened = ((hunk, self._open(file, hunk)) for hunk, file in self._hunks.items())
        return tuple(
            (hunk, trial, StatesOf(trial.session)) for hunk, trial in opened if trial is not None
        )

    @cached_property
    def _parts(self) -> dict[Hunk, list[tuple[Hunk, Trial]]]:
        """The lines of each hunk that can be taken back alone, if they are not too many."""
        parts = {hunk: hunk.parts() for hunk in self._hunks}
        left = MAX_HUNKS - len(parts)
        found: dict[Hunk, list[tuple[Hunk, Trial]]] = {hunk: [] for hunk in parts}
        for hunk, some in parts.items():
            left -= len(some)
            opened = ((one, self._open(self._hunks[hunk], one)) for one in some if left >= 0)
            found[hunk] = [(one, trial) for one, trial in opened if trial is not None]
        return found

    def _open(self, file: ChangedFile, hunk: Hunk) -> Trial | None:
        """Return the head without a hunk; None if there is no valid fleet without it."""
        patch = {file.file: file.without((hunk,))}
        try:
            return self._stack.enter_context(self._sides.try_with(patch))
        except PillarbookError:
            return None
