"""Writes a first configuration and lists what is missing, or adds to an earlier one: ``init``."""

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from pillarbook.bootstrap import Begun, begin
from pillarbook.bootstrap.bootstrap import find_own
from pillarbook.bootstrap.update_files import plan_update
from pillarbook.bootstrap.yaml_lines import read_exactly
from pillarbook.cli.ask_changes import ask_changes
from pillarbook.cli.output import open_output
from pillarbook.cli.read_declared import token_key
from pillarbook.cli.value_text import clean_line
from pillarbook.inventory.reach import LinkPolicy
from pillarbook.session import RunOptions


def write_first_files(base: RunOptions, values: dict[str, Any]) -> int:
    """Write what the current folder lacks, and return the exit code."""
    if values["yes"] and not values["update"]:
        raise click.UsageError("--yes goes with --update.")
    if values["update"] and not _update_first_files(base, is_sure=values["yes"]):
        return 0
    timing, master = values["timing"], values["master"]
    timing.mark("loading")
    begun = begin(
        Path.cwd(),
        None if master is None else str(master),
        replace(base, token_key=token_key()),
        on_written=lambda: timing.mark("reading"),
        is_updated=values["update"],
    )
    timing.mark("compiling")
    for line in _lines(begun):
        click.echo(clean_line(line))
    return 0


def _update_first_files(base: RunOptions, *, is_sure: bool) -> bool:
    """Show what would be added, ask, and write it; say whether the run goes on.

    Without files of an earlier run, the run goes on as a first one.
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


def _lines(begun: Begun) -> Iterator[str]:
    """Yield the output: what was written, what to check, what is missing, what to do next."""
    yield from begun.said
    parts = [("Guessed; please check", begun.guesses, "")]
    parts += [(part.title, list(part.lines), part.more) for part in begun.missing]
    parts = [part for part in parts if part[1]]
    yield ""
    yield "To check and to add, most useful first:" if parts else "Nothing is missing."
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
    yield "      the report shows the text of pillar files without secrets; to hide all of it, set"
    yield "      `pages: {source: none}`"
    yield "      add site/ to .gitignore if the tree is in git"


def _count_outcomes(outcomes: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {outcome}" for outcome, count in outcomes.items()) or "none"
