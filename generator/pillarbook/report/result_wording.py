"""What the results of a comparison are called: in words of time, or of two environments.

Of two environments neither was before the other, so their results are told by where they are.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from pillarbook.compare.diff import Diff
from pillarbook.compare.outcomes import show_result

Write: TypeAlias = Callable[[str], str]
"""Writes the name of an environment."""

NEW_FAULTS = "still failing, with new errors"
"""What is said of a minion that failed before for other reasons."""
LOST = "lost everything from a target"
"""What is said of a minion beside its result."""
ACCESS = "can newly read a secret"
"""The same of a minion that the secret was hidden from."""
NEWS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "newly failing": ("minion newly fails", "minions newly fail"),
        "empty": ("minion newly has an empty pillar", "minions newly have an empty pillar"),
        NEW_FAULTS: (
            "minion that failed before has new errors",
            "minions that failed before have new errors",
        ),
        LOST: ("minion loses everything from a target", "minions lose everything from a target"),
        "gone": ("minion removed", "minions removed"),
        "new": ("new minion", "new minions"),
        "fixed": ("minion fixed", "minions fixed"),
    }
)
"""What a headline says of one minion with a result, and of several; the worst first."""
_NEWS_BETWEEN: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "newly failing": ("minion fails only in {head}", "minions fail only in {head}"),
        "empty": (
            "minion has an empty pillar only in {head}",
            "minions have an empty pillar only in {head}",
        ),
        NEW_FAULTS: (
            "minion that fails in both has other errors in {head}",
            "minions that fail in both have other errors in {head}",
        ),
        LOST: ("minion has a target only in {base}", "minions have a target only in {base}"),
        "fixed": ("minion fails only in {base}", "minions fail only in {base}"),
    }
)
_BETWEEN: Mapping[str, str] = MappingProxyType(
    {
        "newly failing": "failing only in {head}",
        "empty": "empty only in {head}",
        NEW_FAULTS: "failing in both, with other errors in {head}",
        "still failing": "failing in both",
        "fixed": "failing only in {base}",
        "changed": "different",
        "unchanged": "the same",
        LOST: "a target only in {base}",
        ACCESS: "can read a secret only in {head}",
        # what a comparison counts:
        "change": "difference",
        "changed secret": "different secret",
    }
)


def call_result(word: str, diff: Diff, write: Write) -> str:
    """Return a result, or another word of a comparison, as people read it.

    Args:
        word: One of ``RESULTS``, or a word about changes.
        diff: The comparison.
        write: Writes the name of an environment.
    """
    if diff.environment:
        return call_between(word, write(diff.base), write(diff.head))
    return show_result(word)


def call_between(word: str, base: str, head: str) -> str:
    """Return a result in a comparison of two environments, whose names are given as written."""
    return _BETWEEN.get(word, show_result(word)).format(base=base, head=head)


def list_news(diff: Diff, write: Write) -> Mapping[str, tuple[str, str]]:
    """Return what a headline says of one minion with each result, and of several."""
    if not diff.environment:
        return NEWS
    names = {"base": write(diff.base), "head": write(diff.head)}
    return {
        word: (one.format(**names), many.format(**names))
        for word, (one, many) in _NEWS_BETWEEN.items()
    }


def word_base(environment: str) -> str:
    """Return where a value of the base is: ``before``, or ``in staging``."""
    return f"in {environment}" if environment else "before"


def lead_to_base(environment: str) -> str:
    """Return the words before the place of a value of the base."""
    return f"{word_base(environment)}:" if environment else "before in"
