"""Targets that gave a minion SLS files in the base and give it none of them in the head.

A typo in a target is the likely reason if the head has a new target that matches nobody.
"""

from collections.abc import Iterator

from pillarbook.redact.redacted_pillar import RedactedPillar, RedactedTarget


def find_lost_targets(base: RedactedPillar, head: RedactedPillar) -> tuple[RedactedTarget, ...]:
    """Return the targets of the base of which a minion no longer gets any SLS.

    A target that still matches is not lost, even if it gives other SLS files; nor is one whose
    SLS the minion now gets from another target, such as a renamed one. The environment does not
    count: a minion that moves to another one gets what the same targets give there.
    """
    matched = [one for one in head.targets if one.matched]
    kept = {(one.match, one.target) for one in matched}
    given = {sls for one in matched for sls in one.sls}
    return tuple(
        one
        for one in base.targets
        if one.matched and one.sls
        if (one.match, one.target) not in kept and given.isdisjoint(one.sls)
    )


class NewTargets:
    """Finds targets of the head that replace a lost one and match no compared minion."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], RedactedTarget] = {}
        self._matched: set[tuple[str, str]] = set()

    def add(self, head: RedactedPillar) -> None:
        """Take a minion of the head, whether or not it lost a target."""
        self._matched.update((one.match, one.target) for one in head.targets if one.matched)

    def add_loser(self, base: RedactedPillar, head: RedactedPillar) -> None:
        """Take a minion that lost a target, and what the head has instead."""
        known = {(one.match, one.target) for one in base.targets}
        for one in head.targets:
            if (one.match, one.target) not in known:
                self._found.setdefault((one.match, one.target), one)

    def describe(self) -> Iterator[str]:
        """Yield a note on each of them."""
        for name, one in self._found.items():
            if name not in self._matched:
                where = one.file if one.line is None else f"{one.file}:{one.line}"
                matches = "matches none of the compared minions"
                yield f"the new target '{one.target}' in {where} {matches}"
