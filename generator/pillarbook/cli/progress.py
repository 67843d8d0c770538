"""Progress bars: on a terminal only, so that logs stay quiet."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def show_progress(what: str, total: int) -> Iterator[Callable[[], None]]:
    """Yield what is to be called after each of ``total`` steps.

    Args:
        what: What is being done, as a word.
        total: How many steps there are.
    """
    if not sys.stderr.isatty() or total < 2:
        yield lambda: None
        return
    from rich.console import Console  # noqa: PLC0415 (only a terminal pays for it)
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn  # noqa: PLC0415

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    # What is said meanwhile goes through the console, which would break it into lines.
    console = Console(stderr=True, soft_wrap=True)
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(what, total=total)
        yield lambda: progress.advance(task)
