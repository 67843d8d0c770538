"""Inventories: what a minion is given."""

import gc
import json
from pathlib import Path
from typing import Any

import pytest
from tests.inventory.declared import load, one
from tests.support.fleets import write_files

from pillarbook.inventory.declaration_errors import InventoryError
from pillarbook.inventory.minions import Minion, load_inventory
from pillarbook.inventory.reach import Reach
from pillarbook.inventory.yaml_stream import KnownValues
from pillarbook.model import Position

EVERYTHING: dict[str, Any] = {
    "grains": {"os": "Debian", "roles": ["web"]},
    "pillarenv": "staging",
    "saltenv": "base",
    "pillar": {"cheese": "spam", "list": [1, {"a": 2}]},
    "pillar_enc": "gpg",
    "opts": {"pillar_merge_lists": True},
    "mine": {"network.ip_addrs": ["10.0.0.1"]},
}


@pytest.mark.parametrize("name", ["minions.yml", "minions.json"])
def test_gives_all_that_is_declared(tmp_path: Path, name: str) -> None:
    write_files(tmp_path, {name: json.dumps({"minions": {"web1": EVERYTHING}}, indent=1)})
    (minion,) = load(tmp_path, name)
    assert minion.id == "web1"
    assert minion.grains == {"os": "Debian", "roles": ["web"], "id": "web1"}
    assert (minion.pillarenv, minion.saltenv) == ("staging", "base")
    assert (minion.pillar, minion.pillar_enc) == (EVERYTHING["pillar"], "gpg")
    assert (minion.opts, minion.mine) == (EVERYTHING["opts"], EVERYTHING["mine"])
    assert minion.position == Position(name, 3)
    text = (tmp_path / name).read_text().splitlines()
    assert set(minion.pillar_lines) == {
        (),
        ("cheese",),
        ("list",),
        ("list", 0),
        ("list", 1),
        ("list", 1, "a"),
    }
    assert "spam" in text[minion.pillar_lines["cheese",] - 1]
    assert '"a": 2' in text[minion.pillar_lines["list", 1, "a"] - 1]


@pytest.mark.parametrize("body", ["", " {}", " {grains: }", " {grains: {}}"])
def test_gives_a_minion_of_which_nothing_is_declared(tmp_path: Path, body: str) -> None:
    minion = one(tmp_path, f"minions:\n  a:{body}\n")
    assert minion == Minion(
        id="a",
        grains={"id": "a"},
        pillarenv=None,
        saltenv=None,
        pillar=None,
        pillar_enc=None,
        pillar_lines={},
        opts={},
        mine={},
        position=Position("minions.yml", 2),
    )


@pytest.mark.parametrize(
    ("default", "own", "wanted"),
    [
        ("{a: 1}", "{b: 2}", {"a": 1, "b": 2}),
        ("{a: {x: 1, y: {z: 1}}}", "{a: {y: {w: 2}}}", {"a": {"x": 1, "y": {"z": 1, "w": 2}}}),
        ("{a: [1, 2]}", "{a: [3]}", {"a": [3]}),
        ("{a: {x: 1}}", "{a: 5}", {"a": 5}),
        ("{a: 5}", "{a: {x: 1}}", {"a": {"x": 1}}),
        ("{a: 5}", "{a: null}", {"a": None}),
        ("{id: nonsense}", "{}", {}),
        ("{}", "{a: 1}", {"a": 1}),
    ],
    ids=[
        "both",
        "mappings merge at any depth",
        "a list is replaced",
        "a scalar over a mapping",
        "a mapping over a scalar",
        "null over a value",
        "an id is never a default",
        "no defaults",
    ],
)
def test_puts_default_grains_under_the_minion(
    tmp_path: Path, default: str, own: str, wanted: dict[str, Any]
) -> None:
    text = f"defaults: {{grains: {default}}}\nminions:\n  m:\n    grains: {own}\n"
    assert one(tmp_path, text).grains == {**wanted, "id": "m"}


def test_sets_the_id_as_a_master_does(tmp_path: Path) -> None:
    assert one(tmp_path, "minions: {m: {grains: {id: other}}}\n").grains == {"id": "m"}


def test_merges_default_pillar_and_knows_its_lines(tmp_path: Path) -> None:
    text = (
        "defaults:\n  pillar:\n    a: 1\n    gone: {x: 1}\n  pillarenv: dev\n"
        "minions:\n  m:\n    pillar:\n      b: 2\n      gone: 3\n"
    )
    minion = one(tmp_path, text)
    assert minion.pillar == {"a": 1, "gone": 3, "b": 2}
    assert minion.pillarenv == "dev"
    assert minion.pillar_lines == {(): 9, ("a",): 3, ("gone",): 10, ("b",): 9}


@pytest.mark.parametrize("pillar", ["[a, b]", "text"])
def test_keeps_a_pillar_that_is_no_mapping(tmp_path: Path, pillar: str) -> None:
    minion = one(tmp_path, f"minions: {{m: {{pillar: {pillar}}}}}\n")
    assert minion.pillar in (["a", "b"], "text")
    assert () in minion.pillar_lines


def test_follows_aliases_and_merge_keys_between_minions(tmp_path: Path) -> None:
    text = (
        "minions:\n"
        "  a: &a\n    grains: {os: Debian}\n    pillar: {k: 1}\n"
        "  b: *a\n"
        "  c:\n    <<: *a\n    pillarenv: dev\n"
    )
    write_files(tmp_path, {"minions.yml": text})
    minions = {minion.id: minion for minion in load(tmp_path)}
    assert [minion.grains["os"] for minion in minions.values()] == ["Debian"] * 3
    assert [minion.grains["id"] for minion in minions.values()] == ["a", "b", "c"]
    assert minions["c"].pillarenv == "dev"
    assert minions["c"].pillar_lines["k",] == 4
    assert [minion.position.line for minion in minions.values()] == [2, 5, 6]


@pytest.mark.parametrize(
    "content",
    [
        '{"os": "Debian", "n": 1}',
        '{"local": {"os": "Debian", "n": 1}}',
        '{"m": {"os": "Debian", "n": 1}}',
    ],
    ids=["grains", "of salt-call", "of salt"],
)
def test_takes_grains_from_a_json_file(tmp_path: Path, content: str) -> None:
    folder = tmp_path / "fleet"
    write_files(folder, {"minions.yml": "minions: {m: {grains: g/m.json}}\n", "g/m.json": content})
    (minion,) = load(folder)
    assert minion.grains == {"os": "Debian", "n": 1, "id": "m"}


def test_takes_default_grains_from_a_json_file(tmp_path: Path) -> None:
    text = "defaults: {grains: g.json}\nminions: {m: {grains: {a: 1}}, n: }\n"
    write_files(tmp_path, {"minions.yml": text, "g.json": '{"a": 0, "b": 2, "id": "x"}'})
    assert [minion.grains for minion in load(tmp_path)] == [
        {"a": 1, "b": 2, "id": "m"},
        {"a": 0, "b": 2, "id": "n"},
    ]


def test_reads_several_files_with_defaults_of_their_own(tmp_path: Path) -> None:
    one_file = "defaults: {grains: {dc: one}}\nminions: {b: , a: }\n"
    write_files(tmp_path, {"x.yml": one_file, "y.json": '{"minions": {"c": {}}}'})
    minions = load(tmp_path, "x.yml", "y.json")
    assert [(minion.id, minion.grains.get("dc")) for minion in minions] == [
        ("b", "one"),
        ("a", "one"),
        ("c", None),
    ]


def test_accepts_an_inventory_without_minions(tmp_path: Path) -> None:
    write_files(tmp_path, {"minions.yml": "minions: {}\n"})
    assert load(tmp_path) == ()


def test_keeps_grains_files_within_reach(tmp_path: Path) -> None:
    folder = tmp_path / "repo"
    write_files(folder, {"minions.yml": "minions: {m: {grains: ../out.json}}\n"})
    (tmp_path / "out.json").write_text('{"secret": 1}')
    with pytest.raises(InventoryError, match=r"minions.yml:1: .*leads out of the repository"):
        load_inventory(
            [folder / "minions.yml"], shown=lambda path: path.name, reach=Reach((folder,))
        )


def test_reads_a_file_with_a_byte_order_mark(tmp_path: Path) -> None:
    (tmp_path / "minions.yml").write_bytes(b"\xef\xbb\xbfminions: {a: }\n")
    assert [minion.id for minion in load(tmp_path)] == ["a"]


def test_leaves_the_garbage_collector_as_it_was(tmp_path: Path) -> None:
    write_files(tmp_path, {"minions.yml": "minions: {a: }\n"})
    load(tmp_path)
    assert gc.isenabled()
    gc.disable()
    try:
        load(tmp_path)
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_constructs_each_text_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fleet repeats itself: 500 minions hold 3,000 scalars, but few different ones."""
    made: list[str] = []
    construct = KnownValues.construct

    def count(self: KnownValues, tag: str, text: str, event: Any = None) -> Any:
        made.append(text)
        return construct(self, tag, text, event)

    monkeypatch.setattr(KnownValues, "construct", count)
    grains = "{os: Debian, n: 4, on: yes}"
    text = "minions:\n" + "".join(f"  m{n}: {{grains: {grains}}}\n" for n in range(500))
    write_files(tmp_path, {"minions.yml": text})
    assert len(load(tmp_path)) == 500
    assert sorted(made) == ["4", "n", "on", "os", "yes"]  # the others begin like no other type


def test_secrets_of_the_defaults_are_added_to_its_own(tmp_path: Path) -> None:
    text = "defaults: {secrets: [a, 'b:c']}\nminions: {m: {secrets: ['b:c', d]}}\n"
    assert one(tmp_path, text).secrets == ("a", "b:c", "d")
    assert one(tmp_path, "minions: {m: {secrets: }}\n").secrets == ()
