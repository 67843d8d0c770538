"""Serves the report while you edit the tree: the work of ``pillarbook serve``."""

import secrets
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from pillarbook.cli.build_report import count_pages, opening
from pillarbook.cli.read_declared import need_configuration, token_key
from pillarbook.cli.summary import report_found
from pillarbook.session import RunOptions

if TYPE_CHECKING:
    from pillarbook.diagnostics import Diagnostic
    from pillarbook.publish.run import PublishedSite


def serve_report(base: RunOptions, values: dict[str, Any]) -> int:
    """Serve the site until it is stopped, and return the exit code.

    Args:
        base: The options of the run so far.
        values: The values of the command's options.
    """
    need_configuration(values["config_file"])
    from pillarbook.publish.serve import ServeOptions, serve_site  # noqa: PLC0415 (MkDocs loads slowly)

    options = replace(
        base,
        trust=values["trust"],
        allow=tuple(values["allow"]),
        token_key=token_key() or secrets.token_bytes(32),  # the same for all builds
        clock=values["clock"],
    )
    told: list[tuple[Diagnostic, ...]] = []

    def describe(published: "PublishedSite", seconds: float) -> None:
        if told != [published.diagnostics]:
            report_found(published.diagnostics)
            told[:] = [published.diagnostics]
        click.echo(f"pillarbook: {count_pages(published)} built in {seconds:.1f} s", err=True)

    return serve_site(
        ServeOptions(
            config_file=values["config_file"],
            address=values["dev_addr"],
            options=options,
            opening=lambda: opening(options),
            on_published=describe,
            allowed_hosts=values["allowed_host"],
        )
    )
