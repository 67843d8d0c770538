"""Regular expressions that are compiled on first use.

The tables of this package have hundreds of them, and the values of a tree need only a few. To
compile all of them takes as long as to compile the pillar of a small fleet.
"""

import re
from typing import Any, cast


def compile_late(pattern: str, flags: int = 0) -> "re.Pattern[str]":
    """Return a regular expression; use only its methods, because ``re`` does not accept it."""
    return cast("re.Pattern[str]", _LatePattern(pattern, flags))


class _LatePattern:
    """Gets each method from the compiled pattern on first use."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._pattern = pattern
        self._flags = flags
        self._compiled: re.Pattern[str] | None = None

    def __getattr__(self, name: str) -> Any:
        if self._compiled is None:
            self._compiled = re.compile(self._pattern, self._flags)
        method = getattr(self._compiled, name)
        setattr(self, name, method)  # so that the next call does not come here
        return method
