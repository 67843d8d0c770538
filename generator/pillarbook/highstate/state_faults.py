"""What is wrong with states: in Salt's words, and as a diagnostic with a place."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pillarbook.compile.broken import CompileBreaksOff
from pillarbook.diagnostics import Diagnostic, Severity
from pillarbook.highstate.mutable_high_data import HighList, HighMap, HighNode
from pillarbook.model import Leaf, ListNode, MapNode, Origin, Position

HIDDEN = "<redacted>"
"""Stands for a value that Salt quotes and that may be secret."""
SHAPE = "state-shape"
CONFLICT = "conflicting-id"
MISSING = "missing-state"
CYCLE = "requisite-cycle"


@dataclass(frozen=True, slots=True)
class Fault:
    """One of Salt's errors."""

    words: str
    """Salt's words."""
    diagnostic: Diagnostic | None
    """What is said of it; None where something else says it already."""
    origin: Origin
    """Where it arose, with Salt's words for a value."""


def new_fault(
    code: str,
    words: str,
    origins: Sequence[Origin],
    message: str | None = None,
    remedy: str | None = None,
) -> Fault:
    """Return a fault.

    Args:
        code: The rule.
        words: Salt's words.
        origins: Those of what it is about; the last one is its place.
        message: What is said; the first line of Salt's words where they quote no value.
        remedy: What to do about it.
    """
    return Fault(
        words,
        Diagnostic(
            code=code,
            severity=Severity.ERROR,
            message=message or words.split("\n", 1)[0].strip(),
            position=place_of(origins),
            help=remedy,
        ),
        replace(origins[-1], value=words, below=()) if origins else nowhere(words),
    )


def fault_at(
    code: str, words: str, message: str, place: Position | None, remedy: str | None
) -> Fault:
    """Return a fault whose place is known, and no value there.

    Args:
        code: The rule.
        words: Salt's words.
        message: What is said.
        place: Where it arose.
        remedy: What to do about it.
    """
    origin = nowhere(words) if place is None else Origin(place.file, place.line, None, None, words)
    return Fault(
        words,
        Diagnostic(
            code=code, severity=Severity.ERROR, message=message, position=place, help=remedy
        ),
        origin,
    )


def nowhere(words: str) -> Origin:
    """Return the origin of an error that no line of any file gives."""
    return Origin("states", None, None, None, words)


def place_of(origins: Sequence[Origin]) -> Position | None:
    """Return the place of the last of some origins."""
    return Position(origins[-1].file, origins[-1].line) if origins else None


def breaks_off(words: str, origins: Sequence[Origin]) -> CompileBreaksOff:
    """Return how Salt ends over states of a shape that its own compile does not survive.

    Args:
        words: The type and words of Salt's exception; no value is in them.
        origins: Those of what it ends over.
    """
    return CompileBreaksOff(
        words,
        Diagnostic(
            code="compile-breaks-off",
            severity=Severity.ERROR,
            message=f"Salt breaks off at these states: {words}",
            position=place_of(origins),
        ),
    )


def lacks(value: HighNode, attribute: str) -> CompileBreaksOff:
    """Return how Salt ends where it asks a value for what its type does not have."""
    words = f"AttributeError: '{type_name(value)}' object has no attribute '{attribute}'"
    return breaks_off(words, value.origins)


def type_name(value: HighNode) -> str:
    """Return the name of the Python type that Salt has a value as."""
    if isinstance(value, Leaf):
        return type(value.value).__name__
    if isinstance(value, ListNode | HighList):
        return "list"
    return "dict" if isinstance(value, MapNode) and value.kind == "plain" else "OrderedDict"


def as_printed(value: HighNode) -> str:
    """Return a value as Python prints it within an error of Salt's."""
    return str(value.value) if isinstance(value, Leaf) else _repr(value)


def _repr(value: HighNode) -> str:
    if isinstance(value, Leaf):
        return repr(value.value)
    if isinstance(value, ListNode | HighList):
        return f"[{', '.join(_repr(item) for item in members(value))}]"
    pairs = [(repr(key), _repr(item)) for key, item in pairs_of(value)]
    if isinstance(value, MapNode) and value.kind == "plain":
        return f"{{{', '.join(f'{key}: {item}' for key, item in pairs)}}}"
    inner = ", ".join(f"({key}, {item})" for key, item in pairs)
    return f"OrderedDict([{inner}])" if pairs else "OrderedDict()"


def members(value: ListNode | HighList) -> Sequence[Any]:
    """Return the members of a list."""
    return value.items if isinstance(value, ListNode) else value


def pairs_of(value: MapNode | HighMap) -> Sequence[tuple[Any, Any]]:
    """Return keys and values of a mapping."""
    return tuple(value.items.items() if isinstance(value, MapNode) else value.items())
