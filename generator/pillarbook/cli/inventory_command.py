"""``pillarbook inventory``: list the declared minions, or add some from other sources."""

from pathlib import Path

import click

from pillarbook.cli import options
from pillarbook.cli.watched_command import Does, WatchedCommand


@click.group()
def command() -> None:
    """List the declared minions, or add minions from other sources."""


@command.command("import", cls=WatchedCommand)
@click.argument("source", type=options.READABLE)
@click.option(
    "--output",
    type=options.READABLE,
    default=Path("minions.yml"),
    show_default=True,
    help="The inventory to write or to refresh.",
)
@click.option(
    "--grains",
    metavar="NAMES",
    default="",
    help="Import only these grains: os,roles. [default: all but private ones, such as serials]",
)
@click.option(
    "--replace-guessed",
    is_flag=True,
    help="Replace the minions that are marked `guessed: true` by those of SOURCE. Shows the lines "
    "and asks.",
)
@click.option("--yes", is_flag=True, help="With --replace-guessed: write without asking.")
@options.link_trust
def import_command() -> Does:
    """Add the minions of SOURCE to the inventory, and refresh the grains of imported ones.

    SOURCE is a master's cache folder, a dump of `salt '*' grains.items --out=json`, a salt-ssh
    roster, the output of `ansible-inventory --list`, or a CSV table. Your own entries do not
    change.

    \b
    Examples:
      pillarbook inventory import grains.json
      pillarbook inventory import /var/cache/salt/master --grains os,osrelease,roles
      pillarbook inventory import grains.json --replace-guessed
    """  # noqa: D301 (click keeps the lines after this mark as they are)
    from pillarbook.cli.write_inventory import write_inventory

    return write_inventory


@command.command("list", cls=WatchedCommand)
@options.declared
@options.chosen_minions
@options.timing
def list_command() -> Does:
    """List the declared minions, each with its line in the inventory.

    \b
    Examples:
      pillarbook inventory list
      pillarbook inventory list --minion 'web*'
    """  # noqa: D301 (click keeps the lines after this mark as they are)
    from pillarbook.cli.list_minions import list_minions

    return list_minions
