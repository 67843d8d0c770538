"""What the pages are written from."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from pillarbook.compare.acknowledgements import Acknowledgements
from pillarbook.compare.diff import Diff
from pillarbook.compare.ignore import Ignore
from pillarbook.diagnostics import Diagnostic
from pillarbook.redact.redacted_pillar import RedactedOrigin, RedactedPillar
from pillarbook.redact.redacted_states import MinionStates
from pillarbook.redact.shown_access import AccessPath
from pillarbook.redact.source_files import (
    ImportedFile,
    JudgedLines,
    MaskedLine,
    MinionRenders,
    SourceFile,
)
from pillarbook.report.about_report import AboutReport
from pillarbook.report.history_reader import SavedHistory
from pillarbook.roots.history import LineAge


@dataclass(frozen=True, slots=True)
class EnvironmentSide:
    """One of the environments that are compared."""

    name: str
    is_pillarenv: bool
    """Whether it is a pillarenv; else a named set of master options."""
    has_top: bool
    """Whether it has a top file; without one Salt gives nothing to anybody there."""


class FilesOfCommit(Protocol):
    """The files of a commit, by the names that origins have."""

    @property
    def commit(self) -> str | None:
        """The commit's id; None if there is none, or it cannot be read."""

    def path_of(self, file: str) -> str | None:
        """Return a file's path from the top of the repository.

        None if the commit has no such file, or if the report was made of another content.
        """


class RevisionSource(Protocol):
    """A fleet as it was, beside the session of the fleet as it is."""

    @property
    def labels(self) -> tuple[str, str]:
        """What both sides are called, base and head."""

    @property
    def gone(self) -> Sequence[str]:
        """The ids of minions that the source no longer has."""

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What there is to say about the base; complete once the last pillar was given."""

    @property
    def ignore(self) -> Ignore:
        """Says which changes are noise."""

    @property
    def acknowledgements(self) -> Acknowledgements:
        """Which changes are acknowledged."""

    @property
    def committed(self) -> FilesOfCommit:
        """The files as they were."""

    def grains(self, minion: str) -> Mapping[str, Any]:
        """Return the grains that a minion had, redacted, as plain data."""

    def pillars(self, minion: str) -> tuple[RedactedPillar | None, RedactedPillar | None]:
        """Return what a minion gets in the base and in the head; None if it is missing there.

        Asked after the source's ``pillar``. Where both are the same, both are one object.
        """

    def last_change(self, file: str) -> LineAge | None:
        """Return the last commit since the base that changed a file; None if that is not known."""

    def explain(self, diff: Diff) -> Diff:
        """Return a comparison of all minions, whose changes say which lines they are because of."""


@dataclass(frozen=True, slots=True)
class NotCompared:
    """Says why a source is not compared."""

    base: str
    """The revision that was asked for."""
    reason: str
    """Why it is not to be had, and what to do."""


class WritesPillars(Protocol):
    """Writes redacted pillars as texts."""

    def as_json(self, pillar: RedactedPillar) -> str:
        """Return a pillar as one line of JSON, as ``compile`` prints it."""

    def as_yaml(self, pillar: RedactedPillar) -> str:
        """Return a pillar as YAML, as ``compile --format yaml`` prints what is below the id."""


class PillarSources(Protocol):
    """The files of the pillar, as far as pages may see them."""

    def forget(self) -> None:
        """Drop what was made with the names that were shown until now."""

    def files(self) -> Iterable[SourceFile]:
        """Return the SLS files of all environments."""

    def find(self, file: str) -> SourceFile | None:
        """Return a file that has a page, by its name as origins show it; None for any other file.

        Such are SLS files, and what some template has imported so far.
        """

    def find_imported(self, imported: ImportedFile) -> SourceFile | None:
        """Return a file that some template imported, in this process or in another."""

    def renders(self, minion: str) -> MinionRenders:
        """Return what the compile of a minion rendered; asked after its ``pillar``."""

    def secret_lines(self) -> Iterable[tuple[str, int]]:
        """Return the lines of files of which a value was redacted so far."""

    def mask(
        self, lines: Mapping[str, JudgedLines]
    ) -> Iterable[tuple[str, tuple[MaskedLine, ...]]]:
        """Return files by name with their masked lines; asked once all pillars were given."""


class DescribesReport(Protocol):
    """Tells what a report is of."""

    def describe(self) -> AboutReport:
        """Return commit, time and versions."""


class ReportSource(Protocol):
    """The result of a run, as far as pages may see it.

    Pillars are asked for once each, in the order of ``minions``, and may be compiled only then.
    """

    sources: PillarSources
    """The files of the pillar."""
    about: DescribesReport
    """Tells what the report is of."""
    committed: FilesOfCommit
    """The files that are as the commit has them that is checked out."""
    site_name: str
    """The name of the report; the site gives it one."""
    history: SavedHistory | None
    """The builds before; None if nobody keeps them."""

    @property
    def minions(self) -> Sequence[str]:
        """The ids of all minions, in inventory order."""

    @property
    def environments(self) -> Sequence[EnvironmentSide]:
        """What each minion is compiled with in turn; the first is what the others are compared to.

        Empty if there are fewer than two.
        """

    @property
    def since(self) -> RevisionSource | NotCompared | None:
        """The fleet as it was; None if no revision is named to compare with."""

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All diagnostics, worst first; complete once the last pillar was given."""

    def pillar(self, minion: str) -> RedactedPillar:
        """Return what a minion gets, as it is declared."""

    def pillar_in(self, environment: str, minion: str) -> RedactedPillar:
        """Return what a minion would get in one of the environments; asked after ``pillar``."""

    @property
    def has_states(self) -> bool:
        """Whether the fleet has states; else there are no pages about them."""

    def states(self, minion: str, *, traced: bool = True) -> MinionStates | None:
        """Return the states of a minion; None if the fleet has none. Asked after ``pillar``.

        ``traced`` is for finding out which pillar keys arguments depend on, which is dear.
        """

    def grains(self, minion: str) -> Mapping[str, Any]:
        """Return a minion's grains, redacted, as plain data."""

    def diagnostics_of(self, minion: str) -> Sequence[Diagnostic]:
        """Return the diagnostics that concern a minion; complete once its pillar was given."""

    @property
    def texts(self) -> WritesPillars:
        """Writes pillars as ``compile`` prints them."""

    def token(self, place: int) -> str:
        """Return the token of the secret with a place number."""

    def ways(self, minion: str, origin: RedactedOrigin) -> tuple[AccessPath, ...]:
        """Return how a minion came by a value that has this last origin; asked after ``pillar``.

        Equal ways of several minions are one object, as far as that is cheap.
        """

    def ages(self, places: Iterable[tuple[str, int]]) -> Mapping[tuple[str, int], LineAge]:
        """Return when values last changed in git, by file and first line.

        Nothing is said of a file that is in no repository that may be read.
        """
