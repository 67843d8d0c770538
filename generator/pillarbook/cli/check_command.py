"""``pillarbook check``: what is wrong with the pillar."""

import json
from typing import Any, TextIO

import click

from pillarbook.book import RunOptions
from pillarbook.cli.declared import open_declared, split_declared
from pillarbook.cli.options import declared_options, format_option, output_option
from pillarbook.cli.output import open_output
from pillarbook.cli.progress import show_progress
from pillarbook.diagnostics import Diagnostic, Severity
from pillarbook.diagnostics.formats import to_json, to_text
from pillarbook.diagnostics.rules import RULES

FINDINGS = 2


@click.command()
@declared_options
@format_option
@output_option
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning", "note"]),
    default="error",
    show_default=True,
    help="Exit with 2 where there is anything of this severity or worse.",
)
@click.option(
    "--rule",
    "rules",
    type=click.Choice(list(RULES)),
    multiple=True,
    metavar="CODE",
    help="Only what this rule finds; may be given again. The guide lists the rules.",
)
@click.pass_obj
def command(base: RunOptions, /, **values: Any) -> int:
    """Compile every minion and list what is wrong, worst first, with file and line.

    \b
    Examples:
      pillarbook check
      pillarbook check --rule missing-sls --rule unused-sls --fail-on note
      pillarbook check --master master --inventory minions.yml --format json --fail-on warning
    """  # noqa: D301 (click's mark for lines that are to stay as they are)
    declared, asked = split_declared(values)
    book = open_declared(base, declared, explains=False, environments=False)
    with book:
        with show_progress("compiling", len(book.minions)) as step:
            book.look_at_all(step)
        rules = asked["rules"] or RULES
        found = tuple(one for one in book.diagnostics if one.code in rules)
        ignored = book.count_ignored(rules)
    with open_output(asked["output"], base.known) as out:
        write = _write_json if asked["form"] == "json" else _write_text
        write(out, found, ignored)
    limit = Severity[asked["fail_on"].upper()]
    return FINDINGS if any(one.severity >= limit for one in found) else 0


def _write_json(out: TextIO, found: tuple[Diagnostic, ...], ignored: int) -> None:
    json.dump(to_json(found, ignored), out, ensure_ascii=False, indent=1)
    out.write("\n")


def _write_text(out: TextIO, found: tuple[Diagnostic, ...], ignored: int) -> None:
    out.writelines(f"{line}\n" for line in to_text(found, ignored))
