"""The state SLS files in the targets that match a minion.

Source: Salt ``salt/state.py`` (``BaseHighState.top_matches``).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

from pillarbook.compile.broken import CompileBreaksOff
from pillarbook.compile.minion_view import MinionView
from pillarbook.compile.reads import Answer, Question
from pillarbook.compile.top.matches import Matches, TargetVerdict, top_matches
from pillarbook.compile.top.tops import Target
from pillarbook.highstate.state_tops import StateTop, pinned_saltenv
from pillarbook.model import Position


@dataclass(frozen=True, slots=True, eq=False)
class StateMatches:
    """The state SLS files of a minion; one object for all minions that match alike."""

    sls: Mapping[Any, tuple[str, ...]]
    """SLS names and globs by environment, in Salt's order."""
    verdicts: tuple[TargetVerdict, ...]
    """The verdict of each target."""
    places: Mapping[tuple[Any, str], Position]
    """The line that names each environment and SLS name first."""


def match_states(top: StateTop, view: MinionView) -> StateMatches:
    """Return the state SLS files of a minion.

    Raises:
        CompileBreaksOff: Salt cannot evaluate a target.
    """
    matches = top_matches(top.top, view, pinned_saltenv(view))
    # By identity: `top_matches` returns one object for all minions with the same verdicts.
    key = ("state-matches", view.scope.number, top, matches)
    return view.remembered.derive(key, partial(_choose, top, matches))


def _choose(top: StateTop, matches: Matches) -> StateMatches:
    chosen: dict[Any, list[str]] = {}
    places: dict[tuple[Any, str], Position] = {}
    for verdict, target in zip(matches.verdicts, matches.asked, strict=True):
        if not verdict.matched:
            continue
        if target in top.broken:
            fall = top.broken[target]
            raise CompileBreaksOff(fall.words, fall.diagnostic)
        own = next((env for env, targets in top.top.environments.items() if target in targets))
        lines = dict(zip(target.sls, target.lines, strict=True))
        chosen.setdefault(own, [])
        named = top.elsewhere.get(target) or tuple((own, sls) for sls in target.sls)
        for saltenv, sls in named:
            chosen.setdefault(saltenv, []).append(sls)
            place = Position(target.file, lines.get(sls, target.line))
            places.setdefault((saltenv, sls), place)
    found = {saltenv: tuple(names) for saltenv, names in chosen.items()}
    return StateMatches(found, matches.verdicts, places)


def pillar_asked(top: StateTop, view: MinionView) -> dict[Question, Answer]:
    """Return the questions of targets about a minion's pillar, with the answers, after the match.

    Without recording there are none.
    """
    if view.without_recording:
        return {}
    remembered, number = view.remembered, view.scope.number
    all_targets = chain.from_iterable(top.top.environments.values())
    targets = remembered.derive(
        ("pillar-targets", number, top), lambda: tuple(filter(_may_ask_for_pillar, all_targets))
    )
    asked = (
        one
        for target in targets
        for one in remembered.matches.questions((number, target), view.answer)
    )
    return {question: answer for question, answer in asked if question[0] == "pillar"}


def _may_ask_for_pillar(target: Target) -> bool:
    """Say whether a target may read pillar; a nodegroup may have any matcher."""
    matcher = str(target.matcher)
    return matcher.startswith("pillar") or matcher in ("nodegroup", "compound")
