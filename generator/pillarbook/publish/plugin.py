"""The MkDocs plugin: fills the pages that MkDocs frames, and publishes the site in one step.

The events, in the order of a build:

      on_startup        record whether the site is to be served
        on_config         check the options, redirect MkDocs to a folder beside the site
        on_files          open the session, compile the fleet, add the report's pages
        on_nav            add the report's summaries to the navigation
        on_env            let MkDocs write the report's pages last, and in the report's order
        on_page_context   write a page's content
        on_post_page      write the files beside the page, and remove the content from memory
        on_post_build     search the site for secrets, replace the previous site with it
        on_build_error    remove the written files; the previous site is unchanged
        on_serve          watch the files that the report is made from
"""

import logging
from collections.abc import Callable
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from mkdocs.config.base import Config, ConfigErrors, ConfigWarnings
from mkdocs.plugins import BasePlugin, CombinedEvent, event_priority
from mkdocs.structure.files import InclusionLevel
from mkdocs.theme import Theme

from pillarbook.inventory.settings import Settings, parse_settings
from pillarbook.model.unknown import STAND_IN
from pillarbook.publish.configuration import find_inside, read_configuration, refuse_second_entry
from pillarbook.publish.docs_files import DocsReach, check_files, find_docs_reach
from pillarbook.publish.navigation import insert_pages, show_as_text
from pillarbook.publish.other_themes import add_files, announce_files, is_own_theme
from pillarbook.publish.page_frame import VARIABLE, find_frames
from pillarbook.publish.pages import (
    HIDDEN,
    WrittenPage,
    add_later,
    add_pages,
    describe_page,
    find_guide,
    put_last,
)
from pillarbook.publish.replace_site import stage_site
from pillarbook.publish.run import (
    Build,
    OpenSession,
    Parts,
    PublishedSite,
    SessionOpener,
    Stopped,
    open_as_mkdocs,
    options_of_mkdocs,
    stopping,
)
from pillarbook.publish.second_build import SecondBuild, build_again, plain_options, write_last
from pillarbook.publish.serving import Serving
from pillarbook.publish.withheld import withhold
from pillarbook.redact.secret_index import SecretIndex
from pillarbook.report.forge import find_forge
from pillarbook.report.help_pages import HelpPages
from pillarbook.report.report import Report
from pillarbook.report.source import ReportSource
from pillarbook.report.templates import page_environment

if TYPE_CHECKING:
    import jinja2
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.livereload import LiveReloadServer
    from mkdocs.structure.files import File, Files
    from mkdocs.structure.nav import Navigation
    from mkdocs.structure.pages import Page
    from mkdocs.utils.templates import TemplateContext

    from pillarbook.publish.pages_in_view import PagesInView
    from pillarbook.redact import SecretStore
    from pillarbook.session import RunOptions

THEME = "pillarbook"
LOG = logging.getLogger(__name__)
"""Outside of MkDocs' own loggers, whose warnings count as faults in strict mode."""


class PillarbookConfig(Config):  # type: ignore[no-untyped-call]  # MkDocs' hook has no types
    """The plugin's options, without checks.

    ``parse_settings`` checks them, with positions; MkDocs would only warn of an unknown one.
    """

    def validate(self) -> tuple[ConfigErrors, ConfigWarnings]:
        """Report no fault."""
        return [], []


class PillarbookPlugin(BasePlugin[PillarbookConfig]):  # type: ignore[no-untyped-call]  # as above
    """Adds the report to a MkDocs site."""

    open_session: SessionOpener | None = None
    """Opens the session instead of the plugin, for a command with options of its own."""
    options: "RunOptions | None" = None
    parts: Parts | None = None
    """Writes a part of the report only, or puts its parts together."""
    kept: tuple[Path, ...] = ()
    """Folders of that command that no site may replace."""
    in_view: "PagesInView | None" = None
    """The pages that a server writes first."""
    published: PublishedSite | None = None
    """The result of the last build."""

    def __init__(self) -> None:
        self._build: Build | None = None
        self._serving: Serving | None = None
        self._dirty = False
        self._known = SecretIndex()
        self._learned: SecretStore | None = None  # secrets of a first build, for the second
        # One for all builds of a server, so that each template is compiled once.
        self._templates = page_environment()  # reloads a changed template itself

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
        """Record whether the site is to be served.

        MkDocs keeps the plugin for all builds of a command because it has this event.
        """
        self._serving = Serving() if command == "serve" else None
        self._dirty = dirty

    @event_priority(100)  # before others look at site_dir
    def on_config(self, config: "MkDocsConfig") -> "MkDocsConfig":
        """Check the options, redirect MkDocs to a folder beside the site."""
        self._give_up()
        self.published = None
        self._know_anew()
        plain = plain_options(config)
        with stopping():
            settings = self._read_settings(config)
            if self._serving is not None:
                config.theme["live"] = True
                self._serving.watch(settings, config, self.options)
            site = stage_site(config, settings, self.options or options_of_mkdocs(), self.kept)
        self._build = Build(config, settings, site, config.site_name, self._known, plain)
        write_last(config.plugins, self)
        config.site_dir = str(site.folder)
        # A report is also opened from disk, where a folder is no page.
        config.use_directory_urls = False
        if not is_own_theme(config):
            announce_files(config)
        return config

    def on_files(self, files: "Files", *, config: "MkDocsConfig") -> "Files":
        """Check the files of the hand-written pages, open the session, add the report's pages."""
        build = self._current()
        check_files(files, config.docs_dir, self._find_docs_reach(config), self._is_used)
        guide = HelpPages(self._templates, find_guide(files), complete=build.settings.guide)
        forge = find_forge(config.repo_url, config.repo_name, config.edit_uri)

        def open_session() -> OpenSession:
            return (self.open_session or open_as_mkdocs)(build.settings)

        def make_report(source: ReportSource) -> Report:
            return Report(source, self._templates, guide, forge)

        if self.in_view is not None and self._learned is None:
            self.in_view.write(open_session, make_report)
        with stopping():
            build.session = open_session()
            build.session.report.site_name = build.site_name
            if self._learned is not None:
                build.session.know(self._learned)
            self._known.follow(build.session.store)
            # Always: the base of a comparison has its own settings.
            self._known.refuse(STAND_IN, "unanswered")
            with build.taking_part(self.parts, self.options):
                build.compile_fleet(make_report)
        assert build.report is not None  # noqa: S101 (made for the compiled fleet)
        build.entries = add_pages(build.report.pages, files, config)
        if not build.has_own_theme:
            add_files(files, config)
        return files

    @event_priority(-100)  # after those who rebuild it
    def on_nav(self, nav: "Navigation", *, config: "MkDocsConfig", files: "Files") -> "Navigation":
        """Add the report's summaries to the navigation, the home page first."""
        build = self._current()
        named = set(map(id, nav.pages))
        pages = [
            file.page
            for source, entry in build.entries.items()
            if (file := files.get_file_from_path(source)) is not None
            and (entry.in_nav or id(file.page) in named)
        ]
        written = [page for page in pages if isinstance(page, WrittenPage)]
        build.nav = insert_pages(nav, written, config)
        return build.nav

    @event_priority(-100)  # after those who move files
    def on_env(
        self, env: "jinja2.Environment", *, config: "MkDocsConfig", files: "Files"
    ) -> "jinja2.Environment":
        """Let MkDocs write the report's pages last, in its order: some sum up the others."""
        build = self._current()
        put_last(build.entries, files)
        build.frames = find_frames(env, config, build.nav, self)
        for file in files.documentation_pages():
            page = file.page
            if page is not None and not isinstance(page, WrittenPage) and page.title:
                page.title = show_as_text(str(page.title))
                build.own.append(describe_page(page))
        return env

    @event_priority(100)  # before a search index looks at the content
    def _on_page_context_words(
        self,
        context: "TemplateContext",
        *,
        page: "Page",
        config: "MkDocsConfig",  # noqa: ARG002 (MkDocs passes it)
        nav: "Navigation",  # noqa: ARG002 (as above)
    ) -> "TemplateContext":
        """Give a page a few words, for the search of another theme."""
        build = self._current()
        entry = build.entries.get(page.file.src_uri)
        if entry is not None and build.report is not None and not build.has_own_theme:
            page.content = page.content or f"<p>{escape(build.report.list_words(entry))}</p>"
        return context

    @event_priority(-100)  # a search index has the words by now; the data would make it unusable
    def _on_page_context_content(
        self,
        context: "TemplateContext",
        *,
        page: "Page",
        config: "MkDocsConfig",
        nav: "Navigation",  # noqa: ARG002 (MkDocs passes it)
    ) -> "TemplateContext":
        """Write a page's content, with its frame if that is known; add pages that it needs."""
        build = self._current()
        entry = build.entries.get(page.file.src_uri)
        if build.report is not None:
            context["pillarbook_about"] = build.report.about  # type: ignore[typeddict-unknown-key]
            context["pillarbook_guide"] = build.report.guide  # type: ignore[typeddict-unknown-key]
        if entry is None or build.report is None:
            return context
        with stopping():
            content = build.write(entry)
            further = build.report.further(entry)
        build.entries |= add_later(further, context["pages"], config)
        if entry.kind == "home":
            written = not isinstance(page, WrittenPage) and page.content
            above = written or f"<h1>{escape(build.site_name)}</h1>\n"
            page.meta.setdefault("hide", HIDDEN)
            content = above + content
        page.content = content
        if entry.kind in build.frames:
            framed = build.frames[entry.kind].frame(page, content)
            context[VARIABLE] = framed  # type: ignore[literal-required]
        return context

    on_page_context = CombinedEvent(_on_page_context_words, _on_page_context_content)

    # Before those who check links: pillarbook checks those of its pages itself, and some of them
    # lead to pages that are planned later.
    @event_priority(100)
    def on_post_page(self, output: str, *, page: "Page", config: "MkDocsConfig") -> str:  # noqa: ARG002 (MkDocs passes it)
        """Write the files beside a page, and remove its content: all together need much memory."""
        build = self._current()
        build.pages += 1
        entry = build.entries.get(page.file.src_uri)
        if entry is not None and build.report is not None:
            if entry.kind in build.frames:
                build.frames[entry.kind].learn(page, page.content or "", output)
            with stopping():
                build.write_beside(entry)
            page.content = ""
        return output

    @event_priority(-100)  # after those who write more files
    def on_post_build(self, *, config: "MkDocsConfig") -> None:
        """Search the site for secrets, and replace the previous site with it.

        Secrets that only an earlier revision has are found while pages are written. If a first
        build has such a secret on a page, the site is built once more with all secrets known.
        """
        with stopping():
            if self._current().has_own_theme:  # another has its own search
                self._current().write_search()
            again = self._current().find_leaks(may_begin_again=self._learned is None)
            if again is None:
                self._publish(config)
        if again is not None:
            self._begin_again(config, again)

    def _begin_again(self, config: "MkDocsConfig", again: SecondBuild) -> None:
        LOG.info("Building again, with the secrets of all minions")
        self._give_up()
        self._learned = again.learned
        try:
            serve_url = config.site_url if self._serving is not None else None
            build_again(config, again.options, serve_url=serve_url, dirty=self._dirty)
        finally:
            self._learned = None

    def _publish(self, config: "MkDocsConfig") -> None:
        build = self._current()
        if config.strict:
            build.refuse_faults()
        how = build.site.publish()
        if how == "file by file":
            LOG.warning(
                "%s cannot be replaced in one step, so it was brought up to date file by file: "
                "a reader may have seen old and new pages side by side",
                build.site.target,
            )
        for folder in build.site.left:
            LOG.warning("%s, what is left of an earlier site, cannot be removed", folder)
        found = build.session.report.diagnostics if build.session is not None else ()
        if self.in_view is not None and build.session is not None:
            self.in_view.store = build.session.store
        self.published = PublishedSite(build.site.target, build.pages, tuple(found), build.entry)
        self._end()

    def on_build_error(self, *, error: Exception) -> None:
        """Remove the written files; the previous site is unchanged."""
        with stopping():
            try:
                withhold(error, self._known)
            finally:
                self._give_up()

    def on_serve(
        self, server: "LiveReloadServer", *, config: "MkDocsConfig", builder: Callable[..., Any]
    ) -> "LiveReloadServer":
        """Watch the files that the report is made from, and keep serving if a build fails."""
        if self._serving is not None:
            self._serving.start(server, config, builder)
        return server

    def on_shutdown(self) -> None:
        """Remove the files of an interrupted build."""
        if self._serving is not None:
            self._serving.stop()
        self._give_up()

    def _know_anew(self) -> None:
        """Forget the secrets of earlier builds; use the index of the command, as its streams do."""
        if self.options is not None and self.options.known is not None:
            self._known = self.options.known
        if self._learned is None:
            self._known.forget()

    def _read_settings(self, config: "MkDocsConfig") -> Settings:
        file = Path(config.config_file_path or "mkdocs.yml")
        own, *inherited = read_configuration(file)
        refuse_second_entry(own, *inherited)
        if not any("theme" in configuration.data for configuration in (own, *inherited)):
            config.theme = Theme(name=THEME)
        options: dict[str, Any] = dict(self.config)
        with_plugin = next((one for one in (own, *inherited) if "plugins" in one.data), own)
        settings = parse_settings(
            options, position_of=with_plugin.position_in_plugin, folder=file.absolute().parent
        )
        # For an earlier state of the tree, the section is read from that state's file.
        return replace(settings, file=file.absolute()) if with_plugin is own else settings

    def _find_docs_reach(self, config: "MkDocsConfig") -> DocsReach:
        asked = self.options or options_of_mkdocs()
        inside = find_inside(Path(config.config_file_path or "mkdocs.yml"))
        return find_docs_reach(Path(config.docs_dir), inside, asked.allow, trusted=asked.trust)

    def _is_used(self, file: "File") -> bool:
        least = InclusionLevel.DRAFT if self._serving is not None else InclusionLevel.NOT_IN_NAV
        return bool(file.inclusion.value >= least.value)

    def _current(self) -> Build:
        if self._build is None:
            raise Stopped("the pillarbook plugin was called outside a build")
        return self._build

    def _give_up(self) -> None:
        if self._build is not None:
            self._build.site.discard()
            self._end()

    def _end(self) -> None:
        self._current().end()
        self._build = None
