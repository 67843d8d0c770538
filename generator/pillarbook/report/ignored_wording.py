"""What the rules for noise leave out of a comparison, in words."""

from collections.abc import Callable

from pillarbook.compare.diff import Diff, Ignored
from pillarbook.report.phrases import clip, count
from pillarbook.report.told_changes import describe_changes

MAX_KEYS = 5
"""Patterns of keys that are named of a rule."""
MAX_KEY = 80
"""Characters of such a pattern."""


def describe_ignored(diff: Diff, write: Callable[[str], str]) -> list[str]:
    """Return what each rule of the configuration leaves out: a line for each that does."""
    return [
        f"ignored by rule {one.rule}{_describe_keys(one, write)}: "
        f"{count(_count_changes(diff, one.rule), 'change')} on {count(one.minions, 'minion')}"
        for one in diff.ignored
        if one.atoms
    ]


def _describe_keys(ignored: Ignored, write: Callable[[str], str]) -> str:
    keys = [write(clip(key, MAX_KEY)) for key in ignored.keys[:MAX_KEYS]]
    more = ["…"] if len(ignored.keys) > MAX_KEYS else []
    return f" ({', '.join([*keys, *more])})" if keys else ""


def _count_changes(diff: Diff, rule: int) -> int:
    """Return how many changes a reader would take the atoms for that a rule ignores."""
    own = [atom for atom in diff.atoms if atom.ignored == rule]
    return sum(len(group.told) for group in describe_changes(diff, own))
