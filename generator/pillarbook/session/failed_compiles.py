"""Handles exceptions of a compile: one minion fails, and the others are compiled."""

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pillarbook
from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.pillar_additions import EMPTY
from pillarbook.compile.renderers.render_errors import LimitExceeded
from pillarbook.diagnostics import Diagnostic, PillarbookError, new_diagnostic
from pillarbook.inventory.minions import Minion
from pillarbook.model import Position

REPORT = "please report it, with the files that the minion reads"
Compiled = TypeVar("Compiled", bound=CompiledPillar)


def or_failed(minion: Minion, compile_: Callable[[], Compiled]) -> Compiled | CompiledPillar:
    """Return the result of a compile; for any exception, the failed pillar of its minion.

    Errors for which Salt has an entry are handled when a file is rendered. So other exceptions are
    bugs of pillarbook, and must not affect other minions. They are reported as ``internal-error``,
    with their position.
    """
    try:
        return compile_()
    # Nothing of the text of the exception is shown: it may quote a value.
    except Exception as error:  # noqa: BLE001 (becomes this minion's outcome)
        return failed_pillar(minion, error)


def failed_pillar(minion: Minion, error: Exception) -> CompiledPillar:
    """Return the pillar of a minion whose compile raised an exception.

    The exception's own text may contain values, so it is shown only if it is about a limit.
    """
    return CompiledPillar(
        minion=minion.id,
        tree=EMPTY,
        outcome="failed",
        errors=(),
        raises=_name(error),
        targets=(),
        pillarenv=minion.pillarenv,
        saltenv=minion.saltenv,
        diagnostics=(_diagnose(minion, error),),
        renders=(),
    )


def place_of_fault(error: BaseException) -> str:
    """Return the position of an exception in this package: ``TypeError at cli/main.py:12``."""
    home = Path(pillarbook.__file__).parent
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).is_relative_to(home)
    ]
    if not frames:
        return type(error).__name__
    file = Path(frames[-1].filename).relative_to(home).as_posix()
    return f"{type(error).__name__} at {file}:{frames[-1].lineno}"


def _name(error: Exception) -> str:
    if isinstance(error, LimitExceeded):
        return f"LimitExceeded: {error}"
    if isinstance(error, RecursionError):
        return "RecursionError: maximum recursion depth exceeded"
    return type(error).__name__


def _diagnose(minion: Minion, error: Exception) -> Diagnostic:
    position = minion.position
    code = "internal-error"
    remedy: str | None = REPORT
    message = f"the minion cannot be compiled: {place_of_fault(error)}"
    if isinstance(error, LimitExceeded):
        code = "limit-exceeded"
        remedy = "look for slow regular expressions, and for includes that multiply"
        message = f"the compile of the minion was stopped: {error}"
        if error.place is not None:
            position = Position(*error.place)
    elif isinstance(error, PillarbookError):
        code, remedy = "cannot-compile", None
        message = f"the minion cannot be compiled: {error}"
    elif isinstance(error, RecursionError):
        code, remedy = "too-deep", "look for includes in a cycle, and for deeply nested keys"
        message = "the minion's pillar or its includes have too many nested levels"
    return new_diagnostic(code, message, position, remedy=remedy)
