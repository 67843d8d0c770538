"""A second build of a site, with what the first one has found.

The configuration is loaded anew for it, as MkDocs' own server does before each build: plugins that
add to it, or keep things, are made for that.
"""

import logging
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mkdocs.commands.build import build
from mkdocs.config import load_config

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.plugins import BasePlugin, PluginCollection

    from pillarbook.redact import SecretStore

_CONFIGURATION_LOG = "mkdocs.config"


@dataclass(frozen=True, slots=True)
class SecondBuild:
    """What a second build begins with."""

    learned: "SecretStore"
    """The secrets that the first one has met."""
    options: Mapping[str, Any]
    """Options of the configuration, as the first one was given them."""


def plain_options(config: "MkDocsConfig") -> dict[str, Any]:
    """Return the options that a command may have set besides the file: texts, flags, numbers."""
    kinds = (str, bool, int, type(None))
    return {key: value for key, value in config.items() if isinstance(value, kinds)}


def build_again(
    config: "MkDocsConfig", options: Mapping[str, Any], *, serve_url: str | None, dirty: bool
) -> None:
    """Build a site from its beginning, with the same plugin.

    Args:
        config: The configuration of the first build.
        options: Its ``plain_options``.
        serve_url: Where a server shows the site; None for a command that only builds it.
        dirty: What the command was asked for.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        given = config.user_configs[-1]  # by the command line; nothing else remembers a theme
    with _quiet(logging.getLogger(_CONFIGURATION_LOG)):  # it has said so before
        # Loaded anew, as plugins and themes change a configuration while they build
        # (docs/decisions/0016).
        fresh = load_config(config.config_file_path, **given)
    fresh.update(options)
    build(fresh, serve_url=serve_url, dirty=dirty)


def write_last(plugins: "PluginCollection", plugin: "BasePlugin[Any]") -> None:
    """Let a plugin be the last to see a finished site, whatever others ask for."""
    events = plugins.events["post_build"]
    # Other plugins write files in this event, too, and the leak gate has to see them. The sort is
    # stable, so their own order stays.
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
