"""``build --engine dask``: a cluster makes the parts of a report, and sees nothing clear."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from benchmarks.fleet import write_fleet
from tests.publish.test_build_jobs import CONFIGURATION, TREE
from tests.support.dask_cluster import Cluster, running
from tests.support.fleets import EXAMPLE, write_files
from tests.support.leaky import files_of

from pillarbook import __version__
from pillarbook.cli.main import run

ROOT = Path(__file__).parents[2]
KEY = "a key for the tests of Dask, 0123456789"
SECRETS = (b"hT5jKw8nBv3c", b"abcDEF123ghiJKL456", b"Zx8cVb5nM3kQ", KEY.encode())
START = """\
import os, pathlib, signal, sys, time

if "pillarbook.cli.dask_shard" in sys.orig_argv:
    {}
"""
"""What each process of a part does first, from a folder of ``PYTHONPATH``."""
KILL_WORKER = "os.kill(os.getppid(), signal.SIGKILL)"
KILL_ITSELF = "os.kill(os.getpid(), signal.SIGKILL)"


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PILLARBOOK_TOKEN_KEY", KEY)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")  # report.json has the time


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "tree"
    folder.mkdir()
    monkeypatch.chdir(write_files(folder, {**TREE, "mkdocs.yml": CONFIGURATION.format("fleet")}))
    return folder


def starting(folder: Path, name: str, line: str) -> dict[str, str]:
    """Return variables with which the processes of a worker's parts do something first."""
    write_files(folder, {f"{name}/sitecustomize.py": START.format(line)})
    return {"PYTHONPATH": str(folder / name)}


def check_law(cluster: Cluster, *counts: str) -> None:
    """Check that a cluster's site is that of one build, for some numbers of parts."""
    assert run(["build", "--site-dir", "whole", "--jobs", "1"]) == 0
    whole = files_of(Path("whole"))
    for words in [["--shards", count] for count in counts] or [[]]:
        assert run(cluster.words("--site-dir", "merged", *words)) == 0
        merged = files_of(Path("merged"))
        assert merged.keys() == whole.keys()
        for name, data in whole.items():
            assert merged[name] == data, name


def test_a_killed_and_a_slow_worker_change_nothing(
    tree: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    killed = starting(tmp_path, "killed", KILL_WORKER)
    slow = starting(tmp_path, "slow", "time.sleep(1)")
    with running(tmp_path / "cluster", killed, slow) as cluster:
        check_law(cluster)
        assert [cluster.has_ended(one) for one in cluster.processes] == [False, True, False]
        seen = cluster.read_everything()
    said = capsys.readouterr().err
    workers = {re.search(rf"(\S+): part {number}/2 in ", said)[1] for number in (1, 2)}  # type: ignore[index]
    assert len(workers) == 1
    assert str(tree).encode() in seen  # what the scheduler and the logs have is searched
    assert b"pillarbook part 1\n" in seen
    assert [secret for secret in SECRETS if secret in seen] == []
    assert "distributed" not in sys.modules


def test_dask_must_be_installed(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("pillarbook.cli.build_on_dask.find_spec", lambda _: None)
    assert run(["build", "--engine", "dask", "--scheduler", "tcp://127.0.0.1:1"]) == 1
    assert "run: pip install 'pillarbook[dask]'" in capsys.readouterr().err
    monkeypatch.delenv("PILLARBOOK_TOKEN_KEY")
    assert run(["build", "--engine", "dask", "--scheduler", "tcp://127.0.0.1:1"]) == 1
    assert "--engine dask needs PILLARBOOK_TOKEN_KEY" in capsys.readouterr().err
    assert not (tree / "site").exists()


WRONG = (
    (["--engine", "dask"], "go together"),
    (["--scheduler", "x"], "go together"),
    (["--shards", "2"], "go together"),
    (["--engine", "spark", "--scheduler", "x"], "'spark' is not"),
    (["--engine", "dask", "--scheduler", "x", "--shards", "0"], "0 is not in the range"),
    (["--engine", "dask", "--scheduler", "x", "--shard", "1/2", "--output", "x"], "either --shard"),
    (["--engine", "dask", "--scheduler", "x", "--history", "x"], "cannot be compared"),
    (["--engine", "dask", "--scheduler", "x", "--since-report", "x"], "cannot be compared"),
)


def test_wrong_words_are_refused(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words, why in WRONG:
        assert run(["build", *words]) == 1, words
        assert why in capsys.readouterr().err, words
    revisions = CONFIGURATION.format("fleet").replace(
        "minions.yml", "minions.yml, revisions: {base: x}"
    )
    write_files(tree, {"mkdocs.yml": revisions})
    assert run(["build", "--engine", "dask", "--scheduler", "x"]) == 1
    assert "compared with a revision cannot be built in parts" in capsys.readouterr().err
    assert not (tree / "x").exists()


JOB = {
    "version": __version__,
    "key": "another",
    "inputs": dict.fromkeys(("program", "configuration", "files", "commit"), ""),
    "allow": (),
    "trust": False,
    "clock": None,
    "epoch": None,
    "shard": (1, 2),
    "jobs": 1,
}
"""What a worker is asked for."""


def make_part(job: dict[str, Any]) -> tuple[int, str]:
    """Run a worker's process for a part; return its exit code and its messages."""
    command = [sys.executable, "-P", "-m", "pillarbook.cli.dask_shard"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(json.dumps(job) + "\n")
        process.stdin.flush()
        assert process.stdout.read() == ""
        return process.wait(), process.stderr.read()


def test_a_worker_refuses_what_nobody_could_merge(tree: Path) -> None:
    job = {**JOB, "config_file": str(tree / "mkdocs.yml")}
    code, said = make_part({**job, "version": "9.9.0"})
    assert code == 1
    assert f"the worker has pillarbook {__version__}, and this is pillarbook 9.9.0" in said
    assert said.count("\n") == 1


@pytest.mark.slow
def test_a_worker_refuses_another_key_and_other_files(tree: Path) -> None:
    from pillarbook.redact.tokens import TokenKey  # noqa: PLC0415 (one test needs it)

    job = {**JOB, "config_file": str(tree / "mkdocs.yml")}
    assert "the worker has another PILLARBOOK_TOKEN_KEY" in make_part(job)[1]
    job["key"] = TokenKey(KEY.encode()).id
    assert "with other code, Python or libraries than here" in make_part(job)[1]
    missing = str(tree / "missing.yml")
    assert f"the worker has no {missing}; it needs" in make_part({**job, "config_file": missing})[1]


@pytest.mark.slow
def test_the_example_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "fleet")
    text = CONFIGURATION.format("fleet")
    monkeypatch.chdir(write_files(tmp_path, {"mkdocs.yml": text, "pages/index.md": "# Front"}))
    with running(tmp_path / "cluster", {}, {}, threads=2) as cluster:
        check_law(cluster, "1", "5")


@pytest.mark.slow
def test_a_fleet_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_fleet(tmp_path / "fleet", minions=100)
    text = CONFIGURATION.format("fleet")
    monkeypatch.chdir(write_files(tmp_path, {"mkdocs.yml": text, "pages/index.md": "# Front"}))
    killed = starting(tmp_path, "killed", KILL_WORKER)
    with running(tmp_path / "cluster", {}, killed, {}) as cluster:
        check_law(cluster)
        assert [cluster.has_ended(one) for one in cluster.processes] == [False, False, True, False]


@pytest.fixture(scope="module")
def other_version(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return variables with which a worker's processes have another version."""
    place = tmp_path_factory.mktemp("other")
    shutil.copytree(ROOT / "generator/pillarbook", place / "pillarbook")
    file = place / "pillarbook/__init__.py"
    file.write_text(file.read_text().replace(__version__, "9.9.0"))
    return {"PYTHONPATH": str(place)}


@pytest.mark.slow
def test_a_worker_of_another_version_is_refused(
    tree: Path,
    tmp_path: Path,
    other_version: dict[str, str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    write_files(tree, {"site/index.html": "the site before"})
    with running(tmp_path / "cluster", {}, other_version) as cluster:
        assert run(cluster.words()) == 1
    said = capsys.readouterr().err
    assert f"the worker has pillarbook 9.9.0, and this is pillarbook {__version__}" in said
    assert (tree / "site/index.html").read_text() == "the site before"


BAD: dict[str, tuple[str | dict[str, str], str]] = {
    "no key": ({"PILLARBOOK_TOKEN_KEY": ""}, "the worker has no PILLARBOOK_TOKEN_KEY; start it"),
    "another key": ({"PILLARBOOK_TOKEN_KEY": "x"}, "the worker has another PILLARBOOK_TOKEN_KEY"),
    "its processes die": (KILL_ITSELF, "given up after 3 tries, because the process of the part"),
    "the workers die": (KILL_WORKER, "given up, because 2 workers ended while they made it"),
    "no pillarbook": ({"WITHOUT": "pillarbook"}, "install 'pillarbook[dask]=="),
}


@pytest.mark.slow
@pytest.mark.parametrize(("how", "why"), BAD.values(), ids=BAD)
def test_bad_workers_are_named_in_one_sentence(
    how: str | dict[str, str],
    why: str,
    tree: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES", "1")
    variables = starting(tmp_path, "bad", how) if isinstance(how, str) else how
    with running(tmp_path / "cluster", *[variables] * 3) as cluster:
        assert run(cluster.words()) == 1
        seen = cluster.read_everything()
    said = capfd.readouterr().err
    assert why in re.sub(r"part ./3", "part 1/3", said)
    assert said.count("\n") == 1
    assert [secret for secret in SECRETS if secret in seen] == []
    assert not (tree / "site").exists()


ADDRESSES = {
    "foo": "--scheduler foo cannot be used: missing port number",
    "tls://127.0.0.1:1": "--scheduler tls://127.0.0.1:1 cannot be used: TLS expects",
    "tcp://127.0.0.1:1": "no Dask scheduler answers at tcp://127.0.0.1:1 within 15 seconds",
}


@pytest.mark.slow
@pytest.mark.parametrize(("address", "why"), ADDRESSES.items(), ids=ADDRESSES)
def test_a_scheduler_that_does_not_answer_is_named(
    address: str, why: str, tree: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    begin = time.monotonic()
    assert run(["build", "--engine", "dask", "--scheduler", address]) == 1
    assert time.monotonic() - begin < 40
    said = capfd.readouterr().err
    assert why in said
    assert said.count("\n") == 1
    assert not (tree / "site").exists()


HANG = """sys.addaudithook(
        lambda event, words: event == "open" and str(words[0]).endswith("a.sls")
        and (pathlib.Path({!r}, str(os.getpid())).touch(), time.sleep(60))
    )"""
"""Stops for a minute at the first file of the tree, and notes which process does."""


@pytest.fixture
def hanging(tree: Path, tmp_path: Path) -> Iterator[tuple[Cluster, "subprocess.Popen[str]"]]:
    """Return a cluster whose parts take a minute, and a command that waits for them."""
    pids = tmp_path / "pids"
    pids.mkdir()
    variables = starting(tmp_path, "slow", HANG.format(str(pids)))
    variables["TMPDIR"] = str(tmp_path)
    with (
        running(tmp_path / "cluster", variables, variables) as cluster,
        subprocess.Popen(
            [sys.executable, "-m", "pillarbook", *cluster.words()],
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "TMPDIR": str(tmp_path)},
        ) as process,
    ):
        wait_for(lambda: len(list(pids.iterdir())) == 2)
        yield cluster, process
        assert not (tree / "site").exists()
        wait_for(lambda: not [one for one in pids.iterdir() if Path("/proc", one.name).exists()])
        wait_for(lambda: not list(tmp_path.glob("pillarbook-*")))


def wait_for(happens: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not happens():
        assert time.monotonic() < end
        time.sleep(0.1)


@pytest.mark.slow
def test_an_interrupt_cancels_the_parts(
    hanging: tuple[Cluster, "subprocess.Popen[str]"],
) -> None:
    _, process = hanging
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 130
    assert process.stderr is not None
    assert process.stderr.read() == ""


@pytest.mark.slow
def test_a_scheduler_that_ends_is_named(hanging: tuple[Cluster, "subprocess.Popen[str]"]) -> None:
    cluster, process = hanging
    os.kill(cluster.processes[0], signal.SIGKILL)
    assert process.wait(30) == 1
    assert process.stderr is not None
    assert process.stderr.read() == "pillarbook: the connection with the Dask scheduler is lost\n"
