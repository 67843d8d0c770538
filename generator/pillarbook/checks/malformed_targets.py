"""Says what is wrong with a compound target that Salt cannot evaluate; it matches nobody."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from pillarbook.compile.matchers.compound_program import compile_compound
from pillarbook.compile.matchers.nodegroup_comp import OPERATORS
from pillarbook.patterns.similar import find_similar

JOINING = ("and", "or")
_SIGNS = {"&&": "and", "&": "and", "||": "or", "|": "or", "!": "not"}
"""Operators of other languages, with Salt's."""
LEAST = 0.6
"""How similar such a short word must be to an operator."""
SYNTAX = "write matchers with `and`, `or`, `not` and parentheses between them, all with spaces"


def find_malformed(
    target: str, matcher: str, nodegroups: Mapping[str, Any]
) -> tuple[str, str] | None:
    """Return what is wrong with a target, and the remedy; None if Salt can evaluate it."""
    if matcher != "compound":
        return None
    program = compile_compound(target, nodegroups)
    if program.logic is not None or program.fault:
        return None  # another diagnostic reports what stops Salt
    words = target.split()
    fault = _find_fault(words)
    if fault is None and any(word.startswith("R@") for word in words):
        return "uses the matcher `R@`, which Salt no longer has", "match a grain, or a list of ids"
    if fault is None and "N@" not in target:  # else a nodegroup may be the reason
        return "is not a valid expression", SYNTAX
    return fault


def _find_fault(words: Sequence[str]) -> tuple[str, str] | None:
    for before, word in pairwise(("(", *words)):
        if before in ("(", "not", *JOINING):
            if word in (*JOINING, ")"):
                where = "begins with" if word is words[0] else f"has '{before}' before"
                return f"{where} '{word}'", "remove it, or add the matcher that is missing there"
        elif word not in (*JOINING, "not", ")"):
            return _word_missing(before, word)
    if words[-1] in OPERATORS and words[-1] not in ("(", ")"):
        return f"ends with '{words[-1]}'", "remove it, or add the matcher that is missing there"
    if words.count("(") != words.count(")"):
        return "has a parenthesis without its partner", "remove it, or add the other one"
    return None


def _word_missing(before: str, word: str) -> tuple[str, str]:
    """Return the fault of two words without an operator between them."""
    fault = f"has no 'and' or 'or' between '{before}' and '{word}'"
    for one in (word, before):
        meant = _SIGNS.get(one) or find_similar(one, (*JOINING, "not"), LEAST)
        if meant is not None:
            return fault, f"did you mean `{meant}` instead of `{one}`?"
    return fault, "write `or` between them if one of them is enough, `and` if both must match"
