"""What minions would get: with other grains, as new ones, and comparisons of some of them."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.fleets import write_files, write_fleet
from tests.support.invoked import Printed
from tests.support.repositories import commit_all
from tests.support.sides import start

from pillarbook.cli.main import run

FILES = {
    "top.sls": "base: {'*': [common], 'G@roles:web': [web], 'G@roles:db': [db]}\n",
    "common.sls": "name: {{ grains.id }}\nos: {{ grains.get('os') }}\nmotd: see hunter2-correct\n",
    "web.sls": "web: {workers: {{ grains.get('cpus', 1) }}}\n",
    "db.sls": "db: {password: hunter2-correct}\n",
}
MINIONS: dict[str, dict[str, Any]] = {
    "web1": {"grains": {"roles": ["web"]}},
    "db1": {"grains": {"roles": ["db"]}},
}
ARGUMENTS = ("--master", "master", "--inventory", "minions.yml")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_fleet(tmp_path, FILES, MINIONS)
    inventory = (tmp_path / "minions.yml").read_text()
    (tmp_path / "minions.yml").write_text(f"defaults: {{grains: {{os: Debian}}}}\n{inventory}")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def compiled(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert run(["compile", *ARGUMENTS, *arguments]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_a_new_minion_has_the_defaults_and_its_grains(capsys: pytest.CaptureFixture[str]) -> None:
    new = ("--as-new", "web9", "--grain", "roles=web", "--grain", "cpus=8")
    found = compiled(capsys, *new)
    assert list(found) == ["web9"]
    assert found["web9"]["web"] == {"workers": 8}
    assert found["web9"]["os"] == "Debian"
    assert list(compiled(capsys, *new, "--minion", "db*")) == ["db1", "web9"]


def test_grains_are_set_on_the_minions_that_are_asked_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = compiled(capsys, "--grain", "roles=web")
    assert ["web" in found[minion] for minion in MINIONS] == [True, True]
    found = compiled(capsys, "--grain", "roles+=web", "--minion", "db1")
    assert list(found) == ["db1"]
    assert found["db1"].keys() >= {"web", "db"}


def test_what_is_secret_as_declared_is_secret_with_other_grains(
    printed: Printed,
) -> None:
    """No minion reads db.sls then, whose password stands as plain text in common.sls."""
    assert "hunter2" in json.dumps(FILES)
    for more in ((), ("--as-new", "web9", "--minion", "*")):
        out, err = printed(["compile", *ARGUMENTS, "--grain", "roles=web", *more])
        assert '"name": "db1"' in out
        assert "hunter2" not in out + err


def test_explain_takes_a_new_minion(printed: Printed) -> None:
    new = ("--as-new", "web9", "--grain", "roles=web", *ARGUMENTS)
    for words in (("web:workers",), ("web9", "web:workers")):
        assert printed(["explain", *new, *words]).out == (
            "web9: ok\n  web:workers: 1\n      pillar/web.sls:1  [base]\n"
        )


WRONG = {
    "no minion": (("explain",), "Give MINION, or a new one with --as-new ID."),
    "two minions": (
        ("explain", "web1", "name", "--as-new", "web9"),
        "Give either MINION or --as-new ID.",
    ),
    "one that is declared": (
        ("compile", "--as-new", "web1"),
        "the minion 'web1' is not new (omit --as-new, or give another id)",
    ),
    "no id": (("compile", "--as-new", ""), "the id is empty"),
    "no value": (("compile", "--grain", "roles"), "give KEY=VALUE, such as roles=web"),
    "no key": (("compile", "--grain", "=web"), "give KEY=VALUE, such as roles=web"),
    "the id": (("compile", "--grain", "id=web9"), "the grain `id` cannot be set"),
    "no match": (("diff", "HEAD", "--minion", "nope"), "no declared minion matches 'nope'"),
}


@pytest.mark.parametrize(("words", "said"), WRONG.values(), ids=WRONG)
def test_wrong_words_are_refused(
    words: tuple[str, ...], said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commit_all(start(folder))
    assert run([*words, *ARGUMENTS]) in (1, 2)
    assert said in capsys.readouterr().err


def differing(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert run(["diff", *words, *ARGUMENTS, "--format", "json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_a_comparison_of_some_minions(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    commit_all(start(folder))
    write_files(
        folder,
        {
            "pillar/web.sls": "web: {workers: 2}\nnote: hunter2-correct\n",
            "pillar/db.sls": "db: {password: hunter2-correct, port: {{ grains.nope }}}\n",
        },
    )
    found = differing(capsys, "HEAD", "--minion", "web*")
    assert list(found["minions"]) == ["web1"]
    assert [atom["minions"] for atom in found["atoms"]] == [["web1"]] * 2
    assert "db1" not in json.dumps(found)
    assert found["notes"] == ["only minions that match `web*`"]
    assert run(["diff", "HEAD", "--minion", "web*", *ARGUMENTS]) == 0
    assert "no effect: pillar/db.sls:1 (no compared minion reads it)" in capsys.readouterr().out
    found = differing(capsys, "HEAD", "--as-new", "web9", "--grain", "roles=web")
    assert {name: one["outcome"] for name, one in found["minions"].items()} == {"web9": "changed"}


def test_a_failure_elsewhere_fails_no_comparison_of_some(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commit_all(start(folder))
    write_files(folder, {"pillar/db.sls": "{{ grains.nope }}: {{ salt.nope() }}\n"})
    rule = ("--fail-on", "missing-grain", "--fail-on", "new-failure")
    assert run(["diff", "HEAD", *rule, *ARGUMENTS]) == 2
    assert run(["diff", "HEAD", *rule, "--minion", "web1", *ARGUMENTS]) == 0
    capsys.readouterr()


def test_results_are_limited_to_minions(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, more in (("now", ()), ("then", ("--grain", "os=Rocky"))):
        words = ("--format", "result", "--output", f"{name}.json", *more)
        assert run(["compile", *ARGUMENTS, *words]) == 0
    assert run(["diff", "now.json", "then.json", "--minion", "db*", "--format", "minions"]) == 0
    assert capsys.readouterr().out == "db1\n"
    assert run(["diff", "now.json", "then.json", "--as-new", "x"]) == 1
