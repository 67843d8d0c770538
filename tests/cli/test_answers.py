"""``pillarbook answers list``: what the tree asks in vain, most useful first."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.support.fleets import write_files
from tests.support.schemas import assert_form

from pillarbook.bootstrap.missing_answers import declare_calls
from pillarbook.cli.main import run

TREE = {
    "master": "pillar_roots: {base: [pillar]}\nfile_roots: {base: [salt]}\n"
    "ext_pillar:\n  - vault: path=secret/{minion}\n",
    "minions.yml": "minions: {web1: {}, web2: {}, db1: {}}\n",
    "pillar/top.sls": "base: {'*': [all, shown], 'web*': [web, day]}\n",
    "pillar/all.sls": "{% import 'map.jinja' as map %}\n"
    "a: {{ salt['vault.read_secret']('secret/' ~ grains.id) }}\n"
    "b: {{ salt.vault.read_secret('secret/db', default=none) }}\n"
    "c: {{ salt['vault.read_secret'](\n    'secret/db') }}\n"
    "d: {{ salt['pillar.get']('x') }}\n",
    "pillar/map.jinja": "{% macro f() %}{{ salt['environ.get']('SITE') }}{% endmacro %}\n",
    "pillar/shown.sls": "token: Tr0ub4dor-9xyz\n",
    "pillar/web.sls": "w: {{ salt['vault.read_secret']('secret/Tr0ub4dor-9xyz/w') }}\n",
    "pillar/day.sls": "day: {{ None | strftime('%Y') }}\n",
    "salt/top.sls": "base: {'db*': [s]}\n",
    "salt/s.sls": "{{ salt['network.ip_addrs']()[0] }}: test.nop\n",
}
LISTED = """\
vault.read_secret: 3 minions, asked 5 times, 11 unknown values
  pillar/all.sls:2: 3 minions
  pillar/web.sls:1: 2 minions
  pillar/all.sls:3: 3 minions, if the render gets that far
  pillar/all.sls:4: 3 minions, if the render gets that far
    functions:
      vault.read_secret:
        $calls:
          - {args: [secret/db], kwargs: {default: null}, answer: ...}
          - {args: [secret/db], answer: ...}
          - {args: [secret/*/w], answer: ...}
          - {args: [secret/*], answer: ...}

the external pillar vault: 3 minions, asked 3 times
  master:4: 3 minions
    ext_pillars:
      vault: answers/vault.yml

the current time: 2 minions, asked 2 times
  pillar/day.sls:1: 2 minions
    clock: 2026-01-31T12:00:00

network.ip_addrs: 1 minion, asked once
  salt/s.sls:1: 1 minion
    functions:
      network.ip_addrs:
        '*': ...

environ.get: 3 minions, not reached yet
  pillar/map.jinja:1: 3 minions, if the render gets that far
    functions:
      environ.get:
        $calls:
          - {args: [SITE], answer: ...}

"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write_files(tmp_path, TREE)


DECLARED = ("--master", "master", "--inventory", "minions.yml")


def list_json(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert run(["answers", "list", *(words or DECLARED), "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert_form(told)
    return told


def test_what_is_asked_is_listed_and_secrets_are_not(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["answers", "list", *DECLARED]) == 0
    printed = capsys.readouterr()
    assert printed.out == LISTED
    assert "5 missing answers" in printed.err


def test_the_lines_answer_everything(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    section: dict[str, Any] = {"master": "master", "inventory": "minions.yml"}
    for one in list_json(capsys)["answers"]:
        for key, value in yaml.safe_load("\n".join(one["declare"])).items():
            section[key] = {**section.get(key, {}), **value} if isinstance(value, dict) else value
    section["clock"] = "2026-01-31T12:00:00"
    answers = folder / "answers" / "vault.yml"
    answers.parent.mkdir()
    answers.write_text("'*': {v: 1}\n")
    write_files(folder, {"mkdocs.yml": yaml.safe_dump({"plugins": [{"pillarbook": section}]})})
    assert list_json(capsys, "-f", "mkdocs.yml")["answers"] == []
    assert run(["answers", "list"]) == 0
    assert capsys.readouterr() == ("no answers are missing\n", "")


def test_a_minion_with_an_answer_lacks_none(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither where the render stops, nor behind."""
    given = {"vault.read_secret": {"web*": "s"}, "environ.get": {"web*": "prod"}}
    section = {"master": "master", "inventory": "minions.yml", "functions": given}
    write_files(folder, {"mkdocs.yml": yaml.safe_dump({"plugins": [{"pillarbook": section}]})})
    told = list_json(capsys, "-f", "mkdocs.yml")["answers"]
    lacking = {one["name"]: one["minions"] for one in told if one["kind"] == "function"}
    assert lacking == {
        "vault.read_secret": ["db1"],
        "network.ip_addrs": ["db1"],
        "environ.get": ["db1"],
    }


def test_a_rule_that_is_off_hides_no_question(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = {"undeclared-function": "off", "undeclared-clock": "off"}
    section = {"master": "master", "inventory": "minions.yml", "rules": rules}
    write_files(folder, {"mkdocs.yml": yaml.safe_dump({"plugins": [{"pillarbook": section}]})})
    assert len(list_json(capsys, "-f", "mkdocs.yml")["answers"]) == 5


def test_a_computed_name_has_no_lines(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(folder, {"pillar/all.sls": "a: {{ salt['x' ~ grains.id ~ '.y']() }}\n"})
    found = [one for one in list_json(capsys)["answers"] if one["name"] is None]
    assert [(one["kind"], one["declare"]) for one in found] == [
        ("function", []),
        ("clock", ["clock: 2026-01-31T12:00:00"]),
    ]
    assert found[0]["help"] == "declare an answer in mkdocs.yml, under `functions`"


def test_calls_of_one_function_share_a_key() -> None:
    declared = ["a.b: {$calls: [{args: ['*', x], answer: ...}]}", "a.b: {'*': ...}"]
    assert declare_calls("a.b", declared) == [
        "functions:",
        "  a.b:",
        "    $calls:",
        "      - {args: ['*', x], answer: ...}",
        "    $answer: ...",
    ]


def test_the_answer_that_most_values_lack_is_first(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few = "one: {{ salt['vault.read_secret']('secret/x') }}\n"
    many = "{% if salt['consul.get']('dc') == 'fra' %}\na: 1\nb: 1\nc: 1\n{% endif %}\n"
    files = {"pillar/top.sls": "base: {'*': [few, many]}\n", "salt/top.sls": "{}\n"}
    master = "pillar_roots: {base: [pillar]}\nfile_roots: {base: [salt]}\n"
    write_files(folder, {**files, "pillar/few.sls": few, "pillar/many.sls": many, "master": master})
    told = list_json(capsys)["answers"]
    values = [(one["name"], one["asked"], one["values"]) for one in told]
    assert values == [("consul.get", 3, 9), ("vault.read_secret", 3, 3)]
