"""A minion's pillars: as declared, and with each environment that is compared.

They are fetched in one place, so that each is compiled once for all the pages that show it.
"""

from dataclasses import dataclass

from pillarbook.compare.change import Change
from pillarbook.compare.pillars import Comparer
from pillarbook.redact.redacted_pillar import RedactedPillar
from pillarbook.report.source import EnvironmentSide, ReportSource

FAILING = frozenset({"failed", "partial"})
"""Outcomes that come with errors."""


@dataclass(frozen=True, slots=True)
class MinionSides:
    """What a minion gets as declared, what in each environment, and how those differ."""

    declared: RedactedPillar
    """Its pillar as it is declared."""
    sides: tuple[tuple[EnvironmentSide, RedactedPillar], ...]
    """Its pillar with each environment forced; empty if there are fewer than two."""
    changes: tuple[tuple[Change, ...], ...]
    """Of each side against the first; ``()`` for the first itself, and also if a side
    failed or has no pillar because it has no top file."""

    def is_bare(self, number: int) -> bool:
        """Whether the minion gets nothing on a side because there is no top file."""
        side, pillar = self.sides[number]
        return _is_bare(side, pillar)

    def word(self, number: int) -> str:
        """Return the minion's result on a side, compared with the first side.

        One of ``no top file``, ``newly failing``, ``still failing``, ``fixed``, ``empty``,
        ``changed`` and ``unchanged``; ``empty`` if exactly one of both is empty.
        """
        if self.is_bare(0) or self.is_bare(number):
            return "no top file"
        (_, base), (_, head) = self.sides[0], self.sides[number]
        return outcome_word(base.outcome, head.outcome, differs=bool(self.changes[number]))


def outcome_word(base: str, head: str, *, differs: bool) -> str:
    """Return the result of a minion from one outcome to another; a failure is never unchanged."""
    if head in FAILING:
        return "still failing" if base in FAILING else "newly failing"
    if "empty" in (base, head) and base != head and (differs or base not in FAILING):
        return "empty"
    if base in FAILING:
        return "fixed"
    return "changed" if differs else "unchanged"


def gather_sides(source: ReportSource, minion: str, comparer: Comparer) -> MinionSides:
    """Return the pillars of a minion, each asked for once, and compared."""
    declared = source.pillar(minion)
    sides = tuple((side, source.pillar_in(side.name, minion)) for side in source.environments)
    return MinionSides(declared, sides, _compare(sides, comparer))


def _compare(
    sides: tuple[tuple[EnvironmentSide, RedactedPillar], ...], comparer: Comparer
) -> tuple[tuple[Change, ...], ...]:
    if not sides:
        return ()
    (first, base), *others = sides
    return (
        (),
        *(
            () if _is_bare(first, base) or _is_bare(side, head) else comparer.compare(base, head)
            for side, head in others
        ),
    )


def _is_bare(side: EnvironmentSide, pillar: RedactedPillar) -> bool:
    """Say whether a side is empty because it has no top file; external pillars need none."""
    return not side.has_top and pillar.outcome == "empty"
