"""``pillarbook compile``: the pillar of minions as JSON or YAML."""

import sys
import time
from pathlib import Path
from typing import Any, TextIO

import click

from pillarbook.book import FleetBook, Heartbeat
from pillarbook.cli.declared import (
    choose_minions,
    declared_options,
    open_declared,
    parse_pillar,
    split_declared,
)
from pillarbook.cli.output import open_output, write_json_pillars, write_yaml_pillars
from pillarbook.cli.progress import show_progress
from pillarbook.diagnostics.formats import count_severities


@click.command()
@declared_options
@click.option("--minion", "minions", multiple=True, metavar="GLOB", help="Only these minions.")
@click.option("--pillarenv", metavar="ENV", help="Pin every minion to this pillar environment.")
@click.option("--saltenv", metavar="ENV", help="Give every minion this saltenv.")
@click.option(
    "--pillar", callback=parse_pillar, metavar="JSON", help="The command line's pillar override."
)
@click.option(
    "--format", "form", type=click.Choice(["json", "yaml"]), default="json", show_default=True
)
@click.option("--output", type=click.Path(path_type=Path), help="Write to a file instead.")
@click.option("--reveal", is_flag=True, help="Decrypt as Salt would, and show secrets.")
@click.option("--python", is_flag=True, help="Run renderers that are code of the tree.")
@click.option("--no-memo", is_flag=True, help="Compile each minion on its own; slower, the same.")
@click.option("--timing", is_flag=True, help="Print how long each step took.")
@click.pass_obj
def command(heartbeat: Heartbeat | None, /, **values: Any) -> int:
    """Print {minion: pillar}, in Salt's key order; secrets are redacted unless --reveal is given.

    A minion whose compile Salt breaks off is {"$raises": "reason"}, and the exit code is 1.
    """
    declared, asked = split_declared(values)
    started = time.perf_counter()
    book = open_declared(
        heartbeat,
        declared,
        pillarenv=asked["pillarenv"],
        saltenv=asked["saltenv"],
        pillar=asked["pillar"],
        reveal=asked["reveal"],
        python=asked["python"],
        memo=not asked["no_memo"],
    )
    with book:
        chosen = choose_minions(book, asked["minions"])
        read = time.perf_counter()
        with show_progress("compiling", len(chosen)) as step:
            compiled = list(book.compile_all(chosen, step))
        done = time.perf_counter()
        with open_output(asked["output"], private=asked["reveal"]) as out:
            write = write_json_pillars if asked["form"] == "json" else write_yaml_pillars
            write(out, book, (book.redact(one) for one in compiled))
        written = time.perf_counter()
    _report(book, any(one.raises is not None for one in compiled))
    if asked["timing"]:
        _print_timing(sys.stderr, read - started, done - read, written - done)
    return 1 if any(one.raises is not None for one in compiled) else 0


def _report(book: FleetBook, broke_off: bool) -> None:
    """Say on standard error what was found, briefly."""
    if book.diagnostics:
        hint = " (a minion's compile broke off)" if broke_off else ""
        counted = count_severities(book.diagnostics)
        click.echo(f"pillarbook: {counted}{hint}; `pillarbook check` lists them", err=True)


def _print_timing(stream: TextIO, reading: float, compiling: float, writing: float) -> None:
    for word, seconds in (("reading", reading), ("compiling", compiling), ("writing", writing)):
        print(f"{word} {seconds:.2f} s", file=stream)
