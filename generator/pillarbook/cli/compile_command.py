"""``pillarbook compile``: the pillar of minions as JSON or YAML."""

import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any, TextIO

import click

from pillarbook.cli.open_declared import (
    choose_minions,
    find_link_policy,
    open_declared,
    parse_pillar,
    split_declared,
)
from pillarbook.cli.output import (
    open_output,
    write_json_pillars,
    write_result,
    write_yaml_pillars,
)
from pillarbook.cli.progress import show_progress
from pillarbook.cli.shared_options import (
    code_options,
    declared_options,
    minion_option,
    output_option,
)
from pillarbook.cli.summary import report_found
from pillarbook.redact import RedactedPillar
from pillarbook.session import RunOptions, Session

WRITERS = {
    "json": write_json_pillars,
    "yaml": write_yaml_pillars,
    "result": write_result,
}


@click.command()
@declared_options
@minion_option()
@click.option("--pillarenv", metavar="ENV", help="Use this pillarenv for every minion.")
@click.option("--saltenv", metavar="ENV", help="Use this saltenv for every minion.")
@click.option(
    "--pillar",
    callback=parse_pillar,
    metavar="JSON",
    help="Merge this into every minion's pillar, as pillar= of salt-call does.",
)
@click.option(
    "--lowstate",
    is_flag=True,
    help="Print the compiled states of each minion (chunks and errors) instead of its pillar.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["json", "yaml", "result"]),
    default="json",
    show_default=True,
    help="Output format. Types that JSON lacks are tagged, in YAML too:"
    ' {"$bytes": "aGk="}. `result` is for `pillarbook diff`.',
)
@output_option
@click.option("--reveal", is_flag=True, help="Decrypt as Salt does, and show secrets.")
@code_options
@click.option("--no-memo", is_flag=True, help="Compile each minion alone: slower, same result.")
@click.option("--timing", is_flag=True, help="Print how long each step took.")
@click.pass_obj
def command(base: RunOptions, /, **values: Any) -> int:
    """Print {minion: pillar}, in Salt's key order. Secrets are redacted unless --reveal is given.

    If Salt stops compiling a minion's pillar, its value is {"$raises": "reason"} and the exit code
    is 1. --lowstate prints {minion: {"chunks": [...], "errors": [...]}} and executes no state.

    \b
    Examples:
      pillarbook compile --minion 'web*' --format yaml
      pillarbook compile --master master --inventory minions.yml --output pillar.json
    """  # noqa: D301 (click keeps the lines after this mark as they are)
    declared, asked = split_declared(values)
    started = time.perf_counter()
    session = open_declared(
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
        raise click.UsageError("A saved result has no secrets: omit --reveal.")
    if asked["form"] == "result" and asked["lowstate"]:
        raise click.UsageError("A saved result has pillars only: omit --lowstate.")
    with session:
        chosen = choose_minions(session, asked["minions"])
        read = time.perf_counter()
        with show_progress("compiling", len(chosen)) as step:
            compiled = list(session.compiler.compile_all(chosen, step))
        states = (
            [session.compiler.compile_states(one) for one in compiled] if asked["lowstate"] else []
        )
        done = time.perf_counter()
        session.freeze_fleet_secrets([*compiled, *states])
        if base.heartbeat is not None:
            base.heartbeat.held.append([compiled, states])
        links = find_link_policy(declared)
        with open_output(asked["output"], base.known, links, private=asked["reveal"]) as out:
            redacted = _Redacted(session, states if asked["lowstate"] else compiled)
            WRITERS[asked["form"]](out, session, redacted)
        written = time.perf_counter()
    report_found(session.shown.diagnostics, broke_off=redacted.broke_off)
    if asked["timing"]:
        _print_timing(sys.stderr, read - started, done - read, written - done)
    return 1 if redacted.broke_off else 0


class _Redacted:
    """Redacts pillars one by one, and records whether Salt stopped compiling one."""

    def __init__(self, session: Session, compiled: Sequence[Any]) -> None:
        self._session = session
        self._compiled = compiled
        self.broke_off = False

    def __iter__(self) -> Iterator[RedactedPillar]:
        for one in self._compiled:
            pillar = self._session.shown.redact_with_faults(one)
            self.broke_off = self.broke_off or pillar.raises is not None
            yield pillar


def _print_timing(stream: TextIO, reading: float, compiling: float, writing: float) -> None:
    for word, seconds in (("reading", reading), ("compiling", compiling), ("writing", writing)):
        print(f"{word} {seconds:.2f} s", file=stream)
