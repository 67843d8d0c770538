"""Reads a declaration's text, and turns the errors of parsers into faults."""

from collections.abc import Callable
from json import JSONDecodeError
from pathlib import Path
from typing import TypeAlias

import yaml

from pillarbook.diagnostics import Diagnostic, new_diagnostic
from pillarbook.inventory.config_yaml import UnreadableValueError
from pillarbook.inventory.reach import OutsideReachError
from pillarbook.model import Position
from pillarbook.roots.file_access import DISK

Reader: TypeAlias = Callable[[Path], bytes]
"""Returns the content of a file."""


class UnreadableError(Exception):
    """A file cannot be read; the error has the fault with the reason."""

    def __init__(self, fault: Diagnostic) -> None:
        super().__init__(fault.message)
        self.fault = fault


def read_text(file: Path, *, shown: str, what: str, code: str, read: Reader = DISK.read) -> str:
    """Return a file's text without a byte order mark.

    ``shown`` is its name in the fault, ``what`` its purpose, as in ``the inventory``, ``code`` the
    code of the fault.

    Raises:
        UnreadableError: It is missing, a folder, not permitted, or not UTF-8.
    """
    try:
        content = read(file)
    except OutsideReachError as error:
        fault = new_diagnostic(code, f"{what} {error.reason}", Position(shown), remedy=error.remedy)
        raise UnreadableError(fault) from error
    except OSError as error:
        reason = {
            FileNotFoundError: "does not exist",
            IsADirectoryError: "is a folder, where a file is needed",
            PermissionError: "may not be read",
        }.get(type(error), f"cannot be read: {error.strerror}")
        raise UnreadableError(new_diagnostic(code, f"{what} {reason}", Position(shown))) from error
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        remedy = "save the file in the encoding UTF-8"
        fault = new_diagnostic(code, f"{what} is not UTF-8", Position(shown, line), remedy=remedy)
        raise UnreadableError(fault) from error


def explain_syntax(error: Exception, text: str, *, shown: str, what: str, code: str) -> Diagnostic:
    """Return the fault for an error of PyYAML or the JSON decoder; the rest as in ``read_text``.

    The error is a ``YAMLError``, ``JSONDecodeError``, ``ValueError`` or ``RecursionError``.
    """
    if isinstance(error, JSONDecodeError):
        place = Position(shown, error.lineno, error.colno)
        return new_diagnostic(code, f"{what} is not JSON: {error.msg}", place)
    if isinstance(error, UnreadableValueError):
        line = error.problem_mark.line + 1 if error.problem_mark else None
        message = f"{what} holds a value that cannot be read: {error.reason}"
        return new_diagnostic(code, message, Position(shown, line))
    if isinstance(error, yaml.reader.ReaderError):
        line = text.count("\n", 0, error.position) + 1
        return new_diagnostic(code, f"{what} is not YAML: {error.reason}", Position(shown, line))
    if isinstance(error, yaml.MarkedYAMLError):
        mark = error.problem_mark or error.context_mark
        place = _find_position(mark, text, shown) if mark else Position(shown)
        words = error.problem or error.context or "it cannot be read"
        remedy = "indent with spaces" if "'\\t'" in words or "\t" in words else None
        return new_diagnostic(code, f"{what} is not YAML: {words}", place, remedy=remedy)
    if isinstance(error, RecursionError):
        return new_diagnostic(code, f"{what} is nested too deeply", Position(shown))
    return new_diagnostic(
        code, f"{what} holds a value that cannot be read: {error}", Position(shown)
    )


def _find_position(mark: yaml.Mark, text: str, shown: str) -> Position:
    """Return where a fault is; one of the end of the text is on its last line."""
    last = len(text.splitlines())
    if mark.line < last:
        return Position(shown, mark.line + 1, mark.column + 1)
    return Position(shown, max(last, 1))
