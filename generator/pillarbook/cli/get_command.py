"""``pillarbook get``: one key on all minions."""

import click

from pillarbook.cli.shared_options import (
    chosen_minions_options,
    complete_keys,
    declared_options,
    environment_options,
    format_option,
    jobs_option,
    timing_option,
)
from pillarbook.cli.watched_command import Does, WatchedCommand


@click.command(cls=WatchedCommand)
@click.argument("key", shell_complete=complete_keys)
@declared_options
@chosen_minions_options
@environment_options
@format_option
@click.option(
    "--flat", is_flag=True, help="One line for each minion and value; `-` without the key."
)
@jobs_option
@timing_option
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
