"""Why a compound target or a nodegroup matches a minion or not: the verdict of each word."""

from dataclasses import replace
from functools import partial

from pillarbook.compile.matchers import MatcherError, Verdict, explain_target
from pillarbook.compile.minion_view import MinionView
from pillarbook.compile.reads import Trace
from pillarbook.compile.renderers.render_errors import LimitExceeded
from pillarbook.compile.top.matches import Matches, RecordedSubject, TargetVerdict
from pillarbook.compile.top.tops import Target

OF_WORDS = ("compound", "nodegroup")
"""Matchers whose targets are made of words."""


def with_reasons(matches: Matches, view: MinionView) -> tuple[TargetVerdict, ...]:
    """Return the verdicts on a minion, with the verdicts of words.

    A target of one word needs no verdict of its word.
    """
    found = tuple(
        _explain(verdict, target, view) if target.matcher in OF_WORDS else verdict
        for verdict, target in zip(matches.verdicts, matches.asked, strict=True)
    )
    if view.without_recording:
        return found
    # Minions of one kind have the same verdicts, and keep one object for all of them. The result
    # holds on to those that the key names.
    key = ("verdicts", matches, *(id(verdict) for verdict in found if verdict.parts))
    return view.remembered.derive(key, lambda: found)


def _explain(verdict: TargetVerdict, target: Target, view: MinionView) -> TargetVerdict:
    parts = _find_parts(target, view)
    if len(parts) < 2 and not any(part.parts for part in parts):
        return verdict
    if view.without_recording:
        return replace(verdict, parts=parts)
    # One object for all minions with the same verdicts, because pages are cached by identity.
    key = ("reasons", verdict, parts)
    return view.remembered.derive(key, partial(replace, verdict, parts=parts))


def _find_parts(target: Target, view: MinionView) -> tuple[Verdict, ...]:
    key = (view.scope.number, target)
    ask = partial(_ask_parts, target, view)
    return view.recall(view.remembered.reasons, key, ask)


def _ask_parts(target: Target, view: MinionView, trace: Trace | None) -> tuple[Verdict, ...]:
    """Return the verdict with its words; a target that takes too long has no verdicts of words."""
    subject = RecordedSubject(view, trace)
    try:
        with view.project.watch(target.file):
            return explain_target(target.expression, target.matcher, subject).parts
    except (MatcherError, LimitExceeded):
        return ()
