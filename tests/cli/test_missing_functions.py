"""Templates that ask whether Salt has a function that is not here."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.fleets import write_files

from pillarbook.cli.main import run

SECTION = "site_name: x\ndocs_dir: docs\ntheme: {name: pillarbook}\nplugins:\n  - pillarbook:"
TREE = {
    "mkdocs.yml": f"{SECTION} {{master: master, inventory: minions.yml}}\n",
    "docs/index.md": "# x\n",
    "master": "pillar_roots: {base: [pillar]}\n",
    "minions.yml": "minions: {web1: {}}\n",
    "pillar/top.sls": "base: {'*': [all]}\n",
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write_files(tmp_path, TREE)


@pytest.mark.parametrize(
    ("template", "given"),
    [
        ("{{ 'mysql.query' in salt }}", {"$unknown": "mysql.query"}),
        ("{{ salt['mysql.query'] is defined }}", {"$unknown": "mysql.query"}),
        ("{{ salt.mysql.query is undefined }}", {"$unknown": "mysql.query"}),
        ("{{ salt.get('mysql.query') is none }}", {"$unknown": "mysql.query"}),
        ("{{ salt['mysql.query'] | default('none') }}", "<LoadedFunc name='mysql.query'>"),
        ("{{ 'grains.get' in salt }}", True),
        ("{{ 'cmd.run' in salt }}", True),
        ("{{ salt['cmd.run'] is defined }}", True),
        ("{{ salt['file.grep'] is undefined }}", False),
        ("{{ salt.get('cmd.run') is none }}", False),
        ("{{ 'mysql.qurey' in salt }}", False),
        ("{{ salt['mysql.qurey'] is defined }}", False),
        ("{{ salt['test.echo'] is defined }}", True),
    ],
)
def test_whether_salt_has_a_function_that_is_not_here_is_unknown(
    folder: Path, capsys: pytest.CaptureFixture[str], template: str, given: Any
) -> None:
    write_files(folder, {"pillar/all.sls": f"a: {template}\n"})
    assert run(("compile",)) == 0
    assert json.loads(capsys.readouterr().out)["web1"]["a"] == given


@pytest.mark.parametrize("function", ["mysql.query", "cmd.run"])
def test_with_all_values_revealed_optional_functions_are_missing(
    folder: Path, capsys: pytest.CaptureFixture[str], function: str
) -> None:
    text = f"a: {{{{ '{function}' in salt }}}}\nb: {{{{ salt['{function}'] is defined }}}}\n"
    write_files(folder, {"pillar/all.sls": text})
    assert run(("compile", "--reveal")) == 0
    is_there = function == "cmd.run"
    assert json.loads(capsys.readouterr().out)["web1"] == {"a": is_there, "b": is_there}


def test_a_question_without_a_provable_effect_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "#!jinja|json\n{\"a\": {{ 1 if 'mysql.query' in salt else salt['mysql.query']('x') }}}\n"
    write_files(folder, {"pillar/all.sls": text})
    assert run(("check",)) == 2
    out = capsys.readouterr().out
    asks = "SLS 'all' asks whether the function 'mysql.query' exists, which has no declared answer"
    assert f"pillar/all.sls:2: error: {asks}" in out
    assert "functions: {mysql.query: {$calls: [{args: [x], answer: ...}]}}" in out
