"""Writes a fleet's tables: its minions one after the other, then their summaries."""

import json
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from heapq import merge
from itertools import repeat
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any, TypeAlias

from pillarbook.export.cells import write_name
from pillarbook.export.csv_file import write_csv
from pillarbook.export.minion_records import (
    MinionRecord,
    MinionRecorder,
    pack_records,
    unpack_records,
)
from pillarbook.export.searched import SecretGate
from pillarbook.export.sqlite_file import SqliteFile
from pillarbook.export.summary_rows import (
    list_about,
    list_affected,
    list_changes,
    list_diagnostics,
    list_readers,
    list_secrets,
)
from pillarbook.export.tables import AS_DECLARED, Cell
from pillarbook.report.fleet_summary import FleetSummary
from pillarbook.report.secret_access import FleetSecrets
from pillarbook.report.since_revision_pages import RevisionChanges
from pillarbook.report.source import NotCompared, ReportSource

FORMATS = ("sqlite", "csv")
CompileFleet: TypeAlias = Callable[[Callable[[Sequence[int]], Any]], Sequence[Any]]
"""Compiles the fleet in some processes, as ``Session.compile_fleet`` does."""


def export_fleet(
    source: ReportSource, compile_fleet: CompileFleet, form: str, out: IO[bytes], gate: SecretGate
) -> None:
    """Write all tables of a fleet.

    The SQLite file is made in a folder that only this user can read. It is searched for secrets
    while it is copied, so everything in ``out`` was searched; if a secret is found, the caller has
    to delete that file.

    Raises:
        LeakError: The file or a cell has a secret.
        RevealedPillarError: A pillar shows its secrets.
    """
    with TemporaryDirectory(prefix="pillarbook-") as folder:
        file = SqliteFile(Path(folder) / "export.sqlite", gate)
        try:
            _Export(source, file).write(compile_fleet)
            file.finish()
            if form == "csv":
                write_csv(out, file.connection, gate)
        finally:
            file.close()
        for block in gate.search_blocks(file.read_blocks(), "the file"):
            if form == "sqlite":
                out.write(block)


class _Export:
    """Fills the tables."""

    def __init__(self, source: ReportSource, file: SqliteFile) -> None:
        self._source = source
        self._file = file
        since = source.since
        self._changes: RevisionChanges | None = None
        if since is not None and not isinstance(since, NotCompared):
            self._changes = RevisionChanges(source, since)
        # By content: one digest for each part of the fleet, until the end of the export.
        self._parts: dict[bytes, int] = {}
        self._targets: dict[tuple[Cell, ...], list[int]] = {}
        self._written = 0

    def write(self, compile_fleet: CompileFleet) -> None:
        """Write the minions and the summaries."""
        source, file = self._source, self._file
        recorder = MinionRecorder(source)
        packed = list[bytes]()

        def record(ranks: Sequence[int]) -> Any:
            # This process records too, but its result is not returned like those of the others.
            # In inventory order, in which the processes' records are merged.
            packed.append(pack_records(map(recorder.record, sorted(ranks))))
            return recorder.access.give(), packed[-1]

        given = compile_fleet(record)
        if packed:
            streams = [unpack_records(one) for one in (packed[0], *(one for _, one in given))]
            marked = (zip(repeat(number), one) for number, one in enumerate(streams))
            self._write_minions(merge(*marked, key=lambda one: one[1].rank))
        else:
            ranks = range(len(source.minions))
            records = (recorder.record(rank, self._changes) for rank in ranks)
            self._write_minions(zip(repeat(0), records))
        for access, _ in given:
            recorder.access.take(access)
        self._write_targets()
        self._write_secrets(
            recorder.access.finish(lambda some: [source.minions[rank] for rank in sorted(some)])
        )
        told = source.diagnostics
        file.add_rows("diagnostics", list_diagnostics(told))
        file.add_rows("affected", list_affected(one.minions for one in told))
        self._write_changes()

    def _write_minions(self, records: Iterable[tuple[int, MinionRecord]]) -> None:
        """Write the rows of each minion; records are in inventory order, each with its process."""
        file = self._file
        names = (AS_DECLARED, *(write_name(one.name) for one in self._source.environments))
        file.add_rows("environment_ids", enumerate(names))
        # The numbers of parts in a process, by the process; and the same for targets.
        numbers: dict[tuple[int, int], int] = {}
        matches: dict[tuple[int, int], list[int] | None] = {}
        for process, one in records:
            file.add_rows("minion_ids", [(one.rank, one.row[0])])
            file.add_rows("minions", [one.row])
            file.add_rows("outcomes", ((one.row[0], *outcome) for outcome in one.outcomes))
            for number, rows in one.new:
                numbers[process, number] = self._number_part(rows)
            file.add_rows(
                "minion_parts",
                (
                    (one.rank, environment, number, numbers[process, part])
                    for environment, parts in enumerate(one.parts)
                    for number, part in enumerate(parts)
                ),
            )
            for number, (*target, is_matched) in one.new_targets:
                ranks = self._targets.setdefault(tuple(target), [])
                matches[process, number] = ranks if is_matched else None
            for number in one.targets:
                matched = matches[process, number]
                if matched is not None:
                    matched.append(one.rank)

    def _number_part(self, rows: Sequence[Sequence[Cell]]) -> int:
        """Return the number of a part; the part is written the first time."""
        told = sha256(json.dumps(rows).encode()).digest()
        number = self._parts.setdefault(told, len(self._parts))
        if number == self._written:
            self._written += 1
            self._file.add_rows("part_rows", ((number, at, *row) for at, row in enumerate(rows)))
        return number

    def _write_targets(self) -> None:
        targets = [(*target, len(ranks)) for target, ranks in self._targets.items()]
        groups = [[self._source.minions[rank] for rank in one] for one in self._targets.values()]
        self._file.add_rows("targets", ((at, *row) for at, row in enumerate(targets)))
        self._file.add_rows("matches", list_affected(groups))

    def _write_secrets(self, found: FleetSecrets) -> None:
        source = self._source
        sources = (one for secret in found.secrets for one, _ in secret.sources)
        places = {(one.file, one.line): None for one in sources}
        ages = source.ages((file, line) for file, line in places if line is not None)
        self._file.add_rows("secrets", list_secrets(found, ages, source.token))
        self._file.add_rows("readers", list_readers(found))

    def _write_changes(self) -> None:
        source, diff = self._source, None
        if self._changes is not None:
            # The summary has words for groups of minions, which are not needed here.
            diff, _ = self._changes.finish(FleetSummary(source.environments))
            self._file.add_rows("changes", list_changes(diff, source.token))
            groups = [atom.minions for atom in diff.atoms]
            self._file.add_rows("changed_minions", list_affected(groups))
        not_compared = source.since if isinstance(source.since, NotCompared) else None
        self._file.add_rows("about", list_about(source, diff or not_compared))
