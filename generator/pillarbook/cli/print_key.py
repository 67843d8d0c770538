"""Prints one key of all minions: the work of ``pillarbook get``."""

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import click

from pillarbook.cli.near_keys import hint_at_key
from pillarbook.cli.open_declared import need_matches, open_declared
from pillarbook.cli.places import show_place
from pillarbook.cli.progress import show_progress
from pillarbook.cli.read_declared import split_declared
from pillarbook.cli.summary import report_faults
from pillarbook.cli.value_text import clean_line, show_value
from pillarbook.model import format_path
from pillarbook.redact import RedactedLeaf, RedactedPillar, values_to_json
from pillarbook.session import RunOptions, Session


def print_key(base: RunOptions, values: dict[str, Any]) -> int:
    """Print the value of a key on each minion, and return the exit code.

    Args:
        base: The options of the run so far.
        values: The values of the command's options and arguments.
    """
    declared, asked = split_declared(values)
    if not asked["key"]:
        raise click.UsageError("KEY is empty; `pillarbook explain MINION` lists all keys.")
    timing = asked["timing"]
    timing.mark("loading")
    session = open_declared(base, declared, minions=asked["minions"])
    with session:
        timing.mark("reading")
        need_matches(asked["minions"], session.fleet)
        chosen = session.fleet.asked
        found: dict[str, Sequence[RedactedLeaf]] = {}
        lacking: list[RedactedPillar] = []
        with show_progress("compiling", len(chosen)) as step:
            compiled = list(session.compiler.compile_all(chosen, step))
        timing.mark("compiling")
        session.freeze_asked_secrets(compiled)
        for one in compiled:
            pillar = session.shown.redact_with_faults(one)
            found[pillar.minion] = pillar.leaves_below(asked["key"])
            if not found[pillar.minion]:
                lacking.append(pillar)
        if asked["form"] == "json":
            _print_json(session, asked["key"], found)
        else:
            _print_text(session, found)
    report_faults(lacking)
    if any(found.values()):
        return 0
    who = "no minion that matches" if asked["minions"] else "no minion"
    hint = hint_at_key(asked["key"], lacking)
    click.echo(clean_line(f"pillarbook: {who} has the key '{asked['key']}'{hint}"), err=True)
    return 1


def _print_json(session: Session, key: str, found: Mapping[str, Sequence[RedactedLeaf]]) -> None:
    json.dump(
        {
            "schema": "pillarbook.get/1",
            "key": key,
            "minions": {
                minion: list(values_to_json(leaves, session.shown.token))
                for minion, leaves in found.items()
            },
        },
        sys.stdout,
        ensure_ascii=False,
        indent=1,
    )
    click.echo()


def _print_text(session: Session, found: Mapping[str, Sequence[RedactedLeaf]]) -> None:
    widest = max((len(minion) for minion in found), default=0)
    for minion, leaves in found.items():
        for leaf in leaves:
            origin = leaf.origins[-1]
            place = origin.file if origin.line is None else f"{origin.file}:{origin.line}"
            path = format_path(leaf.path)
            value = show_value(session.shown, leaf.value)
            click.echo(clean_line(f"{minion:<{widest}}  {path}: {value}  {show_place(place)}"))
        if not leaves:
            click.echo(clean_line(f"{minion:<{widest}}  -"))
