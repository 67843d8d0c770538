"""What ``pillarbook diff`` says of minions that lose everything a target gave them."""

import json
from pathlib import Path

import pytest
from tests.support.fleets import write_files, write_fleet
from tests.support.repositories import commit_all
from tests.support.sides import start

from pillarbook.cli.main import run

TOP = """\
base:
  '*': [common]
  'db*': [db]
  'roles:gate': [{match: grain}, gate, rules.*]
"""
PILLAR = {
    "top.sls": TOP,
    "common.sls": "ntp: 10.0.0.1\n",
    "db.sls": "db: {port: 5432}\n",
    "gate.sls": "gate: {from: 10.0.0.0/8}\n",
    "rules/ssh.sls": "ssh: {port: 22}\n",
}
STATES = {
    "states/top.sls": "base: {'gate*': [gate]}",
    "states/gate.sls": "gate:\n  test.show_notification:\n    - text: {{ pillar.gate.from }}\n",
}
GATES = {name: {"grains": {"roles": "gate"}} for name in ("gate1", "gate2")}
MINIONS = {**GATES, "db1": {}}
ARGUMENTS = ("diff", "--master", "master", "--inventory", "minions.yml", "--format")
LOST = {"pillar/top.sls": TOP.replace("roles:gate", "roles:gaet")}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    fleet = write_fleet(start(tmp_path), PILLAR, MINIONS, {"file_roots": {"base": ["states"]}})
    write_files(fleet, STATES)
    commit_all(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def answer(capsys: pytest.CaptureFixture[str], form: str) -> str:
    assert run([*ARGUMENTS, form]) in (0, 2)
    return capsys.readouterr().out


def test_text_names_the_target_and_the_states_that_fail(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(folder, LOST)
    out = answer(capsys, "text")
    assert out.startswith(
        "Pillar: 2 minions lose everything from a target; 2 changes on 2 of 3 minions. "
        "States newly failing on 2 minions\n"
    )
    assert (
        "lost everything from a target: gate*, all 2\n"
        "    the target roles:gate in pillar/top.sls:4 (before) no longer gives gate, rules.*\n"
        "    states newly failing: states/gate.sls:3: "
    ) in out.replace("both of roles:gate", "gate*, all 2")
    assert out.count("states newly failing") == 1  # not told once more by itself


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_states_that_fail_on_some_of_the_minions_name_them(
    form: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commit_all(write_files(folder, {"states/top.sls": "base: {'gate1': [gate]}"}))
    write_files(folder, LOST)
    out = answer(capsys, form).replace("`", "")
    assert "states newly failing on gate1: states/gate.sls:3" in out


def test_states_that_failed_before_do_not_fail_because_of_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    top = {"states/top.sls": "base: {'gate*': [gate, nowhere]}"}
    commit_all(write_files(folder, top))
    write_files(folder, LOST)
    told, *_, old = answer(capsys, "text").split("\n\n")[1:]
    assert "states still failing, with new errors: states/gate.sls:3: " in told
    assert "nowhere" not in told
    assert "the state SLS 'nowhere' does not exist" in old


def test_markdown_has_the_lost_keys_in_the_block(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(folder, {**LOST, "pillar/db.sls": "db: {port: 5433}\n"})
    out = answer(capsys, "markdown")
    lost, others = out.split("#### Changed: ")
    assert "#### Lost everything from a target: " in lost
    assert '- gate: {from: "10.0.0.0/8"}  # pillar/gate.sls:1\n' in lost
    assert "db:port" in others
    assert "gate" not in others.partition("Change ids")[0]


@pytest.mark.parametrize(
    ("target", "is_told"),
    [("roles:gaet", True), ("nobody* or G@roles:gaet", True), ("db1", False), ("gate1", False)],
)
def test_a_new_target_that_matches_nobody_is_named(
    target: str, *, is_told: bool, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    matcher = "compound" if " or " in target else "grain" if ":" in target else "glob"
    top = TOP.replace("'roles:gate': [{match: grain}", f"'{target}': [{{match: {matcher}}}")
    write_files(folder, {"pillar/top.sls": top})
    note = f"the new target '{target}' in pillar/top.sls:4 matches none of the compared minions"
    assert json.loads(answer(capsys, "json"))["notes"] == ([note] if is_told else [])


def test_json_names_the_target(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(folder, LOST)
    minions = json.loads(answer(capsys, "json"))["minions"]
    place = {"file": "pillar/top.sls", "line": 4, "saltenv": "base"}
    sls = {"match": "grain", "sls": ["gate", "rules.*"]}
    assert minions["gate1"]["lost_targets"] == [{"target": "roles:gate", **sls, **place}]
    assert minions["db1"]["lost_targets"] == []


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"pillar/top.sls": TOP.replace("roles:gate", "roles:g*")}, id="renamed"),
        pytest.param({"pillar/top.sls": TOP.replace("gate, rules.*", "common")}, id="gives-others"),
        pytest.param({"pillar/gate.sls": "{}\n", "pillar/rules/ssh.sls": "{}\n"}, id="empty-files"),
        pytest.param({"pillar/gate.sls": "{{ grains.nope }}\n"}, id="fails"),
        pytest.param({"pillar/top.sls": f"{TOP}{{{{ nope.x }}}}"}, id="top-fails"),
        pytest.param({"pillar/db.sls": "db: {}\n"}, id="key-of-another-target"),
    ],
)
def test_what_is_no_lost_target(
    files: dict[str, str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(folder, files)
    assert "everything from a target" not in answer(capsys, "text")


def test_a_minion_in_another_environment_gets_the_same_targets_there(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    roots = {"base": ["pillar"], "next": ["next"]}
    (folder / "master").write_text(f"pillar_roots: {json.dumps(roots)}\n")
    declared = (folder / "minions.yml").read_text().replace("{}", "{pillarenv: base}")
    (folder / "minions.yml").write_text(declared)
    commit_all(folder)
    (folder / "minions.yml").write_text(declared.replace("pillarenv: base", "pillarenv: next"))
    write_files(folder, {"next/top.sls": "next: {'db*': [store]}", "next/store.sls": "store: 1\n"})
    out = answer(capsys, "text")
    assert "the target * in pillar/top.sls:2 (before) no longer gives common" in out
    assert "the target db* " not in out


def test_a_minion_whose_grain_no_longer_matches(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    declared = (folder / "minions.yml").read_text()
    (folder / "minions.yml").write_text(declared.replace("roles: gate", "roles: door", 1))
    lines = answer(capsys, "text").splitlines()
    assert "lost everything from a target: gate1" in lines


def test_what_new_and_removed_minions_get(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    declared = (folder / "minions.yml").read_text()
    (folder / "minions.yml").write_text(declared.replace("db1", "db2"))
    out = answer(capsys, "text")
    assert "removed: db1\n    2 top-level keys: ntp, db\n" in out
    assert "new: db2\n    2 top-level keys: ntp, db\n" in out


def test_an_edited_line_of_a_list_is_named_once(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commit_all(write_files(folder, {"pillar/common.sls": "ntp: [a.example.org, b.example.org]\n"}))
    write_files(folder, {"pillar/common.sls": "ntp: [a.example.org, c.example.org]\n"})
    out = answer(capsys, "text")
    assert 'ntp:1: "b.example.org" -> "c.example.org"' in out
    assert "because of pillar/common.sls:1\n" in out


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_a_key_of_a_new_minion_that_is_a_secret_is_not_named(
    form: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    write_files(folder, {"pillar/db.sls": f"{secret}: {{port: 1}}\napi_token: {secret}\n"})
    commit_all(folder)
    declared = (folder / "minions.yml").read_text()
    (folder / "minions.yml").write_text(declared.replace("db1", "db2"))
    assert secret not in answer(capsys, form)


def test_targets_that_a_loop_gives_each_minion_are_told_by_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [f"app{number}" for number in range(5)]
    loop = "{% for n in range(5) %}\n  'app{{ n }}': [apps.app{{ n }}]\n{% endfor %}\n"
    shared = "  'app[0-3]': [db]\n"
    own = {f"pillar/apps/{name}.sls": f"own: {{n: {name}}}\n" for name in names}
    minions = "minions: {" + ", ".join(f"{name}: {{}}" for name in [*names, "db1"]) + "}\n"
    commit_all(
        write_files(folder, {**own, "minions.yml": minions, "pillar/top.sls": TOP + loop + shared})
    )
    write_files(folder, {"pillar/top.sls": TOP})
    said = answer(capsys, "text")
    assert (
        "lost everything from a target: all 5 of app*\n"
        "    the targets app0, app1, app2 and 2 more in pillar/top.sls:6 (before) no longer give"
        " apps.app0, apps.app1, apps.app2, apps.app3, apps.app4\n\n"
        "lost everything from a target: 4 of app*, all except app4\n"
        "    the target app[0-3] in pillar/top.sls:8 (before) no longer gives db\n"
    ) in said
