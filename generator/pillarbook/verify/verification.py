"""What a verification came to; holds redacted values only."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from pillarbook.model import KeyPath
from pillarbook.verify.dump_causes import Certainty
from pillarbook.verify.dump_differences import MASKED, DumpDifferenceKind
from pillarbook.verify.inventory_changes import What


@dataclass(frozen=True, slots=True, eq=False)
class ShownDifference:
    """A part of a pillar that differs, as it may be shown; minions share equal ones."""

    path: KeyPath
    """Where it is."""
    kind: DumpDifferenceKind
    """How it differs."""
    here: Any
    """The data here, ``Redacted`` at secrets; None where there is none."""
    dump: Any
    """The data in the dump, likewise."""
    file: str | None
    """The file that set it here."""
    line: int | None
    """The line."""


@dataclass(frozen=True, slots=True, eq=False)
class ShownChange:
    """What would have to be declared otherwise."""

    what: What
    """What it is."""
    path: KeyPath
    """The keys of a grain."""
    value: Any
    """What it would have to be, redacted; ``ABSENT`` for not declared, ``OTHER`` for any other."""
    declared: Any
    """What it is, redacted; ``ABSENT`` for not declared."""


@dataclass(frozen=True, slots=True, eq=False)
class ShownCause:
    """One reason why dumps differ; minions share equal ones."""

    code: str
    """What kind of reason."""
    certainty: Certainty
    """How sure it is."""
    words: str
    """The reason as a sentence; empty where ``changes`` says it."""
    changes: tuple[ShownChange, ...]
    """What would have to be declared otherwise."""
    at: str | None
    """Where to look: file and line."""


@dataclass(frozen=True, slots=True)
class DifferingMinion:
    """A minion whose dump differs."""

    outcome: str
    """How its compile went."""
    raises: str | None
    """Why there is no pillar here at all; None where there is one."""
    differences: tuple[ShownDifference, ...]
    """What differs."""
    causes: tuple[ShownCause, ...]
    """The likely reasons, the surest first."""


@dataclass(slots=True, kw_only=True)
class Verification:
    """How the pillars that are compiled here compare with a dump."""

    dump: str
    """The dump's name."""
    compared: int = 0
    """How many minions were compared."""
    differing: dict[str, DifferingMinion] = field(default_factory=dict)
    """Those that differ, in inventory order."""
    not_compared: Counter[str] = field(default_factory=Counter)
    """How many values were not compared, by the reason."""
    silent: dict[str, str] = field(default_factory=dict)
    """Minions of the dump that gave no pillar, with the reason."""
    not_in_dump: tuple[str, ...] = ()
    """Minions that the dump says nothing of, in inventory order."""
    not_in_inventory: tuple[str, ...] = ()
    """Minions of the dump that are not declared."""
    lost: int = 0
    """Answers that Salt printed as ``{}``, whose minions are therefore not known."""
    trials: int = 0
    """Compiles with something declared otherwise."""
    unfinished: int = 0
    """Minions for which not all could be tried."""

    def clean_names(self, clean: Callable[[str], str]) -> None:
        """Rewrite the ids of minions that hold a secret."""
        self.differing = {clean(minion): one for minion, one in self.differing.items()}
        self.silent = {clean(minion): why for minion, why in self.silent.items()}
        self.not_in_dump = tuple(map(clean, self.not_in_dump))
        self.not_in_inventory = tuple(map(clean, self.not_in_inventory))

    @property
    def equal(self) -> int:
        """How many minions are equal, as far as they were compared."""
        return self.compared - len(self.differing)

    @property
    def masked(self) -> int:
        """How many values the dump itself hides."""
        return self.not_compared[MASKED]

    @property
    def is_different(self) -> bool:
        """Whether the dump and what is declared differ."""
        return bool(self.differing or self.not_in_inventory)

    @property
    def result(self) -> Literal["equal", "different", "not compared"]:
        """What it comes to; without a difference nothing is said to be equal that it hides."""
        if self.compared and self.is_different:
            return "different"
        return "equal" if self.compared and not self.masked else "not compared"
