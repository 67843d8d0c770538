"""Finds which of many targets match a minion, without testing each of them.

Targets are split into terms (``target_terms.py``), and the terms that are true for a minion are
looked up by its id and its grains. They determine at once which targets of one term match. A
compound target is tested for a minion only if a term is true that the target needs for a match. If
there are several such terms, the one that the fewest targets have is used.

Sets of terms and of targets are integers with one bit for each member.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from pillarbook.compile.matchers.compound_logic import Logic, evaluate_logic, find_needed
from pillarbook.compile.matchers.id_match import id_test, match_id
from pillarbook.compile.matchers.subdict_match import subdict_match
from pillarbook.compile.reads import Answer, fingerprint
from pillarbook.compile.top.target_terms import Formula, GrainTerm, IdTerm, Term

_GLOB_SIGNS = re.compile(r"[*?\[]")
_LITERAL = re.compile(r"\^?([\w-]*)([*?{]?)", re.ASCII)
_NOTHING: Any = object()
_Test: TypeAlias = tuple[int, Callable[[str], object]]
"""Bits, and a test whether they are true for an id."""


class IdTable:
    """The terms about ids.

    Plain ids are looked up. Other patterns are tested only if the id begins or ends with their
    literal text.
    """

    def __init__(self, terms: Iterable[tuple[int, IdTerm]]) -> None:
        self._exact: dict[str, int] = defaultdict(int)
        self._begun: dict[str, list[_Test]] = defaultdict(list)
        self._ended: dict[str, list[_Test]] = defaultdict(list)
        self._lists: list[_Test] = []
        for bits, term in terms:
            self._enter(bits, term)
        self._beginnings = sorted({len(text) for text in self._begun})
        self._ends = sorted({len(text) for text in self._ended})

    def _enter(self, bits: int, term: IdTerm) -> None:
        kind, pattern = term
        test = partial(match_id, kind, pattern) if kind == "list" else id_test(kind, pattern)
        if kind == "list":
            self._lists.append((bits, test))
            for name in pattern.split(","):
                self._exact[name] |= bits
        elif kind == "pcre":
            self._begun[_find_literal(pattern)].append((bits, test))
        elif not _GLOB_SIGNS.search(pattern):
            self._exact[pattern] |= bits
        elif _GLOB_SIGNS.match(pattern):
            self._ended[re.split(r"[*?\]]", pattern)[-1]].append((bits, test))
        else:
            self._begun[_GLOB_SIGNS.split(pattern, maxsplit=1)[0]].append((bits, test))

    def find(self, minion_id: str) -> int:
        """Return the bits of the terms that are true for an id."""
        found = self._exact.get(minion_id, 0)
        # An id with a comma may match several names of a list.
        tried = [self._lists] if "," in minion_id else []
        tried += [self._begun.get(minion_id[:length], []) for length in self._beginnings]
        ends = (minion_id[len(minion_id) - length :] for length in self._ends)
        tried += [self._ended.get(end, []) for end in ends]
        for some in tried:
            for bits, test in some:
                if test(minion_id):
                    found |= bits
        return found


def _find_literal(pattern: str) -> str:
    """Return a text with which every match of a regular expression begins."""
    literal = _LITERAL.match(pattern)
    if literal is None or "|" in pattern:
        return ""
    text, repeated = literal.groups()
    return text[:-1] if repeated else text


class GrainTable:
    """The terms about one grain.

    Most compare with a text, which is looked up. Other terms are tested once for each value in the
    fleet.
    """

    def __init__(self, grain: str, terms: Iterable[tuple[int, GrainTerm]]) -> None:
        self._grain = grain
        self._texts: dict[str, int] = defaultdict(int)
        self._all = tuple(terms)
        self._others: list[tuple[int, GrainTerm]] = []
        for bits, term in self._all:
            _, *words = term.expression.split(term.delimiter)
            if len(words) == 1 and term.mode == "glob" and not _GLOB_SIGNS.search(words[0]):
                self._texts[words[0].lower()] |= bits
            else:
                self._others.append((bits, term))
        self._rows: dict[Answer, int] = {}

    def find(self, grains: Mapping[Any, Any]) -> int:
        """Return the bits of the terms that are true for a minion's grains."""
        value = grains.get(self._grain, _NOTHING)
        if value is _NOTHING:
            return 0
        members = value if isinstance(value, list | tuple) else (value,)
        if any(isinstance(member, dict) for member in members):
            return self._ask(self._all, value)
        found = self._ask(self._others, value) if self._others else 0
        for member in members:
            found |= self._texts.get(str(member).lower(), 0)
        return found

    def _ask(self, terms: Iterable[tuple[int, GrainTerm]], value: Any) -> int:
        answer = fingerprint(value)
        known = self._rows.get(answer)
        if known is None:
            data, known = {self._grain: value}, 0
            for bits, term in terms:
                if subdict_match(data, term.expression, term.delimiter, term.mode):
                    known |= bits
            self._rows[answer] = known
        return known


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
