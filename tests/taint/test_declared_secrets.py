"""Secrets that the inventory names: in pillar and grains, of the minions that it names them for."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.fleets import write_files

from pillarbook.inventory.settings import RedactRules, Settings
from pillarbook.redact import Redacted
from pillarbook.session import RunOptions, open_session

DECLARED = "declared in the inventory"
FILES = {
    "master": "pillar_roots: {base: [pillar]}\n",
    "pillar/top.sls": "base: {'*': [a, b]}\n",
    "pillar/a.sls": "app: {one: {note: n1, dsn: d1, deep: {x: kept}}}\nlist: [a, {dsn: d2}]\n",
    "pillar/b.sls": "app: {one: {deep: gone}}\n",
}
INVENTORY = {
    "defaults": {"secrets": ["DSN"]},
    "minions": {
        "web1": {
            "grains": {"site": {"gate": "4711", "name": "ams"}, "flag": False},
            "secrets": ["site:gate", "flag", "app:*:note", "app:one:deep:x"],
        },
        "web2": {"grains": {"site": {"gate": "4711"}}, "pillar": {"dsn": None, "own": 5}},
    },
}


def settings_of(folder: Path, inventory: Any, suffix: str = "yml", **redact: Any) -> Settings:
    write_files(folder, {**FILES, f"minions.{suffix}": json.dumps(inventory)})
    return Settings(
        master=folder / "master",
        inventory=(folder / f"minions.{suffix}",),
        folder=folder,
        redact=RedactRules(**redact),
    )


def reasons_of(settings: Settings, minion: str, *, memo: bool = True) -> dict[str, str]:
    with open_session(settings, RunOptions(memo=memo)) as session:
        shown = session.report.pillar(minion).leaves
        return {
            ":".join(map(str, leaf.path)): leaf.value.reason
            for leaf in shown
            if isinstance(leaf.value, Redacted)
        }


@pytest.mark.parametrize("memo", [True, False], ids=["memo", "plain"])
@pytest.mark.parametrize("suffix", ["yml", "json"])
def test_of_the_minion_that_it_is_declared_for(tmp_path: Path, suffix: str, memo: bool) -> None:
    settings = settings_of(tmp_path, INVENTORY, suffix)
    everywhere = {"app:one:dsn": DECLARED, "list:1:dsn": DECLARED}
    assert reasons_of(settings, "web1", memo=memo) == {
        **everywhere,
        "app:one:note": DECLARED,
        "app:one:deep": DECLARED,  # what it overrode is a secret
    }
    assert reasons_of(settings, "web2", memo=memo) == everywhere


def test_grains(tmp_path: Path) -> None:
    with open_session(settings_of(tmp_path, INVENTORY)) as session:
        (one, two) = (session.shown.grains(minion) for minion in ("web1", "web2"))
    assert isinstance(one["site"]["gate"], Redacted)
    assert isinstance(one["flag"], Redacted)
    assert one["site"]["name"] == "ams"
    assert two["site"]["gate"] == "4711"


def test_allow_does_not_open_what_is_declared(tmp_path: Path) -> None:
    found = reasons_of(settings_of(tmp_path, INVENTORY, allow=("*",)), "web2")
    assert found == {"app:one:dsn": DECLARED, "list:1:dsn": DECLARED}


def test_plain_text_is_told(tmp_path: Path) -> None:
    with open_session(settings_of(tmp_path, INVENTORY), RunOptions(checks=True)) as session:
        list(session.compiler.compile_all(session.fleet.minions))
        found = {
            (one.path, one.minions, str(one.position))
            for one in session.shown.diagnostics
            if one.code == "plain-secret"
        }
    assert found == {
        (("app", "one", "dsn"), ("web1", "web2"), "pillar/a.sls:1"),
        (("list", 1, "dsn"), ("web1", "web2"), "pillar/a.sls:2"),
        (("app", "one", "note"), ("web1",), "pillar/a.sls:1"),
        (("app", "one", "deep"), ("web1",), "pillar/b.sls:1"),
    }
