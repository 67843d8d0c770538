"""Minions from what knows them: what is taken, what is left out, and what stays as it was."""

import json
from pathlib import Path
from typing import Any

import msgpack
import pytest

from pillarbook.bootstrap.import_minions import SourceError, import_minions, read_source
from pillarbook.bootstrap.yaml_lines import YamlFormError
from pillarbook.inventory.minions import load_inventory

GRAINS = {"web1": {"id": "web1", "host": "web1", "os": "Debian"}, "db1": {"os": "Rocky"}}
SOURCES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "a dump": (
        "grains.json",
        json.dumps({**GRAINS, "down": "Minion did not return. [No response]", "off": False}),
        {"web1": {"host": "web1", "os": "Debian"}, "db1": {"os": "Rocky"}},
    ),
    "one object for each minion": (
        "grains.txt",
        "".join(json.dumps({name: grains}) + "\n" for name, grains in GRAINS.items()),
        {"web1": {"host": "web1", "os": "Debian"}, "db1": {"os": "Rocky"}},
    ),
    "a masterless minion": (
        "local.json",
        json.dumps({"local": GRAINS["web1"]}),
        {"web1": {"host": "web1", "os": "Debian"}},
    ),
    "a roster": (
        "hosts.yml",
        "a: 10.0.0.1\nb: {host: x, passwd: hunter2, minion_opts: {grains: {roles: [web]}}}\n",
        {"a": {}, "b": {"roles": ["web"]}},
    ),
    "Ansible": (
        "ansible.json",
        json.dumps(
            {
                "_meta": {"hostvars": {"a": {"ansible_host": "10.0.0.1", "site": "ams"}}},
                "all": {"children": ["web", "ungrouped"]},
                "web": {"children": ["new"], "hosts": ["b"]},
                "new": {"hosts": ["a"], "children": ["web"]},
            }
        ),
        {"a": {"groups": ["new", "web"], "site": "ams"}, "b": {"groups": ["new", "web"]}},
    ),
    "a table": (
        "fleet.csv",
        'id,os,roles,osrelease,num_cpus,note\r\na,Debian,web;db,12,4,"x, y"\r\nb,,,,,\r\n\r\n',
        {
            "a": {
                "os": "Debian",
                "roles": ["web", "db"],
                "osrelease": "12",
                "num_cpus": 4,
                "note": "x, y",
            },
            "b": {},
        },
    ),
    "a table with semicolons": (
        "fleet.csv",
        "name;os;roles\na;Debian;web,db\n",
        {"a": {"os": "Debian", "roles": ["web", "db"]}},
    ),
    "a table with tabs": ("fleet.tsv", "id\tos\na\tDebian\n", {"a": {"os": "Debian"}}),
}


@pytest.mark.parametrize(("name", "text", "expected"), SOURCES.values(), ids=SOURCES)
def test_what_a_source_knows_is_declared(
    name: str, text: str, expected: dict[str, Any], tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text)
    assert declared(tmp_path, name) == expected


def test_a_quote_that_is_not_closed_is_reported(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('id,os\na,Debian\nb,"Arch\nc,SUSE\n')
    known = read_source(tmp_path / "a.csv")
    assert [one.id for one in known.minions] == ["a"]
    assert known.left_out == ("left out: all from line 3 on, where a quote is not closed",)
    (tmp_path / "b.csv").write_text('id,os\na,"Debian\n')
    with pytest.raises(SourceError, match="no minions found; left out: all from line 2 on"):
        read_source(tmp_path / "b.csv")


def test_a_masters_cache_is_read(tmp_path: Path) -> None:
    for minion, grains in GRAINS.items():
        file = tmp_path / "master" / "minions" / minion / "data.p"
        file.parent.mkdir(parents=True)
        file.write_bytes(msgpack.packb({"grains": grains, "pillar": {"password": "hunter2"}}))
    assert declared(tmp_path, "master")["db1"] == {"os": "Rocky"}
    assert "hunter2" not in (tmp_path / "minions.grains.json").read_text()


def declared(folder: Path, source: str, *wanted: str) -> dict[str, Any]:
    """Import, write, and return the grains of the minions of the inventory."""
    inventory = folder / "minions.yml"
    made = import_minions(folder / source, inventory, wanted)
    (folder / "minions.grains.json").write_text(made.grains)
    inventory.write_text(made.inventory)
    minions = load_inventory([inventory], shown=str)
    grains = {one.id: dict(one.grains) for one in minions}
    assert [one.pop("id") for one in grains.values()] == list(grains)
    return grains


PRIVATE: dict[str, Any] = {
    "serialnumber": "X1",
    "uuid": "4c4c",
    "machine_id": "abc",
    "hwaddr_interfaces": {"eth0": "00:11:22:33:44:55"},
    "username": "root",
    "db_password": "hunter2",
    "login": "postgres://a:hunter2@db/x",
    "deep": json.loads('{"a":' * 40 + "1" + "}" * 40),
}


def test_what_is_private_is_left_out_and_named(tmp_path: Path) -> None:
    kept = {"os": "Debian", "net": {"mac": "00:11:22:33:44:55", "uuid": "x", "mtu": 1500}}
    (tmp_path / "grains.json").write_text(json.dumps({"web1": {**kept, **PRIVATE}}))
    made = import_minions(tmp_path / "grains.json", tmp_path / "minions.yml")
    assert json.loads(made.grains) == {"web1": {"os": "Debian", "net": {"mtu": 1500}}}
    (said,) = [line for line in made.said if line.startswith("not imported")]
    assert all(name in said for name in PRIVATE)


def test_named_grains_are_imported_and_no_others(tmp_path: Path) -> None:
    (tmp_path / "grains.json").write_text(json.dumps({"web1": {"os": "Debian", **PRIVATE}}))
    found = declared(tmp_path, "grains.json", "os", "serialnumber", "db_password")
    assert found == {"web1": {"os": "Debian", "serialnumber": "X1"}}


WRITTEN = """\
# ours
defaults: {grains: {site: ams}}
minions:
    old: {}   # no longer there

    web1:
        pillarenv: prod
        grains: {os: Ours}
    # behind it

# the end
"""


def test_what_people_wrote_stays(tmp_path: Path) -> None:
    (tmp_path / "grains.json").write_text(json.dumps(GRAINS))
    (tmp_path / "minions.yml").write_text(WRITTEN)
    found = declared(tmp_path, "grains.json")
    assert found["web1"] == {"os": "Ours", "site": "ams"}
    assert found["db1"] == {"os": "Rocky", "site": "ams"}
    once = (tmp_path / "minions.yml").read_text()
    added = "    db1: {grains: minions.grains.json}\n"
    assert once.replace(added, "") == WRITTEN
    (tmp_path / "grains.json").write_text(json.dumps({**GRAINS, "db1": {"os": "Debian"}}))
    assert declared(tmp_path, "grains.json")["db1"] == {"os": "Debian", "site": "ams"}
    assert (tmp_path / "minions.yml").read_text() == once
    made = import_minions(tmp_path / "grains.json", tmp_path / "minions.yml")
    assert any(
        line.endswith("old not in the source, but kept; remove them by hand") for line in made.said
    )


@pytest.mark.parametrize("text", ["minions:\n", "minions: {}\n", "minions:\n# x\ndefaults: {}\n"])
def test_an_inventory_without_minions_gets_some(text: str, tmp_path: Path) -> None:
    (tmp_path / "grains.json").write_text(json.dumps(GRAINS))
    (tmp_path / "minions.yml").write_text(text)
    assert list(declared(tmp_path, "grains.json")) == ["web1", "db1"]


@pytest.mark.parametrize(
    "text", ["minions: {a: {}}\n", "minions: [\n", "- a\n", "other: 1\n"], ids=str.strip
)
def test_an_inventory_that_cannot_be_added_to_is_told(text: str, tmp_path: Path) -> None:
    (tmp_path / "grains.json").write_text(json.dumps(GRAINS))
    (tmp_path / "minions.yml").write_text(text)
    with pytest.raises(YamlFormError, match=r"minions\.yml(:\d+)?: "):
        import_minions(tmp_path / "grains.json", tmp_path / "minions.yml")


@pytest.mark.parametrize("text", ["", "{}", "[1]", "hello", '{"a": 1}', "a,b\n1,2\n", "{" * 5000])
def test_a_source_without_minions_is_told(text: str, tmp_path: Path) -> None:
    (tmp_path / "x").write_text(text)
    with pytest.raises(SourceError, match="no minions found"):
        import_minions(tmp_path / "x", tmp_path / "minions.yml")
    with pytest.raises(SourceError, match="cannot be read"):
        import_minions(tmp_path / "none", tmp_path / "minions.yml")


MESSY: dict[str, tuple[bytes, str]] = {
    "a dump that is cut off": (
        b'{"web1": {"os": "Debian"}\n',
        "not read to its end: the dump:2: the dump ends in the middle of an object",
    ),
    "an id that is there twice": (
        b'{"web1": {"os": "Rocky"}, "web1": {"os": "Debian"}}',
        "listed more than once, and taken from the last place: web1",
    ),
    "minions that did not answer": (
        b'{"web1": {"os": "Debian"}, "db1": false, "db2": "Minion did not return."}',
        "left out, because they have no grains there: db1, db2",
    ),
    "an id that none can have": (
        b'{"web1": {"os": "Debian"}, "../x": {}}',
        "left out, because no minion can have the id: 1 entry",
    ),
    "a table with an id twice": (
        b"id,os\nweb1,Rocky\nweb1,Debian\n",
        "listed more than once, and taken from the last place: web1",
    ),
}


@pytest.mark.parametrize("name", MESSY)
def test_what_a_messy_source_lost_is_said(name: str, tmp_path: Path) -> None:
    content, words = MESSY[name]
    (tmp_path / "source").write_bytes(content)
    found = import_minions(tmp_path / "source", tmp_path / "minions.yml")
    assert any(line.startswith(words) for line in found.said)
    assert json.loads(found.grains) == {"web1": {"os": "Debian"}}


def test_a_dump_of_a_windows_shell_is_read(tmp_path: Path) -> None:
    (tmp_path / "grains.json").write_bytes('{"web1": {"os": "Debian"}}'.encode("utf-16"))
    found = import_minions(tmp_path / "grains.json", tmp_path / "minions.yml")
    assert json.loads(found.grains) == {"web1": {"os": "Debian"}}
