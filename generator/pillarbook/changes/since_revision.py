"""Opens the session of a report together with an earlier revision, to show what has changed."""

import os
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

from pillarbook.changes.attribution.explain import explain_changes
from pillarbook.changes.attribution.hunk_trials import AffectedMinion
from pillarbook.changes.comparison import Sides, SinceReport, open_sides, resolve_sides
from pillarbook.changes.ignored_changes import ignore_between
from pillarbook.changes.impact.declaration_hunks import DeclaredHunks
from pillarbook.changes.impact.fleet_impact import Impact, look_at
from pillarbook.changes.read_acknowledgements import read_acknowledgements
from pillarbook.compare.diff import Diff
from pillarbook.compare.pillars import Comparer
from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.diagnostics import Diagnostic, PillarbookError, new_diagnostic
from pillarbook.inventory.settings import Settings
from pillarbook.redact import RedactedPillar
from pillarbook.report.source import NotCompared
from pillarbook.roots.commit_paths import CommitPaths
from pillarbook.roots.git_files import RepositoryError
from pillarbook.roots.git_home import find_home
from pillarbook.roots.history import LineAge
from pillarbook.roots.revision_names import SHORT, RevisionError, Revisions
from pillarbook.session.open_session import open_session
from pillarbook.session.run_options import RunOptions, SharedResources
from pillarbook.session.session import Session

CODE = "missing-revision"
"""The rule for a revision that the report cannot be compared with."""
MAX_COMMITS = 200
"""The most commits in which the last change of a file is looked for; the oldest of them."""
# Two whole pillars are kept for each minion while the report is written; above the limit, only for
# one minion of each kind.
MAX_KEPT = 500
"""The most affected minions of which each one is kept to find the cause of its changes."""


class SinceRevision:
    """The earlier state of a report's fleet; implements ``report.Since``."""

    def __init__(self, sides: Sides, *, authors: bool = False) -> None:
        self._sides = sides
        self._authors = authors
        self._kept: list[tuple[str, CompiledPillar | None, CompiledPillar]] = []
        self._kinds: set[Hashable] = set()
        self._impact = Impact(sides.base, sides.head, DeclaredHunks(sides))
        self._names: dict[str, str] = {}
        """The shown ids by the minions' own ids, as they were when the sides were compared."""
        self.labels = sides.labels
        """The names of both sides, base and head."""
        self.ignore = ignore_between(sides)
        """Finds the changes that rules ignore."""
        self.acknowledgements = read_acknowledgements(sides)
        """Which changes are acknowledged."""
        self.committed = BaseFiles(sides)
        """The files of the base."""

    @property
    def gone(self) -> Sequence[str]:
        """The ids of minions that the report no longer has."""
        head = self._sides.head
        return [minion for minion in self._sides.base.fleet.minions if not head.fleet.has(minion)]

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The diagnostics of the base so far, worst first."""
        return self._sides.base.shown.diagnostics

    def grains(self, minion: str) -> Mapping[str, Any]:
        """Return the grains that a minion had in the base."""
        return self._sides.base.shown.grains(minion)

    def pillars(self, minion: str) -> tuple[RedactedPillar | None, RedactedPillar | None]:
        """Return a minion's redacted pillar in base and head; None if that side lacks the minion.

        For a minion that is not affected, both are one object. Otherwise, the secrets of both sides
        are looked for in both pillars, so that a value is redacted on both sides.
        """
        sides = self._sides
        if not sides.head.fleet.has(minion):
            return sides.base.shown.redact_with_faults(sides.base.compiler.compile(minion)), None
        compiled, shown = sides.head.report.latest(minion)
        if not sides.touches(compiled):
            self._look_at_states(minion, compiled, compiled)
            return shown, shown
        before = sides.compile_base(minion)
        self._keep(minion, before, compiled)
        self._look_at_states(minion, before, compiled)
        return (None, shown) if before is None else self._show_both(before, compiled)

    def last_change(self, file: str) -> LineAge | None:
        """Return the last commit since the base that changed a file of the base.

        None if that is not known, as where the head does not follow from the base.
        """
        path = self.committed.path_of(file)
        side = self._sides.declared[0].files.side
        try:
            for newer, older in pairwise(self._commits if path is not None else ()):
                one, other = (
                    CommitPaths(side.repository, commit, side.home.folder).find(
                        side.home.folder / str(path), follow=False
                    )
                    for commit in (newer, older)
                )
                if one.entry != other.entry:
                    made = side.repository.read_commit(newer)
                    if made is None:
                        return None
                    author = made.author if self._authors else None
                    return LineAge("committed", newer, made.date, author=author)
        except RepositoryError:
            return None
        return None

    def explain(self, diff: Diff) -> Diff:
        """Return a comparison of all minions, whose changes cite the lines that cause them.

        This compiles a few minions of each kind with some hunks taken back.
        """
        base, head = self._sides.base, self._sides.head
        self._impact.learn()
        for session in (base, head):  # results of these compiles are not shown
            session.freeze_secrets(())
        comparer = Comparer()
        affected = []
        for minion, before, after in self._kept:
            # Redacted again, because only now the secrets of both sides are all known.
            shown = None if before is None else base.shown.redact_with_faults(before)
            now = replace(head.shown.redact_with_faults(after), minion=minion)
            is_compared = shown is not None and shown.has_data and now.has_data
            changes = comparer.compare(shown, now) if shown and is_compared else ()
            affected.append(AffectedMinion(before, after, shown, now, changes))
        told = replace(
            diff,
            notes=(*self._sides.notes, *diff.notes),
            diagnostics=(
                *diff.diagnostics,
                *(("head", one) for one in self._sides.describe_opened()),
            ),
        )
        explained = explain_changes(self._sides, told, affected)
        besides = self._sides.describe_not_compared()
        return self._impact.finish(explained, names=self._names, besides=besides)

    @cached_property
    def _commits(self) -> Sequence[str]:
        """The checked-out commit and its first parents, the newest first, up to the base."""
        base = self._sides.declared[0].files.side
        try:
            revisions = Revisions(base.repository)
            since = revisions.first_parents(revisions.find("HEAD"), str(base.commit))
        except (RepositoryError, RevisionError):
            return ()
        return () if since is None else (*since, str(base.commit))[-MAX_COMMITS:]

    def _look_at_states(
        self, minion: str, before: CompiledPillar | None, after: CompiledPillar
    ) -> None:
        """Keep the states of a minion on both sides, if they may differ."""
        self._names[after.minion] = minion
        affected = self._sides.states.touches(minion, after)
        if affected or before is not after:
            self._impact.take(look_at(self._sides, minion, before, after, affected=affected))

    def _keep(self, minion: str, before: CompiledPillar | None, after: CompiledPillar) -> None:
        """Keep a minion's pillars: all of them if there are few, else one minion of each kind."""
        renders = set(() if before is None else map(id, before.renders))
        outcome = None if before is None else before.outcome
        kind = (frozenset(renders ^ set(map(id, after.renders))), outcome, after.outcome)
        if kind not in self._kinds or len(self._kept) < MAX_KEPT:
            self._kinds.add(kind)
            self._kept.append((minion, before, after))

    def _show_both(
        self, before: CompiledPillar, after: CompiledPillar
    ) -> tuple[RedactedPillar, RedactedPillar]:
        base, head = self._sides.base.shown, self._sides.head.shown
        own = {**base.secrets_of(before), **head.secrets_of(after)}
        return base.redact_with_faults(before, own), head.redact_with_faults(after, own)


class BaseFiles:
    """The files of the base, by the names in origins; implements ``report.FilesOfCommit``."""

    def __init__(self, sides: Sides) -> None:
        self._files = sides.declared[0].files
        self._top = sides.base.compiler.project.options.top
        self.commit = self._files.side.commit
        """The commit's id."""

    def path_of(self, file: str) -> str | None:
        """Return a file's path from the top of the repository; None if the commit lacks it."""
        path = Path(os.path.normpath(self._top / file))
        home = self._files.side.home.folder
        if not path.is_relative_to(home) or not self._files.files.is_file(path):
            return None
        return path.relative_to(home).as_posix()


def open_report_session(
    settings: Settings,
    options: RunOptions | None = None,
    base: SinceReport | NotCompared | None = None,
) -> Session:
    """Open the session of a report, and compare it with the base if there is one.

    If the base cannot be compared, the report says why.

    Without ``base`` it is the one in ``revisions``.

    Raises:
        InventoryError: The inventory has errors; the message lists all of them.
        SettingsError: The master file or the configuration has errors.
    """
    options = options or RunOptions()
    if isinstance(base, NotCompared):
        return _open_alone(settings, options, base)
    named = base or settings.revisions.get("base")
    if named is None or not all(file.is_file() for file in (settings.master, *settings.inventory)):
        return open_session(settings, options)
    allow, trusted = options.allow, options.trust
    try:
        both = resolve_sides(settings.folder, named, allow=allow, trusted=trusted)
        sides = open_sides(settings, options, *both)
    except PillarbookError as error:
        why = _leave_out_place(str(error), settings.folder)
        name = named if isinstance(named, str) else named.commit[:SHORT]
        return _open_alone(settings, options, NotCompared(name, why))
    sides.head.report.since, sides.head.beside = (
        SinceRevision(sides, authors=settings.authors),
        sides.base,
    )
    return sides.head


def _open_alone(settings: Settings, options: RunOptions, why: NotCompared) -> Session:
    told = new_diagnostic(
        CODE,
        f"the report is not compared with {why.base}: {why.reason}",
        settings.positions.get("revisions"),
    )
    session = open_session(settings, options, SharedResources(later=lambda _: [told]))
    session.report.since = why
    return session


def _leave_out_place(text: str, folder: Path) -> str:
    """Return a sentence without the folder of the report, which readers do not need."""
    real = Path(os.path.realpath(folder))
    home = find_home(folder.absolute())
    names = {folder: "the folder of the configuration", real: "the folder of the configuration"}
    if home is not None and home.folder != real:
        names[home.folder] = "the repository"
    for place in sorted(names, key=lambda place: -len(place.parts)):
        text = text.replace(f"{place}{os.sep}", "").replace(str(place), names[place])
    return text
