"""Minions that ``init`` takes from a dump, a cache or a roster."""

import json
from pathlib import Path
from typing import Any

import msgpack
import pytest
import yaml
from tests.cli.first_trees import PLAIN, Tree, write

from pillarbook.cli.main import run
from pillarbook.inventory.minions import load_inventory

DUMPED: dict[str, dict[str, Any]] = {
    "w1": {"os": "Debian", "kernel": "Linux", "roles": ["web"]},
    "w2": {"os": "CentOS", "kernel": "Linux"},
}


SOURCES: dict[str, Tree] = {
    "a dump": {"grains.json": "".join(json.dumps({one: DUMPED[one]}) + "\n" for one in DUMPED)},
    "a static dump": {"etc/grains.json": json.dumps(DUMPED)},
    "a cache": {
        f"cache/minions/{one}/data.p": msgpack.packb(
            {"grains": DUMPED[one], "pillar": {"pw": "s3cret"}}
        )
        for one in DUMPED
    },
    "an Ansible inventory": {
        "ansible.json": json.dumps({"_meta": {"hostvars": DUMPED}, "all": {"children": []}})
    },
    "a table, beside another": {
        "etc/minions.csv": "id,os,kernel,roles\nw1,Debian,Linux,web;\nw2,CentOS,Linux,\n",
        "etc/users.csv": "name,os\nalice,x\n",
        "tests/hosts.csv": "id,os\nnobody,x\n",
    },
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_minions_are_taken_from_what_knows_them(source: Tree, folder: Path) -> None:
    write(folder, {**PLAIN, **source})
    assert run(["init"]) == 0
    minions = load_inventory([folder / "minions.yml"], shown=str)
    assert [dict(one.grains) for one in minions] == [{**DUMPED[one], "id": one} for one in DUMPED]
    assert "s3cret" not in "".join(file.read_text() for file in folder.glob("minions*"))
    assert run(["build"]) == 0


@pytest.mark.parametrize("name", ["grains.json", "roster"])
def test_private_grains_of_a_source_are_left_out(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    grains = {**DUMPED["w2"], "serialnumber": "VM-1", "ssh_host_key": "x", "db_password": "hunter2"}
    entry = grains if name == "grains.json" else {"host": "x", "minion_opts": {"grains": grains}}
    write(folder, {**PLAIN, name: json.dumps({"w2": entry})})
    assert run(["init"]) == 0
    (minion,) = load_inventory([folder / "minions.yml"], shown=str)
    assert minion.grains == {**DUMPED["w2"], "id": "w2"}
    left_out = "not imported, for privacy: serialnumber, ssh_host_key, db_password;"
    assert left_out in capsys.readouterr().out


def test_an_import_refreshes_what_init_took(folder: Path) -> None:
    write(folder, {**PLAIN, "grains.json": json.dumps(DUMPED)})
    assert run(["init"]) == 0
    before = (folder / "minions.yml").read_text()
    write(folder, {"grains.json": json.dumps({**DUMPED, "w1": {"os": "Rocky"}})})
    assert run(["inventory", "import", "grains.json"]) == 0
    assert (folder / "minions.yml").read_text() == before
    minions = load_inventory([folder / "minions.yml"], shown=str)
    assert [one.grains["os"] for one in minions] == ["Rocky", "CentOS"]


def test_ids_that_salt_refuses_are_left_out(folder: Path) -> None:
    ids = ("", "a/b", "x\x00y", "\u202eevil", "l" * 300, "ok")
    dump = json.dumps({one: {"os": "Debian", "kernel": "Linux"} for one in ids})
    write(folder, {**PLAIN, "grains.json": dump})
    assert run(["init"]) == 0
    assert list(yaml.safe_load((folder / "minions.yml").read_text())["minions"]) == ["ok"]


def test_a_roster_gives_ids_and_no_password(folder: Path) -> None:
    roster = "web1: {host: 1.2.3.4, passwd: hunter2}\ndb1:\n  host: x\n"
    write(folder, {**PLAIN, "etc/roster": roster})
    assert run(["init"]) == 0
    written = (folder / "minions.yml").read_text()
    assert list(yaml.safe_load(written)["minions"]) == ["web1", "db1"]
    assert "hunter2" not in written
