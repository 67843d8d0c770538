"""Decides which SLS are meant to override values of others, by the layers of the top file.

Top files are written so: defaults for all minions come first, and files for fewer minions override
them. A file that includes another one may also change its values.
"""

import fnmatch
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pillarbook.checks.finding import Between
from pillarbook.compile.top.matches import TargetVerdict

EVERYTHING, ALL_BUT_SOME, SOME, ONE = range(4)
"""The ranks of targets, from general to specific."""
_OF_EVERYTHING = ("*", "'*'", ".*", "^.*$", "")
_WILD = re.compile(r"[*?\[\]@()\s|]")


@dataclass(frozen=True, slots=True)
class _Giver:
    """A target that gives SLS to a minion."""

    target: str
    match: str


class Layers:
    """The layers of a minion's SLS.

    ``includes`` has environment, including SLS and included SLS of each include.
    """

    def __init__(self, includes: Iterable[Between], targets: Sequence[TargetVerdict]) -> None:
        below: dict[tuple[str, str], set[str]] = {}
        for saltenv, sls, included in includes:
            below.setdefault((saltenv, sls), set()).add(included)
        self._reached = {(env, sls): _reach(env, sls, below) for env, sls in below}
        self._targets = [one for one in targets if one.matched]

    def replaces(self, between: Between) -> bool:
        """Say whether the second of two SLS files is meant to override values of the first.

        This is so if one of them includes the other, or if they have different targets, and the
        second target is not broader.
        """
        saltenv, first, second = between
        if second in self._below(saltenv, first) or first in self._below(saltenv, second):
            return True
        before, after = self._givers(saltenv, first), self._givers(saltenv, second)
        if not before or not after or before & after:
            return False
        return max(map(_rank, after)) >= max(map(_rank, before))

    def _below(self, saltenv: str, sls: str) -> set[str]:
        return self._reached.get((saltenv, sls), set())

    def _givers(self, saltenv: str, sls: str) -> set[_Giver]:
        reached = self._reached.items()
        roots = {one for (env, one), below in reached if env == saltenv and sls in below} | {sls}
        return {
            _Giver(one.target, one.match)
            for one in self._targets
            if one.saltenv == saltenv and any(_names(name, roots) for name in one.sls)
        }


def _names(pattern: str, names: set[str]) -> bool:
    return pattern in names or any(fnmatch.fnmatchcase(name, pattern) for name in names)


def _rank(giver: _Giver) -> int:
    """Return the rank of a target, by its text."""
    target = giver.target.strip()
    if target in _OF_EVERYTHING:
        return EVERYTHING
    if giver.match == "list" or (
        giver.match in ("glob", "compound") and _WILD.search(target) is None
    ):
        return ONE
    return ALL_BUT_SOME if target.startswith("not ") else SOME


def _reach(saltenv: str, sls: str, below: dict[tuple[str, str], set[str]]) -> set[str]:
    reached: set[str] = set()
    waiting = [sls]
    while waiting:
        found = below.get((saltenv, waiting.pop()), set()) - reached
        reached |= found
        waiting.extend(found)
    return reached
