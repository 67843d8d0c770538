"""The result of a minion in a comparison."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from pillarbook.redact.redacted_pillar import RedactedPillar

ABSENT = "absent"
"""The outcome on a side that does not have the minion."""
FAILING = frozenset({"failed", "partial"})
"""Outcomes that come with errors."""
RESULTS: Mapping[str, str] = MappingProxyType(
    {
        "newly failing": "errors in the head only",
        "empty": "empty in the head only",
        "still failing": "errors on both sides",
        "gone": "not in the head",
        "new": "not in the base",
        "fixed": "errors in the base only",
        "changed": "both compile, with different values",
        "unchanged": "the same on both sides",
    }
)
"""Each result, the worst first, with its meaning."""
SHOWN: Mapping[str, str] = MappingProxyType({"gone": "removed"})
"""Results that people read as another word than programs do."""


_LINE = re.compile(r":\d+: ")


def show_result(word: str) -> str:
    """Return one of ``RESULTS`` as people read it."""
    return SHOWN.get(word, word)


def find_new_faults(base: RedactedPillar | None, head: RedactedPillar | None) -> tuple[str, ...]:
    """Return the faults that a minion has in the head only, if it has others in the base."""
    if base is None or head is None or not base.faults:
        return ()
    known = {_LINE.sub(": ", fault, count=1) for fault in base.faults}  # changes move lines
    return tuple(one for one in head.faults if _LINE.sub(": ", one, count=1) not in known)


def find_result(base: str, head: str, *, differs: bool) -> str:
    """Return the result of a minion; a failing minion is never ``unchanged``.

    An outcome is ``absent`` if the side does not have the minion.
    """
    if base == ABSENT:
        return "newly failing" if head in FAILING else "new"
    if head == ABSENT:
        return "gone"
    if head in FAILING:
        return "still failing" if base in FAILING else "newly failing"
    # Without errors, but also without the values that it had beside them.
    if head == "empty" and base != "empty" and (differs or base not in FAILING):
        return "empty"
    if base in FAILING:
        return "fixed"
    return "changed" if differs else "unchanged"
