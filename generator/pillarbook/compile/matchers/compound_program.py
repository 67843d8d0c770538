"""Parses a compound target into a program: the questions in order, and the logic of the answers.

A program depends only on the words and on the nodegroups in them, so each target is parsed once for
all minions.
"""

import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Any

from pillarbook.compile.matchers.compound_logic import Logic, LogicParser, LogicToken
from pillarbook.compile.matchers.id_match import (
    match_glob,
    match_list,
    match_managing_minion,
    match_pcre,
)
from pillarbook.compile.matchers.ipcidr_match import match_ipcidr
from pillarbook.compile.matchers.nodegroup_comp import (
    OPERATORS,
    FrozenGroups,
    expand_nodegroup,
    freeze_reached,
)
from pillarbook.compile.matchers.subdict_match import (
    match_grain,
    match_grain_pcre,
    match_pillar,
    match_pillar_pcre,
)
from pillarbook.compile.matchers.subject import MatcherError, Subject


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a compound target."""

    text: str
    """The word."""
    group: str = ""
    """The ``N@`` word of its nodegroup; empty for a word of the target itself."""
    fault: str = ""
    """Salt's exception if it evaluates the word; empty for none."""


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """A word that asks a question about the minion."""

    word: Word
    """The word."""
    ask: Callable[[Subject], bool]
    """The question."""
    operators: tuple[Word, ...] = ()
    """The operators and parentheses between the previous term and this one."""


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """A compound target, parsed."""

    terms: tuple[Term, ...]
    """The questions, all of which are asked in order, since Salt asks them before it combines the
    answers."""
    logic: Logic | None
    """The logic of the answers; None for a malformed target, which matches nothing."""
    fault: str = ""
    """Salt's exception after all questions; empty for none."""


def compile_compound(target: str | Iterable[Any], nodegroups: Mapping[Any, Any]) -> Program:
    """Return the program of a text, or of the words of a nodegroup."""
    if not isinstance(target, str):
        return _compile_words(_expand_words(target, nodegroups))
    program = _compile_text(target)
    if program is not None:
        return program
    reached = freeze_reached(target, nodegroups)
    if reached is not None:
        return _compile_with_groups(target, reached)
    return _compile_words(_expand_words(target.split(), nodegroups))


# These caches outlive a run, because their results depend on the arguments only. The limit is large
# enough for the targets of a large tree; templates that write the minion's id into targets could
# make any number.
@lru_cache(maxsize=8192)
def _compile_text(text: str) -> Program | None:
    """Return the program of a text; None if it needs nodegroups."""
    words = text.split()
    if any(parse_word(word)[0] == "N" for word in words):
        return None
    return _compile_words(tuple(map(Word, words)))


# The nodegroups that the target uses are in the key, because minions may have different ones.
@lru_cache(maxsize=8192)
def _compile_with_groups(text: str, groups: FrozenGroups) -> Program:
    return _compile_words(_expand_words(text.split(), dict(groups)))


def _expand_words(words: Iterable[Any], nodegroups: Mapping[Any, Any]) -> tuple[Word, ...]:
    """Return the words with nodegroups expanded, up to the first word at which Salt stops."""
    expanded: list[Word] = []
    waiting: deque[tuple[Any, str]] = deque((word, "") for word in words)
    while waiting:
        word, group = waiting.popleft()
        try:
            _WORD.match(word)
        except TypeError as error:
            return (*expanded, Word(str(word), group, f"TypeError: {error}"))
        engine, _, pattern = parse_word(word)
        if engine != "N":
            expanded.append(Word(word, group))
            continue
        try:
            inner = expand_nodegroup(pattern, nodegroups)
        except MatcherError as error:
            return (*expanded, Word(word, group, str(error)))
        waiting.extendleft((item, group or word) for item in reversed(inner))
    return tuple(expanded)


@lru_cache(maxsize=8192)
def _compile_words(words: tuple[Word, ...]) -> Program:
    """Return the program of expanded words.

    An operator in a wrong place, or a letter that Salt does not know, ends the parsing: later words
    are not asked. ``not`` after an answer means ``and not``; a second ``not`` also gets an ``and``,
    which makes the line malformed.

    Source: Salt ``salt/matchers/compound_match.py``.
    """
    terms: list[Term] = []
    tokens: list[LogicToken] = []
    operators: list[Word] = []
    for word in words:
        if word.fault:
            return Program(tuple(terms), None, word.fault)
        if word.text in OPERATORS:
            if not _add_operator(tokens, word.text):
                return Program(tuple(terms), None)
            operators.append(word)
            continue
        ask = _question(word.text)
        if ask is None:
            return Program(tuple(terms), None)
        tokens.append(len(terms))
        terms.append(Term(word, ask, tuple(operators)))
        operators.clear()
    return Program(tuple(terms), LogicParser().parse(tokens))


def _add_operator(tokens: list[LogicToken], operator: Any) -> bool:
    """Add an operator to the line; return whether it is allowed there."""
    last = tokens[-1] if tokens else "("
    if last == "(" and operator in (("and", "or") if tokens else ("and", "or", ")")):
        return False
    if operator == "not" and last not in ("and", "or", "("):
        tokens.append("and")
    tokens.append(operator)
    return True


def _question(word: str) -> Callable[[Subject], bool] | None:
    engine, delimiter, pattern = parse_word(word)
    if not engine:
        return partial(match_glob, word)
    by_delimiter = _DELIMITED.get(engine)
    if by_delimiter:
        return partial(by_delimiter, pattern, delimiter=delimiter or ":")
    plain = _PLAIN.get(engine)
    return partial(plain, pattern) if plain else None


def match_nothing(_target: Any, _subject: Subject) -> bool:
    """Match nothing, as resources and ranges do.

    A master that compiles pillar has no resources loaded; the range library does not exist for the
    Pythons that Salt runs on.

    Source: Salt ``salt/matchers/resource_match.py``, ``range_match.py``.
    """
    return False


_DELIMITED: Mapping[str, Callable[..., bool]] = MappingProxyType(
    {"G": match_grain, "P": match_grain_pcre, "I": match_pillar, "J": match_pillar_pcre}
)
_PLAIN: Mapping[str, Callable[[Any, Subject], bool]] = MappingProxyType(
    {
        "E": match_pcre,
        "L": match_list,
        "M": match_managing_minion,
        "S": match_ipcidr,
        "T": match_nothing,
    }
)
"""Without R: the range library does not exist for the Pythons that Salt runs on."""

_WORD = re.compile(
    r"""(?: (?: (?P<delimited>[GPIJ]) (?P<delimiter>.)? | (?P<plain>[LNSERTM]) ) @ )?
        (?P<pattern>.+) $""",
    re.VERBOSE,
)


@lru_cache(maxsize=8192)
def parse_word(word: str) -> tuple[str, str, str]:
    """Return letter, delimiter and pattern of a word; the first two are empty if it has none.

    Source: Salt ``salt/utils/minions.py`` (``parse_target``).
    """
    found = _WORD.match(word)
    if not found:
        return "", "", word
    letter = found["delimited"] or found["plain"] or ""
    return letter, found["delimiter"] or "", found["pattern"]
