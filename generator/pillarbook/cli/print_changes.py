"""Prints which values change on which minions: the work of ``pillarbook diff``."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self, TextIO

import click

from pillarbook.changes.compare_sides import compare_environments, compare_sides
from pillarbook.changes.comparison import HeadScan, Since
from pillarbook.changes.comparison.resolve_sides import Base
from pillarbook.changes.read_acknowledgements import read_acknowledgements
from pillarbook.changes.saved_results import compare_saved
from pillarbook.cli.diff_text import write_diff
from pillarbook.cli.open_declared import need_matches, open_declared, options_of
from pillarbook.cli.open_revisions import are_results, open_revisions, read_ignored
from pillarbook.cli.output import open_output
from pillarbook.cli.read_declared import find_link_policy, split_declared
from pillarbook.cli.summary import show_progress
from pillarbook.cli.value_text import HasTokens, clean_line
from pillarbook.compare.acknowledgements import Acknowledgements, acknowledge
from pillarbook.compare.alarms import changes_minion, is_alarm, prove_no_change
from pillarbook.compare.diff import Diff
from pillarbook.diagnostics.rules import RULES
from pillarbook.report.acknowledged_changes import name_changes
from pillarbook.report.diff_json import diff_to_json
from pillarbook.report.diff_markdown import COMMENT, MarkdownOptions, write_markdown
from pillarbook.report.diff_wording import describe_out_of_reach
from pillarbook.report.group_names import MinionWords
from pillarbook.session import RunOptions

SIDES = ("BASE", "HEAD")
NO_ACKS = Acknowledgements()
FOUND = 2
"""The exit code if there is something that ``--fail-on`` names."""


def print_changes(run: RunOptions, values: dict[str, Any]) -> int:
    """Compare the two sides, print the result, and return the exit code."""
    declared, asked = split_declared(values)
    asked["links"] = find_link_policy(declared)
    asked["timing"].mark("loading")
    sides = (asked["base"], asked["head"])
    has_results = are_results(*sides, asked["links"])
    _refuse_together(asked, has_results=has_results)
    if asked["environments"]:
        return _diff_environments(run, declared, asked)
    if has_results:
        diff, tokens = compare_saved(
            *map(Path, sides), rules=read_ignored(declared), globs=asked["minions"]
        )
        words = MinionWords((name, {}) for name in diff.minions)
        return _finish(run, Compared(diff, tokens, words), asked)
    first: Base | None = asked["base"]
    if asked["since"]:
        first = Since(asked["since"])
    elif asked["since_report"]:
        from pillarbook.cli.earlier_report import read_earlier_report  # noqa: PLC0415 (on use)

        first = read_earlier_report(asked["since_report"], asked["links"])
    named = (first, asked["head"])
    return _diff_revisions(run, declared, named, asked)


def _refuse_together(asked: dict[str, Any], *, has_results: bool) -> None:
    """Stop the command if some of its options exclude each other."""
    given = (asked["base"], asked["since"], asked["since_report"])
    if asked["environments"] and (asked["head"] is not None or any(given)):
        raise click.UsageError(
            "Give either BASE and HEAD, --since, --since-report, or --environments."
        )
    if sum(one is not None for one in given) > 1:
        raise click.UsageError("Give only one of BASE, --since and --since-report.")
    if has_results and (asked["grains"] or asked["as_new"] or asked["target"]):
        raise click.UsageError(
            "Saved results have no grains: --grain, --as-new and --target are for"
            " `pillarbook compile` here."
        )
    if asked["grains"] and asked["target"] and not asked["environments"]:
        # A minion may match on one side only, and would have the new grains on this side only.
        raise click.UsageError("With --grain, name minions with --minion, not with --target.")


def _diff_environments(run: RunOptions, declared: dict[str, Any], asked: dict[str, Any]) -> int:
    with open_declared(run, declared, **_asked_of(asked)) as session:
        need_matches(asked, session.fleet)
        asked["timing"].mark("reading")
        with show_progress("compiling", len(SIDES)) as step:
            diff = compare_environments(
                session, asked["environments"], step, read_ignored(declared)
            )
        words = MinionWords((name, session.shown.grains(name)) for name in session.fleet.asked)
        has_states = session.compiler.has_states
        return _finish(run, Compared(diff, session.shown, words, has_states), asked)


def _diff_revisions(
    run: RunOptions,
    declared: dict[str, Any],
    named: tuple[Base | None, str | None],
    asked: dict[str, Any],
) -> int:
    with open_revisions(run, declared, named, environments=False, **_asked_of(asked)) as sides:
        need_matches(asked, sides.head.fleet, sides.base.fleet)
        asked["timing"].mark("reading")
        scan = HeadScan(sides, asked["jobs"])  # before the progress bar has a thread
        with scan, show_progress("compiling", len(sides.minions)) as step:
            diff = compare_sides(sides, step, scan)
        has_states = sides.head.compiler.has_states
        words, acks = MinionWords(sides.grains()), read_acknowledgements(sides)
        return _finish(run, Compared(diff, sides.head.shown, words, has_states, acks), asked)


def _asked_of(asked: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a run that compiles to compare."""
    needs_rules = any(what in RULES for what in asked["fail_on"])
    return {
        **options_of(asked),
        "explains": False,
        "checks": needs_rules,
        "checks_base": needs_rules,
    }


@dataclass(frozen=True, slots=True)
class Compared:
    """A comparison, and what its output needs."""

    diff: Diff
    known: HasTokens
    """Returns the tokens of its secrets."""
    words: MinionWords
    """Names groups of minions."""
    has_states: bool = False
    """Whether states were compared, too."""
    acks: Acknowledgements = NO_ACKS
    """The changes that are acknowledged."""

    def with_ids(self) -> Self:
        """Return the comparison with the ids of its changes, and with what is acknowledged."""
        named = name_changes(self.diff, self.words, self.known.token)
        return replace(self, diff=acknowledge(named, self.acks))


def _finish(run: RunOptions, compared: Compared, asked: dict[str, Any]) -> int:
    """Write a comparison, and return the exit code."""
    asked["timing"].mark("compiling")
    output, links = asked["output"], asked["links"]
    # With `--reveal`, ids would be digests of clear secrets, which can be guessed. A list of ids
    # of minions shows none, and naming the groups of a large fleet takes time.
    if not asked["reveal"] and (asked["form"] != "minions" or compared.acks != NO_ACKS):
        compared = compared.with_ids()
    proof = None
    if asked["expect_none"]:
        proof = prove_no_change(compared.diff, has_states=compared.has_states)
        diff = replace(compared.diff, notes=(proof.words, *compared.diff.notes))
        compared = replace(compared, diff=diff)
    with open_output(output, run.known, links, private=asked["reveal"]) as out:
        WRITERS[asked["form"]](out, compared, asked)
    fail_on = asked["fail_on"] or ("new-failure",)
    if asked["exit_code"]:
        fail_on = (*fail_on, "change")
    if proof is not None and not proof.holds:
        return FOUND
    found = any(is_alarm(compared.diff, what) for what in fail_on if what != "none")
    return FOUND if found else 0


def _write_json(out: TextIO, compared: Compared, _asked: dict[str, Any]) -> None:
    json.dump(diff_to_json(compared.diff, compared.known.token), out, ensure_ascii=False, indent=1)
    out.write("\n")


def _write_minions(out: TextIO, compared: Compared, _asked: dict[str, Any]) -> None:
    for note in describe_out_of_reach(compared.diff):
        click.echo(clean_line(f"note: {note}"), err=True)
    diff = compared.diff
    out.writelines(f"{clean_line(name)}\n" for name in diff.minions if changes_minion(diff, name))


def _write_markdown(out: TextIO, compared: Compared, asked: dict[str, Any]) -> None:
    options = MarkdownOptions(asked["limit"] or COMMENT, asked["report_url"])
    out.write(write_markdown(compared.diff, compared.known.token, compared.words, options))


def _write_text(out: TextIO, compared: Compared, _asked: dict[str, Any]) -> None:
    for line in write_diff(compared.diff, compared.known, compared.words):
        click.echo(line, file=out)


WRITERS: Mapping[str, Callable[[TextIO, Compared, dict[str, Any]], None]] = {
    "text": _write_text,
    "markdown": _write_markdown,
    "json": _write_json,
    "minions": _write_minions,
}
