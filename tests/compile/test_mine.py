"""The mine of the declared fleet; what the runner gives is what Salt's gave of the same data."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.fleets import answer_of, compile_case, write_fleet

MASTER = {"nodegroups": {"webs": "G@role:web", "two": "L@db1,web1"}}
MINIONS: dict[str, Any] = {
    "web2": {
        "grains": {"role": "web", "ipv4": ["10.0.0.2"]},
        "mine": {"ip": ["10.0.0.2"], "id": 2},
    },
    "web1": {
        "grains": {"role": "web", "ipv4": ["10.0.0.1"]},
        "mine": {"ip": ["10.0.0.1"], "id": 1},
    },
    "db1": {
        "grains": {"role": "db", "ipv4": ["10.1.0.1"]},
        "mine": {
            "id": 3,
            "mapping": {"a": [1]},
            "closed": {"__saltmine_acl__": 1, "__data__": 4, "allow_tgt": "web*"},
            "open": {"__saltmine_acl__": 1, "__data__": 5},
        },
    },
    "none": {"grains": {"role": "web"}},
}
ALL = {"db1": 3, "web1": 1, "web2": 2}
WEBS = {"web1": 1, "web2": 2}
CALLS: dict[str, Any] = {
    "tgt='*', fun='ip'": {"web1": ["10.0.0.1"], "web2": ["10.0.0.2"]},
    "['*', 'id']": ALL,
    "kwarg={'tgt': '*', 'fun': 'id'}": ALL,
    "['web*'], fun='id', __pub_x=1": WEBS,
    "tgt='*', fun='id,nope'": {"id": ALL},
    "tgt='*', fun=['id']": {"id": ALL},
    "tgt='role:web', fun='id', tgt_type='grain'": WEBS,
    "tgt='role:w.b', fun='id', tgt_type='grain_pcre'": WEBS,
    "tgt='G@role:web and not web2', fun='id', tgt_type='compound'": {"web1": 1},
    "tgt='web1,db1,x', fun='id', tgt_type='list'": {"web1": 1, "db1": 3},
    "tgt=['web1', 'db1'], fun='id', tgt_type='list'": {"web1": 1, "db1": 3},
    "tgt='web[12]', fun='id', tgt_type='pcre'": WEBS,
    "tgt='webs', fun='id', tgt_type='nodegroup'": WEBS,
    "tgt='two', fun='id', tgt_type='nodegroup'": {"db1": 3, "web1": 1},
    "tgt='10.0.0.0/24', fun='id', tgt_type='ipcidr'": WEBS,
    "tgt='S@10.0.0.0/24 or db*', fun='id', tgt_type='compound'": ALL,
    "tgt='nope', fun='id'": {},
    "tgt='*', fun='nope'": {},
    "tgt='*', fun='id', tgt_type='nope'": {},
    "tgt='*', fun='closed'": {},
    "tgt='*', fun='open'": {"db1": 5},
    "tgt='(', fun='id', tgt_type='pcre'": {},
    "tgt='and web1', fun='id', tgt_type='compound'": {},
    "tgt='*', fun=5": {},
    "tgt='*', fun='mapping'": {"db1": {"a": [1]}},
}


def compiled(folder: Path, text: str, *, memo: bool = True, **master: Any) -> dict[str, Any]:
    files = {"top.sls": "base: {'*': [app]}", "app.sls": text}
    write_fleet(folder, files, MINIONS, {**MASTER, **master})
    return compile_case(folder, memo=memo)


@pytest.mark.sample(16)
@pytest.mark.parametrize("memo", [True, False], ids=["memo", "plain"])
@pytest.mark.parametrize(("call", "wanted"), CALLS.items(), ids=CALLS)
def test_the_runner_reads_the_mine(call: str, wanted: Any, memo: bool, tmp_path: Path) -> None:
    text = f"a: {{{{ salt['saltutil.runner']('mine.get', {call}) | tojson }}}}"
    for pillar in compiled(tmp_path, text, memo=memo).values():
        assert json.dumps(answer_of(pillar)) == json.dumps({"a": wanted})


@pytest.mark.parametrize(
    ("rules", "wanted"),
    [({".*": ["id"]}, ALL), ({"master": ["i.*"]}, ALL), ({"web.*": ["id"]}, {}), ("id", {})],
)
def test_the_master_says_what_its_own_id_may_read(rules: Any, wanted: Any, tmp_path: Path) -> None:
    text = "a: {{ salt['saltutil.runner']('mine.get', tgt='*', fun='id') | tojson }}"
    assert answer_of(compiled(tmp_path, text, mine_get=rules)["web1"]) == {"a": wanted}


def test_mine_get_gives_what_is_declared_and_says_what_a_master_does(tmp_path: Path) -> None:
    text = "\na: {{ salt['mine.get']('web*', 'id') }}\nb: {{ salt.mine.get('*', 'nope') }}"
    for pillar in compiled(tmp_path, text).values():
        assert answer_of(pillar) == {"a": WEBS, "b": {}}
        (said,) = pillar.diagnostics
        assert (said.code, str(said.position)) == ("mine-in-pillar", "pillar/app.sls:2")


def test_what_a_template_does_to_mine_data_no_other_sees(tmp_path: Path) -> None:
    text = "{% set get = salt['saltutil.runner'] %}{% do get('mine.get', ['*', 'mapping']).db1.a.append(2) %}"
    pillars = compiled(tmp_path, f"{text}\na: {{{{ get('mine.get', ['*', 'mapping']) }}}}")
    for pillar in pillars.values():
        assert answer_of(pillar) == {"a": {"db1": {"a": [1]}}}


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("'jobs.list_jobs'", "with a runner; pillarbook runs none"),
        ("'mine.get', tgt='a:b', fun='id', tgt_type='pillar'", "with a target by pillar, which is"),
        ("'mine.get', tgt='I@a:b', fun='id', tgt_type='compound'", "with a target by pillar"),
    ],
)
def test_what_is_not_known_is_told(call: str, words: str, tmp_path: Path) -> None:
    pillar = compiled(tmp_path, f"a: {{{{ salt['saltutil.runner']({call}) }}}}")["web1"]
    (said,) = pillar.diagnostics
    assert said.code == "undeclared-function"
    assert said.message.startswith(f"SLS 'app' calls 'saltutil.runner' {words}")


def test_a_fleet_without_mine_data_says_so(tmp_path: Path) -> None:
    text = "a: {{ salt['saltutil.runner']('mine.get', tgt='*', fun='id') }}"
    files = {"top.sls": "base: {'*': [app]}", "app.sls": text}
    pillar = compile_case(write_fleet(tmp_path, files, {"a": {}}))["a"]
    (said,) = pillar.diagnostics
    assert said.message.endswith("for mine data, but the inventory has none (`mine:`)")
    assert said.help is not None
    assert said.help.startswith("declare mine data of minions in the inventory: `mine: {")
    assert said.help.endswith(
        "functions: {saltutil.runner: {$calls: [{args: [mine.get], "
        "kwargs: {tgt: '*', fun: id}, answer: ...}]}}"
    )
