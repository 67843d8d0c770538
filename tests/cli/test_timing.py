"""``--timing``: three lines, or all of it as JSON, on standard error."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.support.fleets import write_fleet

from pillarbook.cli.main import run
from pillarbook.cli.timing import Timing

FILES = {"top.sls": "base: {'*': [a]}\nnext: {'*': [a]}\n", "a.sls": "a: {b: 1}\n"}
DECLARED = ("--master", "master", "--inventory", "minions.yml")
LINES = re.compile(r"reading \d+\.\d\d s\ncompiling \d+\.\d\d s\nwriting \d+\.\d\d s\n\Z")
SITE = "site_name: x\ndocs_dir: docs\nplugins: [{pillarbook: {master: master, inventory: minions.yml}}]\n"
COMMANDS = {
    "compile": ["compile", *DECLARED],
    "compile in processes": ["compile", "--jobs", "2", *DECLARED],
    "check": ["check", *DECLARED],
    "get": ["get", "a:b", *DECLARED],
    "explain": ["explain", "m", "a:b", *DECLARED],
    "verify": ["verify", "dump.json", *DECLARED],
    "diff": ["diff", "--environments", "base", "next", *DECLARED],
    "build": ["build"],
    "init": ["init"],
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_fleet(tmp_path, FILES, {"m": {}, "n": {}})
    (tmp_path / "master").write_text("pillar_roots: {base: [pillar], next: [pillar]}\n")
    (tmp_path / "dump.json").write_text(json.dumps({"m": {"a": {"b": 1}}, "n": {"a": {"b": 1}}}))
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# x\n")
    (tmp_path / "mkdocs.yml").write_text(SITE)
    monkeypatch.chdir(tmp_path)


@pytest.mark.sample(2)
@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_every_command_tells_its_steps(words: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    name, *rest = words
    assert run([name, "--timing", *rest]) == 0
    assert LINES.search(capfd.readouterr().err)
    assert run([name, "--timing=json", *rest]) == 0
    told = json.loads(capfd.readouterr().err.splitlines()[-1])
    assert told["schema"] == "pillarbook.timing/1"
    assert list(told["steps"]) == ["loading", "reading", "compiling", "writing"]
    assert told["steps"]["compiling"] > 0
    assert sum(told["steps"].values()) == pytest.approx(told["seconds"], abs=0.001)
    assert told["peak_memory"] > 2**20
    assert run(words) == 0
    assert "reading" not in capfd.readouterr().err


def test_each_build_is_told_once_and_without_the_time_between(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = iter([0.0, 1.0, 3.0, 3.5, 100.0, 102.0, 103.0, 200.0])
    monkeypatch.setattr("time.perf_counter", lambda: next(now))
    timing = Timing("text")
    timing.mark("reading")
    timing.mark("compiling")
    assert timing.describe() == "reading 1.00 s\ncompiling 2.00 s\nwriting 0.50 s\n"
    assert timing.describe() == ""
    timing.resume()
    timing.mark("reading")
    assert timing.describe() == "reading 2.00 s\ncompiling 0.00 s\nwriting 1.00 s\n"


def test_progress_of_several_processes_counts_all_minions(monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[str] = []

    @contextmanager
    def show(what: str, total: int) -> Iterator[Callable[[], None]]:
        yield lambda: steps.append(f"{what} of {total}")

    monkeypatch.setattr("pillarbook.cli.print_pillars.show_progress", show)
    assert run(["compile", "--jobs", "2", *DECLARED]) == 0
    assert steps == ["compiling of 2"] * 2


def test_another_form_is_an_error(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["compile", "--timing=yaml", *DECLARED]) == 1
    assert "'yaml' is not one of 'text', 'json'" in capfd.readouterr().err
