"""``pillarbook check``: errors, warnings and notes about the pillar and the states."""

import click

from pillarbook.cli import options
from pillarbook.cli.watched_command import Does, WatchedCommand
from pillarbook.diagnostics.rules import RULES


@click.command(cls=WatchedCommand)
@options.declared
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "github", "sarif", "junit", "gitlab"]),
    default="text",
    show_default=True,
    help="Output format. The last four are for services that show findings in a code review.",
)
@click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="Colors in the text; auto means on a terminal, unless NO_COLOR is set.",
)
@options.output
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning", "note", "unknown"]),
    default="error",
    show_default=True,
    help="Exit with 2 if there is a finding of this severity or worse; with `unknown`, if there is "
    "an error or an unknown value.",
)
@click.option(
    "--rule",
    "rules",
    type=options.RuleChoice(RULES),
    multiple=True,
    metavar="CODE",
    help="Show only findings of this rule; repeatable. `pillarbook rule` lists them.",
)
@click.option(
    "--report-url",
    metavar="URL",
    help="Address of the report, for links of SARIF to its pages about rules.",
)
@options.jobs
@options.timing
def command() -> Does:
    """Compile every minion's pillar and states, and list errors, warnings and notes.

    The worst come first, each with its file and line.

    \b
    Examples:
      pillarbook check
      pillarbook check --rule missing-sls --rule unused-sls --fail-on note
      pillarbook check --master master --inventory minions.yml --format json --fail-on warning
      pillarbook check --format sarif --output findings.sarif
    """  # noqa: D301 (click keeps the lines after this mark as they are)
    from pillarbook.cli.list_findings import list_findings

    return list_findings
