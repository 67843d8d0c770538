"""Prints the pillar or the states of minions: the work of ``pillarbook compile``."""

import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, TextIO, cast

import click

from pillarbook.cli.filtered import DataStream
from pillarbook.cli.open_declared import PILLARS_ALONE, need_matches, open_asked
from pillarbook.cli.output import (
    open_output,
    write_json_lines,
    write_json_pillars,
    write_result,
    write_yaml_pillars,
    writer_of_json,
)
from pillarbook.cli.read_declared import find_link_policy, split_declared
from pillarbook.cli.summary import report_found, show_progress
from pillarbook.redact import RedactedPillar
from pillarbook.session import RunOptions, Session
from pillarbook.session.fleet_shares import FleetShares
from pillarbook.session.process_count import COMPILE, count_processes
from pillarbook.supervise.shared_work import SharedWork

JSON_WRITERS = {"json": write_json_pillars, "jsonl": write_json_lines}
"""Writers that get the texts of the minions, which several processes can make."""
WRITERS = {"yaml": write_yaml_pillars, "result": write_result}


def print_pillars(base: RunOptions, values: dict[str, Any]) -> int:
    """Compile the minions, print the result, and return the exit code."""
    declared, asked = split_declared(values)
    session = open_asked(base, declared, asked, memo=not asked["no_memo"], **PILLARS_ALONE)
    if asked["form"] == "result" and asked["reveal"]:
        raise click.UsageError("A saved result has no secrets: omit --reveal.")
    if asked["form"] == "result" and asked["lowstate"]:
        raise click.UsageError("A saved result has pillars only: omit --lowstate.")
    with session:
        need_matches(asked, session.fleet)
        chosen = session.fleet.asked
        # For a part of the fleet, the files that it reads are searched for secrets, in one process.
        is_shared = asked["form"] in JSON_WRITERS and len(chosen) == len(session.fleet.minions)
        count = count_processes(session, COMPILE, len(chosen), asked["jobs"]) if is_shared else 1
        if count > 1:
            broke_off, done = _print_shared(base, session, chosen, count, declared, asked)
        else:
            broke_off, done = _print_alone(base, session, chosen, declared, asked)
        asked["timing"].mark("compiling", done)
    report_found(session.shown.diagnostics, broke_off=broke_off)
    return 1 if broke_off else 0


def _print_alone(
    base: RunOptions,
    session: Session,
    chosen: Sequence[str],
    declared: dict[str, Any],
    asked: dict[str, Any],
) -> tuple[bool, float]:
    """Compile and print in this process; return whether Salt stops, and when all were compiled."""
    is_json = asked["form"] in JSON_WRITERS
    is_lean = is_json and not asked["lowstate"] and session.shows_all(chosen)
    with show_progress("compiling", len(chosen)) as step:
        each = session.compiler.compile_all(chosen, step)
        compiled = list(map(session.keep_what_is_written, each) if is_lean else each)
    states = [session.compiler.compile_states(one) for one in compiled] if asked["lowstate"] else []
    done = time.perf_counter()
    session.freeze_asked_secrets([*compiled, *states], for_show=not is_json)
    if base.heartbeat is not None:
        base.heartbeat.held.append([compiled, states])
    with _open_output(base, declared, asked) as out:
        redacted = _Redacted(session, states if asked["lowstate"] else compiled)
        if is_json:
            JSON_WRITERS[asked["form"]](writer_of_json(out, out.write), redacted.as_json())
        else:
            WRITERS[asked["form"]](out, session, redacted)
    return redacted.broke_off, done


def _print_shared(
    base: RunOptions,
    session: Session,
    chosen: Sequence[str],
    count: int,
    declared: dict[str, Any],
    asked: dict[str, Any],
) -> tuple[bool, float]:
    """Compile and print in several processes, of which each writes and searches its minions."""

    def wrap(raw: TextIO) -> TextIO:
        return raw if base.known is None else cast("TextIO", DataStream(raw, base.known))

    shares = FleetShares(
        session,
        chosen,
        with_states=asked["lowstate"],
        known=base.known,
        wrap=wrap,
        progress=show_progress,
    )
    if base.heartbeat is not None:
        base.heartbeat.held.append(shares)
    with SharedWork(count, session.compiler.project.watch) as shared:
        results = shared.run(shares.work)
        with _open_output(base, declared, asked) as out:
            write = out.write_searched if isinstance(out, DataStream) else out.write
            JSON_WRITERS[asked["form"]](writer_of_json(out, write), shares.gather(shared, results))
    return any(one.broke_off for one in results), shares.compiled_at


def _open_output(
    base: RunOptions, declared: dict[str, Any], asked: dict[str, Any]
) -> AbstractContextManager[TextIO]:
    links = find_link_policy(declared)
    return open_output(asked["output"], base.known, links, private=asked["reveal"])


class _Redacted:
    """Redacts pillars one by one, and records whether Salt stopped compiling one."""

    def __init__(self, session: Session, compiled: Sequence[Any]) -> None:
        self._session = session
        self._compiled = compiled
        self.broke_off = False

    def as_json(self) -> Iterator[str]:
        """Yield each pillar as JSON."""
        for one in self._compiled:
            written = self._session.shown.write_json(one)
            self.broke_off = self.broke_off or written.broke_off
            yield written.text

    def __iter__(self) -> Iterator[RedactedPillar]:
        for one in self._compiled:
            pillar = self._session.shown.redact_with_faults(one)
            self.broke_off = self.broke_off or pillar.raises is not None
            yield pillar
