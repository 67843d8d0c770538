"""``pillarbook diff``: which values change on which minions between two sides."""

import click

from pillarbook.cli import options
from pillarbook.cli.watched_command import Does, WatchedCommand
from pillarbook.diagnostics.rules import RULES

FAIL_ON = ("none", "new-failure", "failure", "change", "secret-access")
"""What may fail a job, besides the findings of a rule."""


@click.command(cls=WatchedCommand)
@click.argument("base", required=False)
@click.argument("head", required=False)
@click.option(
    "--environments",
    nargs=2,
    metavar="A B",
    shell_complete=options.complete_pillarenvs,
    help="Compare each minion's pillar in environment A with its pillar in environment B.",
)
@click.option(
    "--since",
    metavar="TIME",
    help="Compare with the last commit before a time, such as `24 hours ago` or `2026-01-31`.",
)
@options.since_report
@options.chosen_minions
@options.what_if
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "json", "minions"]),
    default="text",
    show_default=True,
    help="Output format; `minions` prints the ids of the minions that are new, fixed, newly"
    " failing or changed.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=1000),
    metavar="BYTES",
    help="Maximum size of the Markdown, which says how much it omits. [default: 60000]",
)
@click.option("--report-url", metavar="URL", help="Address of the full report, for the Markdown.")
@options.output
@click.option(
    "--fail-on",
    "fail_on",
    type=options.RuleChoice(RULES, FAIL_ON),
    multiple=True,
    metavar="WHAT",
    help="Exit with 2 on `new-failure` (the default: newly failing or newly empty minions, new"
    " errors of others, or something that could not be compared), `failure`, `change`,"
    " `secret-access` (a minion can read a secret that it could not read before), or a new finding"
    " of a rule, by its code."
    " `none` for never. Repeatable.",
)
@click.option(
    "--exit-code", is_flag=True, help="Also exit with 2 if anything changed: `--fail-on change`."
)
@click.option(
    "--expect-none",
    is_flag=True,
    help="For a change that should have no effect: print what was proven, and exit with 2 if"
    " anything changed or could not be compared.",
)
@options.reveal
@options.code
@options.declared
@options.jobs
@options.timing
def command() -> Does:
    """Show which values change on which minions, and which changed line is the cause.

    BASE and HEAD are git revisions; HEAD is compared with the merge base of both. `A..B` compares
    the two commits, `A...B` is the same as `A B`. The default for HEAD is the working tree with its
    uncommitted changes. The default for BASE is `revisions` in the configuration, or HEAD. BASE and
    HEAD can also be two results that `pillarbook compile --format result` saved. The exit code is 2
    if something newly fails; see `--fail-on`.

    \b
    Examples:
      pillarbook diff
      pillarbook diff origin/main --format markdown
      pillarbook diff v1.4..v1.5
      pillarbook diff --since "24 hours ago"
      pillarbook diff --environments base staging --minion 'web*'
      pillarbook diff origin/main --expect-none
      pillarbook diff origin/main --fail-on new-failure --fail-on secret-access
      pillarbook diff yesterday.json today.json --format minions > changed.txt
    """  # noqa: D301 (click keeps the lines after this mark as they are)
    from pillarbook.cli.print_changes import print_changes

    return print_changes
