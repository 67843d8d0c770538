"""One build of a site, from its configuration to its end."""

import logging
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias
from urllib.parse import urlsplit

from mkdocs.exceptions import Abort
from mkdocs.utils import CountHandler

from pillarbook.diagnostics import Diagnostic, PillarbookError, Severity
from pillarbook.inventory.settings import AUTO, SHARED, TOKEN_KEY, Settings
from pillarbook.publish.configuration import read_configuration
from pillarbook.publish.engine import ENGINE_LOG
from pillarbook.publish.leak_gate import find_leaks
from pillarbook.publish.links import DeadLinksError, check_links
from pillarbook.publish.minion_parts import FOLDER, MINION_PAGES, MinionParts, encode
from pillarbook.publish.other_themes import is_own_theme
from pillarbook.publish.page_frame import PageFrame
from pillarbook.publish.replace_site import StagedSite
from pillarbook.publish.second_build import SecondBuild
from pillarbook.publish.site_folder import find_hidden
from pillarbook.publish.withheld import LogFilter
from pillarbook.redact import SecretStore
from pillarbook.redact.leak_errors import Leak, LeakError
from pillarbook.redact.secret_index import SecretIndex
from pillarbook.report.addresses import Page
from pillarbook.report.history_entry import write_entry
from pillarbook.report.report import Report
from pillarbook.report.search_entries import SitePage
from pillarbook.report.source import ReportSource

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.nav import Navigation

    from pillarbook.publish.inputs import Inputs
    from pillarbook.session import RunOptions


class OpenSession(Protocol):
    """The parts of an open fleet that a build needs; ``session.Session`` has them."""

    @property
    def report(self) -> ReportSource:
        """The source of the pages."""

    @property
    def store(self) -> SecretStore:
        """The clear values of secrets, for checks that none is published."""

    def know(self, earlier: SecretStore) -> None:
        """Treat the secrets of an earlier run over the same fleet as known; called first."""

    def learn(self, ranks: Sequence[int]) -> None:
        """Compile what pages show of the minions at some places in the inventory."""

    def compile_fleet(self, write: Callable[[Sequence[int]], Any]) -> Sequence[Any]:
        """Compile everything that pages show, so that the secrets of all minions are known.

        If there are several processes, ``write`` is called in each with the inventory positions of
        its minions, and the results are those of the other processes.
        """

    def close(self) -> None:
        """Release everything that the run holds; the session is not used afterwards."""


SessionOpener: TypeAlias = Callable[[Settings], OpenSession]
"""Opens the session that the settings describe."""
LARGE_FLEET = 5_000
"""Minions up to which each page shows all of its values, unless the settings say otherwise."""
LOG = logging.getLogger(__name__)
"""Outside of MkDocs' own loggers, whose warnings count as faults in strict mode."""


class PartWritten(Exception):  # noqa: N818 (no error: it ends MkDocs before it writes pages)
    """A part of the report is written, and nothing is left to do."""


class Parts(Protocol):
    """Takes part in a build: writes one part of the report, or puts its parts together."""

    def before(self, build: "Build", inputs: "Inputs") -> None:
        """Do what comes before the fleet is compiled."""

    def after(self, build: "Build", inputs: "Inputs") -> None:
        """Do what comes after its minions' pages are written."""


class StrictError(PillarbookError):
    """A strict build has found a fault."""

    def __init__(self, why: str) -> None:
        super().__init__(f"nothing is published, because the build is strict and {why}")


class Stopped(Abort):
    """pillarbook stops a build; the reason is one sentence."""

    def __init__(self, reason: str, exit_code: int = 1) -> None:
        super().__init__(reason)
        self.exit_code = exit_code  # type: ignore[misc]  # click declares it for the class
        self.code = exit_code


@dataclass(frozen=True, slots=True)
class PublishedSite:
    """A published site."""

    folder: Path
    pages: int
    diagnostics: tuple[Diagnostic, ...]
    """The diagnostics of the pillar, worst first."""
    entry: str | None = None
    """What the build adds to the history; None for nothing."""


@dataclass(slots=True)
class Build:
    """One build."""

    config: "MkDocsConfig"
    settings: Settings
    """The plugin's settings."""
    site: StagedSite
    """The folder that MkDocs writes to."""
    site_name: str
    """The site's name, plain text."""
    known: SecretIndex
    """The secrets that must not be published."""
    options: Mapping[str, Any]
    """MkDocs' options before any plugin changed them."""
    warnings: CountHandler = field(default_factory=CountHandler)
    """Counts the warnings of MkDocs."""
    session: OpenSession | None = None
    """The open session; None before."""
    report: Report | None = None
    """Writes the pages."""
    parts: MinionParts | None = None
    """Pages that several processes have written, for MkDocs to frame."""
    processes: int = 1
    """How many processes share work."""
    nav: "Navigation | None" = None
    """MkDocs' navigation; None before."""
    frames: Mapping[str, PageFrame] = field(default_factory=dict)
    """Frames pages by their kinds; MkDocs frames all others."""
    entries: dict[str, Page] = field(default_factory=dict)
    """The report's pages by the files that MkDocs makes them from."""
    pages: int = 0
    """The number of pages written so far."""
    own: list[SitePage] = field(default_factory=list)
    """The site's other pages."""
    entry: str | None = None
    """What the build adds to the history; None for nothing."""

    log: LogFilter = field(init=False)
    """Removes secrets from the log."""
    has_own_theme: bool = field(init=False)
    """Whether the theme is pillarbook's."""

    def __post_init__(self) -> None:
        self.has_own_theme = is_own_theme(self.config)
        self.log = LogFilter(self.known)
        if self.config.strict:
            self.warnings.setLevel(logging.WARNING)
            ENGINE_LOG.addHandler(self.warnings)

    def compile_fleet(self, make_report: Callable[[ReportSource], Report]) -> None:
        """Compile the fleet, in several processes if the session allows it."""
        assert self.session is not None  # noqa: S101 (it was opened just before)
        source, everyone = self.session.report, range(len(self.session.report.minions))
        parts = MinionParts(self.site.folder, shares=self._shares_sections(len(everyone)))

        def write(ranks: Sequence[int]) -> Any:
            # Shown names have changed since the fleet was compiled, so pages are planned only now.
            self.report, self.parts = make_report(source), parts
            return parts.write(self.report, ranks)

        given = self.session.compile_fleet(write)
        if given:  # of this machine or of others
            self.parts = parts
        self.processes += len(given)
        self.report = self.report or make_report(source)
        for places, gathered in given:
            parts.take(places)
            self.report.take(gathered)
        if parts.shares:
            if self.parts is None:  # this process alone
                write(everyone)
            self.report.share(parts.find_shared(), parts.read_rows)

    def _shares_sections(self, minions: int) -> bool:
        """Say whether sections that many minions share have pages."""
        is_large = self.settings.sections == AUTO and minions > LARGE_FLEET
        return is_large or self.settings.sections == SHARED

    @contextmanager
    def taking_part(self, parts: Parts | None, options: "RunOptions | None") -> Iterator[None]:
        """Do what a part of the report needs before and after the fleet is compiled."""
        if parts is None or self.session is None:
            yield
            return
        from pillarbook.publish.inputs import describe_inputs  # noqa: PLC0415 (few builds need it)

        files = read_configuration(Path(self.config.config_file_path or "mkdocs.yml"))
        commit = self.session.report.committed.commit or ""
        inputs = describe_inputs(self.settings, options or options_of_mkdocs(), files, commit)
        parts.before(self, inputs)
        yield
        parts.after(self, inputs)

    def make_parts_folder(self) -> Path:
        """Return the folder of pages that other processes have written."""
        folder = self.site.folder / FOLDER
        folder.mkdir()
        return folder

    def write(self, entry: Page) -> str:
        """Return the content of a page."""
        assert self.report is not None  # noqa: S101 (the fleet was compiled)
        if self.parts is not None and entry.kind in MINION_PAGES:
            return self.parts.read(entry)
        return self.report.write(entry)

    def write_beside(self, entry: Page) -> None:
        """Write the files beside a page directly into the site."""
        assert self.report is not None  # noqa: S101 (as above)
        if self.parts is not None and entry.kind in MINION_PAGES:
            for address, part in self.parts.beside(entry):
                part.replace(self._make_room(address))
            return
        for address, text in self.report.beside(entry).items():
            self._make_room(address).write_bytes(encode(text))

    def write_search(self) -> None:
        """Write the index of the search box."""
        assert self.report is not None  # noqa: S101 (the fleet was compiled)
        for address, text in self.report.write_search(self.own):
            self._make_room(address).write_bytes(encode(text))

    def _make_room(self, address: str) -> Path:
        file = self.site.folder / address
        if file.exists():
            LOG.warning("%s is left out: the report has such a file", address)
        file.parent.mkdir(parents=True, exist_ok=True)
        return file

    def find_leaks(self, *, may_begin_again: bool) -> SecondBuild | None:
        """Search the written files for secrets.

        ``may_begin_again`` says whether the site may be built once more, with these secrets known
        from the start.

        Returns:
            None if there are no secrets, else the input of a second build.

        Raises:
            LeakError: There are secrets, and the site may not be built again.
        """
        if self.parts is not None:
            self.parts.remove()
        said = "nothing is published"
        if self.known.leaks:
            raise LeakError(said, self.known.leaks)
        kept = find_hidden(self.site.target)
        leaks = find_leaks(self.site.folder, self.known, kept, self.processes)
        leaks += self._find_in_entry()
        if not leaks:
            return None
        if not may_begin_again or self.session is None:
            raise LeakError(said, leaks)
        if self.config.strict:
            self.refuse_warnings()
        return SecondBuild(self.session.store, self.options)

    def _find_in_entry(self) -> Iterator[Leak]:
        """Write what the build adds to the history, and yield the first secret in it."""
        made = None if self.report is None else self.report.entry
        if made is None or self.session is None:
            return
        self.entry = write_entry(made, self.session.store.key)
        for hit in self.known.find(self.entry.encode()):
            yield Leak("the entry of the history", self.known.key_of(hit.secret_id))
            return

    def refuse_faults(self) -> None:
        """Stop a strict build before it publishes faults of the pillar or the site.

        Raises:
            PillarbookError: There are faults.
        """
        found = self.session.report.diagnostics if self.session is not None else ()
        errors = [one for one in found if one.severity == Severity.ERROR or _leaves_nothing(one)]
        if errors:
            place = f"{errors[0].position}: " if errors[0].position else ""
            many = "an error" if len(errors) == 1 else f"{len(errors)} errors, the first"
            raise StrictError(f"the pillar has {many}: {place}{errors[0].message}")
        self.refuse_warnings()
        dead = check_links(self.site.folder, urlsplit(self.config.site_url or "/").path)
        if dead:
            raise DeadLinksError(dead)

    def refuse_warnings(self) -> None:
        """Stop if MkDocs has warned; MkDocs itself counts only after ``on_post_build``.

        Raises:
            StrictError: It has warned.
        """
        counts = self.warnings.get_counts()
        if counts:
            words = " and ".join(f"{count} {level.lower()}(s)" for level, count in counts)
            raise StrictError(f"MkDocs found {words}")

    def end(self) -> None:
        """Release everything; the folder is removed or published."""
        self.log.remove()
        ENGINE_LOG.removeHandler(self.warnings)
        self.config.site_dir = str(self.site.target)
        if self.parts is not None:
            self.parts.close()
        if self.session is not None:
            self.session.close()
        self.session = self.report = self.parts = None


def _leaves_nothing(one: Diagnostic) -> bool:
    """Say whether an environment has none of its folders, so that the report would be empty."""
    return one.code == "missing-root" and one.severity == Severity.WARNING


def options_of_mkdocs() -> "RunOptions":
    """Return the options of ``mkdocs build`` and ``mkdocs serve``, which the environment has."""
    # Loaded only when there is something to compile: `mkdocs --help` loads plugins too.
    from pillarbook.session import RunOptions  # noqa: PLC0415

    token_key = os.environ.get(TOKEN_KEY)
    return RunOptions(
        trust=os.environ.get("PILLARBOOK_TRUST") == "1",
        token_key=token_key.encode() if token_key else None,
    )


def open_as_mkdocs(settings: Settings) -> OpenSession:
    """Open the session as MkDocs' own commands do."""
    from pillarbook.changes.since_revision import open_report_session  # noqa: PLC0415 (as above)

    return open_report_session(settings, options_of_mkdocs())


@contextmanager
def stopping() -> Iterator[None]:
    """Turn pillarbook's errors into one that ends MkDocs without a traceback."""
    try:
        yield
    except PillarbookError as error:
        raise Stopped(str(error), error.exit_code) from error
