"""``pillarbook init``: a first configuration for a tree."""

import click

from pillarbook.cli import options
from pillarbook.cli.watched_command import Does, WatchedCommand


@click.command(cls=WatchedCommand)
@click.argument("master", type=options.READABLE, required=False)
@click.option(
    "--update",
    is_flag=True,
    help="Add lines to the files of an earlier init for what is new in the tree: minions, grains, "
    "paths, environments. Shows the lines and asks.",
)
@click.option("--yes", is_flag=True, help="With --update: write without asking.")
@options.timing
def command() -> Does:
    """Write a mkdocs.yml and a first minions.yml for this pillar tree, and list what is missing.

    MASTER is Salt's master file. Without MASTER, init searches for one, and writes a small one if
    it finds none. Minions come from a grains dump, a master's cache, a salt-ssh roster, an Ansible
    inventory (JSON) or a minions.csv in this folder; if there is none, init invents a minion for
    each target of the top files. Existing files do not change. No code of the tree is run, and no
    file outside this folder is read. Run init again to see what is still missing. With --update,
    init adds lines to mkdocs.yml, minions.yml and the master file that it wrote. It never changes
    or removes existing lines.

    \b
    Examples:
      git clone https://git.example.com/our/salt && cd salt && pillarbook init && pillarbook build
      pillarbook init etc/salt/master
      pillarbook init --update
    """  # noqa: D301 (click keeps the lines after this mark as they are)
    from pillarbook.cli.write_first_files import write_first_files

    return write_first_files
