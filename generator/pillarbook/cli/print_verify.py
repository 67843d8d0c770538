"""Compares the pillar with a dump from a live master: the work of ``pillarbook verify``."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import click

from pillarbook.cli.open_declared import open_asked
from pillarbook.cli.output import open_output
from pillarbook.cli.read_declared import find_link_policy, split_declared
from pillarbook.cli.summary import show_progress
from pillarbook.inventory.reach import LinkPolicy
from pillarbook.session import RunOptions, Session
from pillarbook.session.asked_minions import matches_globs
from pillarbook.verify import Dump, Verification, to_json, to_text, verify

CODES = {"equal": 0, "different": 2, "not compared": 1}


def verify_dump(base: RunOptions, values: dict[str, Any]) -> int:
    """Compare, print the result, and return the exit code."""
    declared, asked = split_declared(values)
    links = find_link_policy(declared)
    with _open_dump(asked["dump"], links) as (stream, shown):
        # ``--minion`` chooses from the dump as well, so the session has all minions.
        session = open_asked(base, declared, asked, minions=(), explains=False, environments=False)
        with session:
            found = _verify(session, stream, shown, asked["minions"])
            asked["timing"].mark("compiling")
            with open_output(asked["output"], base.known, links) as out:
                if asked["form"] == "json":
                    json.dump(
                        to_json(found, session.shown.token), out, ensure_ascii=False, indent=1
                    )
                    out.write("\n")
                else:
                    out.writelines(f"{line}\n" for line in to_text(found, session.shown.token))
    _describe_what_is_missing(found)
    return CODES[found.result]


@contextmanager
def _open_dump(name: str, links: LinkPolicy) -> Iterator[tuple[BinaryIO, str]]:
    """Yield the dump and its name."""
    if name == "-":
        yield sys.stdin.buffer, "standard input"
        return
    try:
        links.resolve(Path(name))
        stream = Path(name).open("rb")  # noqa: SIM115 (closed below; the ``try`` is for opening only)
    except OSError as error:
        raise click.ClickException(f"{name}: {error.strerror}") from error
    with stream:
        yield stream, name


def _verify(session: Session, stream: BinaryIO, shown: str, globs: tuple[str, ...]) -> Verification:
    chosen = session.fleet.choose(globs)
    local = chosen[0] if len(chosen) == 1 else None
    dump = Dump(stream, shown, frozenset(session.fleet.minions), local)
    with show_progress("comparing", len(chosen)) as step:
        return verify(session, dump, shown, wanted=lambda one: matches_globs(one, globs), step=step)


def _describe_what_is_missing(found: Verification) -> None:
    """Print on standard error why nothing was compared, if so."""
    if found.result != "not compared":
        return
    if found.masked:
        words = (
            "values are masked in the dump, so they cannot be compared; make the dump with "
            "`salt '*' pillar.items unmask=True --out=json`"
        )
    else:
        words = "no declared minion has a pillar in the dump"
    click.echo(f"pillarbook: {found.dump}: {words}", err=True)
