"""``pillarbook compile``: the pillar of minions as JSON or YAML."""

import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any, TextIO

import click

from pillarbook.book import FleetBook, RunOptions
from pillarbook.cli.declared import (
    choose_minions,
    find_link_policy,
    open_declared,
    parse_pillar,
    split_declared,
)
from pillarbook.cli.options import code_options, declared_options, minion_option, output_option
from pillarbook.cli.output import (
    open_output,
    write_json_pillars,
    write_result,
    write_yaml_pillars,
)
from pillarbook.cli.progress import show_progress
from pillarbook.cli.summary import report_found
from pillarbook.redact import RedactedPillar

WRITERS = {
    "json": write_json_pillars,
    "yaml": write_yaml_pillars,
    "result": write_result,
}


@click.command()
@declared_options
@minion_option()
@click.option("--pillarenv", metavar="ENV", help="Pin every minion to this pillar environment.")
@click.option("--saltenv", metavar="ENV", help="Give every minion this saltenv.")
@click.option(
    "--pillar",
    callback=parse_pillar,
    metavar="JSON",
    help="Merge this over every minion's pillar, as salt-call's pillar= does.",
)
@click.option(
    "--lowstate",
    is_flag=True,
    help="Print the chunks and errors of the states that a minion gets with its pillar.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["json", "yaml", "result"]),
    default="json",
    show_default=True,
    help='What JSON lacks is tagged, as in {"$bytes": "aGk="}, in YAML too. `result` is for'
    " `pillarbook diff`.",
)
@output_option
@click.option("--reveal", is_flag=True, help="Decrypt as Salt would, and show secrets.")
@code_options
@click.option("--no-memo", is_flag=True, help="Compile each minion on its own; slower, the same.")
@click.option("--timing", is_flag=True, help="Print how long each step took.")
@click.pass_obj
def command(base: RunOptions, /, **values: Any) -> int:
    """Print {minion: pillar}, in Salt's key order; secrets are redacted unless --reveal is given.

    A minion whose compile Salt breaks off is {"$raises": "reason"}, and the exit code is 1.
    With --lowstate it is {minion: {"chunks": [...], "errors": [...]}}; nothing is executed.

    \b
    Examples:
      pillarbook compile --minion 'web*' --format yaml
      pillarbook compile --master master --inventory minions.yml --output pillar.json
    """  # noqa: D301 (click's mark for lines that are to stay as they are)
    declared, asked = split_declared(values)
    started = time.perf_counter()
    book = open_declared(
        base,
        declared,
        pillarenv=asked["pillarenv"],
        saltenv=asked["saltenv"],
        pillar=asked["pillar"],
        reveal=asked["reveal"],
        python=asked["python"],
        renderers=asked["renderers"],
        memo=not asked["no_memo"],
        explains=False,
        environments=False,
        checks=False,
    )
    if asked["form"] == "result" and asked["reveal"]:
        raise click.UsageError("A saved result holds no secrets; leave --reveal out.")
    if asked["form"] == "result" and asked["lowstate"]:
        raise click.UsageError("A saved result holds pillars; leave --lowstate out.")
    with book:
        chosen = choose_minions(book, asked["minions"])
        read = time.perf_counter()
        with show_progress("compiling", len(chosen)) as step:
            compiled = list(book.compile_all(chosen, step))
        states = [book.compile_states(one) for one in compiled] if asked["lowstate"] else []
        done = time.perf_counter()
        book.settle([*compiled, *states])
        if base.heartbeat is not None:
            base.heartbeat.held.append([compiled, states])
        links = find_link_policy(declared)
        with open_output(asked["output"], base.known, links, private=asked["reveal"]) as out:
            redacted = _Redacted(book, states if asked["lowstate"] else compiled)
            WRITERS[asked["form"]](out, book, redacted)
        written = time.perf_counter()
    report_found(book.diagnostics, broke_off=redacted.broke_off)
    if asked["timing"]:
        _print_timing(sys.stderr, read - started, done - read, written - done)
    return 1 if redacted.broke_off else 0


class _Redacted:
    """Pillars on their way through the door, and whether a minion got none."""

    def __init__(self, book: FleetBook, compiled: Sequence[Any]) -> None:
        self._book = book
        self._compiled = compiled
        self.broke_off = False

    def __iter__(self) -> Iterator[RedactedPillar]:
        for one in self._compiled:
            pillar = self._book.shown_pillar(one)
            self.broke_off = self.broke_off or pillar.raises is not None
            yield pillar


def _print_timing(stream: TextIO, reading: float, compiling: float, writing: float) -> None:
    for word, seconds in (("reading", reading), ("compiling", compiling), ("writing", writing)):
        print(f"{word} {seconds:.2f} s", file=stream)
