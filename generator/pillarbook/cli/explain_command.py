"""``pillarbook explain``: where each value of a minion comes from."""

import click

from pillarbook.cli import options
from pillarbook.cli.watched_command import Does, WatchedCommand


@click.command(cls=WatchedCommand)
@click.argument("minion", required=False, shell_complete=options.complete_minions)
@click.argument("key", required=False, shell_complete=options.complete_keys)
@options.declared
@options.what_if
@click.option(
    "--pillarenv",
    metavar="ENV",
    shell_complete=options.complete_pillarenvs,
    help="Use this pillarenv for the minion.",
)
@click.option(
    "--sls",
    metavar="NAME",
    help="Show this SLS: its minions, its text without secrets, and how many minions have a value "
    "of each line.",
)
@options.text_or_json
@options.reveal
@options.code
@options.timing
def command() -> Does:
    """Show the targets that give MINION its SLS files, and the line that set each value of KEY.

    KEY is a path such as nginx:workers; without KEY, all values are listed. Below each value are
    the values that it overrides, newest first (in JSON: oldest first). With --as-new, omit MINION.
    With --sls, show an SLS instead: its text without secrets, and how many minions have a value of
    each line.

    \b
    Examples:
      pillarbook explain web1
      pillarbook explain web1 nginx:workers --format json
      pillarbook explain --sls web.cdn
      pillarbook explain --as-new web9 --grain roles=web nginx:workers
    """  # noqa: D301 (click keeps the lines after this mark as they are)
    if click.get_current_context().params["sls"] is not None:
        from pillarbook.cli.print_sls import print_sls

        return print_sls
    from pillarbook.cli.print_origins import print_origins

    return print_origins
