"""Does the work of a command: no secret gets out, and an error becomes one line."""

import os
import sys
import traceback
from contextlib import suppress
from dataclasses import replace
from typing import Any

import click

from pillarbook.cli.attempt import attempt
from pillarbook.cli.filtered import filtered_streams
from pillarbook.cli.value_text import show_place
from pillarbook.cli.watched_command import Work
from pillarbook.diagnostics import PillarbookError
from pillarbook.redact.leak_errors import LeakError
from pillarbook.redact.secret_index import SecretIndex
from pillarbook.session.failed_compiles import place_of_fault
from pillarbook.session.run_options import RunOptions


def do_work(work: Work, options: RunOptions | None = None, **further: Any) -> int:
    """Do the work of a command and return its exit code."""
    known = SecretIndex()
    asked = replace(options or RunOptions(), known=known, **further)
    with filtered_streams(known):
        code = attempt(lambda: work(asked))
        with suppress(OSError, LeakError):  # output from before the failure
            sys.stdout.flush()
            sys.stderr.flush()
        if known.leaks and code != LeakError.exit_code:
            return describe_error(LeakError("a secret was held back", known.leaks))
        return code


def describe_error(error: Exception) -> int:
    """Print the error that stopped a command, and return its exit code."""
    if isinstance(error, BrokenPipeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    code = 1
    if isinstance(error, click.ClickException):
        words = error.format_message()
    elif isinstance(error, PillarbookError):
        words, code = str(error), error.exit_code
    elif isinstance(error, OSError):
        words = f"{error.filename or 'standard output'}: {error.strerror or type(error).__name__}"
    else:
        if sys.flags.dev_mode:
            traceback.print_exception(error)
        words = f"internal error: {place_of_fault(error)}; `python -X dev -m pillarbook` shows more"
    for line in words.splitlines():
        click.echo(f"pillarbook: {show_place(line)}", err=True)
    return code
