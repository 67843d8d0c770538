"""What a matcher may ask about a minion, its verdict, and its exception."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

IdKind: TypeAlias = Literal["glob", "pcre", "list"]
"""How a pattern is compared with a minion id."""


class MatcherError(Exception):
    """Salt stops the compile here; the text is the type and words of Salt's exception."""


class Subject(Protocol):
    """A minion, as the matchers see it; every question can be recorded.

    Its mappings are dicts, or subclasses of dict that record each read through ``[]``, ``get``,
    ``in`` and iteration, while their own storage stays empty. So matchers read single keys if
    Salt's answer depends on nothing else.
    """

    @property
    def minion_id(self) -> str:
        """The id, for use in texts only; for comparisons, use ``id_matches``."""

    @property
    def grains(self) -> Mapping[str, Any]:
        """The minion's grains."""

    @property
    def pillar(self) -> Mapping[str, Any]:
        """The pillar known while targets are matched; empty without ``ext_pillar_first``."""

    @property
    def nodegroups(self) -> Mapping[str, Any]:
        """The master's nodegroups as declared: name to text or list of words."""

    def id_matches(self, kind: IdKind, pattern: str) -> bool:
        """Say whether the minion id matches.

        Raises:
            MatcherError: The pattern is no regular expression.
        """


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a target, or a word of a compound target, matches a minion."""

    text: str
    """The target or the word as it is written."""
    matched: bool
    """Whether it matches the minion."""
    parts: tuple["Verdict", ...] = ()
    """The verdicts of the words of a compound target or nodegroup, in their order."""
    operators: str = ""
    """The operators between the word before and this one: ``and not (``."""
