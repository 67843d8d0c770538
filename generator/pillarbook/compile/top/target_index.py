"""Finds which of many targets match a minion, without testing each of them.

Targets are split into terms (``target_terms.py``), and the terms that are true for a minion are
looked up (``term_tables.py``). They determine at once which targets of one term match. A compound
target is tested for a minion only if a term is true that the target needs for a match. If there are
several such terms, the one that the fewest targets have is used.

Sets of terms and of targets are integers with one bit for each member.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pillarbook.compile.matchers.compound_logic import Logic, evaluate_logic, find_needed
from pillarbook.compile.top.target_terms import Formula, GrainTerm, IdTerm, Term
from pillarbook.compile.top.term_tables import GrainTable, IdTable


@dataclass(frozen=True, slots=True)
class _Compound:
    """A target with several terms."""

    terms: tuple[int, ...]
    """The indexes of the terms."""
    logic: Logic
    """The logic of the terms."""


class TargetIndex:
    """An index of targets, in their order.

    A target without a formula must be tested by itself.
    """

    def __init__(self, asked: Sequence[Formula | None]) -> None:
        formulas = {at: one for at, one in enumerate(asked) if one is not None}
        self.others = tuple(at for at, one in enumerate(asked) if one is None)
        """Indexes of the targets that must be tested by themselves."""
        uses = Counter(term for one in formulas.values() for term in one.terms)
        numbers = {term: number for number, term in enumerate(uses)}
        self._compounds: dict[int, _Compound] = {}
        self._always: list[int] = []
        # One integer has the true terms, the matching targets, and the targets to test.
        self._terms, self._targets = len(numbers), len(asked)
        rows = {term: 1 << number for term, number in numbers.items()}
        for at, one in formulas.items():
            for term, shift in self._enter(at, one, uses, numbers):
                rows[term] |= 1 << (shift + at)
        self._ids, self._grains = _make_tables(rows)

    def _enter(
        self, at: int, formula: Formula, uses: Mapping[Term, int], numbers: Mapping[Term, int]
    ) -> Iterator[tuple[Term, int]]:
        """Yield the terms that lead to a target, with the position of its bit."""
        if formula.logic is None:
            return  # it never matches
        if len(formula.terms) == 1 and formula.logic == (0,):
            yield formula.terms[0], self._terms
            return
        terms = tuple(numbers[term] for term in formula.terms)
        self._compounds[at] = _Compound(terms, formula.logic)
        needed = find_needed(formula.logic, [uses[term] for term in formula.terms])
        if needed is None:
            self._always.append(at)
            return
        for number in needed:
            yield formula.terms[number], self._terms + self._targets

    def match(self, minion_id: str, grains: Mapping[Any, Any]) -> int:
        """Return which targets match, without ``others``."""
        found = self._ids.find(minion_id)
        for table in self._grains:
            found |= table.find(grains)
        all_targets = (1 << self._targets) - 1
        matched = found >> self._terms & all_targets
        waiting = found >> self._terms + self._targets
        if waiting or self._always:
            held = format(found & (1 << self._terms) - 1, f"0{self._terms}b")[::-1]
            for at in (*self._always, *members_of(waiting)):
                one = self._compounds[at]
                if evaluate_logic(one.logic, [held[number] == "1" for number in one.terms]):
                    matched |= 1 << at
        return matched


def members_of(bits: int) -> Iterator[int]:
    """Yield the members of a set, in order."""
    text = f"{bits:b}"[::-1]
    at = text.find("1")
    while at >= 0:
        yield at
        at = text.find("1", at + 1)


def _make_tables(rows: Mapping[Term, int]) -> tuple[IdTable, tuple[GrainTable, ...]]:
    ids: list[tuple[int, IdTerm]] = []
    grains: dict[str, list[tuple[int, GrainTerm]]] = defaultdict(list)
    for term, bits in rows.items():
        if isinstance(term, IdTerm):
            ids.append((bits, term))
        else:
            grains[term.grain].append((bits, term))
    return IdTable(ids), tuple(GrainTable(name, some) for name, some in grains.items())
