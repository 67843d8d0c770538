"""Minions made up so that each target matches at least one of them."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pillarbook.bootstrap.private_grains import is_secret_word, needs_secret
from pillarbook.bootstrap.target_requirements import (
    ADDRESSES,
    GrainNeed,
    Need,
    as_subject,
    list_requirements,
    with_grains,
)
from pillarbook.compile.matchers import MatcherError, match_target

# An inventory that is to be read and corrected by hand has to stay short.
MAX_MINIONS = 400
"""Minions that are made up at most."""
MAX_KINDS = 8
"""Kinds of minions that one target is for; of a target for more, one kind will do."""
ANYBODY = "minion1"
# `'^web\\..*'` in a top file asks for a backslash, which is a slip.
_NO_HOST = re.compile(r"[\\\s]")
"""What no host's name has."""
_NO_NAME = re.compile(r"[^A-Za-z0-9]+")


@dataclass(frozen=True, slots=True)
class TargetRequirement:
    """A target that somebody is to match."""

    expression: Any
    matcher: Any
    """The matcher's name."""
    file: str
    """The top file, as it is shown."""
    line: int | None
    given: tuple[GrainNeed, ...] = ()
    """The grains of those who get to see the target, where it is under a condition."""


@dataclass(slots=True)
class NewMinion:
    """A minion of the first inventory."""

    id: str
    grains: dict[str, Any] = field(default_factory=dict)
    fixed: bool = False
    """Whether somebody gave its grains, so that nothing is made up."""
    reasons: list[TargetRequirement] = field(default_factory=list)
    """The targets that it was made up for, or that gave it grains."""
    guesses: dict[str, str] = field(default_factory=dict)
    """Grains that no target asked for, and why each was put there."""
    invented: bool = False
    """Whether its id is made up, too."""

    @property
    def is_guessed(self) -> bool:
        """Whether its id or any of its grains is made up."""
        return self.invented or bool(self.reasons or self.guesses)


Guard = Callable[[Callable[[], bool]], bool]


class GuessedFleet:
    """Guessed minions, added until each target matches one."""

    def __init__(
        self, known: Iterable[NewMinion], nodegroups: Mapping[str, Any], *, is_open: bool = False
    ) -> None:
        self.minions: dict[str, NewMinion] = {minion.id: minion for minion in known}
        self._given = bool(self.minions) and not is_open
        self._nodegroups = nodegroups
        self._listed: dict[TargetRequirement, list[Need]] = {}
        self._guarded: Guard = lambda run: run()

    def satisfy(
        self, requirements: Sequence[TargetRequirement], guarded: Guard | None = None
    ) -> None:
        """Add minions and grains until each target matches a minion."""
        self._guarded = guarded or self._guarded
        for requirement in sorted(dict.fromkeys(requirements), key=self._rank):
            self._satisfy(requirement)
        if not self.minions:
            self.minions[ANYBODY] = NewMinion(ANYBODY, invented=True)

    def replace(self, minion: str, others: Sequence[NewMinion]) -> None:
        """Replace a minion by others; a secret is no id."""
        kept = [one for one in others if not is_secret_word(one.id)]
        known = {**self.minions}
        self.minions.clear()
        for name, one in known.items():
            for new in kept if name == minion else (one,):
                if not self._is_full():
                    self.minions.setdefault(new.id, new)

    def _rank(self, requirement: TargetRequirement) -> int:
        """Return what is done first: names in full, then patterns of ids, then grains."""
        needs = self._needs(requirement)
        if any(one.exact for need in needs for one in need.ids):
            return 0
        return 1 if any(need.asks_id for need in needs) else 2

    def _satisfy(self, requirement: TargetRequirement) -> None:
        needs = self._needs(requirement)
        for need in needs:
            for exact in (name for one in need.ids for name in one.exact):
                self._name(exact, need, requirement)
        takes_each = 1 < len(needs) <= MAX_KINDS
        if self._is_met(requirement) and not takes_each:
            return
        for need in needs:
            if takes_each and self._is_met_by(need, requirement):
                continue
            if (self._extend(need, requirement) or self._add(need, requirement)) and not takes_each:
                return

    def _needs(self, requirement: TargetRequirement) -> list[Need]:
        if requirement not in self._listed:
            needs = list_requirements(requirement.expression, requirement.matcher, self._nodegroups)
            needs = [Need(need.ids, (*need.grains, *requirement.given)) for need in needs]
            self._listed[requirement] = [need for need in needs if not needs_secret(need)]
        return self._listed[requirement]

    def _name(self, minion: str, need: Need, requirement: TargetRequirement) -> None:
        """Take a minion whose id a target names in full."""
        if minion in self.minions or self._is_full() or self._given:
            return
        grains = with_grains({}, need.grains)
        if all(one.matches(minion) for one in need.ids):
            self.minions[minion] = NewMinion(minion, grains or {}, reasons=[requirement])

    def _is_met(self, requirement: TargetRequirement) -> bool:
        return any(self._matches(requirement, one.id, one.grains) for one in self.minions.values())

    def _is_met_by(self, need: Need, requirement: TargetRequirement) -> bool:
        """Say whether a minion matches in just this way."""
        return any(
            all(part.matches(one.id) for part in need.ids)
            and with_grains(one.grains, need.grains) == one.grains
            and self._matches(requirement, one.id, one.grains)
            for one in self.minions.values()
        )

    def _matches(
        self, requirement: TargetRequirement, minion: str, grains: Mapping[str, Any]
    ) -> bool:
        subject = as_subject(minion, grains, self._nodegroups)
        if with_grains(grains, requirement.given) != grains:
            return False
        try:
            return self._guarded(
                lambda: match_target(requirement.expression, requirement.matcher, subject)
            )
        except MatcherError:
            return False

    def _extend(self, need: Need, requirement: TargetRequirement) -> bool:
        """Give grains to a minion with a fitting id, where its grains are not known."""
        if not need.asks_id and not self._given:
            return False
        for one in sorted(self.minions.values(), key=lambda one: len(one.grains)):
            if one.fixed or not all(part.matches(one.id) for part in need.ids):
                continue
            grains = with_grains(one.grains, need.grains)
            if grains is not None and self._matches(requirement, one.id, grains):
                one.grains = grains
                one.reasons.append(requirement)
                return True
        return False

    def _add(self, need: Need, requirement: TargetRequirement) -> bool:
        grains = with_grains({}, need.grains)
        if grains is None or self._is_full() or self._given:
            return False
        for minion in _ids_for(need, self._domain()):
            if minion in self.minions or not all(part.matches(minion) for part in need.ids):
                continue
            if _NO_HOST.search(minion) is None and self._matches(requirement, minion, grains):
                self.minions[minion] = NewMinion(minion, grains, reasons=[requirement])
                return True
        return False

    def _domain(self) -> str:
        """Return the domain of most ids that targets ask for; empty if they have none.

        A minion that a target asks for by a grain is most likely of that domain, too, and gets
        what the domain gets.
        """
        domains = Counter(one.partition(".")[2] for one in self.minions)
        return next((domain for domain, _ in domains.most_common(1)), "")

    def _is_full(self) -> bool:
        return len(self.minions) >= MAX_MINIONS


def _ids_for(need: Need, domain: str) -> Iterable[str]:
    """Yield ids that a minion made up for a target may have, those of a domain first."""
    for part in need.ids:
        if not part.takes_any:
            yield from part.examples()
    stem = "-".join(filter(None, map(_name_of, need.grains))) or "minion"
    if not need.asks_id:
        # `ip-10-0-0-10` and a number would be another address.
        dash = "-" if need.grains and need.grains[-1].path[0] in ADDRESSES else ""
        ids = [f"{stem}{dash}{number}" for number in range(1, 50)]
        yield from (f"{one}.{domain}" for one in ids if domain)
        yield from ids


def _name_of(grain: GrainNeed) -> str:
    start = "ip-" if grain.path[0] in ADDRESSES else ""
    return start + _NO_NAME.sub("-", str(grain.value)).strip("-").lower()[:40]
