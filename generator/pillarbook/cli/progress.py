"""Progress bars: on a terminal only, so that logs stay quiet."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


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
