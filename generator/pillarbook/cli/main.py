"""The group of all commands, and the process that runs it."""

import importlib
import io
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pillarbook import __version__
from pillarbook.cli.attempt import attempt
from pillarbook.cli.watched_command import Work

if TYPE_CHECKING:
    from pillarbook.session import RunOptions

COMPLETE = "_PILLARBOOK_COMPLETE"
"""The variable that Click reads: which shell completes words, or wants its script."""
COMMANDS = {
    "answers": "List calls that only a live Salt can answer, with lines that declare answers.",
    "build": "Write the report as a static site.",
    "check": "List errors, warnings and notes about the pillar and the states.",
    "compile": "Print the pillar of minions.",
    "diff": "Show which values change on which minions, and why.",
    "explain": "Show where each value of a minion is set.",
    "export": "Write the fleet as tables, for SQLite or as CSV.",
    "get": "Print one key of all minions.",
    "init": "Write a first configuration, and list what is missing.",
    "merge": "Write the report of the parts that `build --shard` has made.",
    "rule": "Explain a rule: what it finds, why, and what to do.",
    "schema": "Print the JSON Schema of an output, or of a file that you write.",
    "inventory": "List the declared minions, or add minions from other sources.",
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

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that some words begin with; suggest one for an unknown name."""
        name = args[0]
        if name.startswith("-") or self.get_command(context, name) is not None:
            return super().resolve_command(context, args)
        from pillarbook.patterns.similar import find_similar  # noqa: PLC0415 (few names are misspelt)

        known = find_similar(name, COMMANDS)
        hint = f" Did you mean '{known}'?" if known else ""
        raise click.UsageError(f"No such command '{name}'.{hint}", context)

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name]) for name in self.list_commands(context)])


@click.group(
    cls=_LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Data goes to standard output, messages to standard error. Exit codes: 0 success; "
    "1 failure, or Salt stopped compiling a pillar; 2 `check` or `diff` found what --fail-on "
    "names (default: errors, new failures), or `verify` found differences; 3 the leak gate held "
    "back a secret. Set PILLARBOOK_TOKEN_KEY to get the same tokens in every run.",
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


def main() -> None:
    """Run the command line; a second process watches the work of a command."""
    open_streams()
    if COMPLETE in os.environ:
        _prepare_completion()
    sys.exit(_read(None, _watch))


def run(arguments: Sequence[str] | None = None, options: "RunOptions | None" = None) -> int:
    """Run the command line in this process and return its exit code.

    Without ``arguments``, they are the process's own.
    """
    return _read(arguments, lambda work: _work(work, options))


def _read(arguments: Sequence[str] | None, start: Callable[[Work], int]) -> int:
    """Read the words, start the work that they ask for, and return the exit code."""
    return attempt(
        lambda: cli.main(args=arguments, standalone_mode=False, prog_name="pillarbook", obj=start)
    )


def _prepare_completion() -> None:
    """Let Click complete words with the scripts of this package."""
    from click.shell_completion import add_completion_class  # noqa: PLC0415 (a key press needs it)

    from pillarbook.cli.bash_completion import LineBashComplete  # noqa: PLC0415 (as above)

    add_completion_class(LineBashComplete)


def _watch(work: Work) -> int:
    """Do the work of a command in a child of this process."""
    from pillarbook.supervise.watchdog import run_watched  # noqa: PLC0415 (the help needs none)

    return run_watched(lambda heartbeat: _work(work, heartbeat=heartbeat))


def _work(work: Work, options: "RunOptions | None" = None, **further: Any) -> int:
    from pillarbook.cli.filtered_work import do_work  # noqa: PLC0415 (loads what compiles)

    return do_work(work, options, **further)


def open_streams() -> None:
    """Open closed streams, and make every character writable.

    Data is UTF-8 in every locale, except on a terminal. Characters that the encoding lacks are
    written with a backslash, which JSON reads back.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest free number
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 (to the end)
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 (as above)
    if isinstance(sys.stdout, io.TextIOWrapper):
        encoding = None if sys.stdout.isatty() else "utf-8"
        sys.stdout.reconfigure(encoding=encoding, errors="backslashreplace")
