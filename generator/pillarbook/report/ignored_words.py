"""What the rules for noise leave out of a comparison, in words."""

from collections.abc import Callable

from pillarbook.compare.diff import Diff, Ignored
from pillarbook.report.diff_words import tell_changes

MOST_KEYS = 5
"""Patterns of keys that are named of a rule."""
LONGEST_KEY = 80
"""Characters of such a pattern."""


def tell_ignored(diff: Diff, write: Callable[[str], str]) -> list[str]:
    """Return what each rule of the configuration leaves out: a line for each that does.

    Args:
        diff: The comparison.
        write: Writes a pattern of keys.
    """
    return [
        f"ignored by rule {one.rule}{_tell_keys(one, write)}: "
        f"{_count(_count_changes(diff, one.rule), 'change')} on {_count(one.minions, 'minion')}"
        for one in diff.ignored
        if one.atoms
    ]


def _tell_keys(ignored: Ignored, write: Callable[[str], str]) -> str:
    keys = [write(_clip(key)) for key in ignored.keys[:MOST_KEYS]]
    more = ["…"] if len(ignored.keys) > MOST_KEYS else []
    return f" ({', '.join([*keys, *more])})" if keys else ""


def _clip(key: str) -> str:
    return key if len(key) <= LONGEST_KEY else f"{key[: LONGEST_KEY - 1]}…"


def _count_changes(diff: Diff, rule: int) -> int:
    """Return how many changes a reader would take the atoms for that a rule ignores."""
    own = [atom for atom in diff.atoms if atom.ignored == rule]
    return sum(len(group.told) for group in tell_changes(diff, own))


def _count(number: int, word: str) -> str:
    return f"1 {word}" if number == 1 else f"{number:,} {word}s"
