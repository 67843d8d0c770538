"""Which lines of a file a value takes up."""

import re
from collections.abc import Sequence

from pillarbook.roots.history import Range

_KEY = re.compile(r"""\s*(?:-\s+)*(?=[^\s:]+\s*:(?:\s|\Z)|(["']).*\1\s*:(?:\s|\Z))""")
"""What stands before a key; the signs of list members are a part of it."""
_MEMBER = re.compile(r"\s*(?:-\s+)*(?=-(?:\s|\Z))|\s*")
"""What stands before the last sign of a list's member, or before a text."""


def find_extent(lines: Sequence[str], first: int) -> Range:
    """Return the first line of a value and its last.

    In YAML a value goes on in lines that stand further in than its key; so do lists and mappings
    in other formats, as people write them. Empty lines within belong to it.
    """
    margin = _margin_of(lines[first - 1])
    last = first
    for number, line in enumerate(lines[first:], first + 1):
        if not line.strip():
            continue
        if len(line) - len(line.lstrip()) <= margin:
            break
        last = number
    return first, last


def _margin_of(line: str) -> int:
    found = _KEY.match(line) or _MEMBER.match(line)
    return found.end() if found else 0
