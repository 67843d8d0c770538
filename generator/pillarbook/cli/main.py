"""The group of all commands, and the process that runs it."""

import importlib
import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import click

from pillarbook import __version__
from pillarbook.cli.streams import filtered_streams, open_streams
from pillarbook.cli.value_text import clean_line
from pillarbook.diagnostics import PillarbookError
from pillarbook.redact.leaks import LeakError
from pillarbook.redact.secret_index import SecretIndex
from pillarbook.session import RunOptions, place_of_fault, run_watched

INTERRUPTED = 130
"""The exit code of an interrupted command, as in shells."""
COMMANDS = {
    "build": "Write the report as a static site.",
    "check": "List errors, warnings and notes about the pillar and the states.",
    "compile": "Print the pillar of minions.",
    "diff": "Show which values change on which minions.",
    "explain": "Show where each value of a minion is set.",
    "get": "Print one key of all minions.",
    "init": "Write a first configuration, and list what is missing.",
    "verify": "Compare the pillar with a dump from a live master.",
    "serve": "Serve the report, and rebuild it after each change.",
}
"""Commands and what they do; the module of each is loaded when it is called."""


class _LazyGroup(click.Group):
    """A group that loads a command's module when the command is called."""

    def list_commands(self, _context: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted(COMMANDS)

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        """Return a command."""
        if name not in COMMANDS:
            return None
        module = importlib.import_module(f"pillarbook.cli.{name}_command")
        command: click.Command = module.command
        return command

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name]) for name in self.list_commands(context)])


@click.group(
    cls=_LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Data goes to standard output, messages to standard error. Exit codes: 0 success; "
    "1 failure, or Salt stopped compiling a pillar; 2 findings or changes; 3 the leak gate "
    "held back a secret. Set PILLARBOOK_TOKEN_KEY to get the same tokens in every run.",
)
@click.version_option(__version__, prog_name="pillarbook")
def cli() -> None:
    """Compile Salt pillar offline, exactly as Salt does, and show where each value is set.

    \b
    Start with:
      pillarbook compile --master master --inventory minions.yml --minion web1
      pillarbook explain web1 nginx:workers
      pillarbook build

    If the tree has no configuration, start with: pillarbook init

    --master and --inventory are not needed if mkdocs.yml has a pillarbook section. Files are read
    only inside the repository (or the master file's folder); --allow adds a folder.
    """  # noqa: D301 (click keeps the lines after this mark as they are)


def main(arguments: Sequence[str] | None = None, options: RunOptions | None = None) -> None:
    """Run the command line, with a second process that watches it.

    Args:
        arguments: The words after the command's name; None for the process's own.
        options: Further options of the run.
    """
    open_streams()
    asked = options or RunOptions()
    sys.exit(
        run_watched(
            lambda heartbeat: run(arguments, replace(asked, heartbeat=heartbeat)),
            asked.limits.seconds,
        )
    )


def run(arguments: Sequence[str] | None = None, options: RunOptions | None = None) -> int:
    """Run the command line in this process and return its exit code.

    Args:
        arguments: The words after the command's name; None for the process's own.
        options: Further options of the run.
    """
    known = SecretIndex()
    with filtered_streams(known):
        code = _run(arguments, replace(options or RunOptions(), known=known))
        with suppress(OSError, LeakError):  # output from before the failure
            sys.stdout.flush()
            sys.stderr.flush()
        if known.leaks and code != LeakError.exit_code:
            return _describe(LeakError("a secret was held back", known.leaks))
        return code


def _run(arguments: Sequence[str] | None, options: RunOptions) -> int:
    try:
        result = cli.main(
            args=arguments, standalone_mode=False, prog_name="pillarbook", obj=options
        )
        sys.stdout.flush()
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except click.Abort:
        return INTERRUPTED
    # A traceback may quote values of a pillar, so it is printed in the development mode of Python
    # only.
    except Exception as error:  # noqa: BLE001 (no traceback reaches a user, only its message)
        return _describe(error)
    return result if isinstance(result, int) else 0


def _describe(error: Exception) -> int:
    """Print the error that stopped a command, and return its exit code."""
    if isinstance(error, BrokenPipeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    if isinstance(error, click.UsageError):
        error.show()
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
        click.echo(f"pillarbook: {clean_line(line)}", err=True)
    return code
