"""Serves the report while you edit the tree: the work of ``pillarbook serve``."""

import secrets
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from pillarbook.cli.build_report import choose_options, opening
from pillarbook.cli.read_declared import need_configuration
from pillarbook.cli.summary import report_found
from pillarbook.inventory.settings import Settings
from pillarbook.model.phrases import count
from pillarbook.session import RunOptions, Session

if TYPE_CHECKING:
    from pillarbook.cli.timing import Timing
    from pillarbook.diagnostics import Diagnostic
    from pillarbook.publish.run import PublishedSite


def serve_report(base: RunOptions, values: dict[str, Any]) -> int:
    """Serve the site until it is stopped, and return the exit code."""
    timing: Timing = values["timing"]
    timing.mark("loading")
    need_configuration(values["config_file"])
    from pillarbook.publish.serve import ServeOptions, serve_site  # noqa: PLC0415 (MkDocs loads slowly)

    options = choose_options(base, values)
    if options.token_key is None:  # the same for all builds
        options = replace(options, token_key=secrets.token_bytes(32))
    told: list[tuple[Diagnostic, ...]] = []

    def describe(published: "PublishedSite", seconds: float) -> None:
        if told != [published.diagnostics]:
            report_found(published.diagnostics)
            told[:] = [published.diagnostics]
        pages = count(published.pages, "page")
        click.echo(f"pillarbook: {pages} built in {seconds:.1f} s", err=True)
        click.echo(timing.describe(), err=True, nl=False)

    def open_again() -> AbstractContextManager[Callable[[Settings], Session]]:
        timing.resume()
        return opening(options, timing)

    code = serve_site(
        ServeOptions(
            config_file=values["config_file"],
            address=values["dev_addr"],
            options=options,
            opening=open_again,
            on_published=describe,
            allowed_hosts=values["allowed_host"],
        )
    )
    timing.form = None  # a build that was stopped has no times to tell
    return code
