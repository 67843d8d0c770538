"""``pillarbook serve``: shows the report while you edit the tree."""

import click

from pillarbook.cli import options
from pillarbook.cli.watched_command import Does, WatchedCommand


@click.command(cls=WatchedCommand)
@options.configuration
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
@options.site_trust
@options.clock
@options.timing
def command() -> Does:
    """Serve the report, and rebuild it when the pillar, inventory, configuration or pages change.

    Open pages reload by themselves. If a build fails, the error is printed on standard error and
    the last report stays available. Press Ctrl-C to stop. The server refuses requests for other
    host names than this machine's or that of --dev-addr. This protects the report from web pages
    that use their own host name to read it.

    \b
    Examples:
      pillarbook serve
      pillarbook serve --dev-addr 127.0.0.1:8001
    """  # noqa: D301 (click keeps the lines after this mark as they are)
    from pillarbook.cli.serve_report import serve_report

    return serve_report
