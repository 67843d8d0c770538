"""A command that reads its words first, and works in a process that is watched.

Most of the time of a short run goes into imports. So the module of a command has its options and
its help only, and what does the work is imported when the work begins. ``--help``, wrong words and
completion never wait for it.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from pillarbook.cli.timing import complete_option

if TYPE_CHECKING:
    from pillarbook.session import RunOptions

Work = Callable[["RunOptions"], Any]
"""The work of a command; it returns the exit code."""


class WatchedCommand(click.Command):
    """A command whose context holds, as ``obj``, what runs its work."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        """Read the words; ``--timing`` may stand alone."""
        return super().parse_args(context, complete_option(args))

    def invoke(self, context: click.Context) -> Any:
        """Have the work done once the words are read."""
        start: Callable[[Work], Any] = context.obj

        def work(options: "RunOptions") -> Any:
            context.obj = options
            result = super(WatchedCommand, self).invoke(context)
            timing = context.params.get("timing")
            if timing is not None:
                click.echo(timing.describe(), err=True, nl=False)
            return result

        return start(work)
