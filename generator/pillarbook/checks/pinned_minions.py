"""Finds minions that a target would match if they had no pillarenv."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from pillarbook.compile.matchers import MatcherError, match_target
from pillarbook.compile.matchers.declared_subject import declared_subject
from pillarbook.compile.project import Project
from pillarbook.compile.renderers.render_errors import LimitExceeded
from pillarbook.compile.top.matches import TargetVerdict
from pillarbook.inventory.minions import Minion
from pillarbook.model.limited_cache import recall

# Each try matches one target for one minion; a fleet of 10,000 with a hundred targets would take a
# million.
MAX_TRIED = 200_000
"""The most matches of a target and a minion in one run: about a second of work."""
GivenPins: TypeAlias = tuple[Mapping[str, Sequence[str]], Mapping[str, set[str]]]
"""The ids of pinned minions by environment, and the top files that the minions read."""


@dataclass(frozen=True, slots=True)
class KeptOut:
    """The minions that a target would match if they had no pillarenv."""

    minions: tuple[str, ...]
    """Their ids, in inventory order; empty if the target was not tried because of the limit."""
    pillarenvs: tuple[str, ...]
    """The environments of these minions."""
    reads: bool
    """Whether one of them reads the top file, and gets SLS from other targets in it."""


class PinnedMinions:
    """The minions that are pinned to a pillarenv, and the top files that they read."""

    def __init__(self, minions: Iterable[Minion], project: Project) -> None:
        self._minions = {minion.id: minion for minion in minions}
        self._project = project
        self._read: dict[str, set[str]] = {}
        self._pinned: dict[str, list[Minion]] = {}
        # By the target and its position: many minions are matched against one target. No limit,
        # because a tree has few targets.
        self._found: dict[tuple[str, str, str, str], KeptOut | None] = {}
        self._left = MAX_TRIED

    def take(self, minion: str, pillarenv: str | None) -> None:
        """Add the environment that a minion is pinned to."""
        if pillarenv:
            self._pinned.setdefault(pillarenv, []).append(self._minions[minion])

    def take_files(self, pillarenv: str | None, verdicts: Iterable[TargetVerdict]) -> None:
        """Add the top files whose targets were matched against a minion with a pillarenv."""
        if pillarenv:
            self._read.setdefault(pillarenv, set()).update(one.file for one in verdicts)

    def give(self) -> GivenPins:
        """Return what was added, for another process."""
        pinned = {env: [one.id for one in minions] for env, minions in self._pinned.items()}
        return pinned, self._read

    def merge(self, given: GivenPins) -> None:
        """Add what was added in another process."""
        pinned, read = given
        for env, files in read.items():
            self._read.setdefault(env, set()).update(files)
        env_of = {one.id: env for env, minions in self._pinned.items() for one in minions}
        env_of |= {minion: env for env, minions in pinned.items() for minion in minions}
        self._pinned.clear()
        for minion in self._minions:  # in inventory order
            if minion in env_of:
                self.take(minion, env_of[minion])

    def find(self, target: str, matcher: str, saltenv: str, file: str) -> KeptOut | None:
        """Return the pinned minions that an unmatched target would match; None for no minions."""
        key = (target, matcher, saltenv, file)
        return recall(self._found, key, lambda: self._find(target, matcher, saltenv, file))

    def _find(self, target: str, matcher: str, saltenv: str, file: str) -> KeptOut | None:
        kept_out = {
            env: minions
            for env, minions in self._pinned.items()
            if env != saltenv or file not in self._read.get(env, ())
        }
        total = sum(map(len, kept_out.values()))
        if not total:
            return None
        if total > self._left:
            return KeptOut((), tuple(kept_out), reads=False)
        self._left -= total
        try:
            with self._project.watch(file):
                found = dict(self._try(target, matcher, kept_out))
        except (MatcherError, LimitExceeded):
            return None
        if not found:
            return None
        envs = tuple(dict.fromkeys(found.values()))
        reads = any(file in self._read.get(env, ()) for env in envs)
        return KeptOut(tuple(one for one in self._minions if one in found), envs, reads)

    def _try(
        self, target: str, matcher: str, minions: Mapping[str, list[Minion]]
    ) -> Iterator[tuple[str, str]]:
        nodegroups = self._project.options.values.get("nodegroups") or {}
        for env, pinned in minions.items():
            for minion in pinned:
                if match_target(target, matcher, declared_subject(minion, nodegroups)):
                    yield minion.id, env
