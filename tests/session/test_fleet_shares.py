"""Several processes write what one writes, byte for byte, and say the same of it."""

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from tests.properties.test_memo import FOLDERS
from tests.properties.trees import DrawnFleet, fleets
from tests.session.test_written_json import opened, with_secrets
from tests.support.fleets import EXAMPLE, write_drawn, write_files
from tests.support.tiers import fewer

from pillarbook.diagnostics import Diagnostic
from pillarbook.session.fleet_shares import FleetShares
from pillarbook.session.process_count import COMPILE, REPORT, SCAN, Work, count_processes
from pillarbook.supervise.shared_work import SharedWork

Told = tuple[list[str], tuple[Diagnostic, ...]]


def write(folder: Path, processes: int, *, with_states: bool = False) -> Told:
    """Return what is written and said of a fleet."""
    with opened(folder) as session:
        minions = session.fleet.minions
        if processes > 1:
            shares = FleetShares(
                session, minions, with_states=with_states, known=None, wrap=lambda raw: raw
            )
            with SharedWork(processes, session.compiler.project.watch) as shared:
                texts = list(shares.gather(shared, shared.run(shares.work)))
        else:
            compiled = list(session.compiler.compile_all(minions))
            states = map(session.compiler.compile_states, compiled)
            asked = list(states) if with_states else compiled
            session.freeze_fleet_secrets(asked, for_show=False)
            texts = [session.shown.write_json(one).text for one in asked]
        return texts, session.shown.diagnostics


def check_law(folder: Path) -> None:
    alone = write(folder, 1)
    for processes in (2, 3):
        assert write(folder, processes) == alone
    assert write(folder, 2, with_states=True) == write(folder, 1, with_states=True)


@pytest.mark.sample(1)
@pytest.mark.parametrize("folder", [*FOLDERS.values(), EXAMPLE], ids=[*FOLDERS, "example"])
def test_case_is_the_same_with_any_number(folder: Path) -> None:
    check_law(folder)


@pytest.mark.slow
@fewer(10)
@given(fleet=fleets())
def test_drawn_fleet_is_the_same_with_any_number(fleet: DrawnFleet) -> None:
    with tempfile.TemporaryDirectory() as folder:
        check_law(write_drawn(Path(folder), with_secrets(fleet)))


@pytest.mark.parametrize(
    ("work", "minions", "files", "count"),
    [
        (COMPILE, 99, 300, 1),
        (COMPILE, 100, 10, 1),
        (COMPILE, 100, 300, 2),
        (REPORT, 299, 1, 1),
        (REPORT, 300, 1, 2),
        (SCAN, 1_999, 1, 1),
        (SCAN, 2_000, 1, 2),
        (SCAN, 10_000, 1, 4),
    ],
)
def test_second_process_needs_enough_work(
    work: Work,
    minions: int,
    files: int,
    count: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cores = set(range(8 if minions > 9_000 else 2))
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: cores)
    declared = "\n".join(f"  m{number}: {{}}" for number in range(2))
    slses = {f"pillar/s{number}.sls": "" for number in range(files)}
    tree = {"master": "pillar_roots: {base: [pillar]}\n", "minions.yml": f"minions:\n{declared}\n"}
    with opened(write_files(tmp_path, tree | slses)) as session:
        assert count_processes(session, work, minions) == count


@pytest.mark.parametrize(
    ("work", "master", "count"),
    [
        (COMPILE, "", 3),
        (COMPILE, "ext_pillar: [{stack: stack.cfg}]", 3),
        (SCAN, "ext_pillar: [{stack: stack.cfg}]", 3),
        (COMPILE, "ext_pillar: [{cmd_yaml: date}]", 1),
        (REPORT, "ext_pillar: [stack]", 1),
    ],
)
def test_no_second_process_where_commands_may_run(
    work: Work, master: str, count: int, tmp_path: Path
) -> None:
    tree = {"master": f"pillar_roots: {{base: [pillar]}}\n{master}\n", "pillar/top.sls": ""}
    with opened(write_files(tmp_path, tree | {"minions.yml": "minions: {a: {}}\n"})) as session:
        assert count_processes(session, work, 3, asked=5) == count
