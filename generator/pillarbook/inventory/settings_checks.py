"""Checks of configuration values that collect all faults instead of stopping at the first."""

import datetime as dt
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from pillarbook.diagnostics import Diagnostic, new_diagnostic
from pillarbook.inventory.declaration_errors import describe, suggest
from pillarbook.inventory.declared_clock import WANTED, parse_time
from pillarbook.model import KeyPath, Position

CODE = "settings"
"""The code of every fault of the configuration."""


# By hand and not by a library: docs/decisions/0003.
class Checks:
    """Reads the options of a section; a value of the wrong type becomes a fault and is left out."""

    def __init__(
        self, section: Mapping[str, Any], position_of: Callable[[KeyPath], Position]
    ) -> None:
        self._section = section
        self.position_of = position_of
        """Gives the line of a key path."""
        self.faults = list[Diagnostic]()
        """The faults so far."""

    def add(self, path: KeyPath, message: str, remedy: str | None) -> None:
        """Add a fault at a key path."""
        position = self.position_of(path)
        self.faults.append(new_diagnostic(CODE, message, position, path=path, remedy=remedy))

    def mistype(self, path: KeyPath, value: Any, wanted: str) -> None:
        """Add the fault of a value of a wrong type."""
        self.add(path, f"'{_name(path)}' is {describe(value)}", f"it must be {wanted}")

    def forbid_unknown(
        self, path: KeyPath, values: Mapping[Any, Any], known: Iterable[str], listed: str = ""
    ) -> None:
        """Add a fault for every unknown key; ``listed`` says what lists the known ones."""
        names = tuple(known)
        for key in values:
            if key not in names:
                full = (*path, key)
                self.add(full, f"'{_name(full)}' is not known", suggest(key, names, listed))

    def text(self, name: str, *, needed: str) -> str:
        """Return a required option that is text; empty if it is missing or wrong."""
        value = self._section.get(name)
        if isinstance(value, str) and value:
            return value
        if value is None:
            self._lack(name, needed)
        else:
            self.mistype((name,), value, needed)
        return ""

    def texts(self, name: str, *, needed: str | None = None) -> tuple[str, ...]:
        """Return an option that is a text or a list of texts."""
        value = self._section.get(name)
        if needed and value in (None, [], ""):
            self._lack(name, needed)
            return ()
        return self.texts_at((name,), value)

    def texts_at(self, path: KeyPath, value: Any) -> tuple[str, ...]:
        """Return a value that is a text or a list of texts."""
        if value is None:
            return ()
        if isinstance(value, str):
            return (value,)
        if not isinstance(value, list | tuple):
            self.mistype(path, value, "a list of texts")
            return ()
        for index, item in enumerate(value):
            if not isinstance(item, str):
                self.mistype((*path, index), item, "text; a number in quotes")
        return tuple(item for item in value if isinstance(item, str))

    def patterns_at(self, path: KeyPath, value: Any) -> tuple[str, ...]:
        """Return a value that is a list of patterns, none of which is empty."""
        patterns = self.texts_at(path, value)
        for at, pattern in _texts_of(path, value):
            if not pattern.strip():
                self.add(at, f"'{_name(path)}' has an empty pattern", "write one, or leave it out")
        return patterns

    def expressions_at(self, path: KeyPath, value: Any) -> tuple[str, ...]:
        """Return a value that is a list of regular expressions, none of which is empty."""
        patterns = self.patterns_at(path, value)
        for at, pattern in _texts_of(path, value):
            try:
                re.compile(pattern)
            except (re.error, RecursionError, OverflowError) as error:
                message = f"'{_name(path)}': {pattern!r} is not a regular expression: {error}"
                self.add(at, message, "put a \\ before each sign that stands for itself")
        return patterns

    def flag(self, name: str) -> bool:
        """Return an option that is true or false; false if it is not set."""
        return self.flag_at((name,), self._section.get(name))

    def flag_at(self, path: KeyPath, value: Any) -> bool:
        """Return a value that is true or false; false if it is not set."""
        if value is not None and not isinstance(value, bool):
            self.mistype(path, value, "true or false")
        return value is True

    def flag_or_auto(self, name: str) -> bool | None:
        """Return an option that is true, false or ``auto``; None for that, or if it is not set."""
        value = self._section.get(name)
        if value is not None and not isinstance(value, bool) and value != "auto":
            self.mistype((name,), value, "true, false or auto")
        return value if isinstance(value, bool) else None

    def value(self, name: str, default: Any) -> Any:
        """Return an option of any type; the default if it is not set."""
        given = self._section.get(name)
        return default if given is None else given

    def time(self, name: str) -> dt.datetime | None:
        """Return an option that is a time, in UTC; None if it is not set."""
        value = self._section.get(name)
        found = parse_time(value)
        if found is None and value is not None:
            self.mistype((name,), value, WANTED)
        return found

    def mapping(self, name: str) -> Mapping[Any, Any]:
        """Return an option that is a mapping; an empty one if it is not set."""
        value = self._section.get(name)
        if isinstance(value, Mapping):
            return value
        if value is not None:
            self.mistype((name,), value, "a mapping")
        return {}

    def list_of(self, name: str) -> list[Any]:
        """Return an option that is a list; an empty one if it is not set."""
        value = self._section.get(name)
        if isinstance(value, list | tuple):
            return list(value)
        if value is not None:
            self.mistype((name,), value, "a list")
        return []

    def _lack(self, name: str, needed: str) -> None:
        self.add((name,), f"'{name}' is missing", f"give {needed}")


def _texts_of(path: KeyPath, value: Any) -> Iterator[tuple[KeyPath, str]]:
    """Yield the texts of a text or a list, each with its key path."""
    if isinstance(value, str):
        yield path, value
    for index, item in enumerate(value) if isinstance(value, list | tuple) else ():
        if isinstance(item, str):
            yield (*path, index), item


def _name(path: KeyPath) -> str:
    return ": ".join(str(key) for key in path)
