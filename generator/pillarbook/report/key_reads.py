"""Which state SLS files read which values of a pillar, worked out section by section.

Minions share sections and renders, so what a file reads of a section is found once for all that
have both.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from pillarbook.model import KeyPath
from pillarbook.model.shared_results import SharedResults
from pillarbook.redact.redacted_states import KeyRead, MinionStates, SlsReads
from pillarbook.report.key_patterns import typed_path
from pillarbook.report.rows import RowSection


@dataclass(frozen=True, slots=True, eq=False)
class _Covered:
    """What a file read, ready to be asked."""

    values: frozenset[KeyPath]
    """Paths whose value counts as read with all that is below."""
    exact: frozenset[KeyPath]
    """Paths of which only the key, or the keys below it, count."""


class KeyReads:
    """Says which values of sections were read."""

    def __init__(self) -> None:
        # Sections and reads are shared by minions with the same part of a pillar and the same
        # render, and neither changes.
        self._covered: SharedResults[_Covered] = SharedResults()
        self._flags: SharedResults[tuple[bool, ...]] = SharedResults()
        self._unread: SharedResults[tuple[tuple[KeyPath, int], ...]] = SharedResults()

    def flags(self, section: RowSection, reads: SlsReads) -> tuple[bool, ...]:
        """Return for each row of a section whether a file read it."""
        return self._flags.find(lambda: self._find_flags(section, reads), section, also=reads)

    def _find_flags(self, section: RowSection, reads: SlsReads) -> tuple[bool, ...]:
        covered = self._covered.find(lambda: _cover(reads), also=reads)
        return tuple(is_read(row.leaf.path, covered) for row in section.rows)

    def unread(
        self, sections: Sequence[RowSection], states: MinionStates
    ) -> list[tuple[KeyPath, int]]:
        """Return the highest paths below which nothing was read, with how many values lie there."""
        asking = readers_of(states)
        return [
            one
            for section in sections
            for one in self._unread.find(
                partial(self._find_unread, section, asking), section, also=asking
            )
        ]

    def _find_unread(
        self, section: RowSection, asking: tuple[SlsReads, ...]
    ) -> tuple[tuple[KeyPath, int], ...]:
        of_each = [self.flags(section, one) for one in asking]
        read = [any(flags) for flags in zip(*of_each, strict=True)] or [False] * len(section.rows)
        return _fold_unread(section, read)


def _cover(reads: SlsReads) -> _Covered:
    there = [one for one in reads.reads if one.missing is None]
    return _Covered(
        frozenset(one.path for one in there if one.how in ("value", "all")),
        frozenset(one.path for one in there if one.how not in ("value", "all")),
    )


def _fold_unread(section: RowSection, read: Sequence[bool]) -> tuple[tuple[KeyPath, int], ...]:
    if all(read):
        return ()
    pairs = list(zip(section.rows, read, strict=True))
    known = {
        row.leaf.path[:length]
        for row, was_read in pairs
        if was_read
        for length in range(1, len(row.leaf.path) + 1)
    }
    found: dict[KeyPath, int] = {}
    for row, was_read in pairs:
        if not was_read:
            path = row.leaf.path
            lengths = range(1, len(path) + 1)
            top = next(path[:one] for one in lengths if path[:one] not in known)
            found[top] = found.get(top, 0) + 1
    return tuple(found.items())


def is_read(path: KeyPath, covered: _Covered) -> bool:
    """Say whether a value was read, by itself or with something that it is a part of."""
    if path in covered.exact:  # of a value its presence, of an empty mapping that it is one
        return True
    return any(path[:length] in covered.values for length in range(len(path) + 1))


def readers_of(states: MinionStates) -> tuple[SlsReads, ...]:
    """Return all that read the pillar of a minion: its state SLS files, and the targets."""
    return (*states.sls, *([states.targets] if states.targets is not None else []))


@dataclass(frozen=True, slots=True)
class ReadLine:
    """A key that was read, and by what."""

    path: KeyPath
    by: tuple[tuple[SlsReads, tuple[KeyRead, ...]], ...]
    """Each file, with what it asked of it."""


def list_reads(states: MinionStates, *, missing: bool) -> list[ReadLine]:
    """Return the keys that states read, in the order of first reads.

    Those are wanted that the minion does not have (``missing``), or those that it has.
    """
    found: dict[tuple[Hashable, ...], dict[SlsReads, list[KeyRead]]] = {}
    paths: dict[tuple[Hashable, ...], KeyPath] = {}
    for reads in readers_of(states):
        for one in reads.reads:
            if (one.missing is not None) == missing and one.how != "mapping" and one.path:
                key = typed_path(one.path)
                paths[key] = one.path
                found.setdefault(key, {}).setdefault(reads, []).append(one)
    return [
        ReadLine(paths[key], tuple((reads, tuple(ones)) for reads, ones in by.items()))
        for key, by in found.items()
    ]


def reads_all(states: MinionStates) -> list[SlsReads]:
    """Return the files that read the pillar as a whole."""
    return [
        reads
        for reads in readers_of(states)
        if any(not one.path and one.how == "all" for one in reads.reads)
    ]


WORDS = {"value": "", "all": "everything below", "keys": "its keys", "presence": "presence"}
"""What was asked of a key that is there."""


def word_reads(reads: Iterable[KeyRead]) -> str:
    """Return in words what a file read of a key; empty if it read the value."""
    ones = list(reads)
    if any(one.missing is not None for one in ones):
        return (
            "without a default" if any(one.missing == "bare" for one in ones) else "with a default"
        )
    hows = [one.how for one in ones]
    if "all" in hows or "value" in hows:
        return WORDS["all"] if "all" in hows else ""
    return ", ".join(dict.fromkeys(WORDS[how] for how in hows))
