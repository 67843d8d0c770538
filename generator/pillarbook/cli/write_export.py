"""Writes a fleet as tables: the work of ``pillarbook export``."""

from collections.abc import Callable, Sequence
from typing import Any, BinaryIO

import click

from pillarbook.changes.since_revision import open_report_session
from pillarbook.cli.open_declared import make_options
from pillarbook.cli.output import open_bytes
from pillarbook.cli.read_declared import find_link_policy, read_settings, split_declared
from pillarbook.cli.summary import report_found
from pillarbook.cli.value_text import clean_line
from pillarbook.export import export_fleet
from pillarbook.export.searched import SecretGate
from pillarbook.redact import SecretStore
from pillarbook.redact.leak_errors import LeakError
from pillarbook.session import RunOptions, Session


def write_export(base: RunOptions, values: dict[str, Any]) -> int:
    """Write the tables, and return the exit code."""
    declared, asked = split_declared(values)
    asked["timing"].mark("loading")
    session = _open(base, declared, asked)
    with session:
        try:
            with open_bytes(asked["output"], find_link_policy(declared)) as out:
                _write(session, base, asked, out)
        except LeakError:
            # A secret that was learned late, as in a build: docs/decisions/0016.
            session = _open(base, declared, asked, session.store)
            with session, open_bytes(asked["output"], find_link_policy(declared)) as out:
                _write(session, base, asked, out)
    report_found(session.shown.diagnostics)
    told = f"{asked['output']}: {len(session.fleet.minions):,} minions"
    click.echo(clean_line(f"pillarbook: {told}"), err=True)
    return 0


def _open(
    base: RunOptions,
    declared: dict[str, Any],
    asked: dict[str, Any],
    earlier: SecretStore | None = None,
) -> Session:
    """Open the fleet, as for a report."""
    options = make_options(base, declared, explains=False)
    session = open_report_session(read_settings(declared), options)
    if options.heartbeat is not None:
        options.heartbeat.held.append(session)
    if earlier is not None:
        session.know(earlier)
    session.jobs = asked["jobs"]
    asked["timing"].mark("reading")
    return session


def _write(session: Session, base: RunOptions, asked: dict[str, Any], out: BinaryIO) -> None:
    def compile_fleet(write: Callable[[Sequence[int]], Any]) -> Sequence[Any]:
        written = session.compile_fleet(write)
        asked["timing"].mark("compiling")
        return written

    export_fleet(session.report, compile_fleet, asked["form"], out, SecretGate(base.known))
