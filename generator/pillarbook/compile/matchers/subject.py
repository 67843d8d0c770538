"""What a matcher may ask about a minion, what it answers, and how matching breaks off."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

IdKind: TypeAlias = Literal["glob", "pcre", "list"]
"""How a pattern is held against a minion id."""


class MatcherError(Exception):
    """Salt's own compile breaks off here; the text is the type and words of Salt's exception."""


class Subject(Protocol):
    """A minion as the matchers see it: every question is put to it, so that it can be recorded.

    Its mappings are dicts, or dict subclasses that record what is read through ``[]``, ``get``,
    ``in`` and iteration while their own storage stays empty. Matchers therefore read single keys
    wherever Salt's answer does not depend on more.
    """

    @property
    def minion_id(self) -> str:
        """The id, for texts only; to compare with it, ask ``id_matches``."""

    @property
    def grains(self) -> Mapping[str, Any]:
        """The minion's grains."""

    @property
    def pillar(self) -> Mapping[str, Any]:
        """The pillar known while targets are matched; empty without ``ext_pillar_first``."""

    @property
    def nodegroups(self) -> Mapping[str, Any]:
        """The master's nodegroups as they are declared: name to text or list of words."""

    def id_matches(self, kind: IdKind, pattern: str) -> bool:
        """Say whether the minion id matches.

        Raises:
            MatcherError: The pattern is no regular expression.
        """


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a target, or one part of a compound target, says about a minion."""

    text: str
    """The target or the part as it is written."""
    matched: bool
    """Whether it matches the minion."""
    parts: tuple["Verdict", ...] = ()
    """The verdicts of the words of a compound target or nodegroup, in their order."""
    operators: str = ""
    """The operators between the word before and this one: ``and not (``."""
