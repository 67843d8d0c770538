"""The exceptions for wrong declarations; each has every fault."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from pillarbook.diagnostics import Diagnostic, PillarbookError


class DeclarationError(PillarbookError):
    """Faults of a file that the user wrote for pillarbook or for the master."""

    def __init__(self, faults: Sequence[Diagnostic]) -> None:
        super().__init__("\n".join(_line(fault) for fault in faults))
        self.faults = tuple(faults)
        """All of them, in the order of the files."""


class InventoryError(DeclarationError):
    """The inventory cannot be used."""


class SettingsError(DeclarationError):
    """The configuration, or Salt's master file, cannot be used."""


def describe(value: Any) -> str:
    """Return the type of a value in words: ``a list``, ``text``; never the value itself."""
    for kind, words in (
        (bool, "true or false"),
        (str, "text"),
        (int | float, "a number"),
        (list | tuple, "a list"),
        (dict, "a mapping"),
        (date, "a date"),
    ):
        if isinstance(value, kind):
            return words
    return "empty" if value is None else f"of the type {type(value).__name__}"


def suggest(word: object, known: Iterable[str], listed: str = "") -> str:
    """Return a remedy for an unknown name: the nearest known one, or all known ones.

    ``listed`` is said instead of all known names, if there are too many of them.
    """
    from pillarbook.patterns.similar import find_similar  # noqa: PLC0415 (on use)

    names = list(known)
    near = find_similar(str(word), names)
    if near:
        return f"did you mean '{near}'?"
    return listed or f"known here: {', '.join(sorted(names))}"


def _line(fault: Diagnostic) -> str:
    position = f"{fault.position}: " if fault.position else ""
    remedy = f" ({fault.help})" if fault.help else ""
    # A name of the tree that is quoted may have lines of its own.
    return " ".join(f"{position}{fault.message}{remedy}".splitlines())
