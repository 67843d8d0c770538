"""Prints the declared minions: the work of ``pillarbook inventory list``."""

from typing import TYPE_CHECKING, Any

import click

from pillarbook.cli.open_declared import need_matches, open_declared, options_of
from pillarbook.cli.value_text import clean_line

if TYPE_CHECKING:
    from pillarbook.inventory.minions import Minion
    from pillarbook.session import RunOptions


def list_minions(base: "RunOptions", values: dict[str, Any]) -> int:
    """Print a line for each minion, and return the exit code."""
    values["timing"].mark("loading")
    with open_declared(
        base, values, **options_of(values), checks=False, environments=False
    ) as session:
        values["timing"].mark("reading")
        fleet = session.fleet
        need_matches(values, fleet)
        chosen = fleet.asked
        width = max(map(len, chosen), default=0)
        for minion in chosen:
            line = f"{minion:{width}}  {_describe(fleet.declared(minion))}"
            click.echo(clean_line(line))
        guessed = sum(fleet.declared(minion).is_guessed for minion in chosen)
    noun = "minion" if len(chosen) == 1 else "minions"
    click.echo(f"{len(chosen):,} {noun}{f', {guessed:,} guessed' if guessed else ''}", err=True)
    return 0


def _describe(minion: "Minion") -> str:
    """Return where a minion is declared, and what its environments are."""
    parts = [str(minion.position)]
    parts += [f"pillarenv {minion.pillarenv}"] if minion.pillarenv else []
    parts += [f"saltenv {minion.saltenv}"] if minion.saltenv else []
    grains = len(minion.grains) - 1  # without its id
    parts.append(f"{grains:,} grain{'' if grains == 1 else 's'}")
    parts += ["guessed"] if minion.is_guessed else []
    return ", ".join(parts)
