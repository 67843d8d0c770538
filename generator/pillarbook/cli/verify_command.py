"""``pillarbook verify``: compares the pillar with a dump from a live master."""

import fnmatch
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import click

from pillarbook.cli.open_declared import find_link_policy, open_declared, split_declared
from pillarbook.cli.output import open_output
from pillarbook.cli.progress import show_progress
from pillarbook.cli.shared_options import (
    code_options,
    declared_options,
    format_option,
    minion_option,
    output_option,
)
from pillarbook.session import RunOptions, Session
from pillarbook.verify import Dump, Verification, to_json, to_text, verify

CODES = {"equal": 0, "different": 2, "not compared": 1}


@click.command()
@click.argument("dump")
@declared_options
@minion_option("Only minions that match; for a dump from salt-call, its minion.")
@format_option
@output_option
@code_options
@click.pass_obj
def command(base: RunOptions, /, **values: Any) -> int:
    """Compare the pillar with DUMP, the pillar from a live master, and suggest reasons.

    DUMP is the output of pillar.items from salt or salt-call with --out=json (--static works too),
    or - for standard input. Likely reasons are a missing or outdated grain in the inventory, an
    undeclared function or an external pillar; a grain is tested by compiling again. Secrets of
    both sides are redacted. Encrypted values without a key are counted but not compared.

    Exit codes: 0 equal, 2 differences or undeclared minions, 1 cannot compare.

    \b
    Examples:
      salt '*' pillar.items unmask=True --out=json > dump.json
      pillarbook verify dump.json
      salt-call pillar.items unmask=True --out=json | pillarbook verify - --minion web1
    """  # noqa: D301 (click keeps the lines after this mark as they are)
    declared, asked = split_declared(values)
    with _open_dump(asked["dump"]) as (stream, shown):
        session = open_declared(
            base,
            declared,
            python=asked["python"],
            renderers=asked["renderers"],
            explains=False,
            environments=False,
        )
        with session:
            found = _verify(session, stream, shown, asked["minions"])
            with open_output(asked["output"], base.known, find_link_policy(declared)) as out:
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
def _open_dump(name: str) -> Iterator[tuple[BinaryIO, str]]:
    """Yield the dump and its name."""
    if name == "-":
        yield sys.stdin.buffer, "standard input"
        return
    try:
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
        return verify(session, dump, shown, wanted=lambda one: _is_wanted(one, globs), step=step)


def _is_wanted(minion: str, globs: tuple[str, ...]) -> bool:
    return not globs or any(fnmatch.fnmatchcase(minion, glob) for glob in globs)


def _describe_what_is_missing(found: Verification) -> None:
    """Print on standard error why nothing was compared, if so."""
    if found.result != "not compared":
        return
    if found.masked:
        words = (
            "Salt masked values in the dump, so they cannot be compared; make the dump with "
            "`salt '*' pillar.items unmask=True --out=json`"
        )
    else:
        words = "no declared minion has a pillar in the dump"
    click.echo(f"pillarbook: {found.dump}: {words}", err=True)
