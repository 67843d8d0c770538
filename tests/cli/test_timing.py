"""``--timing``: three lines, or all of it as JSON, on standard error."""

import json
import re
from pathlib import Path

import pytest
from tests.support.fleets import write_fleet

from pillarbook.cli.main import run

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


def test_another_form_is_an_error(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["compile", "--timing=yaml", *DECLARED]) == 1
    assert "'yaml' is not one of 'text', 'json'" in capfd.readouterr().err
