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


@pytest.mark.sample(1)
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


@pytest.mark.sample(1)
@pytest.mark.parametrize("changed", ["pillar/all.sls", "states/s.sls"])
def test_a_new_error_of_what_failed_before_fails_a_job(
    changed: str, fleet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = {
        "minions.yml": "minions: {web1: {}}\n",
        "pillar/web.sls": "{{ grains.nope }}\n",
        "states/top.sls": "base: {'*': [s], 'web*': [nowhere]}\n",
    }
    commit_all(write_files(fleet, old | {changed: "{}\n"}))
    write_files(fleet, {changed: "a: {{ grains.another }}\n"})
    assert [diff(), diff("--exit-code"), diff("--fail-on", "change")] == [2, 2, 0]
    capsys.readouterr()
    diff("--format", "minions")
    assert capsys.readouterr().out == "web1\n"


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


@pytest.mark.parametrize(
    ("reads", "left", "told"),
    [
        ("pillar['app']['x']", "a: 1\n", "    they read what this change removes: app\n"),
        ("pillar['app']['y']", "a: 1\napp: {x: 1}\n", ""),
    ],
    ids=["the key", "another key"],
)
def test_states_that_read_what_is_removed_say_so(
    reads: str, left: str, told: str, fleet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state = "s:\n  test.nop:\n    - x: {{ %s }}\n"
    before = {"pillar/all.sls": "a: 1\napp: {x: 1, l: [1]}\n"}
    commit_all(write_files(fleet, {"states/s.sls": state % "pillar['app']['x']", **before}))
    write_files(fleet, {"states/s.sls": state % reads, "pillar/all.sls": left})
    assert diff() == 2
    said = [line for line in capsys.readouterr().out.splitlines(True) if "they read" in line]
    assert said == [told] * bool(told)
    commit_all(fleet)
    write_files(fleet, {"pillar/all.sls": left.replace("1", "2", 1)})
    diff("--format", "markdown")
    shown = capsys.readouterr().out
    assert "<details><summary>2 minions fail as before, only in their states</summary>" in shown
    assert "\nstates of " in shown
    assert "newly failing" not in shown


NO_PROOF = "Not proven to change nothing: not everything was compared"


def test_states_behind_an_unknown_include_prove_nothing(
    fleet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    unknown = "include:\n{% if salt['file.file_exists']('/x') %}\n  - t\n{% endif %}\n  - u\n"
    states = {
        "states/s.sls": unknown,
        "states/t.sls": "t:\n  test.nop: []\n",
        "states/u.sls": "u:\n  test.nop: []\n",
    }
    commit_all(write_files(fleet, states))
    assert diff("--expect-none") == 0  # nothing that they may depend on has changed
    capsys.readouterr()
    write_files(fleet, {"states/u.sls": "u:\n  test.nop:\n    - x: 1\n"})
    assert diff("--expect-none") == 2
    told = capsys.readouterr().out
    assert NO_PROOF in told
    assert "states that depend on unknown values are not compared, on 2 minions" in told
    assert "failing" not in told
    assert diff() == 0


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("source", "changed", "is_told"),
    [
        ("source: salt://files/web.conf", "files/web.conf", True),
        ("source: salt://files/web.conf?saltenv=base", "files/web.conf", True),
        ("source: [salt://files/none, salt://files/web.conf]", "files/web.conf", True),
        ("source: salt://files", "files/deep/x.conf", True),
        ("source: salt://files/web.conf", "files/web.conf.bak", False),
        ("source: salt://file", "files/web.conf", False),
    ],
)
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_file_that_states_deploy_proves_nothing(
    source: str,
    changed: str,
    is_told: bool,
    jobs: str,
    fleet: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    state = f"/etc/x:\n  file.managed:\n    - {source}\n"
    commit_all(write_files(fleet, {"states/s.sls": state, f"states/{changed}": "x 1\n"}))
    write_files(fleet, {f"states/{changed}": "x 2\n"})
    assert diff("--expect-none", "--jobs", jobs) == (2 if is_told else 0)
    told = capsys.readouterr().out
    note = f"whose content is not compared, on 2 minions: states/{changed}"
    assert (note in told, NO_PROOF in told) == (is_told, is_told)
    assert "no minion reads it" not in told


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("files", "words"),
    [
        (
            {"pillar/web.sls": "x: {{ grains.nope }}\ny: 2\n"},
            "render on neither side, on 1 minion: web.sls",
        ),
        ({"pillar/web.sls": "x: 1\n y: 2\n"}, "minions that failed before have new errors"),
        (
            {"pillar/top.sls": "base: {'*': [all], 'web*': [web, gone]}\n"},
            "minions that failed before have new errors",
        ),
        (
            {"pillar/web.sls": "x: {{ grains.nope }}\ny: 2\n", "pillar/all.sls": "a: [\n"},
            "render on neither side, on 1 minion: web.sls\n",
        ),
        ({"pillar/all.sls": "a: 1  # as before\n"}, "Proven to change nothing"),
    ],
    ids=["hidden", "another error", "one more error", "a second file", "another file"],
)
def test_what_old_errors_hide_is_not_proven(
    files: dict[str, str], words: str, fleet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commit_all(write_files(fleet, {"pillar/web.sls": "x: {{ grains.nope }}\ny: 1\n"}))
    write_files(fleet, files)
    assert diff("--expect-none") == (0 if words.startswith("Proven") else 2)
    said = capsys.readouterr().out
    assert words in said
    assert (" known change on " in said) == ("neither side" in said)


def test_the_name_of_a_deployed_file_shows_no_secret(
    fleet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = "Kr7mXq2vL9wz"
    files = {
        "pillar/all.sls": f"db_password: {secret}\n",
        "states/s.sls": f"/etc/x:\n  file.managed:\n    - source: salt://files/{secret}.conf\n",
        f"states/files/{secret}.conf": "1\n",
    }
    commit_all(write_files(fleet, files))
    write_files(fleet, {f"states/files/{secret}.conf": "2\n"})
    assert diff("--expect-none") == 2
    told = capsys.readouterr().out
    assert "whose content is not compared, on 2 minions: states/files/" in told
    assert secret not in told
