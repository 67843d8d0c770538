"""``pillarbook explain``: where each value of a minion comes from."""

import json
import sys
from typing import Any

import click

from pillarbook.book import FleetBook, RunOptions
from pillarbook.book.explained import explained
from pillarbook.cli.declared import (
    hint_at_minion,
    open_declared,
    split_declared,
)
from pillarbook.cli.options import code_options, declared_options, format_option
from pillarbook.cli.summary import report_faults
from pillarbook.cli.values import clean_line, show_value
from pillarbook.model import KeyPath, format_path, parse_path
from pillarbook.redact import RedactedLeaf, RedactedPillar, is_reference


@click.command()
@click.argument("minion")
@click.argument("key", required=False)
@declared_options
@format_option
@click.option("--reveal", is_flag=True, help="Decrypt as Salt would, and show secrets.")
@code_options
@click.pass_obj
def command(base: RunOptions, /, **values: Any) -> int:
    """Say which targets give MINION its SLS files, and which line set each value below KEY.

    KEY is a path such as nginx:workers; without it all values are listed. Overridden values
    stand under the one that won, the latest first (in the JSON, oldest first).

    \b
    Examples:
      pillarbook explain web1
      pillarbook explain web1 nginx:workers --format json
    """  # noqa: D301 (click's mark for lines that are to stay as they are)
    declared, asked = split_declared(values)
    book = open_declared(
        base,
        declared,
        reveal=asked["reveal"],
        python=asked["python"],
        renderers=asked["renderers"],
    )
    with book:
        minion = asked["minion"]
        if minion not in book.minions:
            hint = hint_at_minion(minion, book.minions)
            raise click.ClickException(f"'{minion}' is not in the inventory{hint}")
        book.settle(book.compile_all([minion]))
        pillar = book.pillar(book.shown_id(minion))
        leaves = choose_leaves(pillar, asked["key"])
        if asked["key"] and not leaves:
            report_faults([pillar])
            raise click.ClickException(f"'{minion}' has no key '{asked['key']}'")
        if asked["form"] == "json":
            told = explained(pillar, leaves, book.token)
            json.dump(told, sys.stdout, ensure_ascii=False, indent=1)
            click.echo()
        else:
            _print_text(book, pillar, leaves, with_targets=not asked["key"])
    return 1 if pillar.raises is not None else 0


def choose_leaves(pillar: RedactedPillar, key: str | None) -> list[RedactedLeaf]:
    """Return the leaves below a key path; all of them without one.

    A colon stands between keys. Where that reading finds nothing, it may stand within a key.
    """
    if not key:
        return list(pillar.leaves)
    wanted = parse_path(key)
    found = [leaf for leaf in pillar.leaves if _is_below(leaf.path, wanted)]
    return found or [leaf for leaf in pillar.leaves if _reads_as(leaf.path, key)]


def _is_below(path: KeyPath, wanted: tuple[str, ...]) -> bool:
    return tuple(str(part) for part in path[: len(wanted)]) == wanted


def _reads_as(path: KeyPath, text: str) -> bool:
    """Say whether a path, or its beginning, is written like a text."""
    if ":" not in text or not path or not text.startswith(str(path[0])):  # most are no more like
        return False
    return any(format_path(path[:end]) == text for end in range(1, len(path) + 1))


def _print_text(
    book: FleetBook, pillar: RedactedPillar, leaves: list[RedactedLeaf], *, with_targets: bool
) -> None:
    _say(f"{pillar.minion}: {pillar.outcome}")
    for error in (*pillar.errors, *([pillar.raises] if pillar.raises else [])):
        first, *quoted = error.splitlines() or [""]
        _say(f"  error: {first}")
        for line in quoted:
            _say(f"    {line}")
    for fault in pillar.faults:
        _say(f"  why: {fault}")
    if with_targets:
        click.echo("\ntargets")
        for target in pillar.targets:
            mark = "+" if target.matched else " "
            names = ", ".join(target.sls)
            _say(f"  {mark} {target.target}  ({target.match}, {target.saltenv})  {names}")
            _say(f"      {target.file}:{target.line}")
        click.echo("\nvalues")
    for leaf in leaves:
        _print_leaf(book, leaf)


def _print_leaf(book: FleetBook, leaf: RedactedLeaf) -> None:
    is_marked = isinstance(leaf.value, str) and is_reference(leaf.value)
    mark = "  (reference)" if is_marked else ""
    _say(f"  {format_path(leaf.path)}: {show_value(book, leaf.value)}{mark}")
    for index, origin in enumerate(reversed(leaf.origins)):
        place = origin.file if origin.line is None else f"{origin.file}:{origin.line}"
        where = f"  [{origin.saltenv}]" if origin.saltenv else ""
        if index == 0:
            _say(f"      {place}{where}")
        else:
            _say(f"      overrides {show_value(book, origin.value)}  {place}{where}")


def _say(line: str) -> None:
    click.echo(clean_line(line))
