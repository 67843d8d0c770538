"""What the redactor takes: a compiled pillar, in the clear."""

from collections.abc import Sequence
from typing import Any, Protocol

from pillarbook.model import KeyPath, MapNode, Node


class ClearPart(Protocol):
    """A word of a target as the compiler gives it."""

    @property
    def text(self) -> str:
        """The word."""
        ...

    @property
    def matched(self) -> bool:
        """Whether it matches."""
        ...

    @property
    def parts(self) -> Sequence["ClearPart"]:
        """The words that a nodegroup stands for."""
        ...

    @property
    def operators(self) -> str:
        """What stands between the word before and this one."""
        ...


class ClearVerdict(Protocol):
    """A target of a top file as the compiler gives it."""

    @property
    def target(self) -> str:
        """The target as the top file has it."""
        ...

    @property
    def match(self) -> str:
        """The matcher's name."""
        ...

    @property
    def saltenv(self) -> str:
        """The environment."""
        ...

    @property
    def file(self) -> str:
        """The top file."""
        ...

    @property
    def line(self) -> int | None:
        """The target's line."""
        ...

    @property
    def matched(self) -> bool:
        """Whether the minion is meant."""
        ...

    @property
    def sls(self) -> tuple[str, ...]:
        """What the target gives."""
        ...

    @property
    def parts(self) -> Sequence[ClearPart]:
        """The words it is made of."""
        ...


class ClearValue(Protocol):
    """A secret that a template holds under a name of its own."""

    @property
    def path(self) -> KeyPath:
        """The names."""
        ...

    @property
    def value(self) -> Any:
        """It itself."""
        ...

    @property
    def is_computed(self) -> bool:
        """Whether the render made it, perhaps of what nobody can read in the tree."""
        ...


class ClearRender(Protocol):
    """A file as it rendered for a minion."""

    @property
    def tree(self) -> Node | None:
        """The data."""
        ...


class ClearPillar(Protocol):
    """What the compiler gives for one minion."""

    @property
    def minion(self) -> str:
        """The minion's id."""
        ...

    @property
    def tree(self) -> MapNode:
        """The data."""
        ...

    @property
    def outcome(self) -> str:
        """How the compile went."""
        ...

    @property
    def errors(self) -> Sequence[str]:
        """Salt's ``_errors``."""
        ...

    @property
    def raises(self) -> str | None:
        """Salt's exception, where the compile breaks off."""
        ...

    @property
    def targets(self) -> Sequence[ClearVerdict]:
        """The targets with their verdicts."""
        ...

    @property
    def pillarenv(self) -> str | None:
        """The pinned pillar environment."""
        ...

    @property
    def saltenv(self) -> str | None:
        """The environment."""
        ...

    @property
    def renders(self) -> Sequence[ClearRender]:
        """The files that were rendered."""
        ...

    @property
    def named(self) -> Sequence[ClearValue]:
        """The secrets that its templates hold."""
        ...

    @property
    def secret_names(self) -> Sequence[tuple[str, KeyPath]]:
        """Texts in its names that are computed from secrets, with the path of a secret for each."""
        ...
