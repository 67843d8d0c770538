"""``pillarbook diff``: what changes for whom, between two sides."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import click

from pillarbook.book import RunOptions
from pillarbook.book.compared import compare_environments, compare_sides
from pillarbook.book.saved import compare_saved
from pillarbook.book.sides import Survey
from pillarbook.cli.declared import (
    find_link_policy,
    open_declared,
    read_ignored,
    split_declared,
)
from pillarbook.cli.diff_text import write_diff
from pillarbook.cli.options import code_options, declared_options, output_option
from pillarbook.cli.output import open_output
from pillarbook.cli.progress import show_progress
from pillarbook.cli.revisions import are_results, open_revisions
from pillarbook.cli.values import HasTokens, clean_line
from pillarbook.compare.diff import Diff
from pillarbook.report.diff_json import diff_to_json
from pillarbook.report.diff_markdown import COMMENT, MarkdownOptions, write_markdown
from pillarbook.report.diff_words import tell_out_of_reach
from pillarbook.report.minion_words import MinionWords

SIDES = ("BASE", "HEAD")
DIFFERS = 2
"""The exit code where a minion is not unchanged, or its states are not."""


@click.command()
@click.argument("base", required=False)
@click.argument("head", required=False)
@click.option(
    "--environments",
    nargs=2,
    metavar="A B",
    help="Compare every minion in environment A with itself in environment B.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "json", "minions"]),
    default="text",
    show_default=True,
    help="For people, for a comment, for programs, or the ids of all that are not unchanged.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=1000),
    default=COMMENT,
    show_default=True,
    metavar="BYTES",
    help="How long the Markdown may be; what is left out is counted.",
)
@click.option("--report-url", metavar="URL", help="Link to the full report in the Markdown.")
@output_option
@click.option("--reveal", is_flag=True, help="Decrypt as Salt would, and show secrets.")
@code_options
@declared_options
@click.pass_obj
def command(run: RunOptions, /, **values: Any) -> int:
    """Say what differs between two sides: which minions, in what, set where.

    BASE and HEAD are git revisions: what changed from where BASE and HEAD parted up to HEAD.
    Without HEAD it is the working tree with all that is not committed; without BASE the
    configuration names it, else it is HEAD. Or both are saved results, as `pillarbook compile
    --format result` writes them. The exit code is 2 where a minion or its states are not unchanged.

    \b
    Examples:
      pillarbook diff
      pillarbook diff origin/main --format markdown
      pillarbook diff v1.4 v1.5
      pillarbook diff --environments base staging
      pillarbook diff yesterday.json today.json --format minions > changed.txt
    """  # noqa: D301 (click's mark for lines that are to stay as they are)
    declared, asked = split_declared(values)
    asked["links"] = find_link_policy(declared)
    sides = (asked["base"], asked["head"])
    if asked["environments"] and sides != (None, None):
        raise click.UsageError("Give either BASE and HEAD, or --environments.")
    if asked["environments"]:
        return _diff_environments(run, declared, asked)
    if are_results(*sides):
        diff, tokens = compare_saved(*map(Path, sides), rules=read_ignored(declared))
        return _finish(run, Compared(diff, tokens, [(name, {}) for name in diff.minions]), asked)
    return _diff_revisions(run, declared, sides, asked)


def _diff_environments(run: RunOptions, declared: dict[str, Any], asked: dict[str, Any]) -> int:
    book = open_declared(run, declared, **_asked_of(asked))
    with book:
        with show_progress("compiling", len(SIDES)) as step:
            diff = compare_environments(book, asked["environments"], step, read_ignored(declared))
        grains = ((name, book.grains(name)) for name in book.minions)
        return _finish(run, Compared(diff, book, grains), asked)


def _diff_revisions(
    run: RunOptions,
    declared: dict[str, Any],
    named: tuple[str | None, str | None],
    asked: dict[str, Any],
) -> int:
    with open_revisions(run, declared, named, environments=False, **_asked_of(asked)) as sides:
        survey = Survey(sides)  # before the progress bar has a thread
        with survey, show_progress("compiling", len(sides.minions)) as step:
            diff = compare_sides(sides, step, survey)
        return _finish(run, Compared(diff, sides.head, sides.grains()), asked)


def _asked_of(asked: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a run that compiles to compare."""
    shared = {name: asked[name] for name in ("reveal", "python", "renderers")}
    return {**shared, "explains": False, "checks": False}


@dataclass(frozen=True, slots=True)
class Compared:
    """A comparison, and what is needed to write it."""

    diff: Diff
    """The comparison."""
    known: HasTokens
    """Knows the tokens of its secrets."""
    grains: Iterable[tuple[str, Mapping[str, Any]]]
    """Each minion with its grains; asked for where groups get names."""


def _finish(run: RunOptions, compared: Compared, asked: dict[str, Any]) -> int:
    """Write a comparison, and return the exit code."""
    output, links = asked["output"], asked["links"]
    with open_output(output, run.known, links, private=asked["reveal"]) as out:
        WRITERS[asked["form"]](out, compared, asked)
    return 0 if compared.diff.is_same else DIFFERS


def _write_json(out: TextIO, compared: Compared, _asked: dict[str, Any]) -> None:
    json.dump(diff_to_json(compared.diff, compared.known.token), out, ensure_ascii=False, indent=1)
    out.write("\n")


def _write_minions(out: TextIO, compared: Compared, _asked: dict[str, Any]) -> None:
    for note in tell_out_of_reach(compared.diff):
        click.echo(clean_line(f"note: {note}"), err=True)
    diff = compared.diff
    out.writelines(f"{clean_line(name)}\n" for name in diff.minions if diff.changes(name))


def _write_markdown(out: TextIO, compared: Compared, asked: dict[str, Any]) -> None:
    options = MarkdownOptions(asked["limit"], asked["report_url"])
    words = MinionWords(compared.grains)
    out.write(write_markdown(compared.diff, compared.known.token, words, options))


def _write_text(out: TextIO, compared: Compared, _asked: dict[str, Any]) -> None:
    for line in write_diff(compared.diff, compared.known, MinionWords(compared.grains)):
        click.echo(line, file=out)


WRITERS: Mapping[str, Callable[[TextIO, Compared, dict[str, Any]], None]] = {
    "text": _write_text,
    "markdown": _write_markdown,
    "json": _write_json,
    "minions": _write_minions,
}
