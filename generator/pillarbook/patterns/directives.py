"""The form of secrets without a name, by a directive of a program or a clause of SQL."""

import re
from dataclasses import dataclass

from pillarbook.patterns.late_pattern import compile_late

QUOTED = r"(\"[^\"\n]+\"|'[^'\n]+')"
"""A text in quotes, including the quotes."""


@dataclass(frozen=True, slots=True)
class Directive:
    """The text around a secret value."""

    signs: tuple[str, ...]
    """Each such text contains one of these, in lower case."""
    pattern: "re.Pattern[str]"
    """A pattern whose group is the value."""
    also: tuple[str, ...] = ()
    """Each such text contains one of these, too; empty if ``signs`` are rare enough."""


def directive(signs: str, pattern: str, flags: int = re.IGNORECASE, *, also: str = "") -> Directive:
    """Return a row of a table.

    ``signs`` are words in lower case, with spaces between them. In the pattern, ``^`` and ``$``
    match at lines. A text must contain one of the words in ``also``.
    """
    late = compile_late(pattern, re.MULTILINE | flags)
    return Directive(tuple(signs.split()), late, tuple(also.split()))
