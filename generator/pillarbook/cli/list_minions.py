"""Prints the declared minions: the work of ``pillarbook inventory list``."""

from typing import TYPE_CHECKING, Any

import click

from pillarbook.cli.open_declared import need_matches, open_asked
from pillarbook.cli.read_declared import split_declared
from pillarbook.cli.value_text import clean_line
from pillarbook.model.phrases import count

if TYPE_CHECKING:
    from pillarbook.inventory.minions import Minion
    from pillarbook.session import RunOptions


def list_minions(base: "RunOptions", values: dict[str, Any]) -> int:
    """Print a line for each minion, and return the exit code."""
    declared, asked = split_declared(values)
    with open_asked(base, declared, asked, checks=False, environments=False) as session:
        fleet = session.fleet
        need_matches(asked, fleet)
        chosen = fleet.asked
        width = max(map(len, chosen), default=0)
        for minion in chosen:
            line = f"{minion:{width}}  {_describe(fleet.declared(minion))}"
            click.echo(clean_line(line))
        guessed = sum(fleet.declared(minion).is_guessed for minion in chosen)
    told = count(len(chosen), "minion")
    click.echo(f"{told}{f', {guessed:,} guessed' if guessed else ''}", err=True)
    return 0


def _describe(minion: "Minion") -> str:
    """Return where a minion is declared, and what its environments are."""
    parts = [str(minion.position)]
    parts += [f"pillarenv {minion.pillarenv}"] if minion.pillarenv else []
    parts += [f"saltenv {minion.saltenv}"] if minion.saltenv else []
    parts.append(count(len(minion.grains) - 1, "grain"))  # without its id
    parts += ["guessed"] if minion.is_guessed else []
    return ", ".join(parts)
