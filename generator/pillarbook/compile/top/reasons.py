"""Why a compound target or a nodegroup matches a minion or does not: the verdict of each word."""

from dataclasses import replace
from functools import partial

from pillarbook.compile.matchers import MatcherError, Verdict, explain_target
from pillarbook.compile.reads import Trace
from pillarbook.compile.renderers.errors import LimitExceeded
from pillarbook.compile.sight import Sight
from pillarbook.compile.top.matches import Matches, RecordedSubject, TargetVerdict
from pillarbook.compile.top.tops import Target

OF_WORDS = ("compound", "nodegroup")
"""Matchers whose targets are made of words."""


def with_reasons(matches: Matches, sight: Sight) -> tuple[TargetVerdict, ...]:
    """Return the verdicts on a minion, those of targets made of words with the words' own.

    A target of one word says no more by its word, and is left as it is.
    """
    return tuple(
        _explain(verdict, target, sight) if target.matcher in OF_WORDS else verdict
        for verdict, target in zip(matches.verdicts, matches.asked, strict=True)
    )


def _explain(verdict: TargetVerdict, target: Target, sight: Sight) -> TargetVerdict:
    parts = _find_parts(target, sight)
    if len(parts) < 2 and not any(part.parts for part in parts):
        return verdict
    if sight.plainly:
        return replace(verdict, parts=parts)
    key = ("reasons", verdict, parts)
    derived = sight.remembered.derived
    if key not in derived:  # one object for all whom it concerns: pages are written by identity
        derived[key] = replace(verdict, parts=parts)
    explained: TargetVerdict = derived[key]
    return explained


def _find_parts(target: Target, sight: Sight) -> tuple[Verdict, ...]:
    key = (sight.scope.number, target)
    ask = partial(_ask_parts, target, sight)
    return sight.recall(sight.remembered.reasons, key, ask)


def _ask_parts(target: Target, sight: Sight, trace: Trace | None) -> tuple[Verdict, ...]:
    """Ask each word; a target that takes too long has no reasons to tell."""
    subject = RecordedSubject(sight, trace)
    try:
        with sight.project.watch(target.file):
            return explain_target(target.expression, target.matcher, subject).parts
    except (MatcherError, LimitExceeded):
        return ()
