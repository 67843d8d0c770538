"""Building a site from a MkDocs configuration, in this process."""

from collections.abc import Sequence
from pathlib import Path

import click
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort, MkDocsException

from pillarbook.diagnostics import PillarbookError
from pillarbook.publish.configuration import (
    PLUGIN,
    Configuration,
    ConfigurationError,
    read_configuration,
)
from pillarbook.publish.messages import find_option, reporting
from pillarbook.publish.plugin import OpenBook, PillarbookPlugin
from pillarbook.publish.trust import refuse_untrusted


def build_site(
    config_file: Path,
    *,
    site_dir: Path | None = None,
    strict: bool = False,
    trusted: bool = False,
    open_book: OpenBook | None = None,
) -> int:
    """Build a site and put it into the place of the one before.

    Warnings, and the one sentence of what stops a build, go to standard error; the site before
    stands then.

    Args:
        config_file: The MkDocs configuration.
        site_dir: Where the site is to be, in place of what the configuration says.
        strict: Whether error-level diagnostics and MkDocs' warnings stop the build.
        trusted: Whether the configuration may run code and read what lies outside its repository.
        open_book: Runs the pipeline; by default as ``mkdocs build`` does.

    Returns:
        The exit code: 0 when the site is published.
    """
    try:
        configurations = read_configuration(config_file)
        if not trusted:
            refuse_untrusted(configurations, own_site_dir=site_dir is None)
        _run_mkdocs(configurations, site_dir, strict, open_book)
    except PillarbookError as error:
        click.echo(error, err=True)
        return error.exit_code
    return 0


class MkDocsStoppedError(PillarbookError):
    """MkDocs stopped for a reason of its own."""

    def __init__(self, error: MkDocsException, logged: Sequence[str]) -> None:
        # What MkDocs logged says why; its exception then only says that it gives up.
        reasons = logged if logged and isinstance(error, Abort) else [error.message]
        super().__init__("\n".join(reasons))


def _run_mkdocs(
    configurations: Sequence[Configuration],
    site_dir: Path | None,
    strict: bool,
    open_book: OpenBook | None,
) -> None:
    """Run MkDocs' own build.

    Raises:
        PillarbookError: It stopped.
    """
    with reporting(configurations) as messages:
        try:
            config = load_config(
                str(configurations[0].file),
                site_dir=str(site_dir.absolute()) if site_dir else None,
                strict=strict or None,
            )
            plugin = config.plugins.get(PLUGIN)
            if not isinstance(plugin, PillarbookPlugin):
                position = find_option(configurations, ("plugins",))
                raise ConfigurationError(position, "`plugins` does not list pillarbook")
            plugin.open_book = open_book
            config.plugins.on_startup(command="build", dirty=False)
            try:
                build(config)
            finally:
                config.plugins.on_shutdown()
        except MkDocsException as error:
            if isinstance(error.__cause__, PillarbookError):
                raise error.__cause__ from None
            raise MkDocsStoppedError(error, messages.errors) from error
