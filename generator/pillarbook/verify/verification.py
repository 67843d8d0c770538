"""The result of a verification; has redacted values only."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from pillarbook.model import KeyPath
from pillarbook.verify.dump_causes import DumpCause
from pillarbook.verify.dump_differences import MASKED, DumpDifferenceKind
from pillarbook.verify.inventory_changes import InventoryChange


@dataclass(frozen=True, slots=True, eq=False)
class ShownDifference:
    """A part of a pillar that differs, without secrets; minions share equal ones."""

    path: KeyPath
    kind: DumpDifferenceKind
    here: Any
    """The data here, ``Redacted`` at secrets; None if there is none."""
    dump: Any
    """The data in the dump, ``Redacted`` at secrets; None if there is none."""
    file: str | None
    """The file that set it here."""
    line: int | None


class ShownChange(InventoryChange):
    """A necessary change of the declarations, without secrets."""


class ShownCause(DumpCause):
    """One reason why dumps differ, without secrets; minions share equal ones."""

    changes: tuple[ShownChange, ...]


@dataclass(frozen=True, slots=True)
class DifferingMinion:
    """A minion whose dump differs."""

    outcome: str
    """The outcome of its compile."""
    raises: str | None
    """The reason why there is no pillar here; None if there is one."""
    differences: tuple[ShownDifference, ...]
    causes: tuple[ShownCause, ...]
    """The likely reasons, the surest first."""


@dataclass(slots=True, kw_only=True)
class Verification:
    """The result of a comparison of compiled pillars with a dump."""

    dump: str
    """The dump's name."""
    compared: int = 0
    """The number of compared minions."""
    differing: dict[str, DifferingMinion] = field(default_factory=dict)
    """Differing minions, in inventory order."""
    not_compared: Counter[str] = field(default_factory=Counter)
    """The number of values that were not compared, by the reason."""
    silent: dict[str, str] = field(default_factory=dict)
    """Minions of the dump without a pillar, with the reason."""
    not_in_dump: tuple[str, ...] = ()
    """Minions that are not in the dump, in inventory order."""
    not_in_inventory: tuple[str, ...] = ()
    """Minions of the dump that are not declared."""
    lost: int = 0
    """The number of answers that Salt printed as ``{}``, so that their minions are not known."""
    trials: int = 0
    """The number of compiles with a changed declaration."""
    unfinished: int = 0
    """The number of minions for which not everything could be tried."""

    def clean_names(self, clean: Callable[[str], str]) -> None:
        """Replace the ids of minions that contain a secret."""
        self.differing = {clean(minion): one for minion, one in self.differing.items()}
        self.silent = {clean(minion): why for minion, why in self.silent.items()}
        self.not_in_dump = tuple(map(clean, self.not_in_dump))
        self.not_in_inventory = tuple(map(clean, self.not_in_inventory))

    @property
    def equal(self) -> int:
        """The number of equal minions, as far as they were compared."""
        return self.compared - len(self.differing)

    @property
    def masked(self) -> int:
        """The number of values that the dump itself hides."""
        return self.not_compared[MASKED]

    @property
    def result(self) -> Literal["equal", "different", "not compared"]:
        """The result; values that the dump hides are not counted as equal."""
        if self.compared and (self.differing or self.not_in_inventory):
            return "different"
        return "equal" if self.compared and not self.masked else "not compared"
