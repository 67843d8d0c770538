"""Building a site from a MkDocs configuration, in this process."""

from collections.abc import Callable
from pathlib import Path

import click
from mkdocs.commands.build import build

from pillarbook.diagnostics import PillarbookError
from pillarbook.publish.mkdocs_run import load, mkdocs_errors, read_trusted
from pillarbook.publish.run import OpenBook, Published


def build_site(
    config_file: Path,
    *,
    site_dir: Path | None = None,
    strict: bool = False,
    trusted: bool = False,
    open_book: OpenBook | None = None,
    on_published: Callable[[Published], None] = lambda _: None,
) -> int:
    """Build a site and put it into the place of the one before.

    Warnings, and the one sentence of what stops a build, go to standard error; the site before
    stands then.

    Args:
        config_file: The MkDocs configuration.
        site_dir: Where the site is to be, in place of what the configuration says.
        strict: Whether error-level diagnostics, MkDocs' warnings and dead links stop the build.
        trusted: Whether the configuration may run code and read what lies outside its repository.
        open_book: Runs the pipeline; by default as ``mkdocs build`` does.
        on_published: Called once the site is in its place.

    Returns:
        The exit code: 0 when the site is published.
    """
    try:
        published = _build(config_file, site_dir, open_book, strict=strict, trusted=trusted)
    except PillarbookError as error:
        click.echo(error, err=True)
        return error.exit_code
    if published is not None:
        on_published(published)
    return 0


def _build(
    config_file: Path,
    site_dir: Path | None,
    open_book: OpenBook | None,
    *,
    strict: bool,
    trusted: bool,
) -> Published | None:
    configurations = read_trusted(config_file, trusted=trusted, own_site_dir=site_dir is None)
    loaded = load(
        configurations,
        site_dir=str(site_dir.absolute()) if site_dir else None,
        strict=strict or None,
    )
    config, plugin = loaded.config, loaded.plugin
    with mkdocs_errors(configurations):
        plugin.open_book = open_book
        config.plugins.on_startup(command="build", dirty=False)
        try:
            build(config)
        finally:
            config.plugins.on_shutdown()
    return plugin.published
