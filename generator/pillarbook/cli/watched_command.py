"""A command that reads its words first, and works in a process that is watched.

Most of the time of a short run goes into imports. So the module of a command has its options and
its help only, and what does the work is imported when the work begins. ``--help``, wrong words and
completion never wait for it.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from pillarbook.session import RunOptions

TIMING = "--timing"
"""The option that may stand without its value."""
Work = Callable[["RunOptions"], Any]
"""The work of a command; it returns the exit code."""
Does = Callable[["RunOptions", dict[str, Any]], int]
"""What does the work of a command, given the values of its options."""


class WatchedCommand(click.Command):
    """A command whose function returns what does its work.

    Its context holds, as ``obj``, what runs that.
    """

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        """Read the words; ``--timing`` may stand alone."""
        return super().parse_args(context, _complete_timing(args))

    def invoke(self, context: click.Context) -> Any:
        """Have the work done once the words are read."""
        start: Callable[[Work], Any] = context.obj

        def work(options: "RunOptions") -> Any:
            assert self.callback is not None  # noqa: S101 (each command has its function)
            does: Does = self.callback()
            result = context.invoke(does, options, dict(context.params))
            timing = context.params.get("timing")
            if timing is not None:
                click.echo(timing.describe(), err=True, nl=False)
            return result

        return start(work)


def _complete_timing(words: list[str]) -> list[str]:
    """Return words in which ``--timing`` has a value: without, Click would take the next word."""
    end = words.index("--") if "--" in words else len(words)
    return [f"{TIMING}=text" if one == TIMING else one for one in words[:end]] + words[end:]
