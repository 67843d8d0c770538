"""The command group, and the process that runs it."""

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
"""The exit code of a command that was interrupted, as shells have it."""
COMMANDS = {
    "build": "Write the report as a static site.",
    "check": "List what is wrong with the pillar and the states.",
    "compile": "Print the pillar of minions.",
    "diff": "Say what changes for whom, between two sides.",
    "explain": "Say where each value of a minion comes from.",
    "get": "Print one key over the fleet.",
    "init": "Write a first configuration for a tree that has none, and say what is missing.",
    "verify": "Compare the pillar with a dump of a live master's.",
    "serve": "Serve the report, built anew at every change.",
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
    epilog="Data goes to standard output, everything else to standard error. Exit codes: 0 done; "
    "1 could not do it, or a minion's compile broke off; 2 findings; 3 the leak gate held "
    "back a secret. Tokens of secrets are equal between runs where PILLARBOOK_TOKEN_KEY is set.",
)
@click.version_option(__version__, prog_name="pillarbook")
def cli() -> None:
    """Compile Salt pillar offline, exactly as Salt does, and say where each value comes from.

    \b
    Start with:
      pillarbook compile --master master --inventory minions.yml --minion web1
      pillarbook explain web1 nginx:workers
      pillarbook build

    In a tree that nobody prepared, begin with: pillarbook init

    A mkdocs.yml with a pillarbook section spares --master and --inventory. Files are read inside
    the repository only (without one, inside the master file's folder); --allow adds a folder.
    """  # noqa: D301 (click's mark for lines that are to stay as they are)


def main(arguments: Sequence[str] | None = None, options: RunOptions | None = None) -> None:
    """Run the command line, watched over by a process that survives it.

    Args:
        arguments: The words after the command's name; the process's own where it is None.
        options: What the run is asked for besides.
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
        arguments: The words after the command's name; the process's own where it is None.
        options: What the run is asked for besides.
    """
    known = SecretIndex()
    with filtered_streams(known):
        code = _run(arguments, replace(options or RunOptions(), known=known))
        with suppress(OSError, LeakError):  # what a command has printed before it failed
            sys.stdout.flush()
            sys.stderr.flush()
        if known.leaks and code != LeakError.exit_code:
            return _describe(LeakError("a secret was kept back", known.leaks))
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
    except Exception as error:  # noqa: BLE001 (no traceback reaches a user; it is told)
        return _describe(error)
    return result if isinstance(result, int) else 0


def _describe(error: Exception) -> int:
    """Say what stopped a command, and return its exit code."""
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
        words = f"internal error: {place_of_fault(error)}; `python -X dev -m pillarbook` tells more"
    for line in words.splitlines():
        click.echo(f"pillarbook: {clean_line(line)}", err=True)
    return code
