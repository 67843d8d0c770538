"""The rows of one minion in the tables: its parts, outcomes and targets.

A process makes records of its minions, in the order of the inventory. A record has the content of a
part only for the first minion of the process with this part. Other processes send records as
compressed lines of JSON, which has all types of cells; they have tokens and no secrets.
"""

import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any

from pillarbook.export.cells import write_leaf, write_name, write_optional_name
from pillarbook.export.tables import AS_DECLARED, Cell, Row
from pillarbook.model.shared_results import SharedResults
from pillarbook.redact import RedactedLeaf, RedactedPillar, RedactedTarget, secret_of
from pillarbook.redact.redacted_json import to_json
from pillarbook.report.minion import RevealedPillarError
from pillarbook.report.row_ids import list_positions
from pillarbook.report.secret_access import Access
from pillarbook.report.since_revision_pages import RevisionChanges
from pillarbook.report.source import ReportSource

# Limits memory: a part that comes again later gets another number, and is recognized by its
# rows when records are combined.
MAX_KEPT = 100_000
"""The most parts that are cached by the identity of values; then the cache is cleared."""


@dataclass(frozen=True, slots=True)
class MinionRecord:
    """One minion."""

    rank: int
    """Its position in the inventory, counted from 0."""
    row: Sequence[Cell]
    outcomes: Sequence[Sequence[Cell]]
    """Environment, outcome and first error, as declared and in each environment."""
    targets: Sequence[int]
    """The numbers of its targets, each with whether it matches."""
    new_targets: Sequence[tuple[int, Sequence[Cell]]]
    """Targets that this record is the first to have: target, match, file, line, SLS, environment,
    and 1 if it matches."""
    parts: Sequence[Sequence[int]]
    """The numbers of its parts, by the position of the environment in ``outcomes``."""
    new: Sequence[tuple[int, Sequence[Sequence[Cell]]]]
    """The parts that this record is the first to have, each with its rows."""

    def as_list(self) -> list[Any]:
        """Return the fields in their order, unchanged: JSON has lists for tuples."""
        return [getattr(self, name) for name in self.__slots__]


class MinionRecorder:
    """Makes the records of some minions, and collects who reads which secret."""

    def __init__(self, source: ReportSource) -> None:
        self._source = source
        self.access = Access()
        """The readers of secrets, for the minions so far."""
        self._parts: SharedResults[int] = SharedResults(MAX_KEPT)
        self._count = 0
        self._new: list[tuple[int, list[Row]]] = []
        # By the identity of targets: minions with the same result of a target share one object.
        self._targets: dict[int, tuple[int, RedactedTarget]] = {}
        self._target_count = 0

    def record(self, rank: int, changes: RevisionChanges | None = None) -> MinionRecord:
        """Return the record of a minion.

        Raises:
            RevealedPillarError: A pillar shows its secrets.
        """
        source = self._source
        minion = source.minions[rank]
        declared = source.pillar(minion)
        sides = [(AS_DECLARED, declared)]
        sides += [(one.name, source.pillar_in(one.name, minion)) for one in source.environments]
        if any(pillar.revealed for _, pillar in sides):
            raise RevealedPillarError(minion)
        if source.has_states:
            source.states(minion, traced=False)  # for their findings, because no table has states
        self._take_secrets(rank, minion, declared)
        if changes is not None:
            changes.add(minion)
        self._new = []
        parts = [self._number_parts(pillar.leaves) for _, pillar in sides]
        new_targets = list(self._number_targets(declared.targets))
        return MinionRecord(
            rank,
            (
                write_name(minion),
                declared.outcome,
                write_optional_name(declared.pillarenv),
                write_optional_name(declared.saltenv),
                json.dumps(to_json(source.grains(minion), source.token)),
            ),
            [(write_name(name), pillar.outcome, _first_error(pillar)) for name, pillar in sides],
            [self._targets[id(target)][0] for target in declared.targets],
            new_targets,
            parts,
            self._new,
        )

    def _take_secrets(self, rank: int, minion: str, pillar: RedactedPillar) -> None:
        self.access.add_secrets(
            rank,
            (
                (
                    leaf,
                    list_positions(leaf.path, pillar.data.get(leaf.path[0])),
                    self._source.ways(minion, leaf.origins[-1]) if leaf.origins else (),
                )
                for leaf in pillar.leaves
                if secret_of(leaf.value) is not None and leaf.path
            ),
        )

    def _number_targets(
        self, targets: Sequence[RedactedTarget]
    ) -> Iterator[tuple[int, Sequence[Cell]]]:
        """Number the targets of a minion; yield those that had no number."""
        known = self._targets
        if len(known) >= MAX_KEPT:
            known.clear()
        for target in targets:
            if id(target) not in known:
                known[id(target)] = self._target_count, target
                yield self._target_count, _write_target(target)
                self._target_count += 1

    def _number_parts(self, leaves: Sequence[RedactedLeaf]) -> list[int]:
        found = (leaf for leaf in leaves if leaf.path)
        groups = groupby(found, lambda leaf: (leaf.path[0].__class__, leaf.path[0]))
        parts = (tuple(members) for _, members in groups)
        return [self._parts.find(partial(self._number, part), *part) for part in parts]

    def _number(self, leaves: tuple[RedactedLeaf, ...]) -> int:
        number = self._count
        self._count += 1
        rows = [row for leaf in leaves for row in write_leaf(leaf, self._source.token)]
        self._new.append((number, rows))
        return number


def pack_records(records: Iterable[MinionRecord]) -> bytes:
    """Return records for another process."""
    packer = zlib.compressobj(1)
    written = [packer.compress(f"{json.dumps(one.as_list())}\n".encode()) for one in records]
    return b"".join((*written, packer.flush()))


def unpack_records(packed: bytes) -> Iterator[MinionRecord]:
    """Yield the records of another process."""
    unpacker = zlib.decompressobj()
    rest = b""
    for start in range(0, len(packed), 2**16):
        *lines, rest = (rest + unpacker.decompress(packed[start : start + 2**16])).split(b"\n")
        yield from (_read(line) for line in lines)


def _read(line: bytes) -> MinionRecord:
    found: list[Any] = json.loads(line)
    return MinionRecord(*found)


def _write_target(target: RedactedTarget) -> Row:
    return (
        *(write_name(target.target), target.match, write_name(target.file)),
        *(target.line, " ".join(map(write_name, target.sls))),
        *(write_name(target.saltenv), int(target.matched)),
    )


def _first_error(pillar: RedactedPillar) -> str | None:
    errors = (*pillar.faults, *pillar.errors, *((pillar.raises,) if pillar.raises else ()))
    return write_name(errors[0]) if errors else None
