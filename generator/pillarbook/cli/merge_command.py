"""``pillarbook merge``: the report of the parts that several machines have made."""

from typing import TYPE_CHECKING, Any

import click

from pillarbook.cli.shared_options import READABLE, clock_option, jobs_option, site_options
from pillarbook.cli.timing import timing_option
from pillarbook.cli.watched_command import WatchedCommand

if TYPE_CHECKING:
    from pillarbook.session import RunOptions


@click.command(cls=WatchedCommand)
@click.argument("parts", nargs=-1, required=True, type=READABLE, metavar="PART...")
@site_options
@clock_option
@jobs_option
@timing_option
@click.pass_obj
def command(base: "RunOptions", /, **values: Any) -> int:
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

    return merge_parts(base, values)
