"""What a comparison says of values that are not known on a side: they are counted, not compared.

A value that comes from another source on each side may have changed, which is said by itself.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pillarbook.compare.pillars import Changes
from pillarbook.model import KeyPath, format_path
from pillarbook.model.phrases import count, list_some
from pillarbook.model.unknown import Unknown
from pillarbook.patterns.key_paths import distinguish
from pillarbook.redact.redacted_pillar import RedactedPillar

MAX_NAMED = 5
"""Values that a note names, and sources that have a note, before the others are counted."""


@dataclass(frozen=True, slots=True)
class MaybeChanged:
    """A value that is unknown on both sides, and comes from another source."""

    path: KeyPath
    """Its key path."""
    before: Unknown
    """Its source in the base."""
    after: Unknown
    """Its source in the head."""
    minions: tuple[str, ...]


class UnknownValues:
    """Gathers the unknown values of the minions that are compared."""

    def __init__(self) -> None:
        self._left_out: Counter[str] = Counter()
        self._maybe: dict[tuple[object, ...], tuple[KeyPath, Unknown, Unknown, list[str]]] = {}

    @property
    def total(self) -> int:
        """How many values are not compared, over all minions."""
        return self._left_out.total()

    def add(self, base: RedactedPillar, head: RedactedPillar, changes: Changes) -> None:
        """Take a minion; ``changes`` are reported by themselves."""
        before, after = _unknown_in(base), _unknown_in(head)
        if not (before or after):
            return
        told = {one.path for one in changes if one.kind in {"added", "removed", "changed"}}
        for path in dict.fromkeys((*before, *after)):
            if not told.isdisjoint(path[:end] for end in range(len(path) + 1)):
                continue
            self._left_out[head.minion] += 1
            old, new = before.get(path), after.get(path)
            if old is not None and new is not None and old.sources != new.sources:
                spot = distinguish(path), old.sources, new.sources
                self._maybe.setdefault(spot, (path, old, new, []))[3].append(head.minion)

    def maybe_changed(self) -> tuple[MaybeChanged, ...]:
        """Return the values that may have changed, those of most minions first."""
        found = [
            MaybeChanged(path, before, after, tuple(minions))
            for path, before, after, minions in self._maybe.values()
        ]
        return tuple(sorted(found, key=lambda one: -len(one.minions)))

    def describe(self) -> Iterator[str]:
        """Yield notes on the values that are not compared because they are unknown."""
        if self.total:
            what = count(self.total, "unknown value is", "unknown values are")
            yield f"{what} not compared, on {count(len(self._left_out), 'minion')}"
        by_cause: dict[tuple[frozenset[str], ...], list[MaybeChanged]] = {}
        for one in self.maybe_changed():
            by_cause.setdefault(tuple(map(frozenset, _tell_apart(one))), []).append(one)
        causes = list(by_cause.values())
        yield from map(_describe, causes[:MAX_NAMED])
        left = sum(map(len, causes[MAX_NAMED:]))
        if left:
            yield f"{count(left, 'more value')} may have changed in the same way"


def _describe(found: Sequence[MaybeChanged]) -> str:
    """Return a note on values that come from the same other sources."""
    named = list_some(found, MAX_NAMED, lambda one: format_path(one.path))
    now, then = map(", ".join, _tell_apart(found[0]))
    come = "comes" if len(found) == 1 else "come"
    where = count(len({minion for each in found for minion in each.minions}), "minion")
    return f"may have changed, on {where}: {named} {come} from {now}, before from {then}"


def _tell_apart(one: MaybeChanged) -> tuple[Sequence[str], Sequence[str]]:
    """Return the sources after and before, without those of both sides if others are left."""
    after, before = one.after.sources, one.before.sources
    now = [source for source in after if source not in before]
    then = [source for source in before if source not in after]
    return (now, then) if now and then else (after, before)


def _unknown_in(side: RedactedPillar) -> dict[KeyPath, Unknown]:
    return {leaf.path: leaf.value for leaf in side.leaves if leaf.value.__class__ is Unknown}
