"""Writes the inventory from a source: the work of ``pillarbook inventory import``."""

from typing import TYPE_CHECKING, Any

import click

from pillarbook.bootstrap.import_minions import grains_file, import_minions
from pillarbook.bootstrap.update_files import FileChange
from pillarbook.cli.ask_changes import ask_changes
from pillarbook.cli.output import open_output
from pillarbook.cli.value_text import clean_line
from pillarbook.inventory.reach import LinkPolicy

if TYPE_CHECKING:
    from pathlib import Path

    from pillarbook.session import RunOptions


def write_inventory(base: "RunOptions", values: dict[str, Any]) -> int:
    """Import minions, say what was done, and return the exit code."""
    inventory: Path = values["output"]
    wanted = [name.strip() for name in values["grains"].split(",") if name.strip()]
    links = LinkPolicy(
        homes=(inventory.absolute().parent,), allow=tuple(values["allow"]), trusted=values["trust"]
    )
    for file in (inventory, values["source"]):
        links.resolve(file)
    if inventory.suffix == ".json":
        raise click.UsageError("Minions are added to an inventory in YAML; give another --output.")
    made = import_minions(values["source"], inventory, wanted)
    text = made.inventory
    if values["replace_guessed"] and made.confirmed is not None:
        change = FileChange(str(inventory), made.inventory, made.confirmed)
        if ask_changes([change], is_sure=values["yes"]):
            text = made.confirmed
    # The grains first: an inventory that names a missing file stops every command.
    for file, written in ((grains_file(inventory), made.grains), (inventory, text)):
        with open_output(file, base.known, links) as out:
            out.write(written)
    for line in made.said:
        click.echo(clean_line(line))
    if made.confirmed is not None and text is not made.confirmed:
        click.echo(
            clean_line(f"{inventory}: still has guessed minions; --replace-guessed replaces them")
        )
    return 0
