"""The rule ``forgeable-secret``: one diagnostic for each line of a top file."""

from pathlib import Path
from typing import Any

import pytest
from tests.support.fleets import write_fleet

from pillarbook.diagnostics import Diagnostic
from pillarbook.inventory.rule_settings import RuleSetting
from pillarbook.inventory.settings import Settings
from pillarbook.session import RunOptions, open_session

SECRETS = "db: {password: earl-grey-42, user: shop}\n"
MINIONS: dict[str, Any] = {
    name: {"grains": {"os": "Debian", "role": name[:-1]}} for name in ("web1", "web2", "db1")
}


def check(folder: Path, files: dict[str, str], **settings: Any) -> list[Diagnostic]:
    write_fleet(folder, files, MINIONS, {"nodegroups": {"webs": "L@web1,web2"}})
    opened = Settings(
        master=folder / "master",
        inventory=(folder / "minions.yml",),
        folder=folder,
        **settings,
    )
    with open_session(opened, RunOptions()) as session:
        for _ in session.compiler.compile_all(session.fleet.minions):
            pass
        found = session.shown.diagnostics
        for minion in session.fleet.minions:
            own = {one.position for one in session.shown.diagnostics_of(minion)}
            assert own == {one.position for one in found if minion in one.minions}
    return [one for one in found if one.code == "forgeable-secret"]


CASES: dict[str, tuple[str, str, list[str]]] = {
    "a grain": ("'G@os:Debian': [a]", SECRETS, ["to any minion that sets its grain `os`"]),
    "two grains": (
        "'G@os:Debian and G@role:db': [a]",
        SECRETS,
        ["to any minion that sets its grains `os` and `role`"],
    ),
    "a part of the ids": (
        "'web* and G@os:Debian': [a]",
        SECRETS,
        ["to a minion that matches `web*` and sets its grain `os`"],
    ),
    "ids": ("'web*': [a]", SECRETS, []),
    "a nodegroup of ids": ("webs: [{match: nodegroup}, a]", SECRETS, []),
    "no secret": ("'G@os:Debian': [a]", "db: {user: shop}\n", []),
    "by a target that matches nobody": ("'G@os:Rocky': [a]", SECRETS, []),
    "by id and by grain": (
        "'*': [a]\n  'G@role:db': [a]",
        SECRETS,
        ["'G@role:db' (compound) gives 'db:password' to any minion"],
    ),
    "one secret of many": (
        "'G@role:db': [a]",
        "keys:\n" + "".join(f"  key{number}: {{password: earl-{number}}}\n" for number in range(5)),
        ["'keys:key0:password', 'keys:key1:password', 'keys:key2:password' and 2 more secrets"],
    ),
    "a line that a template writes": (
        "'{{ grains.role }}* and G@role:{{ grains.role }}': [a]",
        SECRETS,
        ["to a minion that matches the rest of the target and sets its grain `role`"],
    ),
}


@pytest.mark.parametrize(("top", "sls", "told"), CASES.values(), ids=CASES)
def test_what_is_told(top: str, sls: str, told: list[str], tmp_path: Path) -> None:
    found = check(tmp_path, {"top.sls": f"base:\n  {top}\n", "a.sls": sls})
    assert len(found) == len(told)
    for one, words in zip(found, told, strict=True):
        assert words in one.message
        assert "earl" not in f"{one.message} {one.help}"
        assert str(one.position).startswith("pillar/top.sls:")


def test_a_secret_of_an_include_counts(tmp_path: Path) -> None:
    files = {
        "top.sls": "base: {'G@role:db': [a]}\n",
        "a.sls": "include: [b]\n",
        "b.sls": SECRETS,
    }
    (found,) = check(tmp_path, files)
    assert (found.minions, found.path) == (("db1",), ("db", "password"))


def test_it_can_be_ignored_by_file_and_by_minion(tmp_path: Path) -> None:
    files = {"top.sls": "base: {'G@os:Debian': [a]}\n", "a.sls": SECRETS}
    (found,) = check(tmp_path / "all", files)
    assert found.minions == ("web1", "web2", "db1")
    few = {"forgeable-secret": RuleSetting(minions=("web*",))}
    (found,) = check(tmp_path / "few", files, rules=few)
    assert found.minions == ("db1",)
    none = {"forgeable-secret": RuleSetting(files=("pillar/*",))}
    assert check(tmp_path / "none", files, rules=none) == []
