"""Which state SLS files the targets that match a minion name.

Source: Salt ``salt/state.py`` (``BaseHighState.top_matches``).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pillarbook.compile.broken import CompileBreaksOff
from pillarbook.compile.minion_view import MinionView
from pillarbook.compile.reads import Answer, Question
from pillarbook.compile.top.matches import TargetVerdict, top_matches
from pillarbook.compile.top.tops import Target
from pillarbook.highstate.state_tops import StateTop, pinned_saltenv
from pillarbook.model import Position


@dataclass(frozen=True, slots=True, eq=False)
class StateMatches:
    """What the targeting of a minion's states came to; one object for all who match alike."""

    sls: Mapping[Any, tuple[str, ...]]
    """SLS names and globs by environment, in Salt's order."""
    verdicts: tuple[TargetVerdict, ...]
    """Each target that was asked."""
    places: Mapping[tuple[Any, str], Position]
    """Where each environment and name is named first."""


def match_states(top: StateTop, view: MinionView) -> StateMatches:
    """Return what a minion's states are.

    Raises:
        CompileBreaksOff: An unknown matcher, a bad regular expression and the like.
    """
    matches = top_matches(top.top, view, pinned_saltenv(view))
    derived = view.remembered.derived
    key = ("state-matches", view.scope.number, top, matches)
    if key not in derived:
        chosen: dict[Any, list[str]] = {}
        places: dict[tuple[Any, str], Position] = {}
        for verdict, target in zip(matches.verdicts, matches.asked, strict=True):
            if not verdict.matched:
                continue
            if target in top.broken:
                fall = top.broken[target]
                raise CompileBreaksOff(fall.words, fall.diagnostic)
            own = _environment_of(top, target)
            lines = dict(zip(target.sls, target.lines, strict=True))
            chosen.setdefault(own, [])
            named = top.elsewhere.get(target) or tuple((own, sls) for sls in target.sls)
            for saltenv, sls in named:
                chosen.setdefault(saltenv, []).append(sls)
                place = Position(target.file, lines.get(sls, target.line))
                places.setdefault((saltenv, sls), place)
        found = {saltenv: tuple(names) for saltenv, names in chosen.items()}
        derived[key] = StateMatches(found, matches.verdicts, places)
    made: StateMatches = derived[key]
    return made


def pillar_asked(top: StateTop, view: MinionView) -> dict[Question, Answer]:
    """Return what the targets asked of a minion's pillar, with the answers, once they matched.

    Args:
        top: The targets.
        view: The minion; nothing is known where it is compiled without recording.
    """
    if view.without_recording:
        return {}
    derived, number = view.remembered.derived, view.scope.number
    key = ("pillar-targets", number, top)
    if key not in derived:
        targets = [one for some in top.top.environments.values() for one in some]
        derived[key] = tuple(filter(_may_ask_for_pillar, targets))
    asked = (
        one
        for target in derived[key]
        for one in view.remembered.matches.questions((number, target), view.answer)
    )
    return {question: answer for question, answer in asked if question[0] == "pillar"}


def _may_ask_for_pillar(target: Target) -> bool:
    """Say whether a target may ask for pillar; nodegroups hold anything."""
    matcher = str(target.matcher)
    return matcher.startswith("pillar") or matcher in ("nodegroup", "compound")


def _environment_of(top: StateTop, target: Any) -> Any:
    return next(env for env, targets in top.top.environments.items() if target in targets)
