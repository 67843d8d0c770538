"""The plugin's part of a server: watches the report's sources, and survives failed builds."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jinja2
from mkdocs.exceptions import MkDocsException
from watchdog.events import FileModifiedEvent
from watchdog.observers.api import ObservedWatch

from pillarbook.inventory.reach import Trust
from pillarbook.inventory.settings import Settings
from pillarbook.publish.configuration import read_configuration
from pillarbook.publish.live_server import LiveServer, answer_own_hosts
from pillarbook.publish.messages import TemplateFaultError
from pillarbook.publish.run import options_of_mkdocs
from pillarbook.publish.sources import find_sources, find_watched_reach
from pillarbook.publish.watcher import Watcher
from pillarbook.report.templates import template_root

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.livereload import LiveReloadServer

    from pillarbook.session import RunOptions

LOG = logging.getLogger(__name__)
"""Outside of MkDocs' own loggers, because people have to see the errors of failed builds."""


class Serving:
    """Follows the builds of one server."""

    def __init__(self) -> None:
        self._watcher = Watcher()
        self._sources: frozenset[Path] = frozenset()
        self._allows: Callable[[Path], bool] = lambda _: False
        self._left_to_mkdocs: frozenset[Path] = frozenset()

    def watch(
        self, settings: Settings, config: "MkDocsConfig", options: "RunOptions | None"
    ) -> None:
        """Watch the files that the next build reads."""
        asked = options or options_of_mkdocs()
        files = read_configuration(_configuration_file(config))
        trust = Trust(given=asked.trust)
        own = {
            *(Path(folder).absolute() for folder in config.theme.dirs),
            *(one.file.absolute() for one in files),
            Path(config.docs_dir).absolute(),
            template_root() / "pages",
        }
        self._sources = find_sources(settings, trust, asked.allow) | own
        # It also allows git's own files, because the revisions are there.
        self._allows = find_watched_reach(settings, trust, asked.allow, own).covers
        self._watcher.watch(self._sources - self._left_to_mkdocs, self._allows)

    def start(
        self, server: "LiveReloadServer", config: "MkDocsConfig", builder: Callable[..., Any]
    ) -> None:
        """Let the server build again after each change of a source, also if a build has failed."""
        docs = Path(config.docs_dir).absolute()
        self._left_to_mkdocs = frozenset({docs, _configuration_file(config).absolute()})
        self._watcher.watch(self._sources - self._left_to_mkdocs, self._allows)
        server.builder = lambda: _build_calmly(builder)
        if not isinstance(server, LiveServer):  # the command has set the application of ours
            server.set_app(answer_own_hosts(server.serve_request, str(config.dev_addr.host)))
        # The server builds after a change in a folder that it watches, so we report such a change.
        event, watch = FileModifiedEvent(str(docs)), ObservedWatch(str(docs), recursive=True)
        self._watcher.start(lambda: server.observer.event_queue.put((event, watch)))

    def stop(self) -> None:
        """Stop watching."""
        self._watcher.stop()


def _build_calmly(builder: Callable[..., Any]) -> None:
    """Build, and report the error of a failed build: the previous site is still served.

    MkDocs would print a traceback and answer no request until a build succeeds.
    """
    try:
        builder()
    except MkDocsException as error:
        LOG.error("%s", error.message)  # noqa: TRY400 (what is wrong is the user's, not ours)
    except jinja2.TemplateError as error:
        LOG.error("%s", TemplateFaultError(error))  # noqa: TRY400 (as above)
    # The server has to survive a mistake that somebody is about to correct.
    except Exception as error:  # noqa: BLE001 (a hook of the user's: it is told)
        LOG.error("%s: %s", type(error).__name__, error)  # noqa: TRY400 (as above)


def _configuration_file(config: "MkDocsConfig") -> Path:
    return Path(config.config_file_path or "mkdocs.yml")
