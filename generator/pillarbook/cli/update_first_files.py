"""Adds what is new in a tree to the files of an earlier run: ``pillarbook init --update``."""

from dataclasses import replace
from pathlib import Path

import click

from pillarbook.bootstrap.bootstrap import find_own
from pillarbook.bootstrap.update_files import plan_update
from pillarbook.bootstrap.yaml_lines import read_exactly
from pillarbook.cli.ask_changes import ask_changes
from pillarbook.cli.output import open_output
from pillarbook.cli.read_declared import token_key
from pillarbook.cli.value_text import clean_line
from pillarbook.inventory.reach import LinkPolicy
from pillarbook.session import RunOptions


def update_first_files(base: RunOptions, *, is_sure: bool) -> bool:
    """Show what would be added, ask, and write it; say whether the run goes on.

    Without files of an earlier run, the run goes on as a first one.

    Args:
        base: The options of the run so far.
        is_sure: Whether the user has agreed already.
    """
    folder = Path.cwd()
    own = find_own(folder)
    if own is None:
        return True
    update = plan_update(folder, own, replace(base, token_key=token_key()))
    for note in update.notes:
        click.echo(clean_line(note))
    if not update.changes:
        click.echo("Nothing is new: no line is added.")
        return True
    if not ask_changes(update.changes, is_sure=is_sure):
        click.echo("Nothing is written.")
        return False
    changed = [one.name for one in update.changes if read_exactly(folder / one.name) != one.before]
    if changed:
        raise click.ClickException(f"{changed[0]} has changed since; nothing is written")
    links = LinkPolicy(homes=(folder,), allow=(), trusted=False)
    for change in update.changes:
        with open_output(folder / change.name, base.known, links) as out:
            out.write(change.after)
        click.echo(clean_line(f"{change.name}: lines added"))
    return True
