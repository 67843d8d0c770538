"""The command group, and the process that runs it."""

import importlib
import os
import sys
from collections.abc import Sequence

import click

from pillarbook import __version__
from pillarbook.book import Heartbeat, RunOptions, run_watched
from pillarbook.diagnostics import PillarbookError

COMMANDS = {
    "build": "Write the report as a static site.",
    "check": "List what is wrong with the pillar.",
    "compile": "Print the pillar of minions.",
    "explain": "Say where each value of a minion comes from.",
    "get": "Print one key over the fleet.",
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
    "1 could not do it, or a minion's compile broke off; 2 findings; 3 the leak gate stopped a "
    "build.",
)
@click.version_option(__version__, prog_name="pillarbook")
def cli() -> None:
    """Compile Salt pillar offline, exactly as Salt does, and say where each value comes from.

    \b
    Start with:
      pillarbook compile --master /etc/salt/master --inventory minions.yml --minion web1
      pillarbook explain web1 nginx:workers
      pillarbook build
    """  # noqa: D301 (click's mark for lines that are to stay as they are)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line, watched over by a process that survives it."""
    sys.exit(run_watched(lambda heartbeat: run(arguments, heartbeat), RunOptions().limits.seconds))


def run(arguments: Sequence[str] | None = None, heartbeat: Heartbeat | None = None) -> int:
    """Run the command line in this process and return its exit code.

    Args:
        arguments: The words after the command's name; the process's own where it is None.
        heartbeat: Where renders are noted for the process that watches over this one.
    """
    try:
        result = cli.main(
            args=arguments, standalone_mode=False, prog_name="pillarbook", obj=heartbeat
        )
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except click.Abort:
        return 130
    except click.ClickException as error:
        error.show()
        return 1
    except PillarbookError as error:
        click.echo(f"pillarbook: {error}", err=True)
        return error.exit_code
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return result if isinstance(result, int) else 0
