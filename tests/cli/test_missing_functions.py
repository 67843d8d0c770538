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
AS_ERROR = TREE["mkdocs.yml"].replace("minions.yml}", "minions.yml, unanswered: error}")


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
    write_files(folder, {"mkdocs.yml": AS_ERROR})
    assert run(("check",)) == (0 if isinstance(given, bool) else 2)


def test_a_question_for_a_function_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "{% if 'mysql.query' in salt %}a: {{ salt['mysql.query']('x') }}{% endif %}\n"
    write_files(folder, {"pillar/all.sls": text, "mkdocs.yml": AS_ERROR})
    assert run(("check",)) == 2
    out = capsys.readouterr().out
    asks = "SLS 'all' asks whether the function 'mysql.query' exists, which has no declared answer"
    assert f"pillar/all.sls:1: error: {asks}" in out
    assert "functions: {mysql.query: {$calls: [{args: [x], answer: ...}]}}" in out
