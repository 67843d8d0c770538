"""A fleet compiled twice: only where need be, once for what is shared, and the same in any order."""

import base64
import json
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.properties.trees import DrawnFleet, fleets
from tests.support.derived import TOKEN_KEY, look, opened, reasons, write_tree
from tests.support.fleets import describe, open_fleet, write_drawn, write_fleet
from tests.support.tiers import fewer

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.pillar import compile_pillar
from pillarbook.compile.project import Project
from pillarbook.inventory.minions import Minion
from pillarbook.redact import Rules, values_to_json
from pillarbook.taint.taint import TaintMarker
from pillarbook.taint.written_secrets import WrittenSecrets

STACK = {
    "pillar/top.sls": "base: {'*': [db, 'os_{{ grains.os }}']}",
    "pillar/db.sls": "db: {password: 'Xy-{{ grains.get('site', '') }}-1', pool: 5}\n",
    "pillar/os_Debian.sls": "token_len: {{ grains.get('api_token', '') | length }}\nos: Debian\n",
    "pillar/os_Rocky.sls": "{% do grains.update({'y': 1}) %}\ncut: {{ grains.get('api_token') }}x\n",
    "stack/stack.cfg": "one.yml\ntwo.yml\n",
    "stack/one.yml": "len: {{ pillar.db.password | length }}\nown: {secret: 'q-{{ minion_id }}-2'}\n",
    "stack/two.yml": "cut: {{ stack.own.secret[:3] }}{{ pillar.db.password[:2] }}\n"
    "{% if pillar.db.password.endswith('1') %}\nlast: {is: one}\n{% endif %}\nfree: 1\n",
}
MINIONS = {
    f"m{number}": {
        "grains": {
            "os": ("Debian", "Rocky")[number % 2],
            "site": ("a", "bb", "")[number % 3],
            **({"api_token": f"tok-{number // 3}-Z"} if number % 4 else {}),
        }
    }
    for number in range(9)
}


def written(folder: Path, order: Sequence[str], **options: Any) -> dict[str, str]:
    """Return everything that is told of each minion."""
    found = {}
    with opened(folder, environments=False, **options) as session:
        for minion in order:
            pillar = session.report.pillar(minion)
            told = sorted(str(one) for one in session.shown.diagnostics_of(minion))
            values = list(values_to_json(pillar.leaves, session.shown.token))
            found[minion] = json.dumps([session.shown.texts.as_json(pillar), values, told])
    return found


@pytest.mark.slow
@pytest.mark.parametrize("memo", [True, False], ids=["memo", "no-memo"])
def test_the_order_of_minions_changes_nothing(memo: bool, tmp_path: Path) -> None:
    master = {"ext_pillar": [{"stack": "stack/stack.cfg"}]}
    folder = write_tree(tmp_path, STACK, minions=MINIONS, master=master)
    expected = written(folder, list(MINIONS))
    order = [*reversed(MINIONS), "m3", "m0"]
    assert written(folder, order, memo=memo) == {one: expected[one] for one in order}
    assert "derived from" in expected["m1"]


def test_every_second_minion_alone_is_the_same(tmp_path: Path) -> None:
    master = {"ext_pillar": [{"stack": "stack/stack.cfg"}]}
    folder = write_tree(tmp_path, STACK, minions=MINIONS, master=master)
    expected = written(folder, list(MINIONS))
    for minion in list(MINIONS)[::2]:
        assert written(folder, [minion]) == {minion: expected[minion]}


class Counting:
    """Compiles, and counts how often it did."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, minion: Minion, project: Project) -> CompiledPillar:
        self.count += 1
        return compile_pillar(minion, project)


TREES = {
    "plain": ({"s.sls": "a: {{ grains.os }}\npassword: pw-4711\n"}, {"os": "Debian"}, False),
    "secret-grain-unread": (
        {"s.sls": "a: {{ grains.os }}\n"},
        {"os": "x", "api_token": "tok-1-Z"},
        False,
    ),
    "secret-grain-asked-for": (
        {"s.sls": "a: {{ 'api_token' in grains }}\n"},
        {"os": "x", "api_token": "tok-1-Z"},
        False,
    ),
    "secret-grain-read": (
        {"s.sls": "a: {{ grains.api_token | length }}\n"},
        {"os": "x", "api_token": "tok-1-Z"},
        True,
    ),
}


@pytest.mark.parametrize(("files", "grains", "again"), TREES.values(), ids=TREES)
def test_only_what_was_shown_a_secret_is_compiled_again(
    files: dict[str, str], grains: dict[str, str], again: bool, tmp_path: Path
) -> None:
    minions = {f"m{number}": {"grains": grains} for number in range(6)}
    write_fleet(tmp_path, {"top.sls": "base: {'*': [s]}", **files}, minions)
    counting = Counting()
    with open_fleet(tmp_path) as fleet:
        derived = TaintMarker(fleet.project, Rules(), TOKEN_KEY, counting)
        made = [
            derived.mark(fleet.compile(one), fleet.minions[one], fleet.project)
            for one in fleet.minions
        ]
    assert counting.count == (6 if again else 0)
    nodes = [compiled.tree.items["a"] for compiled in made]
    assert all(node is nodes[0] for node in nodes)


def test_a_fleet_shares_what_is_compiled_again(tmp_path: Path) -> None:
    minions = {f"m{number}": {"grains": {"api_token": "tok-1-Z"}} for number in range(20)}
    sls = "a: {{ grains.api_token | length }}\n"
    write_fleet(tmp_path, {"top.sls": "base: {'*': [s]}", "s.sls": sls}, minions)
    renders: list[object] = []
    with open_fleet(tmp_path) as fleet:

        def run(minion: Minion, project: Project) -> CompiledPillar:
            compiled = compile_pillar(minion, project)
            renders.extend(compiled.renders)
            return compiled

        derived = TaintMarker(fleet.project, Rules(), TOKEN_KEY, run)
        for one in fleet.minions:
            derived.mark(fleet.compile(one), fleet.minions[one], fleet.project)
    assert len(set(renders)) == 2


def test_literals_have_an_order_of_their_own(tmp_path: Path) -> None:
    secrets = [f"Kr7mXq2vL9w{letter}" for letter in "hcagbfed"]
    lines = [f"{{% set v = '{one}' %}}\nk{at}_password: {one}\n" for at, one in enumerate(secrets)]
    write_fleet(tmp_path, {"top.sls": "base: {'*': [s]}", "s.sls": "".join(lines)}, {"m": {}})
    with open_fleet(tmp_path) as fleet:
        project = replace(fleet.project, rules=Rules())
        compiled = compile_pillar(fleet.minions["m"], project)
        found = WrittenSecrets(Rules()).find(compiled)
    assert list(found) == sorted(secrets)


@pytest.mark.parametrize(
    "target",
    [
        "'os:Debian': [{match: grain}, s]",
        "'G@os:Debian and *': [s]",
        "'G|@os|Debian': [s]",
        "known: [{match: nodegroup}, s]",
        "'N@known and *': [s]",
    ],
)
@pytest.mark.parametrize("memo", [True, False])
def test_a_target_reads_a_grain_that_only_the_configuration_calls_secret(
    target: str, memo: bool, tmp_path: Path
) -> None:
    groups = {"known": "G@os:Debian"}
    files = {"top.sls": f"base: {{{target}}}\n", "s.sls": "a: 1\n"}
    write_fleet(tmp_path, files, {"m": {"grains": {"os": "Debian"}}}, {"nodegroups": groups})
    (leaf,) = marks_of(tmp_path, ["m"], Rules(keys=["os"]), memo=memo)["m"]["leaves"]
    assert leaf[-1] == "derived from the grain os"


@fewer(3)
@given(fleet=fleets(), data=st.data())
def test_drawn_fleets_are_the_same_in_any_order(fleet: DrawnFleet, data: st.DataObject) -> None:
    """Grains whose names are drawn are secret here, so that much is derived."""
    rules = Rules(keys=["os", "roles", "nest"])
    order = data.draw(st.permutations(list(fleet.minions)))
    with tempfile.TemporaryDirectory() as folder:
        write_drawn(Path(folder), fleet)
        found = [marks_of(Path(folder), list(fleet.minions), rules, memo=False)]
        found += [marks_of(Path(folder), order, rules, memo=True)]
    assert found[0] == found[1]


def marks_of(folder: Path, order: Sequence[str], rules: Rules, *, memo: bool) -> dict[str, Any]:
    with open_fleet(folder, memo=memo) as fleet:
        derived = TaintMarker(fleet.project, rules, TOKEN_KEY, compile_once)
        return {
            one: describe(derived.mark(fleet.compile(one), fleet.minions[one], fleet.project))
            for one in order
        }


def compile_once(minion: Minion, project: Project) -> CompiledPillar:
    return compile_pillar(minion, project)


def test_nacl(tmp_path: Path) -> None:
    nacl = pytest.importorskip("nacl.secret")
    key = b"\x07" * 32
    message = base64.b64encode(nacl.SecretBox(key).encrypt(b"hunter2-Q")).decode()
    master = {
        "nacl.config": {"sk": base64.b64encode(key).decode(), "box_type": "secretbox"},
        "ext_pillar": [{"stack": "stack/stack.cfg"}],
    }
    files = {
        "pillar/top.sls": "base: {'*': [s]}",
        "pillar/s.sls": f"#!yaml|nacl\nx: NACL[{message}]\ny: 1\n",
        "stack/stack.cfg": "one.yml\n",
        "stack/one.yml": "len: {{ pillar.x | length }}\nopen: {{ pillar.y }}\n",
    }
    for decrypt, reason in (
        (True, "derived from x"),
        (False, "depends on the ciphertext of x, which is sealed"),
    ):
        folder = write_tree(tmp_path, files, master=master, settings={"decrypt": decrypt})
        found = reasons(look(folder))
        assert (found["len"], found["open"], found["y"]) == (reason, None, None)
