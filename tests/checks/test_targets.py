"""Targets that match nobody, and why: nobody is like that, or a pillarenv keeps minions away."""

from pathlib import Path
from typing import Any

import pytest
from tests.support.findings import find_all
from tests.support.fleets import write_fleet

from pillarbook.checks import pinned_minions
from pillarbook.diagnostics import Diagnostic, Severity
from pillarbook.inventory.settings import Settings
from pillarbook.session import RunOptions, open_session

ROOTS = {"base": ["pillar/base"], "dev": ["pillar/dev"], "prod": ["pillar/prod"]}
TOP = "{env}: {{'*': [site]}}\n"
DEV: dict[str, Any] = {"pillarenv": "dev"}
PROD: dict[str, Any] = {"pillarenv": "prod", "grains": {"roles": ["web"]}}
UNMATCHED = "matches no declared minion"


def describe(
    folder: Path, top: str, minions: dict[str, Any], roots: dict[str, list[str]] = ROOTS
) -> list[str]:
    """Return what is said of the base environment's top file."""
    files = {f"{env}/site.sls": "name: shop\n" for env in ROOTS}
    files |= {f"{env}/top.sls": TOP.format(env=env) for env in ROOTS}
    files["base/top.sls"] = top
    write_fleet(folder, files, minions, {"pillar_roots": roots})
    return [one.message for one in find_all(folder) if one.code == "unmatched-target"]


CASES: dict[str, tuple[str, dict[str, Any], str]] = {
    "nobody is like that": ("dev: {'*.qa.*': [site]}", {"lb1": {}, "web1.dev": DEV}, UNMATCHED),
    "one, pinned": (
        "base: {'web*': [site]}",
        {"lb1": {}, "web1.dev": DEV},
        "would match 'web1.dev', which does not read this top file because of the pillarenv 'dev'",
    ),
    "two, pinned to the target's environment": (
        "dev: {'*.dev': [site]}",
        {"lb1": {}, "web1.dev": DEV, "db1.dev": DEV},
        "would match 'web1.dev' and 'db1.dev', which do not read this top file because of the",
    ),
    "many, in several environments": (
        "base: {'web*': [site]}",
        {"lb1": {}, "web1": DEV, "web2": PROD, "web3": DEV, "web4": DEV, "web5": DEV},
        "would match 'web1', 'web2', 'web3' and 2 more, which do not read this top file because of",
    ),
    "by grain": (
        "base: {'roles:web': [{match: grain}, site]}",
        {"lb1": {}, "x1": PROD, "x2": DEV},
        "would match 'x1', which does not read this top file because of",
    ),
    "all merged": ("dev: {'*.qa': [site]}", {"lb1": {}, "web1.dev": {}}, UNMATCHED),
    "templated away": (
        "base:\n  'lb*': [site]\n{% if grains.id == 'lb1' %}\n  'web*': [site]\n{% endif %}\n",
        {"lb1": {}, "web1": {}},
        UNMATCHED,
    ),
}


@pytest.mark.parametrize(("top", "minions", "told"), CASES.values(), ids=CASES)
def test_why_a_target_matches_nobody(
    top: str, minions: dict[str, Any], told: str, tmp_path: Path
) -> None:
    (message,) = describe(tmp_path, top, minions)
    assert told in message


def test_a_minion_that_reads_another_part_of_the_file(tmp_path: Path) -> None:
    top = "base: {'web*': [site]}\ndev: {'*': [site]}\n"
    roots = {"base": ["pillar/base"], "dev": ["pillar/base"]}
    (message,) = describe(tmp_path, top, {"lb1": {}, "web1": DEV}, roots)
    assert message.endswith(
        "does not read this part of the top file because of the pillarenv 'dev'"
    )
    (found,) = (one for one in find_all(tmp_path) if one.code == "unmatched-target")
    assert found.help == (
        "move the target to the section 'dev' in the top file of that environment, or remove the"
        " pillarenv of the minion"
    )


def test_a_large_fleet_is_not_asked_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pinned_minions, "MAX_TRIED", 1)
    top = "base: {'web1': [site], 'web2': [site]}"
    messages = describe(tmp_path, top, {"lb1": {}, "web1": DEV, "web2": DEV})
    assert [message.partition(") ")[2] for message in messages] == [
        "matches none of the minions that read it"
    ] * 2


def describe_all(
    folder: Path, top: str, master: dict[str, Any] | None = None
) -> list[tuple[str, str]]:
    """Return code and remedy of what is said of a top file and an SLS that it may give."""
    return [(one.code, one.help or "") for one in find_in_tree(folder, top, master)]


def find_in_tree(
    folder: Path, top: str, master: dict[str, Any] | None = None
) -> tuple[Diagnostic, ...]:
    """Return what is said of a top file and an SLS that it may give."""
    write_fleet(folder, {"top.sls": top, "site.sls": "name: shop\n"}, {"lb1": {}}, master)
    return find_all(folder)


MEMBERS = "copy the nodegroup from your master to `nodegroups` in the master file"
TOLD = {
    "an SLS that a target gives to nobody": (
        "base: {'web*': [site]}",
        [
            ("unmatched-target", "correct it, remove it, or declare its minions in the inventory"),
        ],
    ),
    "an SLS that no top file names": (
        "base: {'*': []}",
        [("unused-sls", "remove it, or name it in a top file or an include")],
    ),
    "a minion that nobody declares": (
        "base: {'web1': [site]}",
        [
            ("unknown-minion", "declare the minion in the inventory, or remove it from the top"),
        ],
    ),
    "a list of minions without its matcher": (
        "base: {'lb1,lb2': [site]}",
        [
            (
                "unknown-minion",
                "for a list of ids, add its matcher below the target: `- match: list`",
            )
        ],
    ),
    "a list of minions in a compound target": (
        "base: {'lb* or lb1,lb2': [site]}",
        [("unknown-minion", "for a list of ids, write `L@lb1,lb2`")],
    ),
    "globs with a comma": (
        "base: {'web*,db*': [site]}",
        [("unmatched-target", "Salt reads this as one id: write `web* or db*`")],
    ),
    "an SLS with the ending of its file": (
        "base: {'*': [site.sls]}",
        [("missing-sls", "write 'site': the name of an SLS has no `.sls`")],
    ),
    "a matcher with a typo": (
        "base: {'*': [{match: grains}, site]}",
        [("broken-target", "write `match: grain`; until then no pillar is compiled")],
    ),
    "a matcher that Salt does not have": (
        "base: {'*': [{match: magic}, site]}",
        [("broken-target", "use one of compound, data, glob, grain, ")],
    ),
    "a nodegroup that is not there": (
        "base: {'web': [{match: nodegroup}, site]}",
        [("unmatched-target", MEMBERS)],
    ),
    "a nodegroup in another one": (
        "base: {'lb': [{match: nodegroup}, site]}",
        [("unmatched-target", MEMBERS)],
    ),
    "an SLS that a top file names for others": (
        "base:\n  '*': []\n{% if grains.os is defined %}\n  'lb*':\n    - site\n{% endif %}\n",
        [("unused-sls", "remove it, or declare minions for which pillar/top.sls names it")],
    ),
    "one in a compound target": (
        "base: {'lb* and ( N@web or N@db )': [{match: compound}, site]}",
        [("unmatched-target", MEMBERS)],
    ),
}


@pytest.mark.parametrize(("top", "told"), TOLD.values(), ids=TOLD)
def test_one_fact_is_one_finding(top: str, told: list[tuple[str, str]], tmp_path: Path) -> None:
    found = dict(describe_all(tmp_path, top, {"nodegroups": {"lb": "N@web"}}))
    assert set(found) - {"empty-minion", "no-pillar"} >= {code for code, _ in told}
    assert ("unused-sls" in found) == ("unused-sls" in dict(told))
    assert ("unknown-minion" in found) + ("unmatched-target" in found) <= 1
    for code, remedy in told:
        assert found[code].startswith(remedy)


NOT_EVALUATED: dict[str, tuple[str, str]] = {
    "G@os:x adn web*": (
        "has no 'and' or 'or' between 'G@os:x' and 'adn'",
        "did you mean `and` instead of `adn`?",
    ),
    "web* && lb*": ("between 'web*' and '&&'", "did you mean `and` instead of `&&`?"),
    "web* OR lb*": ("between 'web*' and 'OR'", "did you mean `or` instead of `OR`?"),
    "web* lb*": ("between 'web*' and 'lb*'", "write `or` between them"),
    "web* and": ("ends with 'and'", "remove it, or add the matcher that is missing there"),
    "web* or not": ("ends with 'not'", "remove it, or add"),
    "or web*": ("begins with 'or'", "remove it, or add"),
    "web* and or lb*": ("has 'and' before 'or'", "remove it, or add"),
    "( web* or lb*": ("has a parenthesis without its partner", "remove it, or add the other one"),
    "web* and R@x": ("uses the matcher `R@`, which Salt no longer has", "match a grain, or a list"),
}


@pytest.mark.parametrize(("target", "told"), NOT_EVALUATED.items(), ids=NOT_EVALUATED)
def test_what_is_wrong_with_a_compound_target(
    target: str, told: tuple[str, str], tmp_path: Path
) -> None:
    found = find_in_tree(tmp_path, f"base: {{'{target}': [site]}}")
    (one,) = (one for one in found if one.code in ("unmatched-target", "unknown-minion"))
    assert told[0] in one.message
    assert (one.help or "").startswith(told[1])
    assert one.severity is Severity.WARNING


NEEDS_PILLAR = {
    "I@role:web": True,
    "web* and J|@role|x": True,
    "I@role:web or db1": False,
    "db1 and not I@role:web": False,
}


@pytest.mark.parametrize(("target", "needs"), NEEDS_PILLAR.items(), ids=NEEDS_PILLAR)
def test_a_target_by_pillar_is_said_to_match_nobody(
    target: str, needs: bool, tmp_path: Path
) -> None:
    files = {"top.sls": f"base: {{'{target}': [a]}}\n", "a.sls": "a: 1\n"}
    write_fleet(tmp_path, files, {"web1": {}})
    inventory = (tmp_path / "minions.yml",)
    settings = Settings(master=tmp_path / "master", inventory=inventory, folder=tmp_path)
    with open_session(settings, RunOptions()) as session:
        for _ in session.compiler.compile_all(session.fleet.minions):
            pass
        found = [one for one in session.shown.diagnostics if one.code == "unmatched-target"]
    assert [("match a grain or the id" in (one.help or "")) for one in found] == [needs]
