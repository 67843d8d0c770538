"""``pillarbook answers``: what the tree asks and only a live Salt can answer."""

import click

from pillarbook.cli.shared_options import (
    declared_options,
    format_option,
    jobs_option,
    output_option,
    timing_option,
)
from pillarbook.cli.watched_command import Does, WatchedCommand


@click.group()
def command() -> None:
    """List calls that only a live Salt can answer, with the lines that declare the answers."""


@command.command("list", cls=WatchedCommand)
@declared_options
@format_option
@output_option
@jobs_option
@timing_option
def list_command() -> Does:
    """List the missing answers.

    They are those of functions and external pillars, and the current time. The answer that most
    minions lack comes first, each with the lines that ask, and the lines of
    mkdocs.yml that declare it.

    \b
    Examples:
      pillarbook answers list
      pillarbook answers list --master master --inventory minions.yml --format json
    """  # noqa: D301 (click keeps the lines after this mark as they are)
    from pillarbook.cli.list_answers import list_answers

    return list_answers
