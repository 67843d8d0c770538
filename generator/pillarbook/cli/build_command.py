"""``pillarbook build``: the report as a static site."""

import re

import click

from pillarbook.cli import options
from pillarbook.cli.watched_command import Does, WatchedCommand


def parse_shard(
    _context: click.Context, _option: click.Parameter, text: str | None
) -> tuple[int, int] | None:
    """Return the number of a part and the number of parts."""
    if text is None:
        return None
    found = re.fullmatch(r"([1-9][0-9]{0,4})/([1-9][0-9]{0,4})", text)
    if found is None or int(found[1]) > int(found[2]):
        raise click.BadParameter("give the number of the part and the number of parts: 3/8")
    return int(found[1]), int(found[2])


@click.command(cls=WatchedCommand)
@options.site
@click.option(
    "--shard",
    callback=parse_shard,
    metavar="N/M",
    help="Write only part N of M, into the file of --output, for `pillarbook merge`.",
)
@click.option(
    "--output", type=options.READABLE, metavar="PART", help="File for the part of --shard."
)
@click.option(
    "--engine",
    type=click.Choice(["dask"]),
    metavar="dask",
    help="Let the workers of a Dask cluster make all parts, and merge them here.",
)
@click.option("--scheduler", metavar="ADDRESS", help="Dask scheduler of --engine dask.")
@click.option(
    "--shards",
    type=click.IntRange(1, 99_999),
    metavar="N",
    help="Number of parts for --engine dask. [default: one for each worker]",
)
@options.since_report
@click.option(
    "--history",
    type=options.READABLE,
    metavar="DIR",
    help="Compare with the last build in this folder, show all builds in it, and add this one.",
)
@options.clock
@options.jobs
@options.timing
def command() -> Does:
    """Write the report as a static site.

    The new site replaces the old one at the end of the build. If the build fails, the old site
    does not change. Errors in the pillar are in the report and on standard error. With --strict,
    broken links are errors too.

    \b
    Examples:
      pillarbook build
      pillarbook build --strict --site-dir public
      pillarbook build --since-report https://pillar.example.com
      pillarbook build --history history --site-dir public
      pillarbook build --shard 3/8 --output part3
      pillarbook build --engine dask --scheduler tcp://10.0.0.5:8786
    """  # noqa: D301 (click keeps the lines after this mark as they are)
    from pillarbook.cli.build_report import build_report

    return build_report
