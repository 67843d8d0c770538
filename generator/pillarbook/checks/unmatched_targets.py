"""The rules about targets: ``unmatched-target`` and ``unknown-minion``."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType
from typing import Any, TypeAlias

from pillarbook.checks.finding import join_words
from pillarbook.checks.malformed_targets import find_malformed
from pillarbook.checks.pinned_minions import GivenPins, KeptOut, PinnedMinions
from pillarbook.checks.target_advice import NO_ID, TargetAdvice
from pillarbook.compile.matchers import IdKind, MatcherError, match_target
from pillarbook.compile.matchers.nodegroup_comp import freeze_reached
from pillarbook.compile.top.matches import TargetVerdict
from pillarbook.diagnostics import Diagnostic, Severity, new_diagnostic
from pillarbook.model import Position
from pillarbook.patterns.similar import find_similar

CODE = "unmatched-target"
DIGITS = re.compile(r"\d+")
PILLAR_WORD = re.compile(r"[IJ].?@")
"""A word of a compound target about the pillar, which may have its own delimiter."""
WILDCARDS = "*?["
WITHOUT_PILLAR = (
    "match a grain or the id: in a top file of pillar, a target by pillar sees only what"
    " `ext_pillar_first` gives"
)
MAX_KEPT = 20_000
"""The most verdicts that are cached; then the cache is cleared."""
MAX_NAMED = 3
"""The most minions that a sentence names; the others are counted."""
Place = tuple[str, int | None, str, str, str]
"""File, line, environment, matcher and text of a target."""


GivenTargets: TypeAlias = tuple[
    Mapping[Place, bool], dict[tuple[str, str], None], dict[tuple[str, str], None], GivenPins
]
"""Which targets match minions of one process, and its ``wanted``, ``missed`` and pinned minions."""


@dataclass(eq=False)
class TargetRules:
    """Gathers the verdicts on all minions."""

    _minions: Collection[str]
    _nodegroups: Mapping[str, Any]
    _pinned: PinnedMinions
    _hide: Callable[[str], str]
    _advice: TargetAdvice
    of_states: bool = False
    """Whether the targets are those of states, which read the whole pillar."""
    _matched: dict[Place, bool] = field(default_factory=dict)
    wanted: dict[tuple[str, str], None] = field(default_factory=dict)
    """Environment and SLS name, or glob, of targets that match some minion."""
    missed: dict[tuple[str, str], None] = field(default_factory=dict)
    """Environment and SLS name, or glob, of targets that did not match some minion."""
    # By id, because minions share verdict objects; a kept object keeps its id. Adding one again
    # after a removal changes nothing.
    _seen: dict[int, TargetVerdict] = field(default_factory=dict)
    _seen_together: dict[int, tuple[TargetVerdict, ...]] = field(default_factory=dict)

    def take(self, minion: str, pillarenv: str | None, verdicts: tuple[TargetVerdict, ...]) -> None:
        """Add the verdicts on one minion; shared verdicts are added once."""
        self._pinned.take(minion, pillarenv)
        if id(verdicts) in self._seen_together:
            return
        if len(self._seen) + len(self._seen_together) > MAX_KEPT:
            self._seen.clear()
            self._seen_together.clear()
        self._seen_together[id(verdicts)] = verdicts  # kept, so that its id is not used again
        self._pinned.take_files(pillarenv, verdicts)
        seen = self._seen
        for verdict in verdicts:
            if id(verdict) not in seen:
                seen[id(verdict)] = verdict
                self._take_one(verdict)

    def _take_one(self, verdict: TargetVerdict) -> None:
        place = (verdict.file, verdict.line, verdict.saltenv, verdict.match, verdict.target)
        self._matched[place] = self._matched.get(place, False) or verdict.matched
        names = self.wanted if verdict.matched else self.missed
        names.update(((verdict.saltenv, sls), None) for sls in verdict.sls)

    def give(self) -> GivenTargets:
        """Return what was added, for another process."""
        return self._matched, self.wanted, self.missed, self._pinned.give()

    def merge(self, given: GivenTargets) -> None:
        """Add what was added in another process."""
        verdicts, wanted, missed, pins = given
        for place, matched in verdicts.items():
            self._matched[place] = self._matched.get(place, False) or matched
        self.wanted |= wanted
        self.missed |= missed
        self._pinned.merge(pins)

    def _in_order(self) -> list[tuple[Place, bool]]:
        """Return the targets by their positions, for any order of minions."""
        return sorted(
            self._matched.items(), key=lambda one: (*one[0][:1], one[0][1] or 0, one[0][2:])
        )

    def find_unmatched(self) -> Iterator[Diagnostic]:
        """Yield the targets that match no minion, and those with a word that is true of none."""
        for place, matched in self._in_order():
            found = self._describe_matched(place) if matched else self._describe_unmatched(place)
            if found is not None:
                yield found

    def _describe_matched(self, place: Place) -> Diagnostic | None:
        *_, matcher, target = place
        misspelt = self._advice.find_misspelt(target, matcher)
        if misspelt is None:
            return None
        return _word_misspelt((*place[:-1], self._hide(target)), *misspelt)

    def _describe_unmatched(self, place: Place) -> Diagnostic | None:
        file, _, saltenv, matcher, target = place
        malformed = find_malformed(target, matcher, self._nodegroups)
        if malformed is not None:
            return _word_malformed(place, *map(self._hide, (target, *malformed)))
        lacks = self._lacking_nodegroup(target, matcher)
        is_told = " " not in target and self._names_unknown(target, matcher)
        if is_told or lacks in self._nodegroups:
            return None  # which `unknown-minion` or `option-type` reports, with its remedy
        kept_out = self._pinned.find(target, matcher, saltenv, file)
        shown = (*place[:-1], self._hide(target))
        if lacks is not None:
            return _word_lacking(shown, lacks, self._advice.find_nodegroup(lacks))
        if kept_out is not None:
            return _word_kept_out(shown, kept_out)
        mistake = self._advice.find_mistake(target, matcher)
        similar = mistake or self._advice.find_similar(target, matcher)
        if not (similar or self.of_states) and _needs_pillar(target, matcher):
            similar = WITHOUT_PILLAR
        return _word_unmatched(shown, similar, is_mistake=mistake is not None)

    def find_unknown(self) -> Iterator[tuple[str, Diagnostic]]:
        """Yield each undeclared id that a target names in full, with its diagnostic."""
        said = set()
        for (file, line, _, matcher, target), _ in self._in_order():
            if find_malformed(target, matcher, self._nodegroups) is not None:
                continue  # a wrong word in it is no minion
            for minion in _named(target, matcher, self._nodegroups):
                if minion not in self._minions and (file, line, minion) not in said:
                    said.add((file, line, minion))
                    yield minion, self._word_unknown(minion, target, Position(file, line))

    def _names_unknown(self, target: str, matcher: str) -> bool:
        """Say whether a target names minions in full, none of which is declared."""
        named = list(_named(target, matcher, self._nodegroups))
        return bool(named) and not any(minion in self._minions for minion in named)

    def _lacking_nodegroup(self, target: str, matcher: str) -> str | None:
        """Return a nodegroup that a target needs and the master does not have; also in another."""
        target = f"N@{target}" if matcher == "nodegroup" else target
        reached = freeze_reached(target, self._nodegroups) or ()
        lacking = (name for name, declared in reached if declared is None)
        return next(lacking, None) if matcher in ("nodegroup", "compound") else None

    def _word_unknown(self, minion: str, target: str, place: Position) -> Diagnostic:
        near = find_similar(minion, self._minions)
        is_no_id = ":" in minion or "," in minion
        if "," in minion and minion != target:
            remedy = f"for a list of ids, write `L@{self._hide(minion)}`"
        elif "," in minion:
            remedy = "for a list of ids, add its matcher below the target: `- match: list`"
        elif ":" in minion:
            remedy = "if it is not an id, add its matcher below the target: `- match: grain`"
        elif near and DIGITS.sub("", near) != DIGITS.sub("", minion):  # a sibling is no typo
            remedy = f"did you mean '{near}'?"
        else:
            remedy = "declare the minion in the inventory, or remove it from the top file"
        return new_diagnostic(
            "unknown-minion",
            f"the target '{self._hide(target)}' names the minion '{self._hide(minion)}', which is"
            " not in the inventory",
            place,
            remedy=remedy,
            severity=Severity.WARNING if is_no_id else None,
        )


def _word_malformed(place: Place, target: str, fault: str, remedy: str) -> Diagnostic:
    message = f"the target '{target}' (compound) matches no minion, because it {fault}"
    position = Position(place[0], place[1])
    return new_diagnostic(CODE, message, position, remedy=remedy, severity=Severity.WARNING)


def _word_unmatched(place: Place, meant: str | None, *, is_mistake: bool) -> Diagnostic:
    *_, target = place
    remedy = meant or "correct it, remove it, or declare its minions in the inventory"
    if meant is None and "," in target and "@" not in target and " " not in target:
        remedy = f"Salt reads this as one id: write `{target.replace(',', ' or ')}`"
    # The inventory may lack minions; every other reason is most likely a mistake.
    severity = Severity.WARNING if is_mistake else Severity.NOTE
    return _word_target(place, "matches no declared minion", remedy, severity)


def _word_misspelt(place: Place, word: str, remedy: str) -> Diagnostic:
    verdict = f"has `{word}`, which is true of no declared minion"
    return _word_target(place, verdict, remedy, Severity.NOTE)


def _word_kept_out(place: Place, kept_out: KeptOut) -> Diagnostic:
    if not kept_out.minions:
        remedy = "correct it, remove it, or move it to the top file of its minions"
        return _word_target(place, "matches none of the minions that read it", remedy)
    envs = " and ".join(f"'{env}'" for env in kept_out.pillarenvs)
    is_one = len(kept_out.minions) == 1
    what = "this part of the top file" if kept_out.reads else "this top file"
    verdict = (
        f"would match {_list(kept_out.minions)}, {'which does' if is_one else 'which do'} not read"
        f" {what} because of the pillarenv {envs}"
    )
    remedy = (
        f"move the target to the section {envs} in the top file of that environment, or remove the"
        f" pillarenv of the {'minion' if is_one else 'minions'}"
    )
    return _word_target(place, verdict, remedy)


def _word_lacking(place: Place, lacks: str, similar: str | None) -> Diagnostic:
    verdict = f"needs the nodegroup '{lacks}', which the master file does not have"
    remedy = "copy the nodegroup from your master to `nodegroups` in the master file"
    if similar is not None:
        remedy = f"did you mean '{similar}'? Otherwise, {remedy}"
    return _word_target(place, verdict, remedy)


def _word_target(
    place: Place, verdict: str, remedy: str, severity: Severity = Severity.WARNING
) -> Diagnostic:
    file, line, _, matcher, target = place
    message = f"the target '{target}' ({matcher}) {verdict}"
    return new_diagnostic(CODE, message, Position(file, line), remedy=remedy, severity=severity)


def _needs_pillar(target: str, matcher: str) -> bool:
    """Say whether a target matches nobody without a pillar."""
    if matcher.startswith("pillar"):
        return True
    words = target.split()
    if matcher != "compound" or "or" in words:
        return False
    return any(PILLAR_WORD.match(word) and last != "not" for last, word in pairwise(("", *words)))


def _list(minions: Sequence[str]) -> str:
    """Return the first ids in words, and how many more there are."""
    named = [f"'{minion}'" for minion in minions[:MAX_NAMED]]
    if len(minions) > MAX_NAMED:
        named.append(f"{len(minions) - MAX_NAMED:,} more")
    return join_words(named)


class _Asked:
    """A minion without data; records the id patterns of a target."""

    minion_id = ""
    grains: Mapping[str, Any] = MappingProxyType({})
    pillar: Mapping[str, Any] = MappingProxyType({})

    def __init__(self, nodegroups: Mapping[str, Any]) -> None:
        self.nodegroups = nodegroups
        self.asked: list[tuple[IdKind, str]] = []

    def id_matches(self, kind: IdKind, pattern: str) -> bool:
        """Record the pattern."""
        self.asked.append((kind, pattern))
        return False


def _named(target: str, matcher: str, nodegroups: Mapping[str, Any]) -> Iterator[str]:
    """Yield the minion ids that a target names in full."""
    subject = _Asked(nodegroups)
    try:
        match_target(target, matcher, subject)
    except MatcherError:
        return  # another diagnostic reports it
    for kind, pattern in subject.asked:
        if kind == "list":
            yield from (name for name in pattern.split(",") if name and " " not in name)
        elif kind == "glob" and pattern and not (NO_ID.search(pattern) or _has_wildcard(pattern)):
            yield pattern


def _has_wildcard(pattern: str) -> bool:
    return any(sign in pattern for sign in WILDCARDS)
