"""``pillarbook serve``: shows the report while you edit the tree."""

import secrets
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from pillarbook.cli.build_command import TRUST, count_pages, opening
from pillarbook.cli.open_declared import need_configuration, token_key
from pillarbook.cli.shared_options import clock_option, configuration_option, trust_options
from pillarbook.cli.summary import report_found
from pillarbook.session import RunOptions

if TYPE_CHECKING:
    from pillarbook.diagnostics import Diagnostic
    from pillarbook.publish.run import PublishedSite


@click.command()
@configuration_option
@click.option(
    "-a",
    "--dev-addr",
    metavar="HOST:PORT",
    help="Address to serve on; overrides `dev_addr`. [default: 127.0.0.1:8000]",
)
@click.option(
    "--allowed-host",
    multiple=True,
    metavar="NAME",
    help="Accept requests for this host name too; repeatable.",
)
@trust_options(TRUST)
@clock_option
@click.pass_obj
def command(base: RunOptions, /, **values: Any) -> int:
    """Serve the report, and rebuild it when the pillar, inventory, configuration or pages change.

    Open pages reload by themselves. If a build fails, the error is printed on standard error and
    the last report stays available. Press Ctrl-C to stop. Only requests that name this machine or
    the address of --dev-addr are answered; otherwise a web page could read the report through its
    own host name.

    \b
    Examples:
      pillarbook serve
      pillarbook serve --dev-addr 127.0.0.1:8001
    """  # noqa: D301 (click keeps the lines after this mark as they are)
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
