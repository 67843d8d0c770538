"""What several processes find out together is what one finds out."""

import os
import pickle
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from tests.support.fleets import write_files, write_fleet
from tests.support.repositories import commit_all
from tests.support.sides import OPTIONS, open_both, start

from pillarbook.changes.compare_sides import compare_sides
from pillarbook.changes.comparison import HeadScan, ScanResult
from pillarbook.diagnostics import Diagnostic
from pillarbook.report.diff_json import diff_to_json
from pillarbook.session import RunOptions
from pillarbook.session.process_count import SCAN, count_processes
from pillarbook.supervise import worker
from pillarbook.supervise.heartbeat import Heartbeat
from pillarbook.supervise.work_queue import WorkQueue
from pillarbook.supervise.worker import Worker

FILES = {
    "top.sls": (
        "base:\n  '*': [common]\n  'm1*':\n    - web\n  'm2*':\n    - db\n  'm27':\n    - gone\n"
    ),
    "common.sls": "name: {{ grains.id }}\npassword: pw-{{ grains.id }}-Zk39fjq\n",
    "web.sls": "port: 80\n{% if grains.id == 'm12' %}{{ grains.nope }}{% endif %}\n",
    "db.sls": (
        "deep:\n  er:\n    password: pw-m1-Zk39fjq\n"
        "copy: dsn pw-m5-Zk39fjq\n{% if grains.id == 'm21' %}{{ 1 / 0 }}{% endif %}\n"
    ),
    "gone.sls": "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 3\n",
}
TOKEN_KEY = b"key"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "r"
    write_fleet(folder, FILES, {f"m{number}": {} for number in range(30)})
    commit_all(start(folder))
    return write_files(folder, {"pillar/web.sls": FILES["web.sls"].replace("80", "81")})


def options(**more: Any) -> RunOptions:
    given = {name: getattr(OPTIONS, name) for name in ("checks", "environments")}
    return RunOptions(token_key=TOKEN_KEY, **{**given, **more})


def look(
    folder: Path, processes: int
) -> tuple[dict[str, tuple[str, bool]], tuple[Diagnostic, ...], list[tuple[Any, Any, bool]]]:
    with open_both(folder, options=options()) as sides, HeadScan(sides, processes) as scan:
        found = {name: (one.outcome, one.affected) for name, one in scan.finish().items()}
        store = sides.head.shown.store
        secrets = sorted(
            (store.value_of(one), store.path_of(one), store.is_copy(one))
            for one in range(len(store))
        )
        return found, sides.head.shown.diagnostics, secrets


def compare(folder: Path, processes: int, **more: Any) -> Any:
    with open_both(folder, options=options(**more)) as sides:
        diff = compare_sides(sides, scan=HeadScan(sides, processes))
        return diff_to_json(diff, sides.head.shown.token)


@pytest.mark.parametrize("count", [0, 1, 30, 256, 1_007])
def test_processes_take_each_minion_once(count: int) -> None:
    names = [f"m{number}" for number in range(count)]
    work_queue = WorkQueue(names)
    one, other = work_queue.take(), work_queue.take(0.5)
    taken = [*islice(one, 2), *islice(other, 3), *islice(one, 1)]
    assert sorted([*taken, *other, *one]) == sorted(names)
    work_queue.close()


def test_it_is_the_same_with_any_number_of_processes(folder: Path) -> None:
    alone = look(folder, 1)
    found, diagnostics, secrets = alone
    assert list(found) == [f"m{number}" for number in range(30)]
    assert {name for name, (_, affected) in found.items() if affected} == {
        name for name in found if name.startswith("m1")
    }
    assert (found["m12"][0], found["m21"][0]) == ("partial", "partial")
    assert {one.code for one in diagnostics} >= {"missing-grain", "jinja-error"}
    assert ("pw-m29-Zk39fjq", ("password",), False) in secrets
    for processes in (2, 3):
        assert look(folder, processes) == alone


def test_a_comparison_is_the_same_with_any_number_of_processes(folder: Path) -> None:
    alone = compare(folder, 1)
    assert len(alone["atoms"]) == 1
    assert compare(folder, 2) == alone
    assert compare(folder, 2, checks=True) == compare(folder, 1, checks=True)


@pytest.mark.slow
def test_external_pillars_of_files_are_compared_the_same(folder: Path) -> None:
    """What they read is asked on both sides by the process that compiled the minion."""
    with (folder / "master").open("a") as master:
        master.write("ext_pillar: [{file_tree: {root_dir: tree}}]\n")
    write_files(folder, {f"tree/hosts/m{number}/motd": f"{number}\n" for number in range(30)})
    commit_all(folder)
    write_files(folder, {f"tree/hosts/m{number}/motd": f"new {number}\n" for number in (3, 14, 29)})
    with open_both(folder, options=options()) as sides:
        assert count_processes(sides.head, SCAN, 30, asked=2) == 2
    alone, shared = look(folder, 1), look(folder, 3)
    assert {name for name, (_, affected) in alone[0].items() if affected} >= {"m3", "m29"}
    assert not alone[0]["m4"][1]
    assert shared == alone
    assert compare(folder, 2) == compare(folder, 1)


@pytest.fixture
def _others_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let other processes take all that there is to do, before this one begins."""
    parent, take = os.getpid(), WorkQueue.take

    def wait(self: WorkQueue, share: float = 0.0) -> Iterator[str]:
        if os.getpid() == parent:
            time.sleep(1)
        yield from take(self, share)

    monkeypatch.setattr(WorkQueue, "take", wait)


@pytest.mark.usefixtures("_others_first")
def test_a_process_that_is_lost_costs_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone, parent = look(folder, 1), os.getpid()
    calls: list[int] = []
    dumps = pickle.dumps

    def die(*given: Any) -> bytes:
        calls.append(1)
        if os.getpid() != parent and len(calls) > 1:
            os._exit(9)
        return dumps(*given)

    monkeypatch.setattr(worker, "CHUNK", 4)
    monkeypatch.setattr(pickle, "dumps", die)
    assert look(folder, 2) == alone


@pytest.mark.usefixtures("_others_first")
def test_a_process_that_is_stuck_in_a_render_is_ended(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = look(folder, 1)
    parent = os.getpid()
    begin = Heartbeat.begin

    def stick(self: Heartbeat, shown: str, minion: str) -> None:
        begin(self, shown, minion)
        if os.getpid() != parent and minion == "m13":
            time.sleep(60)

    monkeypatch.setattr(worker, "STALL_SECONDS", 0.5)
    monkeypatch.setattr(Heartbeat, "begin", stick)
    started = time.monotonic()
    assert look(folder, 2) == alone
    assert time.monotonic() - started < 20


@pytest.mark.slow
def test_what_was_lost_before_is_left_out_in_every_process(folder: Path) -> None:
    known = Heartbeat()
    known.begin("pillar/web.sls", "m13")
    going_on = known.read()
    assert going_on is not None
    lost = Heartbeat((going_on[1],))
    assert compare(folder, 2, heartbeat=lost) == compare(folder, 1, heartbeat=lost)


def children() -> set[str]:
    """Return the ids of this process's children."""
    me = os.getpid()
    return set(Path(f"/proc/{me}/task/{me}/children").read_text().split())


def test_the_others_end_with_the_survey(folder: Path) -> None:
    before = children()  # a browser of other tests may be among them
    with open_both(folder, options=options()) as sides:
        with HeadScan(sides, 3):
            assert children() > before
        assert children() == before


@pytest.mark.usefixtures("_others_first")
def test_reports_stay_in_memory(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    create = os.memfd_create

    def note(name: str) -> int:
        made.append(create(name))
        return made[-1]

    monkeypatch.setattr(os, "memfd_create", note)
    with open_both(folder, options=options()) as sides, HeadScan(sides, 2) as scan:
        scan.finish()
        assert str(Path(f"/proc/self/fd/{made[0]}").readlink()).startswith("/memfd:")
        assert not os.get_inheritable(made[0])
        raw = os.pread(made[0], 1 << 20, 0)
        assert b"pw-m29-Zk39fjq" in raw  # what would be on disk if that were a file


def test_a_report_shows_no_secret() -> None:
    assert "hunter2" not in repr(ScanResult("ok", affected=False))


def test_a_process_hands_over_all_there_is() -> None:
    def count() -> Iterator[int]:
        yield from range(1_000)

    other = Worker(lambda _: None, count())
    assert list(other.reports()) == list(range(1_000))
    other.close()
