"""Opens a fleet twice: as it is on two sides."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cached_property
from typing import Any, Self

from pillarbook.book.clock import choose_clock, tell_clocks
from pillarbook.book.fleet import FleetBook
from pillarbook.book.ground import Ground
from pillarbook.book.open_book import open_book
from pillarbook.book.options import RunOptions
from pillarbook.book.sides.declared import DeclaredSide, declare_sides, shares_fleet, tell_hidden
from pillarbook.book.sides.opened import OpenedFiles
from pillarbook.book.sides.resolve import Side
from pillarbook.book.sides.side_files import open_files
from pillarbook.book.sides.states import StateSides
from pillarbook.book.sides.touched import SharedScope, Touched
from pillarbook.book.sides.trial import Patch, Trial
from pillarbook.compile.pillar import CompiledPillar
from pillarbook.compile.project import Remembered, Scope
from pillarbook.diagnostics import Diagnostic
from pillarbook.inventory.minions import Minion
from pillarbook.inventory.settings import Settings, load_settings
from pillarbook.redact import Door
from pillarbook.roots.patched_files import PatchedFiles


class Sides:
    """A fleet as it is on two sides, with one store of secrets.

    The head is compiled whole, of the base what a change touches.

    Args:
        base: The fleet as it was.
        head: The fleet as it is.
        labels: What both sides are called, base and head.
        touched: Says what differs between both.
        declared: What both sides declare, base and head.
        options: What the run was asked for.
    """

    def __init__(
        self,
        base: FleetBook,
        head: FleetBook,
        labels: tuple[str, str],
        touched: Touched,
        declared: tuple[DeclaredSide, DeclaredSide],
        options: RunOptions,
    ) -> None:
        self.base = base
        """The fleet as it was."""
        self.head = head
        """The fleet as it is."""
        self.labels = labels
        """What both sides are called, base and head."""
        self.declared = declared
        """What both sides declare, base and head."""
        self._options = options
        self._touched = touched

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop what both runs started."""
        with ExitStack() as closing:
            closing.callback(self.head.close)
            closing.callback(self.base.close)

    @cached_property
    def states(self) -> StateSides:
        """The states of both sides."""
        files = self.declared[0].files.files, self.declared[1].files.files
        return StateSides(self.base, self.head, self._touched, files)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know of the sides."""
        base, head = self.declared
        books = self.base, self.head
        found = (one for book in books for one in book.diagnostics)
        clocks = tell_clocks((book.project.clock for book in books), found)
        return (*tell_hidden(base.redact, head.redact), *clocks)

    @property
    def opened(self) -> OpenedFiles:
        """What code of the tree opened by itself, as far as both sides are compiled."""
        return OpenedFiles((self.base, self.head))

    def tell_opened(self) -> Iterator[Diagnostic]:
        """Yield what is not compared because code of the tree opened it by itself."""
        base, head = self.declared
        yield from self.opened.tell(self.head.project.folder, (base.files.files, head.files.files))

    @property
    def minions(self) -> Sequence[str]:
        """The ids of all minions of either side: those of the head, then those that are gone."""
        return tuple(dict.fromkeys([*self.head.minions, *self.base.minions]))

    @property
    def ids(self) -> frozenset[str]:
        """The ids of the head's minions, as they are declared."""
        return frozenset(one.id for one in self.head.project.fleet)

    def grains(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Yield each minion with its grains in the head, or in the base where it is gone."""
        known = set(self.head.minions)
        yield from ((minion, self.head.grains(minion)) for minion in self.head.minions)
        gone = (minion for minion in self.base.minions if minion not in known)
        yield from ((minion, self.base.grains(minion)) for minion in gone)

    def touches(self, compiled: CompiledPillar) -> bool:
        """Say whether a minion may get something else in the base; True for one that is new.

        Where it says no, the base's pillar, its origins and its outcome are those of the head.

        Args:
            compiled: What it gets in the head.
        """
        minion = self.head.shown_id(compiled.minion)
        if not self.base.has(minion):
            return True
        declared, other = self.head.declared(minion), self.base.declared(minion)
        return self._touched.touches(declared, other, compiled)

    @property
    def is_comparable(self) -> bool:
        """Whether the sides differ in files and minions only; else every minion is touched."""
        return self._touched.is_comparable

    def share(self, minion: str) -> SharedScope | None:
        """Return the options and roots of a minion on both sides; None where one lacks it."""
        if not (self.base.has(minion) and self.head.has(minion)):
            return None
        return self._touched.share(self.head.declared(minion), self.base.declared(minion))

    def touched(self, minion: str) -> bool:
        """Say the same of a minion's id; it is compiled for that, where the head has it."""
        return not self.head.has(minion) or self.touches(self.head.compile(minion))

    def compile(self, minion: str) -> tuple[CompiledPillar | None, CompiledPillar | None]:
        """Return what a minion gets in the base and in the head; None where there is no such one.

        For a minion that nothing touches both are one object.
        """
        head = self.head.compile(minion) if self.head.has(minion) else None
        if head is not None and not self.touches(head):
            return head, head
        return self.compile_base(minion), head

    def compile_base(self, minion: str) -> CompiledPillar | None:
        """Return what a minion gets in the base; None where there is no such one."""
        return self.base.compile(minion) if self.base.has(minion) else None

    @contextmanager
    def try_with(self, patch: Patch) -> Iterator[Trial]:
        """Open the head with some of its files changed.

        Args:
            patch: What files hold instead, by their paths with links followed.

        Raises:
            PillarbookError: What is declared has faults then.
        """
        side = self.declared[1]
        files = PatchedFiles(side.files.files, patch)
        settings = side.settings
        if settings.file in patch and settings.file is not None:
            redact = settings.redact
            settings = replace(load_settings(settings.file, files), redact=redact)
        is_same_fleet = not patch.keys() & {files.resolve(path) for path in settings.inventory}
        changed = replace(
            side, files=replace(side.files, files=files, contents=None), settings=settings
        )
        known = self.head.project
        fleet = tuple(known.fleet) if is_same_fleet else None
        earlier, options = _Earlier(), replace(self._options, checks=False)
        shared = Remembered(parsed=known.remembered.parsed, merged=known.remembered.merged)
        with _open(
            changed, options, self.head.door, fleet, remembered=shared, earlier=earlier.find
        ) as book:
            earlier.touched = Touched(known, book.project)
            yield Trial(self.head, book, earlier.touched)


class _Earlier:
    """What the base takes over from the head, once both are open."""

    touched: Touched | None = None

    def find(self, what: Hashable, answer: Callable[[Any], Any], scope: Scope) -> Any:
        """Return a render of the head that holds in the base; None for none."""
        return None if self.touched is None else self.touched.find_earlier(what, answer, scope)


def open_sides(settings: Settings, options: RunOptions, base: Side, head: Side) -> Sides:
    """Open a fleet as it is on two sides.

    Each side is read by its own configuration, master file and inventory. What is secret on
    either side is secret on both.

    Args:
        settings: What the configuration or the command line names, for a side without its own.
        options: What the run was asked for.
        base: The side that is compared with.
        head: The side that is looked at.

    Raises:
        InventoryError: The inventory of a side has faults.
        SettingsError: The configuration or the master file of a side has faults.
    """
    first, second = declare_sides(settings, *open_files(settings, base, head))
    options = replace(options, clock=choose_clock(second.settings, options))  # one time for both
    with ExitStack() as opened:
        now = opened.enter_context(_open(second, options, None, second.minions))
        remembered = Remembered(
            parsed=now.project.remembered.parsed, merged=now.project.remembered.merged
        )
        earlier, unchecked = _Earlier(), replace(options, checks=False, environments=False)
        fleet = first.minions
        if fleet is None and second.lacks is None and shares_fleet(first, second):
            fleet = tuple(now.project.fleet)
        then = _open(first, unchecked, now.door, fleet, remembered=remembered, earlier=earlier.find)
        opened.enter_context(then)
        touched = earlier.touched = Touched(now.project, then.project)
        opened.pop_all()
    return Sides(then, now, (base.label, head.label), touched, (first, second), unchecked)


def _open(
    side: DeclaredSide,
    options: RunOptions,
    door: Door | None,
    minions: tuple[Minion, ...] | None,
    **shared: Any,
) -> FleetBook:
    ground = Ground(files=side.files.files, door=door, minions=minions, later=side.tell, **shared)
    return open_book(side.settings, options, ground)
