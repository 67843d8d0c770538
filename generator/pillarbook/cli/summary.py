"""What commands say on standard error: their progress, and a summary of diagnostics."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

import click

from pillarbook.cli.value_text import show_place
from pillarbook.diagnostics import Diagnostic, Severity, fold_follow_on
from pillarbook.diagnostics.formats.wording import count_severities

MAX_LISTED = 10
"""Errors that are printed in full."""


def report_found(diagnostics: Sequence[Diagnostic], *, broke_off: bool = False) -> None:
    """Print the first errors, and count all diagnostics.

    ``broke_off`` says whether a minion got no pillar because Salt stopped compiling it.
    """
    errors = [one for one in fold_follow_on(diagnostics) if one.severity is Severity.ERROR]
    for error in errors[:MAX_LISTED]:
        place = f"{error.position}: " if error.position else ""
        click.echo(f"pillarbook: {show_place(f'{place}{error.message}')}", err=True)
    if diagnostics:
        hint = " (a minion's compile broke off)" if broke_off else ""
        counted = count_severities(diagnostics)
        click.echo(f"pillarbook: {counted}{hint}; `pillarbook check` lists them", err=True)


def report_faults(found: Iterable[str]) -> None:
    """Print why minions lack the requested keys, up to a limit."""
    faults = list(dict.fromkeys(found))
    for fault in faults[:MAX_LISTED]:
        click.echo(f"pillarbook: {show_place(fault)}", err=True)
    if len(faults) > MAX_LISTED:
        left = f"{len(faults) - MAX_LISTED:,} more; `pillarbook check` lists them"
        click.echo(f"pillarbook: {left}", err=True)


@contextmanager
def show_progress(what: str, total: int) -> Iterator[Callable[[], None]]:
    """Yield a function to call after each of ``total`` steps."""
    if not sys.stderr.isatty() or total < 2:
        yield lambda: None
        return
    from rich.console import Console  # noqa: PLC0415 (only a terminal pays for it)
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    left = TimeRemainingColumn(compact=True, elapsed_when_finished=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), left)
    # Messages go through the console meanwhile, which would wrap them.
    console = Console(stderr=True, soft_wrap=True)
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(what, total=total)
        yield lambda: progress.advance(task)
