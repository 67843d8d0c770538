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


def test_a_list_of_other_members_is_one_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    own = "own: {{ {{{{ grains.id }}}}: [{}] }}\nntp: [{}]\n"
    files = {"top.sls": "base: {'*': [all]}\n", "all.sls": own.format("1, 2", "a, b, c, d")}
    minions: dict[str, object] = {f"web{number}": {} for number in range(4)}
    fleet = write_fleet(start(tmp_path), files, minions)
    commit_all(fleet)
    (fleet / "pillar/all.sls").write_text(own.format("3", "e, f"))
    monkeypatch.chdir(tmp_path)
    words = ["diff", "--master", "master", "--inventory", "minions.yml", "--format"]
    assert run([*words, "text"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("Pillar: 2 changes on 4 of 4 minions\n")
    assert "  ~ own:*: [1, 2] -> [3]\n      because of pillar/all.sls:1\n" in said
    assert (
        '  ~ ntp: 4 members -> ["e", "f"]\n'
        "      - ntp:\n      - - a\n      - - b\n      - - c\n      - - d\n"
        "      because of pillar/all.sls:2\n"
    ) in said
    run([*words, "markdown"])
    assert "- own:*: [1, 2]  # line 1\n+ own:*: [3]\n" in capsys.readouterr().out


def test_the_page_has_both_orders_and_the_side_of_a_position() -> None:
    before = {"hosts": list("abcde"), "users": [{"name": name, "uid": 1} for name in "xyz"]}
    after = {"hosts": list("edcba"), "users": [{"name": "x", "uid": 1}, {"name": "z", "uid": 2}]}
    text = index_of(changed(before, after)).text
    assert 'order of members: 0: "a", 1: "b", 3: "d", 4: "e" → 0: "e", 1: "d", 3: "b"' in text
    assert text.count("position before the change") == 1
