"""The terms of targets, which many targets have in common.

A target is one term, or a program over several: ``G@roles:web and web*`` has a term for a grain and
one for the id. The true terms are found once for each minion; see ``target_index.py``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from pillarbook.compile.matchers.compound_logic import Logic
from pillarbook.compile.matchers.compound_program import compile_compound, parse_word
from pillarbook.compile.matchers.id_match import match_id
from pillarbook.compile.matchers.subdict_match import PatternMode
from pillarbook.compile.matchers.subject import IdKind, MatcherError
from pillarbook.compile.matchers.traverse import stays_key
from pillarbook.compile.minion_view import may_take_long
from pillarbook.compile.top.tops import Target


class IdTerm(NamedTuple):
    """A question about the minion's id."""

    kind: IdKind
    """How the pattern is matched."""
    pattern: str
    """The pattern."""


class GrainTerm(NamedTuple):
    """A question about one grain and its content."""

    grain: str
    """The grain's name."""
    expression: str
    """The grain and the pattern, with delimiters."""
    delimiter: str
    """The delimiter."""
    mode: PatternMode
    """How the pattern is matched."""


Term = IdTerm | GrainTerm


@dataclass(frozen=True, slots=True)
class Formula:
    """The terms and logic of a target."""

    terms: tuple[Term, ...]
    """The terms."""
    logic: Logic | None
    """The logic of the answers; None if the target never matches."""


_ALONE: Logic = (0,)


def read_formula(target: Target, nodegroups: Mapping[Any, Any]) -> Formula | None:
    """Return the terms of a target; None if it must be tested by itself.

    That is a target with other terms than ids and grains, or one that may be slow or may fail.
    """
    text, matcher = target.expression, target.matcher
    if not isinstance(text, str) or not isinstance(matcher, str):
        return None
    if matcher == "nodegroup" and text.split() == [text]:
        return _read_compound(f"N@{text}", nodegroups)
    if matcher == "compound":
        return _read_compound(text, nodegroups)
    read = _BY_MATCHER.get(matcher)
    term = None if read is None else read(text, ":")
    return None if term is None else Formula((term,), _ALONE)


def _read_compound(text: str, nodegroups: Mapping[Any, Any]) -> Formula | None:
    program = compile_compound(text, nodegroups)
    if program.fault:
        return None
    terms = []
    for one in program.terms:
        letter, delimiter, pattern = parse_word(one.word.text)
        read = _BY_LETTER.get(letter)
        term = (
            None if read is None else read(pattern if letter else one.word.text, delimiter or ":")
        )
        if term is None:
            return None
        terms.append(term)
    return Formula(tuple(terms), program.logic)


def _read_id(kind: IdKind, pattern: str, _delimiter: str) -> Term | None:
    if kind == "pcre":
        if may_take_long(pattern):
            return None
        try:
            match_id(kind, pattern, "")
        except MatcherError:
            return None
    return IdTerm(kind, pattern)


def _read_grain(mode: PatternMode, expression: str, delimiter: str) -> Term | None:
    grain, _, rest = expression.partition(delimiter)
    if not rest or grain == "*" or not stays_key(grain):
        return None
    if mode == "pcre" and may_take_long(rest):
        return None
    return GrainTerm(grain, expression, delimiter, mode)


_Read = Callable[[str, str], Term | None]
_BY_MATCHER: Mapping[str, _Read] = {
    "glob": partial(_read_id, "glob"),
    "pcre": partial(_read_id, "pcre"),
    "list": partial(_read_id, "list"),
    "grain": partial(_read_grain, "glob"),
    "grain_pcre": partial(_read_grain, "pcre"),
}
_BY_LETTER: Mapping[str, _Read] = {
    "": partial(_read_id, "glob"),
    "E": partial(_read_id, "pcre"),
    "L": partial(_read_id, "list"),
    "G": partial(_read_grain, "glob"),
    "P": partial(_read_grain, "pcre"),
}
