"""Changes that somebody expects: what an acknowledgement does, and what it cannot do."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.fleets import write_files, write_fleet
from tests.support.repositories import commit_all, git
from tests.support.sides import open_both, start

from pillarbook.changes.read_acknowledgements import read_acknowledgements
from pillarbook.cli.main import run

ACKS = ".pillarbook-acks.yml"
PILLAR = {
    "top.sls": "base: {'*': [all], 'web*': [web]}\n",
    "all.sls": "a: 1\n",
    "web.sls": "w: 1\n",
    "other.sls": "db: {password: Tr0ub4dor-9}\n",
}
STATES = {"states/top.sls": "base: {'*': [s]}\n", "states/s.sls": "s:\n  test.nop: []\n"}
CHANGE = {"pillar/all.sls": "a: 2\n"}
GIVES = {"pillar/top.sls": "base: {'*': [all], 'web*': [web, other]}\n"}


@pytest.fixture
def fleet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    start(tmp_path)
    minions: dict[str, Any] = {"web1": {}, "web2": {}, "db1": {}}
    write_fleet(tmp_path, PILLAR, minions, {"file_roots": {"base": ["states"]}})
    commit_all(write_files(tmp_path, STATES))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PILLARBOOK_TOKEN_KEY", "0" * 64)
    return tmp_path


def diff(*words: str) -> int:
    return run(["diff", "--master", "master", "--inventory", "minions.yml", *words])


def read(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    capsys.readouterr()
    diff("--format", "json", *words)
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    return told


def ids(capsys: pytest.CaptureFixture[str], kind: str = "atoms") -> list[str]:
    return [one["change_id"] for one in read(capsys)[kind]]


def commit_with(fleet: Path, files: dict[str, str]) -> None:
    """Commit files, and leave the working tree as it was in all others."""
    git(fleet, "stash", "--include-untracked")
    commit_all(write_files(fleet, files))
    git(fleet, "stash", "pop")


def test_the_base_acknowledges(fleet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(fleet, CHANGE)
    (known,) = ids(capsys)
    assert diff("--exit-code") == 2
    commit_with(fleet, {ACKS: f"- id: {known}\n  reason: as agreed\n"})
    assert diff("--exit-code") == 0
    assert diff("--expect-none") == 2  # it is a change
    capsys.readouterr()
    assert diff() == 0
    said = capsys.readouterr().out
    assert said.startswith("Pillar: 1 acknowledged change on 3 of 3 minions\n")
    assert "1 change acknowledged in the base:\n    ~ a: 1 -> 2 (all 3 minions)\n" in said
    diff("--format", "markdown")
    said = capsys.readouterr().out
    assert "<details><summary>1 change acknowledged in the base</summary>" in said
    assert "- a: 1\n+ a: 2\n" in said.partition("acknowledged in the base")[2]
    (atom,) = read(capsys)["atoms"]
    assert (atom["acknowledged"], atom["change_id"]) == ("base", known)
    diff("--format", "minions")  # facts stay facts
    assert capsys.readouterr().out == "web1\nweb2\ndb1\n"
    write_files(fleet, {"pillar/web.sls": "w: 2\n"})
    capsys.readouterr()
    assert diff("--exit-code") == 2
    assert capsys.readouterr().out.startswith(
        "Pillar: 1 change on 2 of 3 minions; 1 acknowledged change\n"
    )


@pytest.mark.sample(1)
@pytest.mark.parametrize("where", ["file", "trailer"])
def test_a_change_does_not_approve_itself(
    where: str, fleet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(fleet, CHANGE)
    (known,) = ids(capsys)
    if where == "file":
        commit_all(write_files(fleet, {ACKS: f"- {known}\n"}))
    else:
        git(fleet, "commit", "--all", "--message", f"Raise a\n\nPillarbook-Ack: {known} as agreed")
    assert diff("HEAD~1", "HEAD", "--exit-code") == 2
    said = capsys.readouterr().out
    assert said.startswith("Pillar: 1 change on 3 of 3 minions\n")
    assert "1 change acknowledged by this change itself:\n    ~ a: 1 -> 2 (" in said
    diff("HEAD~1", "HEAD", "--format", "markdown")
    said = capsys.readouterr().out
    assert "<details><summary>1 change acknowledged by this change itself</summary>" in said
    (atom,) = read(capsys, "HEAD~1", "HEAD")["atoms"]
    assert atom["acknowledged"] == "itself"


def test_a_base_without_a_fleet_acknowledges_nothing(fleet: Path) -> None:
    """Its files are read from the head, which must not approve itself."""
    (fleet / "minions.yml").rename(fleet / "kept.yml")
    commit_all(fleet)
    (fleet / "kept.yml").rename(fleet / "minions.yml")
    commit_all(write_files(fleet, {ACKS: "- c-aaaaaaaaaaaaaaaa\n"}))
    with open_both(fleet, "HEAD~1", "HEAD") as sides:
        known = read_acknowledgements(sides)
    assert [set(known.base), set(known.itself)] == [set(), {"c-aaaaaaaaaaaaaaaa"}]


def test_access_to_a_secret_is_never_acknowledged(
    fleet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(fleet, GIVES)
    (known,) = ids(capsys)
    commit_with(fleet, {ACKS: f"- {known}\n"})
    capsys.readouterr()
    assert diff("--fail-on", "secret-access") == 2
    said = capsys.readouterr().out
    assert f"note: {known} is acknowledged, but gives a minion a secret; such a change" in said
    news = "2 minions can newly read a secret; 1 change on 2 of 3 minions"
    assert said.startswith(f"Pillar: {news}\n")
    assert diff("--exit-code") == 2


def test_a_new_failure_has_no_id(fleet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(fleet, {"pillar/web.sls": "{{ grains.nope }}\n"})
    assert ids(capsys) == [None]  # the key that is lost with it
    commit_with(fleet, {ACKS: "- c-aaaaaaaaaaaaaaaa\n"})
    assert diff() == 2


def test_a_change_of_states_alone(fleet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(fleet, {"states/s.sls": "s:\n  test.nop: [{x: 1}]\n"})
    (known,) = ids(capsys, "states")
    commit_with(fleet, {ACKS: f"- {known}\n"})
    capsys.readouterr()
    assert diff("--exit-code") == 0
    assert "1 change of states acknowledged in the base:\n" in capsys.readouterr().out
    write_files(fleet, {"states/s.sls": "s:\n  test.nop: [{x: 2}]\n"})
    assert diff("--exit-code") == 2


def test_an_id_is_stable(fleet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(fleet, CHANGE)
    (known,) = ids(capsys)
    write_files(fleet, {"pillar/all.sls": "# moved\n\nb: 1\na: 2\n", "pillar/web.sls": "w: 2\n"})
    moved = {one["path"][0]: one["change_id"] for one in read(capsys)["atoms"]}
    assert moved["a"] == known  # another line, beside other changes
    assert len(set(moved.values())) == 3
    git(fleet, "checkout", "--", ".")
    write_files(fleet, {"minions.yml": "minions: {web1: {}, web2: {}, web3: {}, db1: {}}\n"})
    commit_all(fleet)
    write_files(fleet, CHANGE)
    assert ids(capsys) == [known]  # one more minion, on both sides
    write_files(fleet, {"pillar/all.sls": "a: 3\n"})
    assert ids(capsys) != [known]
    write_files(fleet, {"pillar/all.sls": "a: '2'\n"})
    assert ids(capsys) != [known]
    write_files(fleet, {"pillar/all.sls": "a: {{ 2 if grains.id == 'web1' else 1 }}\n"})
    assert ids(capsys) != [known]  # on other minions


def test_a_secret_counts_in_an_id_by_its_token(
    fleet: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(fleet, GIVES)
    (known,) = ids(capsys)
    assert ids(capsys) == [known]
    write_files(fleet, {"pillar/other.sls": "db: {password: C0rrect-horse}\n"})
    assert ids(capsys) != [known]
    git(fleet, "checkout", "--", "pillar/other.sls")
    monkeypatch.delenv("PILLARBOOK_TOKEN_KEY")
    assert ids(capsys) != ids(capsys)  # each run draws its own key
    capsys.readouterr()
    diff("--format", "json", "--reveal")
    assert [one["change_id"] for one in json.loads(capsys.readouterr().out)["atoms"]] == [None]


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("content", "fault"),
    [
        pytest.param("a: b\n", "it is not read; it must be a list", id="a mapping"),
        pytest.param("- c-x\n", "line 1 has no change id; it", id="no id"),
        pytest.param("- [c-aaaaaaaaaaaaaaaa]\n", "line 1 has no change id", id="a list"),
        pytest.param(
            "- {id: c-aaaaaaaaaaaaaaaa, who: me}\n", "line 1 has no change id", id="another key"
        ),
        pytest.param("- 'a\n", "it is not read because it is no valid YAML", id="no YAML"),
        pytest.param("[" * 9000 + "]" * 9000, "it is no valid YAML", id="too deep"),
        pytest.param("", "", id="empty"),
        pytest.param("# " + "x" * 1024 * 1024, "more than 1,048,576 bytes", id="too long"),
    ],
)
def test_what_is_wrong_with_the_file(
    content: str, fault: str, fleet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(fleet, CHANGE | {ACKS: content})
    capsys.readouterr()
    assert diff() == 0
    said = capsys.readouterr().out
    assert (f"note: {ACKS} of working tree: " in said) == bool(fault)
    assert fault in said


@pytest.mark.parametrize("target", ["acks.yml", "/etc/hostname"])
def test_a_link_is_not_followed(
    target: str, fleet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(fleet, {"acks.yml": "- c-aaaaaaaaaaaaaaaa\n"})
    (fleet / ACKS).symlink_to(target)
    commit_all(fleet)
    write_files(fleet, CHANGE)
    capsys.readouterr()
    diff()
    assert "working tree: it is not read because it is a link" in capsys.readouterr().out
    (fleet / ACKS).unlink()
    diff()
    assert "(HEAD): it is not read because it is a link" in capsys.readouterr().out
