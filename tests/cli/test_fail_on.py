"""What makes ``pillarbook diff`` end with 2."""

import json
from pathlib import Path

import pytest
from tests.support.fleets import write_files, write_fleet
from tests.support.repositories import commit_all
from tests.support.sides import start

from pillarbook.cli.diff_command import FAIL_ON
from pillarbook.cli.main import run
from pillarbook.compare.alarms import ALARMS

PILLAR = {
    "top.sls": "base: {'*': [all], 'web*': [web]}\n",
    "all.sls": "a: 1\n",
    "web.sls": "w: 1\n",
    "other.sls": "o: 1\n",
    "secret.sls": "db: {password: Tr0ub4dor-9}\n",
}
STATES = {"states/top.sls": "base: {'*': [s]}\n", "states/s.sls": "s:\n  test.nop: []\n"}
MINIONS = "minions: {web1: {}, db1: {}%s}\n"
NEEDS = "s:\n  test.nop:\n    - require: [{test: nowhere}]\n"
ALL = ("new-failure", "failure", "change", "secret-access", "unused-sls", "missing-grain")
CASES: dict[str, tuple[dict[str, str], tuple[str, ...]]] = {
    "nothing": ({}, ()),
    "a value": ({"pillar/all.sls": "a: 2\n"}, ("change",)),
    "a failure": (
        {"pillar/web.sls": "{{ grains.nope }}\n"},
        ("new-failure", "failure", "missing-grain"),
    ),
    "a failure of states": ({"states/s.sls": NEEDS}, ("new-failure", "failure")),
    "an empty pillar": (
        {"pillar/top.sls": "base: {'web*': [all, web]}\n"},
        ("new-failure", "failure", "change"),
    ),
    "a new minion": ({"minions.yml": MINIONS % ", new1: {}"}, ("change",)),
    "a new minion that fails": (
        {
            "minions.yml": MINIONS % ", new1: {}",
            "pillar/top.sls": "base: {'*': [all], 'web*': [web], 'new*': [nowhere]}\n",
        },
        ("new-failure", "failure", "change"),
    ),
    "a new minion with a secret": (
        {
            "minions.yml": MINIONS % ", new1: {}",
            "pillar/top.sls": "base: {'*': [all], 'web*': [web], 'new*': [secret]}\n",
        },
        ("change", "secret-access"),
    ),
    "a removed minion": ({"minions.yml": "minions: {web1: {}}\n"}, ("change",)),
    "a state": ({"states/s.sls": "s:\n  test.nop:\n    - x: 1\n"}, ("change",)),
    "a secret for a minion": (
        {"pillar/top.sls": "base: {'*': [all], 'web*': [web, secret]}\n"},
        ("change", "secret-access"),
    ),
    "an SLS that nobody gets now": (
        {"pillar/top.sls": "base: {'*': [all]}\n"},
        ("change", "unused-sls"),
    ),
}


@pytest.fixture
def fleet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    start(tmp_path)
    write_fleet(tmp_path, PILLAR, {"web1": {}, "db1": {}}, {"file_roots": {"base": ["states"]}})
    commit_all(write_files(tmp_path, STATES))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def diff(*words: str) -> int:
    return run(["diff", "--master", "master", "--inventory", "minions.yml", *words])


@pytest.mark.sample(2)
@pytest.mark.parametrize(("files", "expected"), CASES.values(), ids=CASES)
def test_what_fails_a_job(files: dict[str, str], expected: tuple[str, ...], fleet: Path) -> None:
    write_files(fleet, files)
    for what in ALL:
        assert (what, diff("--fail-on", what)) == (what, 2 if what in expected else 0)
    assert diff() == (2 if "new-failure" in expected else 0)
    assert diff("--fail-on", "none") == 0
    assert diff("--exit-code") == (2 if {"change", "new-failure"} & {*expected} else 0)
    assert diff("--expect-none") == (2 if expected else 0)
    assert diff(*[word for what in ALL for word in ("--fail-on", what)]) == (2 if expected else 0)


def test_a_refactoring_is_proven_to_change_nothing(
    fleet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(fleet, {"pillar/all.sls": "include: [base]\n", "pillar/base.sls": "a: 1\n"})
    assert diff("--expect-none") == 0
    assert "Proven to change nothing: 2 minions compared; 3 values equal; states included\n" in (
        capsys.readouterr().out
    )
    for form in ("markdown", "json"):
        assert diff("--expect-none", "--format", form) == 0
        assert ": 2 minions compared; 3 values equal" in capsys.readouterr().out


def test_another_order_counts_if_a_state_depends_on_it(
    fleet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ordered = "m: {x: 1, y: 2}\n"
    commit_all(write_files(fleet, {"pillar/all.sls": ordered}))
    write_files(fleet, {"pillar/all.sls": "m: {y: 2, x: 1}\n"})
    assert diff("--expect-none") == 0
    assert "1 mapping in another order, on which no state depends" in capsys.readouterr().out
    write_files(fleet, {"pillar/all.sls": ordered})
    loop = "{% for key in pillar.m %}\n{{ key }}:\n  test.nop: []\n{% endfor %}\n"
    commit_all(write_files(fleet, {"states/s.sls": loop}))
    write_files(fleet, {"pillar/all.sls": "m: {y: 2, x: 1}\n"})
    assert diff("--expect-none") == 2
    (fleet / "states/top.sls").unlink()
    commit_all(fleet)
    write_files(fleet, {"pillar/all.sls": ordered})
    assert diff("--expect-none") == 2  # no state is here to tell whether it matters


def test_the_option_takes_what_there_is() -> None:
    assert ("none", *ALARMS) == FAIL_ON


def test_an_old_failure_fails_no_job_unless_it_is_asked_for(
    fleet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commit_all(write_files(fleet, {"pillar/web.sls": "{{ grains.nope }}\n"}))
    assert [diff(), diff("--exit-code"), diff("--fail-on", "missing-grain")] == [0, 0, 0]
    assert diff("--fail-on", "failure") == 2
    capsys.readouterr()
    assert diff("--format", "minions") == 0
    assert capsys.readouterr().out == ""
    write_files(fleet, {"pillar/all.sls": "a: 2\n"})
    diff("--format", "minions")
    assert capsys.readouterr().out == "web1\ndb1\n"
    diff("--format", "json")
    minions = json.loads(capsys.readouterr().out)["minions"]
    assert {name: (one["outcome"], one["changed"]) for name, one in minions.items()} == {
        "web1": ("still failing", True),
        "db1": ("changed", True),
    }


def test_what_a_failure_takes_along_is_no_change(
    fleet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(fleet, {"pillar/web.sls": "{{ grains.nope }}\n"})
    diff()
    said = capsys.readouterr().out
    assert said.startswith("Pillar: 1 minion newly fails; no other change on 2 minions\n")
    assert "    1 key lost: w\n" in said
    diff("--format", "json")
    told = json.loads(capsys.readouterr().out)
    (atom,) = told["atoms"]
    assert told["diagnostics"][atom["consequence_of"]]["code"] == "missing-grain"
    assert told["minions"]["web1"]["atoms"] == [atom["id"]]
    assert told["minions"]["web1"]["changed"] is False


def test_states_that_read_what_is_removed_say_so(
    fleet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reads = "s:\n  test.nop:\n    - x: {{ pillar['app']['x'] }}\n"
    commit_all(write_files(fleet, {"states/s.sls": reads, "pillar/all.sls": "a: 1\napp: {x: 1}\n"}))
    write_files(fleet, {"pillar/all.sls": "a: 1\n"})
    assert diff() == 2
    assert "    they read what this change removes: app\n" in capsys.readouterr().out
    commit_all(fleet)
    write_files(fleet, {"pillar/all.sls": "a: 2\n"})
    diff("--format", "markdown")
    told = capsys.readouterr().out
    assert "<details><summary>2 minions fail as before (2 only in their states)</summary>" in told
    assert "\nstates of " in told
    assert "newly failing" not in told
