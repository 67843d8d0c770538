"""Secrets within targets: ``I@db:password:...`` holds one behind its key."""

import re
from collections.abc import Iterator

from pillarbook.model import KeyPath
from pillarbook.redact.redaction_rules import Rules

HIDDEN = "<redacted>"
_MATCHER = re.compile(r"\A[A-Z]\S?@")
"""The prefix of a word in a compound target; a custom delimiter is before the ``@``."""
_COMPOUND = re.compile(r"(?:\A|[\s(])[A-Z]\S?@|\s(?:and|or|not)\s")


def secrets_in_target(expression: str, rules: Rules) -> Iterator[tuple[str, KeyPath]]:
    """Yield the secrets in a target of any kind, each with the keys before it.

    A token of a known format without a key before it is omitted: ``secret_names`` finds it.
    """
    words = expression.split() if _COMPOUND.search(expression) else [expression]
    for word in words:
        # A value may contain colons, too; the reading with the fewest keys has the whole value.
        readings = ((value, path) for path, value in _readings(word))
        found = ((text, path) for text, path in readings if rules.find_reason(path, text))
        yield from next(([one] for one in found), [])


def hide_in_target(expression: str, rules: Rules | None) -> str:
    """Return a target with a mark in place of each secret."""
    found = [] if rules is None else [text for text, _ in secrets_in_target(expression, rules)]
    for text in sorted(found, key=len, reverse=True):
        expression = expression.replace(text, HIDDEN)
    return expression


def _readings(word: str) -> Iterator[tuple[KeyPath, str]]:
    """Yield each way to read a word as keys and a value, the one with the fewest keys first."""
    found = _MATCHER.match(word)
    delimiter = (found.group()[1:-1] if found else "") or ":"
    parts = word[found.end() if found else 0 :].strip("()").split(delimiter)
    # `tokens:ci:*` tests for a key, and has no value.
    last = len(parts) if parts[-1] != "*" else 1
    for count in range(1, last):
        yield tuple(parts[:count]), delimiter.join(parts[count:])
