"""What ``pillarbook diff`` and the page of changes say of members of lists that others replace."""

from pathlib import Path

import pytest
from tests.report.test_changes import changed, index_of
from tests.support.fleets import write_fleet
from tests.support.repositories import commit_all
from tests.support.sides import start

from pillarbook.cli.main import run

BEFORE = (
    "hosts: [a, b, c, d, e]\nusers: [{name: x, uid: 1}, {name: y, uid: 2}, {name: z, uid: 3}]\n"
)
AFTER = "hosts: [e, d, c, b, a]\nusers: [{name: x, uid: 1}, {name: z, uid: 4}]\n"


def test_text_has_both_orders_and_the_side_of_a_position(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    top = "base: {'*': [all]}\n"
    fleet = write_fleet(start(tmp_path), {"top.sls": top, "all.sls": BEFORE}, {"web1": {}})
    commit_all(fleet)
    (fleet / "pillar/all.sls").write_text(AFTER)
    monkeypatch.chdir(tmp_path)
    assert run(["diff", "--master", "master", "--inventory", "minions.yml"]) == 0
    lines = capsys.readouterr().out.splitlines()
    orders = '0: "a", 1: "b", 3: "d", 4: "e" -> 0: "e", 1: "d", 3: "b", 4: "a"'
    assert f"  ^ hosts: order of members changed: {orders} (4 members moved)" in lines
    assert '  - users:1 (before): {name: "y", uid: 2}' in lines
    assert "  ~ users:1:uid: 3 -> 4" in lines


def test_the_page_has_both_orders_and_the_side_of_a_position() -> None:
    before = {"hosts": list("abcde"), "users": [{"name": name, "uid": 1} for name in "xyz"]}
    after = {"hosts": list("edcba"), "users": [{"name": "x", "uid": 1}, {"name": "z", "uid": 2}]}
    text = index_of(changed(before, after)).text
    assert 'order of members: 0: "a", 1: "b", 3: "d", 4: "e" → 0: "e", 1: "d", 3: "b"' in text
    assert text.count("position before the change") == 1
