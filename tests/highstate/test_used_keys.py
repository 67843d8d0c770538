"""Keys of the pillar whose values states use as secrets, whatever the keys are called."""

import json
from pathlib import Path

import pytest
from tests.support.fleets import write_files

from pillarbook.cli.main import run
from pillarbook.highstate.used_keys import find_used_keys
from pillarbook.model import KeyPath
from pillarbook.roots.environment_roots import Roots
from pillarbook.roots.folder import FolderTree

EXPRESSIONS: dict[str, KeyPath | None] = {
    "pillar['relay']": ("relay",),
    'pillar["app"]["relay"]': ("app", "relay"),
    "pillar.app.relay": ("app", "relay"),
    "pillar.app['relay']": ("app", "relay"),
    "pillar.get('app:relay')": ("app", "relay"),
    "salt['pillar.get']('app:relay', 'none')": ("app", "relay"),
    "salt.pillar.get('app', {})['relay']": ("app", "relay"),
    "pillar['relay'] | yaml_dquote": ("relay",),
    "app.relay": ("app", "relay"),
    "pillar['relay'] ~ 'x'": None,
    "pillar[name]": None,
    "pillar.app.get('relay')": None,
    "other.relay": None,
    "'fixed'": None,
    "pillar": None,
}


def used_in(folder: Path, text: str) -> dict[KeyPath, str]:
    write_files(folder, {"top.sls": "base: {'*': [web]}\n", "web.sls": text})
    return find_used_keys(
        Roots({"base": [FolderTree(folder, shown=str, allowed=lambda _: True)]}),
        {"state_top": "top.sls"},
    )


@pytest.mark.parametrize(("expression", "path"), EXPRESSIONS.items(), ids=EXPRESSIONS)
def test_the_path_that_an_expression_reads(
    expression: str, path: KeyPath | None, tmp_path: Path
) -> None:
    begin = "{% set app = pillar['app'] %}\nuser:\n  mysql_user.present:\n"
    for form in ("    - password: {{ %s }}\n", "    - password: '{{- %s -}}'  # why\n"):
        found = used_in(tmp_path, begin + form.replace("%s", expression))
        assert found == ({} if path is None else {path: "password"})


@pytest.mark.parametrize(
    "line",
    [
        "    - name: {{ pillar['relay'] }}\n",
        "    - password: x{{ pillar['relay'] }}\n",
        "    - password: {{ pillar['relay'] }}{{ pillar['host'] }}\n",
        "    # - password: {{ pillar['relay'] }}\n",
        "    - max_tokens: {{ pillar['relay'] }}\n",
    ],
)
def test_other_lines_say_nothing(line: str, tmp_path: Path) -> None:
    assert used_in(tmp_path, "user:\n  mysql_user.present:\n" + line) == {}


def test_commands_without_states_hide_such_values(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    state = "user:\n  mysql_user.present:\n    - password: {{ pillar['relay'] }}\n"
    write_files(
        tmp_path,
        {
            "master": "pillar_roots: {base: [pillar]}\nfile_roots: {base: [states]}\n",
            "minions.yml": "minions: {a: {}, b: {}}\n",
            "pillar/top.sls": "base: {'*': [all]}\n",
            "pillar/all.sls": "relay: plainwordsecret\nother: {relay: shown}\n",
            "states/top.sls": "base: {a: [web]}\n",
            "states/web.sls": state,
        },
    )
    declared = ("--master", "master", "--inventory", "minions.yml")
    for words in (["get", "relay"], ["compile"], ["explain", "b"], ["compile", "--minion", "b"]):
        assert run([*words, *declared]) == 0
        told = capsys.readouterr().out
        assert "plainwordsecret" not in told
        assert "a state uses it as a secret" in told
    assert run(["get", "other", *declared]) == 0
    assert "shown" in capsys.readouterr().out
    run(["check", *declared, "--format", "json", "--rule", "plain-secret"])
    (found,) = json.loads(capsys.readouterr().out)["diagnostics"]
    assert (found["file"], found["line"]) == ("pillar/all.sls", 1)
    assert run(["compile", "--reveal", *declared]) == 0
    assert "plainwordsecret" in capsys.readouterr().out
