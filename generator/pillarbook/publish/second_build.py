"""A second build of a site, with the secrets that the first one found.

The configuration is loaded again for it, as MkDocs' own server does before each build. So plugins
that change the configuration, or keep state, work as they do there.
"""

import logging
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mkdocs.commands.build import build
from mkdocs.config import load_config

from pillarbook.publish.engine import ENGINE_LOG

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.plugins import BasePlugin, PluginCollection

    from pillarbook.redact import SecretStore


@dataclass(frozen=True, slots=True)
class SecondBuild:
    """The input of a second build."""

    learned: "SecretStore"
    """The secrets that the first build found."""
    options: Mapping[str, Any]
    """Options of the configuration, as the first build got them."""


def plain_options(config: "MkDocsConfig") -> dict[str, Any]:
    """Return the options that a command may have set over the file: texts, flags, numbers."""
    kinds = (str, bool, int, type(None))
    return {key: value for key, value in config.items() if isinstance(value, kinds)}


def build_again(
    config: "MkDocsConfig", options: Mapping[str, Any], *, serve_url: str | None, dirty: bool
) -> None:
    """Build a site from its beginning, with the same plugin.

    ``options`` are its ``plain_options``; ``serve_url`` is None for a command that only builds it.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        given = config.user_configs[-1]  # of the command line; nothing else keeps a theme
    with _quiet(ENGINE_LOG.getChild("config")):  # already logged by the first build
        # Loaded again, because plugins and themes change a configuration while they build
        # (docs/decisions/0016).
        fresh = load_config(config.config_file_path, **given)
    fresh.update(options)
    build(fresh, serve_url=serve_url, dirty=dirty)


def write_last(plugins: "PluginCollection", plugin: "BasePlugin[Any]") -> None:
    """Make a plugin the last one that sees a finished site, for any priorities of others."""
    events = plugins.events["post_build"]
    # Other plugins write files in this event, too, and the leak gate has to see them. The sort is
    # stable, so the order of the others stays.
    events.sort(key=lambda method: getattr(method, "__self__", None) is plugin)


@contextmanager
def _quiet(log: logging.Logger) -> Iterator[None]:
    def silence(_record: logging.LogRecord) -> bool:
        return False

    log.addFilter(silence)
    try:
        yield
    finally:
        log.removeFilter(silence)
