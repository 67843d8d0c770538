"""``unanswered: placeholder``: what commands say of values that nobody knows here."""

import json
import re
from pathlib import Path

import pytest
from tests.support.fleets import write_files
from tests.support.schemas import faults_of

from pillarbook.cli.main import run

TOKEN = re.compile(r"pbu[0-9a-f]{8}")
SECTION = "site_name: x\ndocs_dir: docs\ntheme: {name: pillarbook}\nplugins:\n  - pillarbook:"
TREE = {
    "mkdocs.yml": f"{SECTION} {{master: master, inventory: minions.yml, unanswered: placeholder}}\n",
    "docs/index.md": "# x\n",
    "master": "pillar_roots: {base: [pillar]}\nfile_roots: {base: [salt]}\n",
    "minions.yml": "minions: {web1: {}, db1: {}}\n",
    "pillar/top.sls": "base: {'*': [all, more], 'db*': [lost]}\n",
    "pillar/all.sls": "{% set s = salt['vault.read_secret']('secret/' ~ grains.id) %}\n"
    "user: {{ s.user }}\nport: 5432\ndb: {password: '{{ s.pw }}', host: db}\n",
    "pillar/more.sls": "user: app\nday: {{ salt['cmd.run']('echo Tr0ub4dor-9xyz') }}\n"
    "token: Tr0ub4dor-9xyz\n",
    "pillar/lost.sls": "a: {{ 1 if salt['cmd.run']('x') else 2 }}\n",
    "salt/top.sls": "base: {'*': [s]}\n",
    "salt/s.sls": "s:\n  test.nop:\n    - x: {{ pillar.get('port', 'none') }}\n",
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path, TREE)
    return tmp_path


def out_of(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert run(words) == code
    out = capsys.readouterr().out
    assert TOKEN.search(out) is None
    return out


def test_unknown_values_are_marked_and_the_rest_is_exact(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = json.loads(out_of(capsys, "compile"))
    assert faults_of("compile", told) == []
    web = told["web1"]
    assert [*web] == ["user", "port", "db", "day", "token"]
    assert (web["user"], web["port"]) == ("app", 5432)
    assert web["db"]["password"] == {"$unknown": "vault.read_secret secret/..."}
    assert "Tr0ub4dor" not in json.dumps(told)
    assert [*told["db1"]] == ["user", "port", "db", "day", "token", "_errors"]


def test_the_memo_and_more_processes_change_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PILLARBOOK_TOKEN_KEY", "0" * 64)
    expected = out_of(capsys, "compile")
    assert out_of(capsys, "compile", "--no-memo") == expected
    assert out_of(capsys, "compile", "--jobs", "2") == expected


def test_states_get_the_pillar_without_unknown_values(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lowstate = out_of(capsys, "compile", "--lowstate")
    write_files(folder, {"mkdocs.yml": TREE["mkdocs.yml"].replace("placeholder", "error")})
    assert out_of(capsys, "compile", "--lowstate") == lowstate


def test_what_is_asked_is_still_listed(capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(out_of(capsys, "answers", "list", "--format", "json"))
    listed = {one["name"]: (one["minions"], one["asked"]) for one in told["answers"]}
    assert listed == {
        "vault.read_secret": (["web1", "db1"], 2),
        "cmd.run": (["web1", "db1"], 3),
    }


def test_no_token_is_in_a_site(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out_of(capsys, "build")
    texts = [file.read_bytes() for file in (folder / "site").rglob("*") if file.is_file()]
    assert not [text for text in texts if re.search(TOKEN.pattern.encode(), text)]
    assert any(b"vault.read_secret secret/..." in text for text in texts)


def test_revealed_pillar_is_as_salt_has_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    revealed = out_of(capsys, "compile", "--reveal")
    write_files(folder, {"mkdocs.yml": TREE["mkdocs.yml"].replace("placeholder", "error")})
    assert out_of(capsys, "compile", "--reveal") == revealed
