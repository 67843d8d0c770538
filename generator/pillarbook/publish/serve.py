"""Serves a site while its sources are edited, and builds it again after every change."""

import ipaddress
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import click
from mkdocs.commands.build import build

from pillarbook.diagnostics import PillarbookError
from pillarbook.publish.configuration import ConfigurationError
from pillarbook.publish.live_server import LiveServer, answer_own_hosts
from pillarbook.publish.messages import find_option
from pillarbook.publish.mkdocs_run import Loaded, load, mkdocs_errors, read_trusted
from pillarbook.publish.pages_in_view import PagesInView
from pillarbook.publish.replace_site import lock_folder
from pillarbook.publish.run import PublishedSite, SessionOpener
from pillarbook.session import RunOptions
from pillarbook.session.failed_compiles import place_of_fault
from pillarbook.session.garbage_collector import collect_garbage

PREFIX = "pillarbook-serve-"
SECONDS_TO_LOCK = 60.0
"""The seconds after which a folder without a lock counts as abandoned."""
INTERRUPTED = (0, 130)
"""Exit codes for Ctrl-C, which is the usual end of a server."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeOptions:
    """The options of a server."""

    config_file: Path
    """The MkDocs configuration."""
    address: str | None
    """Host and port, instead of those in the configuration."""
    options: RunOptions
    """The options of its runs."""
    opening: Callable[[], AbstractContextManager[SessionOpener]]
    """Gives the opener of the session of a build, for the duration of the build."""
    on_published: Callable[[PublishedSite, float], None]
    """Called after each build with the site, and the seconds that it took."""
    allowed_hosts: tuple[str, ...] = ()
    """Host names that requests may have, in addition to those of this machine and the address."""


def serve_site(asked: ServeOptions) -> int:
    """Build a site, serve it, and build it again after every change, until interrupted.

    The first build has to succeed. If a later one fails, one sentence reports it, and the previous
    site is still served.

    Returns:
        The exit code: 0 when it was interrupted from the keyboard.

    Raises:
        PillarbookError: There is no site to serve, or no address.
    """
    try:
        with _make_folder() as folder:
            _Server(asked, folder / "site").run()
    except KeyboardInterrupt:
        return 0
    except SystemExit as leaving:  # the watching process returns the code of its child
        if leaving.code not in INTERRUPTED:
            raise
    return 0


class _Server:
    """One server and its builds."""

    def __init__(self, asked: ServeOptions, site: Path) -> None:
        self._asked = asked
        self._site = site
        self._url = ""
        self._in_view = PagesInView(site)
        self._reload_after: Callable[[], None] = lambda: None

    def run(self) -> None:
        """Serve until interrupted."""
        first = self._load()
        config = first.config
        host, port = config.dev_addr
        mount_path = urlsplit(config.site_url or "/").path
        server = LiveServer(self._rebuild, (str(host), port), self._site, mount_path)
        server.on_page, self._in_view.on_written = self._in_view.note, server.reload
        self._reload_after = server.reload_after_build
        server.set_app(answer_own_hosts(server.serve_request, str(host), self._asked.allowed_hosts))
        self._url = server.url
        config.plugins.on_startup(command="serve", dirty=False)
        try:
            server.server_bind()
            self._build(first)
            collect_garbage()
            server.watch(config.docs_dir)
            server.watch(str(self._asked.config_file))
            started = config.plugins.on_serve(server, config=config, builder=self._rebuild)
            for path in config.watch:
                started.watch(path)
            try:
                started.serve()  # type: ignore[no-untyped-call]
            finally:
                started.shutdown()
        finally:
            server.server_close()
            config.plugins.on_shutdown()

    def _load(self) -> Loaded:
        asked = self._asked
        trusted = asked.options.trust
        configurations = read_trusted(
            asked.config_file, trusted=trusted, own_site_dir=False, allow=asked.options.allow
        )
        loaded = load(configurations, site_dir=str(self._site), dev_addr=asked.address)
        loaded.plugin.options = asked.options
        if not trusted and asked.address is None and not _is_local(loaded.config.dev_addr.host):
            position = find_option(configurations, ("dev_addr",))
            why = "`dev_addr` lets others read the report; use --dev-addr, or --trust"
            raise ConfigurationError(position, why)
        return loaded

    def _rebuild(self) -> None:
        """Build again; if this fails, the previous site is still served."""
        try:
            self._build(self._load())
        except PillarbookError as error:
            click.echo(f"pillarbook: {error}", err=True)
        # People save a tree half edited; the next save builds again.
        except Exception as error:  # noqa: BLE001 (told; the server goes on)
            click.echo(f"pillarbook: internal error: {place_of_fault(error)}", err=True)
        # Now, because the next edit is to be seen soon, and not when the next session is opened.
        collect_garbage()

    def _build(self, loaded: Loaded) -> None:
        begin = time.monotonic()
        loaded.config.site_url = self._url
        loaded.plugin.in_view = self._in_view
        with mkdocs_errors(loaded.configurations), self._asked.opening() as opener:
            loaded.plugin.open_session = opener
            build(loaded.config, serve_url=self._url)
        if self._in_view.has_changed():
            self._reload_after()
        if loaded.plugin.published is not None:
            self._asked.on_published(loaded.plugin.published, time.monotonic() - begin)


def _is_local(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@contextmanager
def _make_folder() -> Iterator[Path]:
    """Yield a folder for the duration of a server; remove those of killed servers."""
    _remove_abandoned()
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    lock = lock_folder(folder)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if lock is not None:
            os.close(lock)


def _remove_abandoned() -> None:
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):  # another server was faster
            found = folder.lstat()
            if found.st_uid != os.getuid() or time.time() - found.st_mtime < SECONDS_TO_LOCK:
                continue
            lock = lock_folder(folder)
            if lock is not None:
                shutil.rmtree(folder, ignore_errors=True)
                os.close(lock)
