"""``pillarbook diff`` with rules for changes that are noise."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from tests.support.fleets import write_files
from tests.support.invoked import Printed
from tests.support.repositories import commit_all
from tests.support.sides import start

from pillarbook.cli.main import run

SECTION = "plugins:\n- pillarbook:\n    master: master\n    inventory: minions.yml\n"
TREE = {
    "mkdocs.yml": SECTION,
    "master": "pillar_roots: {base: [pillar]}\n",
    "minions.yml": "minions: {web1: {}, web2: {}, db1: {}}\n",
    "pillar/top.sls": "base: {'*': [all], 'web*': [web]}\n",
    "pillar/all.sls": 'build_id: 1\nport: 80\nconf: \'{"a": 1, "b": 2}\'\nmotd:\n  day: 2024-01-01\n',
    "pillar/web.sls": "workers: 4\n",
}
IGNORE = """\
    changes:
      ignore:
      - {keys: [build_id], minions: ['web*']}
      - {keys: [conf], same_as: json}
      - {keys: ['motd:*'], values: '\\d{4}-\\d\\d-\\d\\d'}
      - {keys: [never]}
"""
NOISY = 'build_id: 2\nport: 80\nconf: \'{"b":2,"a":1}\'\nmotd:\n  day: 2024-02-02\n'
NOTE = "note: `changes: ignore` differs between base and head"


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a repository with one commit, in which nothing is ignored."""
    commit_all(write_files(start(tmp_path), TREE))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def quiet(tree: Path) -> Path:
    """Return the same with a second commit, which has rules."""
    commit_all(write_files(tree, {"mkdocs.yml": SECTION + IGNORE}))
    return tree


def diff(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    capsys.readouterr()
    code = run(["diff", "--exit-code", *words])
    told = capsys.readouterr()
    assert told.err == ""
    return code, told.out


def diff_json(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    _, told = diff(capsys, *words, "--format", "json")
    made: dict[str, Any] = json.loads(told)
    return made


def test_text_leaves_out_what_is_ignored(quiet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(quiet, {"pillar/all.sls": NOISY})
    code, told = diff(capsys)
    assert code == 2
    assert told.splitlines()[0] == "Pillar: 1 change on 1 of 3 minions"
    assert "1 changed, 2 unchanged" in told.splitlines()[1]
    assert told.count("build_id") == 2  # the change of db1, and the rule
    assert told.endswith(
        "\n\nignored by rule 1 (build_id): 1 change on 2 minions\n"
        "ignored by rule 2 (conf): 1 change on 3 minions\n"
        "ignored by rule 3 (motd:*): 1 change on 3 minions\n"
    )
    assert diff(capsys, "--format", "minions") == (2, "db1\n")


def test_markdown_leaves_it_out(quiet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(quiet, {"pillar/all.sls": NOISY})
    _, told = diff(capsys, "--format", "markdown")
    assert told.startswith("### Pillar: 1 change on 1 of 3 minions\n")
    assert "motd:day" not in told
    assert "\nignored by rule 3 (`motd:*`): 1 change on 3 minions\n" in told


def test_markdown_without_room_says_what_is_ignored(
    quiet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    many = "".join(f"key{number}: a long enough value\n" for number in range(50))
    write_files(
        quiet, {"pillar/all.sls": NOISY.replace("2024-02-02", "never"), "pillar/web.sls": many}
    )
    _, told = diff(capsys, "--format", "markdown", "--limit", "1500")
    assert len(told.encode()) <= 1500
    assert "left out to keep this short" in told
    assert told.endswith(
        "\nignored by rule 1 (`build_id`): 1 change on 2 minions\n"
        "\nignored by rule 2 (`conf`): 1 change on 3 minions\n"
    )


def test_json_has_it_all(quiet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(quiet, {"pillar/all.sls": NOISY})
    told = diff_json(capsys)
    assert {name: one["outcome"] for name, one in told["minions"].items()} == {
        "web1": "unchanged",
        "web2": "unchanged",
        "db1": "changed",
    }
    found = {(".".join(one["path"]), one["ignored"]): one["minions"] for one in told["atoms"]}
    assert found == {
        ("build_id", 1): ["web1", "web2"],
        ("build_id", None): ["db1"],
        ("conf", 2): ["web1", "web2", "db1"],
        ("motd.day", 3): ["web1", "web2", "db1"],
    }
    assert all(one["proven"] and len(one["because"]) == 1 for one in told["atoms"])
    assert told["ignored"] == [
        {"rule": 1, "keys": ["build_id"], "atoms": 1, "minions": 2},
        {"rule": 2, "keys": ["conf"], "atoms": 1, "minions": 3},
        {"rule": 3, "keys": ["motd:*"], "atoms": 1, "minions": 3},
        {"rule": 4, "keys": ["never"], "atoms": 0, "minions": 0},
    ]


def test_nothing_but_noise_is_no_difference(
    quiet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(quiet, {"pillar/all.sls": NOISY.replace("build_id: 2", "build_id: 1")})
    code, told = diff(capsys)
    assert code == 0
    lines = told.splitlines()
    assert lines[0] == "Pillar: no change on 3 minions"
    assert lines[1].endswith(": 3 unchanged")
    assert lines[3:] == [
        "ignored by rule 2 (conf): 1 change on 3 minions",
        "ignored by rule 3 (motd:*): 1 change on 3 minions",
    ]
    assert diff(capsys, "--format", "minions") == (0, "")


def test_a_failure_is_not_ignored(quiet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rule = SECTION + "    changes: {ignore: [{minions: '*'}]}\n"
    commit_all(write_files(quiet, {"mkdocs.yml": rule}))
    write_files(quiet, {"pillar/web.sls": "{{ nothing.at.all }}\n"})
    code, told = diff(capsys, "--format", "minions")
    assert (code, told) == (2, "web1\nweb2\n")


@pytest.mark.parametrize("committed", [True, False], ids=["commit", "working tree"])
def test_a_head_cannot_hide_what_it_changes(
    tree: Path, capsys: pytest.CaptureFixture[str], committed: bool
) -> None:
    write_files(tree, {"pillar/all.sls": NOISY, "mkdocs.yml": SECTION + IGNORE})
    if committed:
        commit_all(tree)
    code, told = diff(capsys, *(("HEAD~1", "HEAD") if committed else ()))
    assert code == 2
    assert "Pillar: 3 changes on 3 of 3 minions" in told
    assert NOTE in told
    assert "ignored by" not in told


@pytest.mark.parametrize(
    ("before", "after", "is_told"),
    [
        ("{}", "{allow: [port]}", True),
        ("{keys: [port]}", "{}", True),
        ("{values: ['x+']}", "{values: ['y+']}", True),
        ("{allow: [port]}", "{keys: [workers]}", False),
        ("{allow: [port]}", "{allow: [port]}", False),
    ],
)
def test_a_head_that_hides_less_is_told_of(
    before: str, after: str, is_told: bool, tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commit_all(write_files(tree, {"mkdocs.yml": f"{SECTION}    redact: {before}\n"}))
    write_files(tree, {"mkdocs.yml": f"{SECTION}    redact: {after}\n"})
    code, out = diff(capsys, "HEAD")
    assert ("note: `redact` hides less in the head" in out) is is_told
    assert (code, out.splitlines()[0]) == (0, "Pillar: no change on 3 minions")


@pytest.mark.parametrize("named", ["master: gone", "inventory: gone.yml"])
def test_a_head_that_names_what_is_not_there_is_no_fleet_that_is_gone(
    named: str, tree: Path, printed: Printed
) -> None:
    word = named.split(":", maxsplit=1)[0]
    lines = [line for line in SECTION.splitlines() if word not in line]
    write_files(tree, {"mkdocs.yml": "\n".join([*lines, f"    {named}", ""])})
    told = printed(["diff", "HEAD"], 1)
    assert told.out == ""
    assert "gone" in told.err
    assert "does not exist" in told.err


def test_a_base_without_a_configuration_ignores_nothing(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tree / "mkdocs.yml").unlink()
    commit_all(tree)
    write_files(tree, {"pillar/all.sls": NOISY, "mkdocs.yml": SECTION + IGNORE})
    told = diff_json(capsys)
    assert {one["ignored"] for one in told["atoms"]} == {None}
    assert told["ignored"] == []


def test_a_head_cannot_take_back_what_is_ignored(
    quiet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nor does it matter for its exit code: the rules of the base count."""
    write_files(quiet, {"pillar/all.sls": NOISY, "mkdocs.yml": SECTION})
    _, told = diff(capsys)
    assert "Pillar: 1 change on 1 of 3 minions" in told
    assert NOTE in told


def save(tree: Path) -> list[str]:
    """Write two saved results, without and with noise."""
    for name, content in (("a.json", TREE["pillar/all.sls"]), ("b.json", NOISY)):
        write_files(tree, {"pillar/all.sls": content})
        assert run(["compile", "--format", "result", "--output", str(tree / name)]) == 0
    return ["a.json", "b.json"]


def test_saved_results_take_the_configuration_that_is_there(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = save(tree)
    assert "Pillar: 3 changes on 3" in diff(capsys, *results)[1]
    write_files(tree, {"mkdocs.yml": SECTION + IGNORE, "other.yml": SECTION})
    assert "Pillar: 1 change on 1 of 3" in diff(capsys, *results)[1]
    assert "Pillar: 3 changes on 3" in diff(capsys, *results, "-f", "other.yml")[1]
    write_files(tree, {"mkdocs.yml": "site_name: somebody's\n"})
    assert "Pillar: 3 changes on 3" in diff(capsys, *results)[1]
    (tree / "mkdocs.yml").unlink()
    assert "Pillar: 3 changes on 3" in diff(capsys, *results)[1]


FAULTY = {
    "a rule": (SECTION + "    changes: {ignore: [{key: a}]}\n", [], "'changes: ignore: 0: key' is"),
    "no section": ("site_name: x\n", ["-f", "mkdocs.yml"], "'plugins' is missing"),
    "no file": ("", ["-f", "nothing.yml"], "nothing.yml does not exist"),
}


@pytest.mark.parametrize(("content", "words", "wanted"), FAULTY.values(), ids=FAULTY)
def test_faults_of_the_configuration_stop_saved_results(
    tree: Path, capsys: pytest.CaptureFixture[str], content: str, words: list[str], wanted: str
) -> None:
    results = save(tree)
    write_files(tree, {"mkdocs.yml": content})
    capsys.readouterr()
    assert run(["diff", *results, *words]) == 1
    assert wanted in capsys.readouterr().err


def test_environments_take_the_configuration(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(
        tree,
        {
            "mkdocs.yml": SECTION + IGNORE,
            "master": "pillar_roots: {base: [pillar], next: [next]}\n",
            "next/top.sls": "next: {'*': [all], 'web*': [web]}\n",
            "next/all.sls": NOISY,
            "next/web.sls": TREE["pillar/web.sls"],
        },
    )
    code, told = diff(capsys, "--environments", "base", "next")
    assert code == 2
    assert told.startswith("Pillar: 1 difference on 1 of 3 minions\n")
    assert "ignored by rule 2 (conf): 1 change on 3 minions" in told


@pytest.mark.slow
def test_an_expression_without_end_does_not_hold_up_a_run(
    quiet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rule = SECTION + "    changes: {ignore: [{values: ['(?:a|aa)+', '\\d+']}]}\n"
    commit_all(write_files(quiet, {"mkdocs.yml": rule}))
    hostile = "".join(f"key{number}: {'a' * 90}{number}!\n" for number in range(20))
    write_files(quiet, {"pillar/web.sls": f"{hostile}workers: 5\n"})
    begin = time.monotonic()
    told = diff_json(capsys)
    assert time.monotonic() - begin < 20
    assert {one["path"][0] for one in told["atoms"] if one["ignored"]} == {"workers"}
    (note,) = told["notes"]
    assert note.startswith("a regular expression of rule 1 of `changes: ignore` takes too long")


def test_a_secret_fits_no_value(quiet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = "[{values: '(?s).*'}, {same_as: yaml}]"
    write_files(
        quiet,
        {
            "mkdocs.yml": f"{SECTION}    changes: {{ignore: {rules}}}\n",
            "pillar/web.sls": "password: earl-grey-41\ntext: '[1]'\n",
        },
    )
    commit_all(quiet)
    write_files(quiet, {"pillar/web.sls": "password: earl-grey-42\ntext: '[ 1]'\n"})
    told = diff_json(capsys)
    found = {one["path"][0]: one["ignored"] for one in told["atoms"]}
    assert found == {"password": None, "text": 1}


def test_rules_whose_keys_have_a_secret_are_told_without_it(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rule = "    changes: {ignore: [{keys: ['host-SupErS3cretx*']}]}\n"
    pillar = "password: SupErS3cretx\nhost-SupErS3cretx: 1\n"
    commit_all(write_files(tree, {"mkdocs.yml": SECTION + rule, "pillar/all.sls": pillar}))
    write_files(tree, {"pillar/all.sls": pillar.replace(": 1", ": 2")})
    for form in ("json", "text", "markdown"):
        code = run(["diff", "--format", form])
        told = capsys.readouterr()
        assert (code, "S3cret" in told.out + told.err) == (0, False)
    assert len(diff_json(capsys)["ignored"]) == 1
