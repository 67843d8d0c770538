"""Opens a fleet twice, as it is on both sides of a comparison."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from pillarbook.changes.comparison.affected import AffectedMinions, SharedScope
from pillarbook.changes.comparison.declared_sides import (
    DeclaredSide,
    declare_sides,
    describe_hidden,
    shares_fleet,
)
from pillarbook.changes.comparison.earlier_renders import EarlierRenders, TrialRenders
from pillarbook.changes.comparison.known_marks import KnownMarks
from pillarbook.changes.comparison.resolve_sides import Side
from pillarbook.changes.comparison.side_files import (
    CODE,
    follow_links,
    names_in,
    open_files,
    read_file,
)
from pillarbook.changes.comparison.state_sides import StateSides
from pillarbook.changes.comparison.trial import Trial
from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.project import Remembered
from pillarbook.compile.renderers.code.record_opened import RULE
from pillarbook.diagnostics import Diagnostic, new_diagnostic
from pillarbook.inventory.declared_clock import describe_clocks
from pillarbook.inventory.minions import Minion
from pillarbook.inventory.settings import Settings, load_settings
from pillarbook.redact import Redactor
from pillarbook.roots.commit_files import CommitFiles
from pillarbook.roots.file_access import Files
from pillarbook.roots.patched_files import Patch, PatchedFiles, UnchangedFiles
from pillarbook.session.open_session import open_session
from pillarbook.session.run_options import RunOptions, SharedResources
from pillarbook.session.session import Session


class Sides:
    """A fleet on two sides, with one store of secrets.

    All minions of the head are compiled, and in the base only those that the change affects.
    """

    def __init__(
        self,
        base: Session,
        head: Session,
        labels: tuple[str, str],
        affected: AffectedMinions,
        declared: tuple[DeclaredSide, DeclaredSide],
        options: RunOptions,
    ) -> None:
        self.base = base
        """The fleet as it was."""
        self.head = head
        """The fleet as it is."""
        self.labels = labels
        """The names of both sides, base and head."""
        self.declared = declared
        """The declarations of both sides, base and head."""
        self._options = options
        self._affected = affected
        self._marks = KnownMarks()
        self._renders = TrialRenders()
        self._files = UnchangedFiles(declared[1].files.files)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the processes that both sessions have started."""
        with ExitStack() as closing:
            closing.callback(self.head.close)
            closing.callback(self.base.close)

    @cached_property
    def states(self) -> StateSides:
        """The states of both sides."""
        files = self.declared[0].files.files, self.declared[1].files.files
        return StateSides(self.base, self.head, self._affected, files)

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for the reader about the sides."""
        base, head = self.declared
        sessions = self.base, self.head
        own = (*base.files.side.notes, *self.head.fleet.notes)
        notes = [*own, *self._describe_environments(), *describe_hidden(base.redact, head.redact)]
        if any(session.shown.reads_clock for session in sessions):
            notes.append(describe_clocks(session.compiler.project.clock for session in sessions))
        return tuple(notes)

    def _describe_environments(self) -> Iterator[str]:
        """Yield notes on environments of the pillar that only one side has."""
        base, head = (
            {
                session.shown.clean_name(str(name)): None
                for name in session.compiler.project.options.values.get("pillar_roots") or ()
            }
            for session in (self.base, self.head)
        )
        for word, some, others in (("new", head, base), ("removed", base, head)):
            names = [name for name in some if name not in others]
            if names:
                noun = "environment" if len(names) == 1 else "environments"
                yield f"{word} {noun}: {', '.join(names)}"

    @property
    def opened(self) -> "OpenedFiles":
        """The files that code of the tree has opened, in all compiles so far."""
        return OpenedFiles((self.base, self.head))

    def describe_opened(self) -> Iterator[Diagnostic]:
        """Yield the diagnostic for files that code of the tree may have read, and nobody knows."""
        yield from self.opened.describe()

    def describe_not_compared(self) -> Iterator[str]:
        """Yield sentences about files that are not compared, of states and of code of the tree."""
        yield from self.states.deployed.describe()
        base, head = self.declared
        top = self.head.compiler.project.options.top
        yield from self.opened.describe_outside(top, (base.files.files, head.files.files))

    @property
    def minions(self) -> Sequence[str]:
        """The ids of the minions that are compared: those of the head, then those removed."""
        return tuple(dict.fromkeys([*self.head.fleet.asked, *self.base.fleet.asked]))

    @property
    def is_part(self) -> bool:
        """Whether only some minions of the fleet are compared."""
        return not set(self.head.fleet.minions) <= set(self.minions)

    @property
    def ids(self) -> frozenset[str]:
        """The ids of the head's minions, as they are declared."""
        return frozenset(one.id for one in self.head.compiler.project.fleet)

    def grains(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Yield each minion with its grains in the head, or in the base if it was removed."""
        for minion in self.minions:
            side = self.head if self.head.fleet.has(minion) else self.base
            yield minion, side.shown.grains(minion)

    def touches(self, compiled: CompiledPillar) -> bool:
        """Say whether a minion may get another pillar in the base; True for a new minion.

        If not, pillar, origins and outcome in the base are those of the head.
        """
        minion = self.head.fleet.shown_id(compiled.minion)
        if not self.base.fleet.has(minion):
            return True
        declared, other = self.head.fleet.declared(minion), self.base.fleet.declared(minion)
        return self._affected.touches(declared, other, compiled)

    @property
    def is_comparable(self) -> bool:
        """Whether the sides differ only in files and minions; if not, every minion is affected."""
        return self._affected.is_comparable

    def share(self, minion: str) -> SharedScope | None:
        """Return the options and roots of a minion on both sides; None if one lacks it."""
        if not (self.base.fleet.has(minion) and self.head.fleet.has(minion)):
            return None
        return self._affected.share(
            self.head.fleet.declared(minion), self.base.fleet.declared(minion)
        )

    def compile_base(self, minion: str) -> CompiledPillar | None:
        """Return a minion's pillar in the base; None if it does not exist there."""
        return self.base.compiler.compile(minion) if self.base.fleet.has(minion) else None

    @contextmanager
    def try_with(self, patch: Patch) -> Iterator[Trial]:
        """Open the head with some files changed.

        Raises:
            PillarbookError: The declarations have errors with this patch.
        """
        side = self.declared[1]
        files = PatchedFiles(self._files, patch)
        settings = side.settings
        if settings.file in patch and settings.file is not None:
            redact = settings.redact
            settings = replace(load_settings(settings.file, files), redact=redact)
        is_same_fleet = not patch.keys() & {files.resolve(path) for path in settings.inventory}
        changed = replace(
            side, files=replace(side.files, files=files, contents=None), settings=settings
        )
        known = self.head.compiler.project
        fleet = tuple(known.fleet) if is_same_fleet else None
        # What code opens is not among the reads by which trials share renders.
        opens_alike = not self._opens_any(patch)
        earlier = EarlierRenders(self._renders if opens_alike else None)
        options = replace(self._options, checks=False)
        shared = Remembered(parsed=known.remembered.parsed, merged=known.remembered.merged)
        with _open(
            changed,
            options,
            self.head.shown.redactor,
            fleet,
            remembered=shared,
            earlier=earlier,
        ) as session:
            project = session.compiler.project
            affected = self._affected.of_trial(project, opens_alike=opens_alike)
            earlier.restored, earlier.affected = affected
            yield Trial((self.base, self.head), session, affected, self._marks)

    def _opens_any(self, patch: Patch) -> bool:
        """Say whether code of the tree opened a file of a patch itself."""
        project = self.head.compiler.project
        if not project.modules.python:
            return False
        opened = self.opened
        return any(opened.has(project.shown(path)) for path in patch)


def open_sides(settings: Settings, options: RunOptions, base: Side, head: Side) -> Sides:
    """Open a fleet on two sides.

    Each side is read with its own configuration, master file and inventory. What is secret on one
    side is secret on both. ``settings`` are for a side without its own.

    Raises:
        InventoryError: The inventory of a side has errors.
        SettingsError: The configuration or the master file of a side has errors.
    """
    files = open_files(base, head)
    first, second = declare_sides(settings, *files, allow=options.allow, trusted=options.trust)
    # the same time for both sides
    options = replace(options, clock=options.choose_clock(second.settings))
    with ExitStack() as opened:
        now = opened.enter_context(_open(second, options, None, second.minions))
        remembered = Remembered(
            parsed=now.compiler.project.remembered.parsed,
            merged=now.compiler.project.remembered.merged,
        )
        earlier = EarlierRenders()
        unchecked = replace(options, checks=options.checks_base, environments=False)
        fleet = first.minions
        if fleet is None and second.lacks is None and shares_fleet(first, second):
            fleet = tuple(now.compiler.project.fleet)
        then = _open(
            first, unchecked, now.shown.redactor, fleet, remembered=remembered, earlier=earlier
        )
        opened.enter_context(then)
        affected = earlier.affected = AffectedMinions(now.compiler.project, then.compiler.project)
        opened.pop_all()
    return Sides(then, now, (base.label, head.label), affected, (first, second), unchecked)


def _open(
    side: DeclaredSide,
    options: RunOptions,
    redactor: Redactor | None,
    minions: tuple[Minion, ...] | None,
    **shared: Any,
) -> Session:
    files = side.files
    resources = SharedResources(
        files=files.files,
        commit=None if files.contents is None else files.side.label,
        redactor=redactor,
        minions=minions,
        later=side.describe,
        **shared,
    )
    return open_session(side.settings, options, resources)


PROGRAMS = (
    "code of the tree starts programs or imports Python files, or reads files in a way that cannot"
    " be followed; both sides read the files on disk then, so their changes are not compared"
)


class OpenedFiles:
    """The files that code of the tree opened by itself, on either side."""

    def __init__(self, sessions: Iterable[Session]) -> None:
        # Some are not compared, even if the configuration ignores this rule.
        found = [one for session in sessions for one in session.shown.heard_of(RULE)]
        self.paths = tuple(dict.fromkeys(place.file for one in found for place in one.related))
        """The files and folders, as they are shown."""
        self.starts_programs = any(not one.related for one in found)
        """Whether it ran other code, which may have read any file."""

    def has(self, shown: str) -> bool:
        """Say whether code opened a file, or a folder above it, by its shown path."""
        return any(path in (shown, ".") or shown.startswith(f"{path}/") for path in self.paths)

    def describe(self) -> Iterator[Diagnostic]:
        """Yield the diagnostic about files that nobody knows."""
        if self.starts_programs:
            yield new_diagnostic(CODE, PROGRAMS, None)

    def describe_outside(self, top: Path, sides: tuple[Files, Files]) -> Iterator[str]:
        """Yield the sentence about opened files that no commit holds."""
        commits = [files for files in sides if isinstance(files, CommitFiles)]
        found = [
            path
            for path in self.paths
            if commits and _is_alike(top / path, sides)
            if all(files.id_of(top / path) is None for files in commits)
        ]
        if found:
            yield (
                "code of the tree opened files that no revision holds, so their changes are"
                f" not compared: {', '.join(found)}"
            )


def _is_alike(path: Path, sides: tuple[Files, Files]) -> bool:
    """Say whether a path is the same file on both sides; False for folders, which are unknown."""
    first, second = (read_file(files, path) for files in sides)
    if any(follow_links(files, path) is None for files in sides):
        return False  # there is nothing
    return first == second and all(names_in(files, path) is None for files in sides)
