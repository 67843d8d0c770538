"""``pillarbook merge``: the report of the parts that several machines have made."""

import click

from pillarbook.cli import options
from pillarbook.cli.watched_command import Does, WatchedCommand


@click.command(cls=WatchedCommand)
@click.argument("parts", nargs=-1, required=True, type=options.READABLE, metavar="PART...")
@options.site
@options.clock
@options.jobs
@options.timing
def command() -> Does:
    """Write the report as a static site, from the parts of `pillarbook build --shard`.

    Give all parts, in any order. The site is the same as that of one `pillarbook build`. Give the
    same tree, configuration, options and PILLARBOOK_TOKEN_KEY as for the parts.

    \b
    Example:
      pillarbook build --shard 1/2 --output part1
      pillarbook build --shard 2/2 --output part2
      pillarbook merge part1 part2
    """  # noqa: D301 (click keeps the lines after this mark as they are)
    from pillarbook.cli.report_parts import merge_parts

    return merge_parts
