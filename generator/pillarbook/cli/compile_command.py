"""``pillarbook compile``: the pillar of minions as JSON or YAML."""

import json
from typing import Any

import click

from pillarbook.cli import options
from pillarbook.cli.watched_command import Does, WatchedCommand


def parse_pillar(_context: click.Context, _option: click.Parameter, text: str | None) -> Any:
    """Return the mapping that ``--pillar JSON`` gives."""
    if text is None:
        return None
    try:
        pillar = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise click.BadParameter(f"not valid JSON: {error}") from error
    if not isinstance(pillar, dict):
        raise click.BadParameter("the pillar must be a JSON object")
    return pillar


@click.command(cls=WatchedCommand)
@options.declared
@options.chosen_minions
@options.environment
@click.option(
    "--pillar",
    callback=parse_pillar,
    metavar="JSON",
    help="Merge this into every minion's pillar, as pillar= of salt-call does.",
)
@options.what_if
@click.option(
    "--lowstate",
    is_flag=True,
    help="Print the compiled states of each minion (chunks and errors) instead of its pillar.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["json", "jsonl", "yaml", "result"]),
    default="json",
    show_default=True,
    help="Output format. Types that JSON lacks are tagged, in YAML too:"
    ' {"$bytes": "aGk="}. `jsonl` has one line for each minion, `result` is for `pillarbook diff`.',
)
@options.output
@options.reveal
@options.code
@options.jobs
@click.option("--no-memo", is_flag=True, help="Compile each minion alone: slower, same result.")
@options.timing
def command() -> Does:
    """Print {minion: pillar}, in Salt's key order. Secrets are redacted unless --reveal is given.

    If Salt stops compiling a minion's pillar, its value is {"$raises": "reason"} and the exit code
    is 1. --lowstate prints {minion: {"chunks": [...], "errors": [...]}} and executes no state.

    \b
    Examples:
      pillarbook compile --minion 'web*' --format yaml
      pillarbook compile --as-new web9 --grain roles=web --grain os=Debian
      pillarbook compile --master master --inventory minions.yml --output pillar.json
    """  # noqa: D301 (click keeps the lines after this mark as they are)
    from pillarbook.cli.print_pillars import print_pillars

    return print_pillars
