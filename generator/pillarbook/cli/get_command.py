"""``pillarbook get``: one key on all minions."""

import click

from pillarbook.cli import options
from pillarbook.cli.watched_command import Does, WatchedCommand


@click.command(cls=WatchedCommand)
@click.argument("key", shell_complete=options.complete_keys)
@options.declared
@options.chosen_minions
@options.environment
@options.text_or_json
@click.option(
    "--flat", is_flag=True, help="One line for each minion and value; `-` without the key."
)
@options.jobs
@options.timing
def command() -> Does:
    """Print the values of KEY, each with its minions and the line that sets it.

    KEY is a path such as nginx:workers.

    \b
    Examples:
      pillarbook get nginx:workers
      pillarbook get nginx:workers --flat
      pillarbook get nginx --minion 'web*' --format json
    """  # noqa: D301 (click keeps the lines after this mark as they are)
    from pillarbook.cli.print_key import print_key

    return print_key
