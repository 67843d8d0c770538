"""The compound and the nodegroup matcher, and their verdicts for each word."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from pillarbook.compile.matchers.compound_logic import evaluate_logic
from pillarbook.compile.matchers.compound_program import Program, Term, compile_compound
from pillarbook.compile.matchers.nodegroup_comp import expand_nodegroup
from pillarbook.compile.matchers.subject import MatcherError, Subject, Verdict


def match_compound(target: Any, subject: Subject) -> bool:
    """Match an expression of words, or a list of its words.

    Raises:
        MatcherError: Salt stops: an invalid regular expression after ``E@``, an invalid address, a
            word of a nodegroup that is not text.

    Source: Salt ``salt/matchers/compound_match.py``.
    """
    if isinstance(target, str | list):
        return _run(compile_compound(target, subject.nodegroups), subject)
    if isinstance(target, tuple):
        raise MatcherError("AttributeError: 'tuple' object has no attribute 'pop'")
    return False


def match_nodegroup(target: Any, subject: Subject) -> bool:
    """Match a nodegroup by its name; an unknown one matches nothing.

    Raises:
        MatcherError: Salt stops, as in ``match_compound``.

    Source: Salt ``salt/matchers/nodegroup_match.py``.
    """
    if isinstance(target, str) and target.split() == [target]:
        return match_compound(f"N@{target}", subject)  # the same words, kept in a cache
    return match_compound(expand_nodegroup(target, subject.nodegroups), subject)


def explain_compound(target: Any, subject: Subject) -> Verdict:
    """Return the verdict of a compound target, with those of its words.

    The words of a nodegroup are parts of the word that names it. In a malformed target, words that
    Salt does not evaluate are left out.

    Raises:
        MatcherError: Salt stops, as in ``match_compound``.
    """
    matched = match_compound(target, subject)
    return Verdict(str(target), matched, _explain_words(target, subject))


def explain_nodegroup(target: Any, subject: Subject) -> Verdict:
    """Return the verdict of a nodegroup, with those of its words.

    Raises:
        MatcherError: Salt stops, as in ``match_compound``.
    """
    words = expand_nodegroup(target, subject.nodegroups)
    parts = _explain_words(words, subject)
    if parts:
        parts = (_without_parenthesis(parts[0]), *parts[1:])
    return Verdict(str(target), match_compound(words, subject), parts)


def _explain_words(target: Any, subject: Subject) -> tuple[Verdict, ...]:
    if not isinstance(target, str | list):
        return ()
    parts: list[Verdict] = []
    for members in _split_by_group(compile_compound(target, subject.nodegroups).terms):
        first, group = members[0], members[0].word.group
        inner = [
            Verdict(one.word.text, one.ask(subject), (), _join_operators(one, one.word.group))
            for one in members
        ]
        if group:
            inner[0] = _without_parenthesis(inner[0])
            matched = match_compound([group], subject)
            parts.append(Verdict(group, matched, tuple(inner), _join_operators(first, "")))
        else:
            parts += inner
    return tuple(parts)


def _split_by_group(terms: Iterable[Term]) -> list[list[Term]]:
    """Return the terms of each nodegroup that is named; one may be named twice."""
    found: list[list[Term]] = []
    for term in terms:
        group = term.word.group
        goes_on = group and found and found[-1][0].word.group == group
        if goes_on and not _join_operators(term, ""):
            found[-1].append(term)
        else:
            found.append([term])
    return found


def _without_parenthesis(first: Verdict) -> Verdict:
    """Return the first word of a nodegroup without the parenthesis that Salt adds."""
    return replace(first, operators=first.operators.removeprefix("(").lstrip())


def _join_operators(term: Term, group: str) -> str:
    """Return the operators before a term, for the target or for one of its nodegroups."""
    return " ".join(word.text for word in term.operators if word.group == group)


def _run(program: Program, subject: Subject) -> bool:
    """Ask all questions, then combine the answers, as Salt does."""
    answers = [term.ask(subject) for term in program.terms]
    if program.fault:
        raise MatcherError(program.fault)
    return program.logic is not None and evaluate_logic(program.logic, answers)
