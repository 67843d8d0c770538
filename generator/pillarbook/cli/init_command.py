"""``pillarbook init``: a first configuration for a tree."""

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from pillarbook.bootstrap import Begun, begin
from pillarbook.cli.open_declared import token_key
from pillarbook.cli.shared_options import READABLE
from pillarbook.cli.value_text import clean_line
from pillarbook.session import RunOptions


@click.command()
@click.argument("master", type=READABLE, required=False)
@click.pass_obj
def command(base: RunOptions, /, **values: Any) -> int:
    """Write a mkdocs.yml and a first minions.yml for this pillar tree, and list what is missing.

    MASTER is Salt's master file. Without MASTER, init searches for one, and writes a small one if
    it finds none. Minions come from a grains dump, a master's cache or a salt-ssh roster in this
    folder; if there is none, init invents a minion for each target of the top files. Existing
    files do not change. No code of the tree is run, and no file outside this folder is read. Run
    init again to see what is still missing.

    \b
    Examples:
      git clone https://git.example.com/our/salt && cd salt && pillarbook init && pillarbook build
      pillarbook init etc/salt/master
    """  # noqa: D301 (click keeps the lines after this mark as they are)
    master = values["master"]
    begun = begin(
        Path.cwd(),
        None if master is None else str(master),
        replace(base, token_key=token_key()),
    )
    for line in _lines(begun):
        click.echo(clean_line(line))
    return 0


def _lines(begun: Begun) -> Iterator[str]:
    """Yield the output: what was written, what to check, what is missing, what to do next."""
    yield from begun.said
    parts = [("Guessed; please check", begun.guesses, "")]
    parts += [(part.title, list(part.lines), part.more) for part in begun.missing]
    parts = [part for part in parts if part[1]]
    yield ""
    yield "What is missing, most useful first:" if parts else "Nothing is missing."
    for number, (title, lines, more) in enumerate(parts, 1):
        yield f"{number}. {title}"
        yield from (f"   {line}" for line in lines)
        if more:
            yield f"   {more}"
    yield ""
    yield f"Minions: {_count_outcomes(begun.outcomes)}"
    option = (
        "" if begun.configuration == "mkdocs.yml" else f" -f {shlex.quote(begun.configuration)}"
    )
    yield f"Next: pillarbook build{option}, and open site/index.html"
    yield f"      pillarbook check{option}, to list errors and warnings"
    yield "      add site/ to .gitignore if the tree is in git"


def _count_outcomes(outcomes: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {outcome}" for outcome, count in outcomes.items()) or "none"
