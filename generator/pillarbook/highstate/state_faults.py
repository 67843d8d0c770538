"""Faults of states: Salt's error messages, and diagnostics with positions."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pillarbook.compile.broken import CompileBreaksOff
from pillarbook.diagnostics import Diagnostic, new_diagnostic
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
    """Salt's message."""
    diagnostic: Diagnostic | None
    """None if another diagnostic reports it."""
    origin: Origin
    """The line of the fault, with Salt's message as the value."""


def new_fault(
    code: str,
    words: str,
    origins: Sequence[Origin],
    message: str | None = None,
    remedy: str | None = None,
) -> Fault:
    """Return a fault with Salt's ``words``, on the line of the last origin.

    Without a ``message`` the diagnostic has the first line of ``words``, which must quote no value.
    """
    message = message or words.split("\n", 1)[0].strip()
    made = fault_at(code, words, message, place_of(origins), remedy)
    return replace(made, origin=replace(origins[-1], value=words, below=())) if origins else made


def fault_at(
    code: str, words: str, message: str, place: Position | None, remedy: str | None
) -> Fault:
    """Return a fault with Salt's ``words`` that is at a position, without a value there."""
    file, line = ("states", None) if place is None else (place.file, place.line)
    diagnostic = new_diagnostic(code, message, place, remedy=remedy)
    return Fault(words, diagnostic, Origin(file, line, None, None, words))


def looks_for(fault: Fault, kind: str, name: str) -> Fault:
    """Return a fault that says what it looks for in vain: an ``sls`` or an ``id``, and its name."""
    assert fault.diagnostic is not None  # noqa: S101 (faults are made with one)
    return replace(fault, diagnostic=replace(fault.diagnostic, missing=(kind, name)))


def place_of(origins: Sequence[Origin]) -> Position | None:
    """Return the position of the last origin."""
    return origins[-1].position if origins else None


def breaks_off(
    words: str,
    origins: Sequence[Origin],
    remedy: str | None = None,
    what: str = "Salt stops at these states",
) -> CompileBreaksOff:
    """Return the exception with which Salt's own compile breaks off.

    ``words`` are the type and message of Salt's exception, without any value.
    """
    return CompileBreaksOff(
        words,
        new_diagnostic(
            "compile-breaks-off",
            f"{what}: {words}",
            place_of(origins),
            remedy=remedy,
        ),
    )


def lacks(value: HighNode, attribute: str) -> CompileBreaksOff:
    """Return Salt's exception for an attribute that the type of a value lacks."""
    words = f"AttributeError: '{type_name(value)}' object has no attribute '{attribute}'"
    return breaks_off(words, value.origins)


def not_iterable(value: HighNode) -> CompileBreaksOff:
    """Return Salt's exception for a loop over a scalar."""
    return breaks_off(f"TypeError: '{type_name(value)}' object is not iterable", value.origins)


def no_container(value: HighNode) -> CompileBreaksOff:
    """Return Salt's exception for a search in a scalar."""
    words = f"TypeError: argument of type '{type_name(value)}' is not iterable"
    return breaks_off(words, value.origins)


def unhashable(value: HighNode) -> CompileBreaksOff:
    """Return Salt's exception for a container as a key."""
    return breaks_off(f"TypeError: unhashable type: '{type_name(value)}'", value.origins)


def text_key(key: Any, origins: tuple[Origin, ...]) -> str:
    """Return a key that is text.

    Raises:
        CompileBreaksOff: It has another type, which lacks ``startswith``.
    """
    if not isinstance(key, str):
        raise lacks(Leaf(key, origins), "startswith")
    return key


def type_name(value: HighNode) -> str:
    """Return the name of a value's Python type in Salt."""
    if isinstance(value, Leaf):
        return type(value.value).__name__
    if isinstance(value, ListNode | HighList):
        return "list"
    return "dict" if isinstance(value, MapNode) and value.kind == "plain" else "OrderedDict"


def as_printed(value: HighNode) -> str:
    """Return a value as Python prints it in an error of Salt."""
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
