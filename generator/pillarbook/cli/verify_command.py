"""``pillarbook verify``: the pillar against a dump of a live master's."""

import fnmatch
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import click

from pillarbook.book import FleetBook, RunOptions
from pillarbook.book.verify import Dump, Verification, to_json, to_text, verify
from pillarbook.cli.declared import find_link_policy, open_declared, split_declared
from pillarbook.cli.options import (
    code_options,
    declared_options,
    format_option,
    minion_option,
    output_option,
)
from pillarbook.cli.output import open_output
from pillarbook.cli.progress import show_progress

CODES = {"equal": 0, "different": 2, "not compared": 1}


@click.command()
@click.argument("dump")
@declared_options
@minion_option("Only the minions that match; for a dump of salt-call, the minion it is of.")
@format_option
@output_option
@code_options
@click.pass_obj
def command(base: RunOptions, /, **values: Any) -> int:
    """Compare the pillar with DUMP, what the minions of a live master got, and say why it differs.

    DUMP is what salt's pillar.items printed with --out=json (also with --static, or by salt-call),
    or - for standard input. A grain that the inventory lacks or has an old value of, an undeclared
    function, an external pillar and the like are named as the likely reasons; a grain is tried out.
    Secrets are shown of neither side. Without keys, encrypted values are not compared, and counted.

    Exit codes: 0 equal, 2 differences or minions that are not declared, 1 it could not be compared.

    \b
    Examples:
      salt '*' pillar.items unmask=True --out=json > dump.json
      pillarbook verify dump.json
      salt-call pillar.items unmask=True --out=json | pillarbook verify - --minion web1
    """  # noqa: D301 (click's mark for lines that are to stay as they are)
    declared, asked = split_declared(values)
    with _open_dump(asked["dump"]) as (stream, shown):
        book = open_declared(
            base,
            declared,
            python=asked["python"],
            renderers=asked["renderers"],
            explains=False,
            environments=False,
        )
        with book:
            found = _verify(book, stream, shown, asked["minions"])
            with open_output(asked["output"], base.known, find_link_policy(declared)) as out:
                if asked["form"] == "json":
                    json.dump(to_json(found, book.token), out, ensure_ascii=False, indent=1)
                    out.write("\n")
                else:
                    out.writelines(f"{line}\n" for line in to_text(found, book.token))
    _say_what_is_missing(found)
    return CODES[found.result]


@contextmanager
def _open_dump(name: str) -> Iterator[tuple[BinaryIO, str]]:
    """Yield the dump and how it is called."""
    if name == "-":
        yield sys.stdin.buffer, "standard input"
        return
    try:
        stream = Path(name).open("rb")  # noqa: SIM115 (closed below; only opening is looked after)
    except OSError as error:
        raise click.ClickException(f"{name}: {error.strerror}") from error
    with stream:
        yield stream, name


def _verify(book: FleetBook, stream: BinaryIO, shown: str, globs: tuple[str, ...]) -> Verification:
    chosen = book.choose(globs)
    local = chosen[0] if len(chosen) == 1 else None
    dump = Dump(stream, shown, frozenset(book.minions), local)
    with show_progress("comparing", len(chosen)) as step:
        return verify(book, dump, shown, wanted=lambda one: _is_wanted(one, globs), step=step)


def _is_wanted(minion: str, globs: tuple[str, ...]) -> bool:
    return not globs or any(fnmatch.fnmatchcase(minion, glob) for glob in globs)


def _say_what_is_missing(found: Verification) -> None:
    """Say on standard error why nothing can be said, where that is so."""
    if found.result != "not compared":
        return
    if found.masked:
        words = (
            "Salt hid values of the dump, so it is not known to be equal; make it with "
            "`salt '*' pillar.items unmask=True --out=json`"
        )
    else:
        words = "no declared minion has a pillar in the dump"
    click.echo(f"pillarbook: {found.dump}: {words}", err=True)
