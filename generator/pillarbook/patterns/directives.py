"""Secrets that stand where a directive of a program or a clause of SQL has one, without a name."""

import re
from dataclasses import dataclass

from pillarbook.patterns.late_pattern import compile_late

QUOTED = r"(\"[^\"\n]+\"|'[^'\n]+')"
"""A text in quotes, which are part of the group."""


@dataclass(frozen=True, slots=True)
class Directive:
    """What stands around a value that is a secret."""

    signs: tuple[str, ...]
    """One of these, in small letters, is in each such text."""
    pattern: "re.Pattern[str]"
    """Its group is the value."""


def directive(signs: str, pattern: str, flags: int = re.IGNORECASE) -> Directive:
    """Return a row of a table.

    Args:
        signs: Words in small letters, with blanks between them.
        pattern: A regular expression, in which ``^`` and ``$`` are those of lines.
        flags: Those of the expression, beside ``re.MULTILINE``.
    """
    return Directive(tuple(signs.split()), compile_late(pattern, re.MULTILINE | flags))
