"""Compares the values at one place on both sides, at any depth.

Not recursive, so a pillar that is too deep for Python's stack is compared as well.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pillarbook.compare.change import Change
from pillarbook.compare.compare_containers import compare_keys, compare_members
from pillarbook.compare.secret_pairs import align_secrets
from pillarbook.compare.strict import (
    Fingerprints,
    are_containers_alike,
    canonical,
    is_map,
    may_differ,
)
from pillarbook.model import KeyPath
from pillarbook.model.unknown import Unknown, UnknownKey
from pillarbook.redact.redacted_pillar import RedactedLeaf, RedactedOrigin


class WinningOrigins:
    """The origins of some leaves by path; built when the first one is needed."""

    def __init__(self, leaves: Iterable[RedactedLeaf]) -> None:
        self._leaves = leaves
        self._first: dict[tuple[Hashable, ...], RedactedOrigin | None] | None = None

    def find(self, path: KeyPath) -> RedactedOrigin | None:
        """Return the origin of the value at a path; None if it has none."""
        if self._first is None:
            self._first = self._read()
        known = tuple(map(canonical, path))
        while known and known not in self._first:
            known = known[:-1]  # inside a scalar with items, such as a tuple
        return self._first.get(known)

    def _read(self) -> dict[tuple[Hashable, ...], RedactedOrigin | None]:
        first: dict[tuple[Hashable, ...], RedactedOrigin | None] = {}
        for leaf in self._leaves:
            known = tuple(map(canonical, leaf.path))
            origin = leaf.origins[-1] if leaf.origins else None
            while known and known not in first:
                first[known] = origin
                known = known[:-1]
        return first


@dataclass(frozen=True, slots=True)
class ValuePair:
    """The values at one place on both sides."""

    before: Any
    """The data in the base."""
    before_path: KeyPath
    """Its path there."""
    after: Any
    """The data in the head."""
    after_path: KeyPath
    """Its path there; the paths differ only in list positions."""
    positions: frozenset[int] = frozenset()
    """The indexes of list positions in the paths."""

    def at(self, before: Any, after: Any) -> "ValuePair":
        """Return the pair for a key of two mappings, or for two positions of two lists."""
        return ValuePair(
            self.before[before],
            (*self.before_path, before),
            self.after[after],
            (*self.after_path, after),
            self.positions,
        )


def compare_pair(pair: ValuePair, base: WinningOrigins, head: WinningOrigins) -> tuple[Change, ...]:
    """Return the differences between the two sides, in the order to apply."""
    return _Comparison(base, head).compare(pair)


class _Comparison:
    """Compares one pair, container by container from the top."""

    def __init__(self, base: WinningOrigins, head: WinningOrigins) -> None:
        self._base = base
        self._head = head
        self._prints = Fingerprints()
        self._found: list[Change] = []
        self._open: list[ValuePair] = []

    def compare(self, pair: ValuePair) -> tuple[Change, ...]:
        if may_differ(pair.before, pair.after):
            self._compare_below([pair])
        while self._open:
            deep = self._open.pop()
            if is_map(deep.before):
                self._compare_mappings(deep)
            else:
                self._compare_lists(deep)
        return tuple(self._found)

    def _compare_below(self, pairs: Iterable[ValuePair]) -> None:
        """Note pairs of which one value replaces the other; keep containers for later."""
        deep = []
        for pair in pairs:
            if are_containers_alike(pair.before, pair.after):
                deep.append(pair)
            elif may_differ(pair.before, pair.after):
                self._found.append(
                    Change(
                        path=pair.after_path,
                        kind="changed",
                        before=pair.before,
                        after=pair.after,
                        before_origin=self._base.find(pair.before_path),
                        after_origin=self._head.find(pair.after_path),
                        positions=pair.positions,
                    )
                )
        self._open.extend(reversed(deep))

    def _compare_mappings(self, pair: ValuePair) -> None:
        keys = compare_keys(*known_keys(pair.before, pair.after))
        self._found += [removed(pair, key, self._base) for key in keys.removed]
        if keys.reordered is not None:
            before, after = keys.reordered
            self._found.append(
                Change(
                    path=pair.after_path,
                    kind="reordered",
                    before=before,
                    after=after,
                    positions=pair.positions,
                )
            )
        self._found += [added(pair, key, behind, self._head) for key, behind in keys.added]
        self._compare_below(
            pair.at(before, after)
            for before, after in keys.shared
            if may_differ(pair.before[before], pair.after[after])
        )

    def _compare_lists(self, pair: ValuePair) -> None:
        aligned = align_secrets(pair.before, pair.after)
        members = compare_members(pair.before, aligned, self._prints)
        within = replace(pair, positions=pair.positions | {len(pair.after_path)})
        own = [removed(within, at, self._base) for at in members.removed]
        own += [added(within, at, None, self._head) for at in members.added]
        if members.removed and len(own) == len(pair.before) + len(pair.after) and members.added:
            own = [replace(change, replaced=(pair.before, pair.after)) for change in own]
        self._found += own
        for start, end in members.moved:
            self._found.append(
                Change(
                    path=pair.after_path,
                    kind="moved",
                    before=pair.before[start],
                    after=pair.after[end],
                    before_origin=self._base.find((*pair.before_path, start)),
                    after_origin=self._head.find((*pair.after_path, end)),
                    moved_from=start,
                    moved_to=end,
                    positions=pair.positions,
                )
            )
        self._compare_below(within.at(*matched) for matched in members.matched)


def known_keys(
    before: Mapping[Hashable, Any], after: Mapping[Hashable, Any]
) -> tuple[Iterable[Hashable], Iterable[Hashable]]:
    """Return the keys of both sides without those that may as well be on the other one.

    Keys that may be missing, and that both sides have, come last, since their places are not known.
    """
    maybe = {key for side in (before, after) for key, item in side.items() if _may_miss(key, item)}
    if not maybe:
        return before, after
    left_out = {key for key in maybe if key not in before or key not in after}
    # A key that is not known may be any key that only the other side has.
    for side, other in ((before, after), (after, before)):
        is_open = any(key.__class__ is UnknownKey for key in other)
        left_out |= {key for key in side if is_open and (key not in other)}
    left_out |= {key for key in maybe if key.__class__ is UnknownKey}
    last = [key for key in after if key in maybe and key not in left_out]
    return (
        [*(key for key in before if key not in maybe and key not in left_out), *last],
        [*(key for key in after if key not in maybe and key not in left_out), *last],
    )


def _may_miss(key: Hashable, item: Any) -> bool:
    return key.__class__ is UnknownKey or (item.__class__ is Unknown and item.may_miss)


def removed(pair: ValuePair, key: Hashable, origins: WinningOrigins) -> Change:
    """Return the change that removes a key of a mapping, or the member at a position."""
    return Change(
        path=(*pair.after_path, key),
        kind="removed",
        before=pair.before[key],
        before_origin=origins.find((*pair.before_path, key)),
        positions=pair.positions,
    )


def added(
    pair: ValuePair, key: Hashable, behind: tuple[Hashable, ...] | None, origins: WinningOrigins
) -> Change:
    """Return the change that adds a key to a mapping, or a member at a position."""
    path = (*pair.after_path, key)
    return Change(
        path=path,
        kind="added",
        after=pair.after[key],
        after_origin=origins.find(path),
        behind=behind,
        positions=pair.positions,
    )
