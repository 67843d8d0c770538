"""Checks of configuration values that collect their faults in place of stopping at the first."""

import datetime as dt
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pillarbook.diagnostics import Diagnostic
from pillarbook.inventory.declaration_errors import describe, new_fault, suggest
from pillarbook.inventory.declared_clock import WANTED, parse_time
from pillarbook.model import KeyPath, Position

CODE = "settings"
"""The code of every fault of the configuration."""


# By hand and not by a library: docs/decisions/0003.
class Checks:
    """Takes options out of a section; what has the wrong type becomes a fault and is left out.

    Args:
        section: The options by name.
        position_of: Gives the place of a key path.
    """

    def __init__(
        self, section: Mapping[str, Any], position_of: Callable[[KeyPath], Position]
    ) -> None:
        self._section = section
        self._position_of = position_of
        self._faults: list[Diagnostic] = []

    @property
    def faults(self) -> tuple[Diagnostic, ...]:
        """What was found so far."""
        return tuple(self._faults)

    def position_of(self, path: KeyPath) -> Position:
        """Return the place of a key path."""
        return self._position_of(path)

    def add(self, path: KeyPath, message: str, remedy: str | None) -> None:
        """Note a fault at a key path."""
        place = self._position_of(path)
        self._faults.append(new_fault(CODE, message, place, path=path, remedy=remedy))

    def mistype(self, path: KeyPath, value: Any, wanted: str) -> None:
        """Note that a value is not what it is to be."""
        self.add(path, f"'{_name(path)}' is {describe(value)}", f"it is to be {wanted}")

    def forbid_unknown(
        self, path: KeyPath, values: Mapping[Any, Any], known: Iterable[str]
    ) -> None:
        """Note every key that is not known."""
        names = tuple(known)
        for key in values:
            if key not in names:
                full = (*path, key)
                self.add(full, f"'{_name(full)}' is not known", suggest(key, names))

    def text(self, name: str, *, needed: str) -> str:
        """Return an option that is a text and has to be there; empty where it is not."""
        value = self._section.get(name)
        if isinstance(value, str) and value:
            return value
        if value is None:
            self._lack(name, needed)
        else:
            self.mistype((name,), value, needed)
        return ""

    def texts(self, name: str, *, needed: str | None = None) -> tuple[str, ...]:
        """Return an option that is a list of texts; one text alone is such a list."""
        value = self._section.get(name)
        if needed and value in (None, [], ""):
            self._lack(name, needed)
            return ()
        return self.texts_at((name,), value)

    def texts_at(self, path: KeyPath, value: Any) -> tuple[str, ...]:
        """Return a value that is a list of texts; one text alone is such a list."""
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
        items = value if isinstance(value, list | tuple) else patterns
        for index, pattern in enumerate(items):
            if isinstance(pattern, str) and not pattern.strip():
                place = (*path, index) if items is value else path
                self.add(
                    place, f"'{_name(path)}' has an empty pattern", "write one, or leave it out"
                )
        return patterns

    def expressions_at(self, path: KeyPath, value: Any) -> tuple[str, ...]:
        """Return a value that is a list of regular expressions, none of which is empty."""
        patterns = self.patterns_at(path, value)
        items = value if isinstance(value, list | tuple) else patterns
        for index, pattern in enumerate(items):
            if isinstance(pattern, str):
                self._check_expression(path, (*path, index) if items is value else path, pattern)
        return patterns

    def _check_expression(self, path: KeyPath, place: KeyPath, pattern: str) -> None:
        try:
            re.compile(pattern)
        except (re.error, RecursionError, OverflowError) as error:
            message = f"'{_name(path)}': {pattern!r} is no regular expression: {error}"
            self.add(place, message, "a text to find as it is needs a \\ before each sign")

    def flag(self, name: str) -> bool:
        """Return an option that is true or false; false where it is not set."""
        return self.flag_at((name,), self._section.get(name))

    def flag_at(self, path: KeyPath, value: Any) -> bool:
        """Return a value that is true or false; false where it is not set."""
        if value is not None and not isinstance(value, bool):
            self.mistype(path, value, "true or false")
        return value is True

    def time(self, name: str) -> dt.datetime | None:
        """Return an option that is a time, in UTC; None where it is not set."""
        value = self._section.get(name)
        found = parse_time(value)
        if found is None and value is not None:
            self.mistype((name,), value, WANTED)
        return found

    def mapping(self, name: str) -> Mapping[Any, Any]:
        """Return an option that is a mapping; an empty one where it is not set."""
        value = self._section.get(name)
        if isinstance(value, Mapping):
            return value
        if value is not None:
            self.mistype((name,), value, "a mapping")
        return {}

    def list_of(self, name: str) -> list[Any]:
        """Return an option that is a list; an empty one where it is not set."""
        value = self._section.get(name)
        if isinstance(value, list | tuple):
            return list(value)
        if value is not None:
            self.mistype((name,), value, "a list")
        return []

    def _lack(self, name: str, needed: str) -> None:
        self.add((name,), f"'{name}' is missing", f"give {needed}")


def _name(path: KeyPath) -> str:
    return ": ".join(str(key) for key in path)
