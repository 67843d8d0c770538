"""Proposes changes of a minion's declaration that may give it the pillar of the dump."""

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain, zip_longest
from typing import Any

from pillarbook.inventory.asked_grains import find_grain
from pillarbook.inventory.minions import Minion
from pillarbook.model import KeyPath
from pillarbook.model.long_integers import read_integer
from pillarbook.verify.grain_questions import GrainQuestions
from pillarbook.verify.inventory_changes import ABSENT, OTHER, InventoryChange, typed

Pair = tuple[Any, Any]
"""A scalar or flat list here, and the dump's value instead; ``ABSENT`` for nothing here."""
MAX_PAIRS = 60
"""The most differing values that are used to guess a grain."""
MAX_VALUES = 80
"""The most values of one grain that are proposed."""
# Each value of a grain is searched in each text.
MAX_TEXT = 10_000
"""The most characters of a text in which a grain's value is searched."""
MAX_OCCURRENCES = 20
MAX_BITS = 64
"""The most bits of a number for calculations; Salt sends a larger one as text."""


class Proposer:
    """Proposes changes of a minion's declaration, the most likely first."""

    def __init__(self, minions: Sequence[Minion], environments: Sequence[str]) -> None:
        self._minions = minions
        self._environments = environments
        # By grain: its values in the fleet. The inventory does not change in a run.
        self._known: dict[KeyPath, tuple[Any, ...]] = {}

    def propose(
        self, minion: Minion, asked: GrainQuestions, pairs: Sequence[Pair]
    ) -> Iterator[InventoryChange]:
        """Yield changes of one thing each, each once."""
        each = [self._changes_of(minion, path, asked, pairs) for path in asked.grains]
        in_turn = chain.from_iterable(zip_longest(*each))
        seen: set[Hashable] = set()
        for change in chain(self._by_environment(minion), in_turn):
            if change is not None and change.key not in seen:
                seen.add(change.key)
                yield change

    def _by_environment(self, minion: Minion) -> Iterator[InventoryChange]:
        for what in ("pillarenv", "saltenv"):
            current = getattr(minion, what)
            for name in (None, *self._environments):
                if name != current:
                    yield InventoryChange(what, (), _or_absent(name), _or_absent(current))
        if minion.pillar:
            yield InventoryChange("pillar", (), ABSENT, minion.pillar)

    def _changes_of(
        self, minion: Minion, path: KeyPath, asked: GrainQuestions, pairs: Sequence[Pair]
    ) -> Iterator[InventoryChange]:
        current = find_grain(minion.grains, path, ABSENT)
        seen = {typed(current)} if current is not ABSENT else set()
        for value in self._values(path, current, asked.grains[path], pairs):
            if value is ABSENT and current is ABSENT:
                continue
            if typed(value) not in seen:
                seen.add(typed(value))
                yield InventoryChange("grain", path, value, current)
            if len(seen) > MAX_VALUES:
                return

    def _values(
        self, path: KeyPath, current: Any, literals: Sequence[Any], pairs: Sequence[Pair]
    ) -> Iterator[Any]:
        known = self._values_at(path)
        if current is ABSENT:
            return _values_of_missing(known, literals, pairs)
        return _values_instead(current, known, literals, pairs)

    def _values_at(self, path: KeyPath) -> tuple[Any, ...]:
        """Return the values of the inventory's minions at a path, the most frequent first."""
        if path not in self._known:
            counts: Counter[Hashable] = Counter()
            values: dict[Hashable, Any] = {}
            for minion in self._minions:
                value = find_grain(minion.grains, path, ABSENT)
                if value is not ABSENT:
                    key = typed(value)
                    counts[key] += 1
                    values.setdefault(key, value)
            self._known[path] = tuple(values[key] for key, _ in counts.most_common())
        return self._known[path]


def _or_absent(value: Any) -> Any:
    return ABSENT if value is None else value


def _is_of_kind(value: Any, current: Any) -> bool:
    if current is ABSENT or current is None:
        return True
    return type(value) is type(current)


def _values_instead(
    current: Any, known: Sequence[Any], literals: Sequence[Any], pairs: Sequence[Pair]
) -> Iterator[Any]:
    """Yield values for a declared grain."""
    yield from _guess(current, pairs)
    yield from known[:3]
    yield ABSENT
    if isinstance(current, str):
        yield OTHER
    elif isinstance(current, bool):
        yield not current
    elif isinstance(current, list):
        yield from _list_edits(current, known, literals)
    yield from (one for one in literals if _is_of_kind(one, current))
    yield from known[3:]


def _values_of_missing(
    known: Sequence[Any], literals: Sequence[Any], pairs: Sequence[Pair]
) -> Iterator[Any]:
    """Yield values for a grain that is not declared, of the type that other minions have."""
    kind = known[0] if known else ABSENT
    guesses = (one for one in _guess(ABSENT, pairs) if _is_of_kind(one, kind))
    written = (one for one in literals if _is_of_kind(one, kind))
    edits = _list_edits([], known, literals) if isinstance(kind, list) else iter(())
    for turn in zip_longest(known, edits, guesses, written, fillvalue=ABSENT):
        yield from (one for one in turn if one is not ABSENT)


def _list_edits(
    members: Sequence[Any], known: Sequence[Any], literals: Sequence[Any]
) -> Iterator[list[Any]]:
    """Yield a list with one member less, or with one more member of other minions."""
    for at in range(len(members)):
        yield [*members[:at], *members[at + 1 :]]
    others = (one for value in known if isinstance(value, list) for one in value)
    for one in chain(others, literals):
        if one not in members:
            yield [*members, one]


def _guess(current: Any, pairs: Iterable[Pair]) -> Iterator[Any]:
    """Yield guesses for a grain, from the values that differ."""
    for ours, theirs in pairs:
        if isinstance(current, list):
            yield from _guess_list(current, ours, theirs)
        elif isinstance(current, bool):
            continue
        elif isinstance(current, int):
            yield from _guess_number(current, ours, theirs)
        elif isinstance(current, str):
            yield from _guess_text(current, ours, theirs)
        elif current is ABSENT and not isinstance(theirs, list):
            yield theirs
            number = read_integer(theirs) if isinstance(theirs, str) else None
            if number is not None:
                yield number


def _guess_list(current: list[Any], ours: Any, theirs: Any) -> Iterator[Any]:
    if isinstance(theirs, list):
        yield theirs
    for at, member in enumerate(current):
        if isinstance(member, str) and member:
            for value in _guess_text(member, ours, theirs):
                yield [*current[:at], value, *current[at + 1 :]]


def _guess_text(current: str, ours: Any, theirs: Any) -> Iterator[str]:
    """Yield the dump's text at each position at which the grain's text is in ours."""
    if not isinstance(ours, str) or not isinstance(theirs, str) or not current:
        return
    parts = ours.split(current)
    if len(parts) < 2 or len(parts) > MAX_OCCURRENCES or len(theirs) > MAX_TEXT:
        return
    first, second, *rest = map(re.escape, parts)
    pattern = f"{first}(.*?){second}" + "".join(rf"\1{part}" for part in rest)
    found = re.fullmatch(pattern, theirs, re.DOTALL)
    if found:
        yield found.group(1)


def _guess_number(current: int, ours: Any, theirs: Any) -> Iterator[int]:
    """Yield values for a number, if ours may be a sum or a product of it."""
    for text in _guess_text(str(current), ours, theirs):
        number = read_integer(text[:9])
        if number is not None:
            yield number
    if not all(map(_is_whole, (current, ours, theirs))):
        return
    yield theirs
    yield current + theirs - ours
    if ours:
        share, rest = divmod(theirs * current, ours)
        yield share
        if rest:
            yield share + 1


def _is_whole(value: Any) -> bool:
    """Say whether a value is an integer, and not too large for calculations."""
    return isinstance(value, int) and not isinstance(value, bool) and value.bit_length() <= MAX_BITS
