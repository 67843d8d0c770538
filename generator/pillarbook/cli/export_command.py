"""``pillarbook export``: the fleet as tables, for auditors."""

from pathlib import Path

import click

from pillarbook.cli import options
from pillarbook.cli.watched_command import Does, WatchedCommand


@click.command(cls=WatchedCommand)
@options.declared
@click.option(
    "--format",
    "form",
    type=click.Choice(["sqlite", "csv"]),
    default="sqlite",
    show_default=True,
    help="One SQLite file, or a zip archive with a CSV file for each table.",
)
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    help="The file to write; it replaces an older one when it is complete.",
)
@options.jobs
@options.timing
def command() -> Does:
    """Write the fleet as tables: minions, values, targets, secrets, who reads them, and findings.

    Each value has the file and line that set it, and secrets have tokens. Like the report, the
    tables have the pillar of each minion as declared and in each environment, and the changes since
    the revision that the configuration names.

    \b
    Examples:
      pillarbook export --output fleet.sqlite
      pillarbook export --format csv --output fleet.zip
      sqlite3 fleet.sqlite 'SELECT * FROM "values" LIMIT 5'
    """  # noqa: D301 (click keeps the lines after this mark as they are)
    from pillarbook.cli.write_export import write_export

    return write_export
