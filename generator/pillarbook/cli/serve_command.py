"""``pillarbook serve``: the report while one works on the tree."""

import secrets
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from pillarbook.book import RunOptions
from pillarbook.cli.build_command import TRUST, count_pages, opening
from pillarbook.cli.declared import need_configuration, token_key
from pillarbook.cli.options import clock_option, configuration_option, trust_options
from pillarbook.cli.summary import report_found

if TYPE_CHECKING:
    from pillarbook.diagnostics import Diagnostic
    from pillarbook.publish.run import Published


@click.command()
@configuration_option
@click.option(
    "-a",
    "--dev-addr",
    metavar="HOST:PORT",
    help="Where to serve, in place of `dev_addr`. [default: 127.0.0.1:8000]",
)
@click.option(
    "--allowed-host",
    multiple=True,
    metavar="NAME",
    help="A host name that the report may be asked for by; may be given again.",
)
@trust_options(TRUST)
@clock_option
@click.pass_obj
def command(base: RunOptions, /, **values: Any) -> int:
    """Serve the report, built anew at every change of pillar, inventory, configuration or pages.

    Pages that are open in a browser show the new state by themselves. When a build fails, what is
    wrong is said on standard error, and the last report is served on. Ctrl-C ends it. Requests are
    answered that name this machine or the address of --dev-addr, so that no page of the web can
    read the report through a name of its own.

    \b
    Examples:
      pillarbook serve
      pillarbook serve --dev-addr 127.0.0.1:8001
    """  # noqa: D301 (click's mark for lines that are to stay as they are)
    need_configuration(values["config_file"])
    from pillarbook.publish.serve import Asked, serve_site  # noqa: PLC0415 (MkDocs loads slowly)

    options = replace(
        base,
        trust=values["trust"],
        allow=tuple(values["allow"]),
        token_key=token_key() or secrets.token_bytes(32),  # equal from one build to the next
        clock=values["clock"],
    )
    told: list[tuple[Diagnostic, ...]] = []

    def tell(published: "Published", seconds: float) -> None:
        if told != [published.diagnostics]:
            report_found(published.diagnostics)
            told[:] = [published.diagnostics]
        click.echo(f"pillarbook: {count_pages(published)} built in {seconds:.1f} s", err=True)

    return serve_site(
        Asked(
            config_file=values["config_file"],
            address=values["dev_addr"],
            options=options,
            opening=lambda: opening(options),
            on_published=tell,
            allowed_hosts=values["allowed_host"],
        )
    )
