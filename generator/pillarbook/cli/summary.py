"""What a command that is not about diagnostics says of them, on standard error."""

from collections.abc import Iterable, Sequence

import click

from pillarbook.cli.values import clean_line
from pillarbook.diagnostics import Diagnostic, Severity
from pillarbook.diagnostics.formats import count_severities
from pillarbook.redact import RedactedPillar

MOST_LISTED = 10
"""Errors that are named one by one."""


def report_found(diagnostics: Sequence[Diagnostic], *, broke_off: bool = False) -> None:
    """Name the errors, as far as there are not too many, and count everything.

    Args:
        diagnostics: What was found, worst first.
        broke_off: Whether a minion got no pillar at all.
    """
    errors = [one for one in diagnostics if one.severity is Severity.ERROR]
    for error in errors[:MOST_LISTED]:
        place = f"{error.position}: " if error.position else ""
        click.echo(clean_line(f"pillarbook: {place}{error.message}"), err=True)
    if diagnostics:
        hint = " (a minion's compile broke off)" if broke_off else ""
        counted = count_severities(diagnostics)
        click.echo(f"pillarbook: {counted}{hint}; `pillarbook check` lists them", err=True)


def report_faults(pillars: Iterable[RedactedPillar]) -> None:
    """Name what is wrong with minions that lack what was asked for, as far as it is not too much.

    Args:
        pillars: What the minions get.
    """
    faults = list(dict.fromkeys(fault for pillar in pillars for fault in pillar.faults))
    for fault in faults[:MOST_LISTED]:
        click.echo(clean_line(f"pillarbook: {fault}"), err=True)
    if len(faults) > MOST_LISTED:
        left = f"{len(faults) - MOST_LISTED:,} more; `pillarbook check` lists them"
        click.echo(f"pillarbook: {left}", err=True)
