"""``pillarbook answers``: what the tree asks and only a live Salt can answer."""

import click

from pillarbook.cli import options
from pillarbook.cli.watched_command import Does, WatchedCommand


@click.group()
def command() -> None:
    """List calls that only a live Salt can answer, with the lines that declare the answers."""


@command.command("list", cls=WatchedCommand)
@options.declared
@options.text_or_json
@options.output
@options.jobs
@options.timing
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
