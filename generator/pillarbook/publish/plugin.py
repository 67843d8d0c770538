"""The MkDocs plugin: fills the pages that MkDocs frames, and publishes the site in one step.

The events, in the order of a build:

    on_config         check the options, redirect MkDocs to a folder beside the site
    on_files          open the book, add a page a minion
    on_env            put the front page last: it sums up the others
    on_page_context   write a page's content
    on_post_page      drop it again
    on_post_build     put the new site into the place of the old one
    on_build_error    remove what was written; the old site stands
"""

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from mkdocs.config.base import Config, ConfigErrors, ConfigWarnings
from mkdocs.exceptions import Abort
from mkdocs.plugins import BasePlugin, event_priority
from mkdocs.theme import Theme
from mkdocs.utils import CountHandler

from pillarbook.diagnostics import PillarbookError, Severity
from pillarbook.inventory.settings import Settings, parse_settings
from pillarbook.publish.configuration import read_configuration
from pillarbook.publish.pages import MinionPage, add_front, add_minions
from pillarbook.publish.swap import StagedSite, stage
from pillarbook.report import Book, MinionPages, MinionSummary, page_environment, write_front

if TYPE_CHECKING:
    import jinja2
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File, Files
    from mkdocs.structure.nav import Navigation
    from mkdocs.structure.pages import Page
    from mkdocs.utils.templates import TemplateContext

OpenBook: TypeAlias = Callable[[Settings], Book]
"""Runs the pipeline as the settings say."""

THEME = "pillarbook"
LOG = logging.getLogger(__name__)
"""Outside of MkDocs' own loggers, whose warnings count as faults in strict mode."""


class StrictError(PillarbookError):
    """A strict build has something to complain of."""

    def __init__(self, why: str) -> None:
        super().__init__(f"nothing is published, because the build is strict and {why}")


class Stopped(Abort):
    """A build that pillarbook stops, for a reason that is one sentence."""

    def __init__(self, reason: str, exit_code: int = 1) -> None:
        super().__init__(reason)
        self.exit_code = exit_code  # type: ignore[misc]  # click declares it for the class
        self.code = exit_code


class PillarbookConfig(Config):  # type: ignore[no-untyped-call]  # MkDocs' hook has no types
    """The plugin's options, as they are.

    ``parse_settings`` checks them, with positions; MkDocs would only warn of an unknown one.
    """

    def validate(self) -> tuple[ConfigErrors, ConfigWarnings]:
        """Find no fault."""
        return [], []


@dataclass
class _Build:
    """One build from ``on_config`` to its end."""

    config: "MkDocsConfig"
    settings: Settings
    site: StagedSite
    warnings: CountHandler = field(default_factory=CountHandler)
    summaries: list[MinionSummary] = field(default_factory=list)
    book: Book | None = None
    pages: MinionPages | None = None
    front: "File | None" = None


class PillarbookPlugin(BasePlugin[PillarbookConfig]):  # type: ignore[no-untyped-call]  # as above
    """Adds the pages of minions to a MkDocs site."""

    open_book: OpenBook | None = None
    """Opens the book in place of the plugin's own way, for a command with options of its own."""

    def __init__(self) -> None:
        self._build: _Build | None = None
        self._templates = page_environment()

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
        """Be kept for all builds of a command, so that ``on_shutdown`` finds an interrupted one."""

    @event_priority(100)  # before others look at site_dir
    def on_config(self, config: "MkDocsConfig") -> "MkDocsConfig":
        """Check the options, redirect MkDocs to a folder beside the site."""
        self._give_up()
        with _stopping():
            settings = self._read_settings(config)
            sources = (settings.folder, settings.master, *settings.inventory)
            site = stage(Path(config.site_dir), sources)
        self._build = build = _Build(config, settings, site)
        config.site_dir = str(site.folder)
        config.use_directory_urls = False
        if config.strict:
            build.warnings.setLevel(logging.WARNING)
            logging.getLogger("mkdocs").addHandler(build.warnings)
        return config

    def on_files(self, files: "Files", *, config: "MkDocsConfig") -> "Files":
        """Open the book, add a page a minion."""
        build = self._current()
        with _stopping():
            build.book = book = (self.open_book or _open_book)(build.settings)
            build.pages = MinionPages(book, self._templates)
            add_minions(list(book.minions), files, config)
        build.front = add_front(files, config)
        return files

    def on_env(
        self,
        env: "jinja2.Environment",
        *,
        config: "MkDocsConfig",  # noqa: ARG002 (MkDocs passes it)
        files: "Files",
    ) -> "jinja2.Environment":
        """Put the front page last: it sums up the others."""
        front = self._current().front
        if front is not None:
            files.remove(front)
            files.append(front)
        return env

    @event_priority(-100)  # a search index gets the titles; the data would make it unusable
    def on_page_context(
        self,
        context: "TemplateContext",
        *,
        page: "Page",
        config: "MkDocsConfig",  # noqa: ARG002 (MkDocs passes it)
        nav: "Navigation",  # noqa: ARG002 (MkDocs passes it)
    ) -> "TemplateContext":
        """Write a page's content."""
        build = self._current()
        if build.book is None or build.pages is None:
            return context
        with _stopping():
            if isinstance(page, MinionPage):
                written = build.pages.write(page.minion)
                build.summaries.append(written.summary)
                page.content = written.html
            elif page.file is build.front:
                fleet = write_front(build.summaries, build.book.diagnostics, self._templates)
                page.content = (page.content or f"<h1>{page.title}</h1>\n") + fleet
        return context

    @event_priority(-100)  # after those who look at the content
    def on_post_page(self, output: str, *, page: "Page", config: "MkDocsConfig") -> str:  # noqa: ARG002 (MkDocs passes it)
        """Drop a page's content."""
        if isinstance(page, MinionPage):
            page.content = ""
        return output

    @event_priority(-100)  # after those who write more files
    def on_post_build(self, *, config: "MkDocsConfig") -> None:
        """Put the new site into the place of the old one."""
        build = self._current()
        with _stopping():
            if config.strict:
                _refuse_faults(build)
            how = build.site.publish()
        if how == "file by file":
            LOG.warning(
                "%s cannot be replaced in one step, so it was brought up to date file by file: "
                "a reader may have seen old and new pages side by side",
                build.site.target,
            )
        self._end()

    def on_build_error(self, *, error: Exception) -> None:  # noqa: ARG002 (MkDocs passes it)
        """Remove what was written; the old site stands."""
        self._give_up()

    def on_shutdown(self) -> None:
        """Remove what an interrupted build has written."""
        self._give_up()

    def _read_settings(self, config: "MkDocsConfig") -> Settings:
        file = Path(config.config_file_path or "mkdocs.yml")
        own, *inherited = read_configuration(file)
        if not any("theme" in configuration.data for configuration in (own, *inherited)):
            config.theme = Theme(name=THEME)
        options: dict[str, Any] = dict(self.config)
        with_plugin = next((one for one in (own, *inherited) if "plugins" in one.data), own)
        return parse_settings(
            options, position_of=with_plugin.position_in_plugin, folder=file.absolute().parent
        )

    def _current(self) -> _Build:
        if self._build is None:
            raise Stopped("the pillarbook plugin was called outside a build")
        return self._build

    def _give_up(self) -> None:
        if self._build is not None:
            self._build.site.discard()
            self._end()

    def _end(self) -> None:
        build = self._current()
        logging.getLogger("mkdocs").removeHandler(build.warnings)
        build.config.site_dir = str(build.site.target)
        if build.book is not None:
            build.book.close()
        self._build = None


def _open_book(settings: Settings) -> Book:
    """Open the book as ``mkdocs build`` and ``mkdocs serve`` do, which have no options for it."""
    # What compiles is loaded when there is something to compile: `mkdocs --help` loads plugins too.
    from pillarbook.book import RunOptions, open_book  # noqa: PLC0415

    token_key = os.environ.get("PILLARBOOK_TOKEN_KEY")
    options = RunOptions(
        trust=os.environ.get("PILLARBOOK_TRUST") == "1",
        token_key=token_key.encode() if token_key else None,
    )
    return open_book(settings, options)


def _refuse_faults(build: _Build) -> None:
    """Stop a strict build before it publishes what MkDocs or the pillar finds wrong.

    MkDocs itself counts its warnings only after ``on_post_build``.
    """
    book = build.book
    errors = [one for one in book.diagnostics if one.severity == Severity.ERROR] if book else []
    if errors:
        place = f"{errors[0].position}: " if errors[0].position else ""
        many = "an error" if len(errors) == 1 else f"{len(errors)} errors, the first"
        raise StrictError(f"the pillar has {many}: {place}{errors[0].message}")
    counts = build.warnings.get_counts()
    if counts:
        found = " and ".join(f"{count} {level.lower()}(s)" for level, count in counts)
        raise StrictError(f"MkDocs found {found}")


@contextmanager
def _stopping() -> Iterator[None]:
    """Turn what pillarbook cannot go on from into what MkDocs ends with, without a traceback."""
    try:
        yield
    except PillarbookError as error:
        raise Stopped(str(error), error.exit_code) from error
