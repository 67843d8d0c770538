"""``--target``: minions chosen by a compound target, as in Salt's top files."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.fleets import write_fleet
from tests.support.invoked import Printed
from tests.support.repositories import commit_all
from tests.support.sides import start

from pillarbook.cli.main import run

FILES = {
    "top.sls": "base: {'*': [common]}\nqa: {'*': [common]}\n",
    "common.sls": "roles: {{ grains.roles }}\n",
}
MINIONS: dict[str, dict[str, Any]] = {
    "web1": {"grains": {"roles": ["web"], "os": "Debian", "ipv4": ["10.1.0.5"]}},
    "web2": {"grains": {"roles": ["web", "edge"], "os": "Rocky", "ipv4": ["10.2.0.5"]}},
    "db1": {"grains": {"roles": ["db"], "os": "Debian", "ipv4": ["10.1.0.6"]}},
}
MASTER = {
    "pillar_roots": {"base": ["pillar"], "qa": ["pillar"]},
    "nodegroups": {"edges": "G@roles:edge or db*", "secretive": "I@roles:web"},
}
ARGUMENTS = ("--master", "master", "--inventory", "minions.yml")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(write_fleet(tmp_path, FILES, MINIONS, MASTER))
    return tmp_path


CHOSEN = {
    "a grain": (("--target", "G@roles:web"), "web1 web2"),
    "logic": (("--target", "G@os:Debian and not web*"), "db1"),
    "parentheses": (("--target", "( P@os:^(Rocky|Suse)$ or E@^db ) and L@web2,db1"), "web2 db1"),
    "a network": (("--target", "S@10.1.0.0/16"), "web1 db1"),
    "a nodegroup": (("--target", "N@edges"), "web2 db1"),
    "an id": (("--target", "web2"), "web2"),
    "with globs": (("--target", "G@os:Debian", "--minion", "w*", "--minion", "db*"), "web1 db1"),
    "with a new minion": (
        ("--target", "G@roles:db", "--as-new", "x", "--grain", "roles=a"),
        "db1 x",
    ),
    "by declared grains": (("--target", "G@roles:web", "--grain", "roles=db"), "web1 web2"),
}


@pytest.mark.parametrize(("words", "minions"), CHOSEN.values(), ids=CHOSEN)
def test_the_minions_that_match_are_chosen(
    words: tuple[str, ...], minions: str, printed: Printed
) -> None:
    found = json.loads(printed(["compile", *words, *ARGUMENTS]).out)
    assert list(found) == minions.split()
    if "roles=db" in words:
        assert [one["roles"] for one in found.values()] == [["db"], ["db"]]


def test_other_commands_take_a_target(capsys: pytest.CaptureFixture[str]) -> None:
    target = ("--target", "G@roles:edge", *ARGUMENTS)
    assert run(["inventory", "list", *target]) == 0
    assert capsys.readouterr().out.split()[0] == "web2"
    assert run(["get", "roles", *target]) == 0
    assert "web2" in capsys.readouterr().out
    assert run(["get", "nothere", *target]) == 1
    assert capsys.readouterr().err == ("pillarbook: no minion that matches has the key 'nothere'\n")


NO_TARGET = "is not a compound target, such as `G@roles:web and not db*`"
BEFORE = "but minions are chosen before it is compiled: use ids, grains or nodegroups"
WRONG = {
    "nobody": ("G@roles:ewb", "no declared minion matches --target 'G@roles:ewb'"),
    "half of it": ("G@os:x and", f"--target 'G@os:x and' {NO_TARGET}"),
    "no such letter": ("R@a", f"--target 'R@a' {NO_TARGET}"),
    "nothing": ("", f"--target '' {NO_TARGET}"),
    "no regular expression": (
        "E@[",
        "--target 'E@[' cannot be matched: error: unterminated character set at position 0",
    ),
    "pillar": ("web* or I@a:x", f"--target 'web* or I@a:x' asks for pillar (`I@a:x`), {BEFORE}"),
    "pillar in a nodegroup": (
        "N@secretive",
        f"--target 'N@secretive' asks for pillar (`I@roles:web`), {BEFORE}",
    ),
    "no such nodegroup": ("N@nope", "no declared minion matches --target 'N@nope'"),
}


@pytest.mark.parametrize(("target", "said"), WRONG.values(), ids=WRONG)
def test_a_target_without_minions_is_refused_in_a_sentence(
    target: str, said: str, folder: Path, printed: Printed
) -> None:
    commit_all(start(folder))
    for command in (["compile"], ["diff", "HEAD"], ["diff", "--environments", "base", "qa"]):
        assert printed([*command, "--target", target, *ARGUMENTS], 1).err == f"pillarbook: {said}\n"


def test_globs_and_a_target_that_exclude_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compile", "--minion", "db*", "--target", "web*", *ARGUMENTS]) == 1
    assert "no declared minion matches --minion and --target 'web*'" in capsys.readouterr().err


def differing(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert run(["diff", *words, *ARGUMENTS, "--format", "json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_a_minion_that_matches_on_one_side_is_compared(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each side has its own grains, and its own nodegroups."""
    commit_all(start(folder))
    minions = {**MINIONS, "web1": {"grains": {"roles": ["proxy"]}}, "db2": MINIONS["web2"]}
    write_fleet(folder, FILES, minions, {**MASTER, "nodegroups": {"new": "db2"}})
    found = differing(capsys, "HEAD", "--target", "G@roles:web")
    assert {name: one["outcome"] for name, one in found["minions"].items()} == {
        "web2": "unchanged",
        "db2": "new",
        "web1": "changed",
    }
    assert found["notes"] == ["only minions that match the target `G@roles:web`"]
    assert list(differing(capsys, "HEAD", "--target", "G@roles:proxy")["minions"]) == ["web1"]
    assert list(differing(capsys, "HEAD", "--target", "N@new")["minions"]) == ["db2"]
    assert list(differing(capsys, "HEAD", "--target", "N@edges")["minions"]) == ["web2", "db1"]
    assert run(["diff", "HEAD", "--target", "web*", *ARGUMENTS, "--grain", "os=x"]) == 1
    assert "name minions with --minion" in capsys.readouterr().err


def test_environments_are_compared_for_some(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--environments", "base", "qa", "--target", "G@os:Debian", "--minion", "*1")
    found = differing(capsys, *words)
    assert list(found["minions"]) == ["web1", "db1"]
    assert found["notes"] == ["only minions that match `*1` and the target `G@os:Debian`"]


def test_saved_results_have_no_grains(capsys: pytest.CaptureFixture[str]) -> None:
    saved = ("--format", "result", "--output", "now.json")
    assert run(["compile", "--target", "web*", *saved, *ARGUMENTS]) == 0
    assert run(["diff", "now.json", "now.json", "--target", "web*"]) == 1
    assert "Saved results have no grains" in capsys.readouterr().err
