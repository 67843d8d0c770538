"""Diagnostics of calls that have an answer, but may not do what the user expects."""

import datetime as dt
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pillarbook.compile.project import Project
from pillarbook.compile.renderers.code.record_opened import ANYTHING, IMPORTED, RULE, UNFOLLOWED
from pillarbook.compile.renderers.jinja.function_errors import UndeclaredClockError
from pillarbook.diagnostics import Diagnostic, new_diagnostic
from pillarbook.inventory.declared_clock import Clock
from pillarbook.model import Position
from pillarbook.roots.tree_interface import FoundFile

READS_CLOCK = "reads-clock"
"""The rule for templates that read the current time."""
MAX_NAMED = 3
"""The most files that a message names."""
OPENED_HELP = (
    "a comparison reads these files of each revision; files that no commit has are not compared"
)
RUNS_HELP = (
    "a comparison uses the files on disk for both sides; `import_yaml`, `slsutil.renderer` and"
    " `cp.get_file_str` read the files of each side"
)


@dataclass(frozen=True, slots=True)
class _Words:
    """The texts of one rule."""

    calls: re.Pattern[str]
    """The call, in a line of a template."""
    message: str
    """The text after ``SLS 'web'``."""
    remedy: str
    """The remedy."""


_WORDS = {
    "mine-in-pillar": _Words(
        re.compile(r"\bmine\b['\"\])]*[.\[]?\s*['\"]?get\b"),
        "calls 'mine.get', which finds nothing when a master renders pillar",
        "call salt['saltutil.runner']('mine.get', tgt=..., fun=...), which reads the mine",
    ),
    READS_CLOCK: _Words(
        re.compile(r"\b(strftime|date_format|status|system)\b"),
        "reads the clock",
        "a master uses the time of the compile, so its minions get another value",
    ),
    "unknown-renderer": _Words(
        re.compile(r"\bslsutil\b['\"\])]*[.\[]?\s*['\"]?renderer\b"),
        "calls 'slsutil.renderer' with a renderer that Salt does not know; the result is {}",
        "correct the first line of the file or text, or `default_renderer`",
    ),
}


def word_remark(
    rule: str, what: str, files: Iterable[FoundFile], clock: Clock | None = None
) -> Diagnostic:
    """Return the diagnostic of a call, with the line on which it most likely is."""
    found, words = list(files), _WORDS[rule]
    places = (
        Position(file.shown, number)
        for file in found
        for number, line in enumerate(file.text.splitlines(), 1)
        if words.calls.search(line)
    )
    return new_diagnostic(
        rule,
        f"{what} {words.message}" + (describe_time(clock) if rule == READS_CLOCK else ""),
        next(places, Position(found[0].shown, 1)),
        remedy=words.remedy,
    )


def describe_time(clock: Clock | None) -> str:
    """Return the description of the time that templates got."""
    return "" if clock is None else f", which is set to {clock} here, by {clock.source}"


def read_clock(clock: Clock | None, remark: Callable[[str], None]) -> dt.datetime:
    """Return the declared time, and note that it was read.

    Raises:
        UndeclaredClockError: No time is declared.
    """
    if clock is None:
        raise UndeclaredClockError
    remark(READS_CLOCK)
    return clock.time


def word_opened(
    what: str, position: Position, opened: Iterable[str], project: Project
) -> Iterator[Diagnostic]:
    """Yield diagnostics of code that opens or imports files of the tree, or starts programs.

    ``what`` has the code: ``SLS 'web'``. ``opened`` are full paths, ``ANYTHING``, ``IMPORTED`` or
    ``UNFOLLOWED``.
    """
    paths = list(opened)
    own = [Path(path) for path in paths if path not in (ANYTHING, IMPORTED, UNFOLLOWED)]
    may_read = project.options.may_read
    files = sorted({project.shown(one) for one in own if may_read(Path(os.path.realpath(one)))})
    if files:
        named = ", ".join(files[:MAX_NAMED])
        more = f" and {len(files) - MAX_NAMED:,} more" if len(files) > MAX_NAMED else ""
        yield _word_opening(f"{what} opens files itself: {named}{more}", position, files)
    if ANYTHING in paths:
        yield _word_opening(f"{what} starts programs, which may read any file", position, ())
    if UNFOLLOWED in paths:
        message = f"{what} reads files in a thread, or in another way that cannot be followed"
        yield _word_opening(message, position, ())
    if IMPORTED in paths:
        yield _word_opening(f"{what} imports Python files of the tree", position, ())


def _word_opening(message: str, position: Position, files: Iterable[str]) -> Diagnostic:
    related = tuple(Position(file) for file in files)
    remedy = OPENED_HELP if related else RUNS_HELP
    return new_diagnostic(RULE, message, position, related=related, remedy=remedy)
