"""How the faults of inventories are told."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.inventory.declared import load, one
from tests.support.fleets import write_files

from pillarbook.inventory.declaration_errors import InventoryError
from pillarbook.model import Position


def faults_of(folder: Path, files: Mapping[str, str]) -> list[str]:
    write_files(folder, files)
    names = [name for name in files if name.startswith("minions")]
    with pytest.raises(InventoryError) as caught:
        load(folder, *names)
    assert all(fault.position for fault in caught.value.faults)
    return str(caught.value).splitlines()


YAML_FAULTS = {
    "a tab": (
        "minions:\n\ta: 1\n",
        ["minions.yml:2:1: the inventory is not YAML: found character"],
    ),
    "unclosed": ("minions: {a: {}\n", ["minions.yml:1: the inventory is not YAML: did not find"]),
    "empty": ("# nothing\n", ["minions.yml:1: the inventory is empty"]),
    "a list": ("- a\n", ["minions.yml:1: the inventory is a list"]),
    "no minions": ("defaults: {}\n", ["minions.yml:1: 'minions' is missing"]),
    "minions empty": ("minions:\n", ["minions.yml:1: 'minions' is empty"]),
    "minions a list": ("\nminions: [a]\n", ["minions.yml:2: 'minions' is a list"]),
    "unknown at the top": (
        "minion: {a: }\nminions: {}\n",
        ["minions.yml:1: 'minion' is not known (did you mean 'minions'?)"],
    ),
    "minions at the top": (
        "".join(f"minion{number}: {{}}\n" for number in range(1000)),
        ["minions.yml:1: 'minion0', 'minion1', 'minion2' and 997 more are not known (known here:"],
    ),
    "a minion at the top": (
        "minions:\n  web1: {}\nweb2: {}\n",
        ["minions.yml:3: 'web2' is not known (known here: defaults, minions; minions belong"],
    ),
    "minions misspelt": (
        "minion: {a: {}}\n",
        ["minions.yml:1: 'minion' is not known (did you mean 'minions'?)"],
    ),
    "unknown of a minion": (
        "minions:\n  a:\n    graisn: {}\n",
        ["minions.yml:3: 'minions: a: graisn' is not known (did you mean 'grains'?)"],
    ),
    "unknown, nothing near": (
        "minions:\n  a: {zzz: 1}\n",
        ["minions.yml:2: 'minions: a: zzz' is not known (known here: grains, guessed, mine,"],
    ),
    "grains of many minions beside grains": (
        "minions:\n" + "".join(f"  m{at}: {{roles: [web], grains: 1}}\n" for at in range(2)),
        [
            "minions.yml:2: 'minions: m0: roles' is not known; 1 more minion has this key (known",
            "minions.yml:2: 'minions: m0: grains' is a number, where a different type is needed",
            "minions.yml:3: 'minions: m1: grains' is a number, where a different type is needed",
        ],
    ),
    "unknown of the defaults": (
        "defaults: {gra: {}}\nminions: {}\n",
        ["minions.yml:1: 'defaults: gra' is not known"],
    ),
    "minion a text": ("minions:\n  a: text\n", ["minions.yml:2: 'minions: a' is text, where"]),
    "grains a list": (
        "minions:\n  a: {grains: [x]}\n",
        ["minions.yml:2: 'minions: a: grains' is a list, where a different type is needed"],
    ),
    "pillarenv a number": (
        "minions:\n  a: {pillarenv: 2024}\n",
        ["minions.yml:2: 'minions: a: pillarenv' is a number"],
    ),
    "id a number": (
        "minions:\n  7: {}\n",
        ["minions.yml:2: a minion's id is a number, where text is needed (put it in quotes: '7')"],
    ),
    "id a truth value": ("minions:\n  no: {}\n", ["minions.yml:2: a minion's id is true or false"]),
    "id empty": ("minions:\n  '': {}\n", ["minions.yml:2: a minion's id is empty text"]),
    "id twice": (
        "minions:\n  a: {}\n  b: {}\n  a: {}\n",
        ["minions.yml:4: the minion 'a' is declared twice (first at minions.yml:2;"],
    ),
    "a key twice": (
        "minions:\n  a:\n    grains: {x: 1}\n    grains: {y: 1}\n",
        ["minions.yml:4: 'minions: a: grains' is declared twice (first at minions.yml:3;"],
    ),
    "a date that is none": (
        "minions: {a: {grains: {d: 2020-13-45}}}\n",
        ["minions.yml:1: the inventory holds a value that cannot be read: month must be in 1..12"],
    ),
    "an integer of too many digits": (
        f"minions:\n  a:\n    grains: {{n: 0x{'f' * 3600}}}\n",
        ["minions.yml:3: the inventory holds a value that cannot be read: an integer of more than"],
    ),
    "a number in base 60 that is too large": (
        f"minions:\n  a: {{opts: {{n: {'59:' * 2500}59.5}}}}\n",
        ["minions.yml:2: the inventory holds a value that cannot be read: int too large"],
    ),
    "a text that is not what its tag says": (
        "minions: {a: {pillar: {n: !!bool hunter2}}}\n",
        ["minions.yml:1: the inventory holds a value that cannot be read: it does not fit its tag"],
    ),
    "a number that is none": (
        "minions: {a: {pillar: {n: !!int hunter2}}}\n",
        ["minions.yml:1: the inventory holds a value that cannot be read: invalid literal"],
    ),
    "pairs that are none": (
        "minions: {a: {grains: {n: !!pairs [1]}}}\n",
        ["minions.yml:1:27: the inventory is not YAML: expected a mapping of one key"],
    ),
    "too deep": (
        "minions: " + "[" * 100_000 + "]" * 100_000,
        ["minions.yml: the inventory is nested too deeply"],
    ),
    "all in one go": (
        "mins: 1\nminions:\n  7: {}\n  a: {x: 1, grains: 2}\n  a:\n",
        [
            "minions.yml:3: a minion's id",
            "minions.yml:4: 'minions: a: x'",
            "minions.yml:4: 'minions: a: grains'",
            "minions.yml:5: the minion 'a'",
            "minions.yml:1: 'mins'",
        ],
    ),
}


@pytest.mark.parametrize(("text", "wanted"), YAML_FAULTS.values(), ids=YAML_FAULTS.keys())
def test_tells_every_fault_of_a_yaml_inventory(
    tmp_path: Path, text: str, wanted: list[str]
) -> None:
    found = faults_of(tmp_path, {"minions.yml": text})
    assert len(found) == len(wanted)
    for line, beginning in zip(found, wanted, strict=True):
        assert line.startswith(beginning)


JSON_FAULTS = {
    "not JSON": (
        '{"minions": {\n"a": }}',
        "minions.json:2:6: the inventory is not JSON: Expecting",
    ),
    "no quotes": ("{minions: {}}", "minions.json:1:2: the inventory is not JSON: Expecting"),
    "more after it": ('{"minions": {}}\n{}', "minions.json:2:1: the inventory is not JSON: Extra"),
    "empty": ("", "minions.json:1: the inventory is empty"),
    "id twice": (
        '{"minions": {\n"a": {},\n"a": {}}}',
        "minions.json:3: the minion 'a' is declared twice (first at minions.json:2;",
    ),
    "unknown": (
        '{"minions": {\n"a": {\n"graisn": {}}}}',
        "minions.json:3: 'minions: a: graisn' is not known (did you mean 'grains'?)",
    ),
    "wrong type": (
        '{"minions": {"a": {\n"opts": []}}}',
        "minions.json:2: 'minions: a: opts' is a list",
    ),
    "too deep": (
        '{"minions": ' + "[" * 100_000,
        "minions.json: the inventory is nested too deeply",
    ),
}


@pytest.mark.parametrize(("text", "wanted"), JSON_FAULTS.values(), ids=JSON_FAULTS.keys())
def test_tells_the_fault_of_a_json_inventory(tmp_path: Path, text: str, wanted: str) -> None:
    (found,) = faults_of(tmp_path, {"minions.json": text})
    assert found.startswith(wanted)


@pytest.mark.parametrize(
    ("grains", "wanted"),
    [
        (None, "minions.yml:1: the grains file g.json does not exist (the path counts from"),
        ("{", "g.json:1:2: the grains file g.json is not JSON: Expecting property name"),
        ("[]", "minions.yml:1: the grains file g.json is a list, where a mapping is needed"),
    ],
    ids=["missing", "not JSON", "a list"],
)
def test_tells_the_fault_of_a_grains_file(tmp_path: Path, grains: str | None, wanted: str) -> None:
    files = {"minions.yml": "minions: {a: {grains: g.json}, b: {grains: g.json}}\n"}
    (found,) = faults_of(tmp_path, files | ({} if grains is None else {"g.json": grains}))
    assert found.startswith(wanted)


def test_tells_the_faults_of_all_files(tmp_path: Path) -> None:
    files = {
        "minions1.yml": "minions: {a: {}, b: {}}\n",
        "minions2.yml": "x: 1\nminions:\n  c: {}\n  a: {}\n",
        "minions3.json": "[]",
    }
    write_files(tmp_path, files)
    with pytest.raises(InventoryError) as caught:
        load(tmp_path, *files, "gone.yml")
    assert [str(fault.position) for fault in caught.value.faults] == [
        "minions2.yml:1",
        "minions3.json:1",
        "gone.yml",
        "minions2.yml:4",
    ]
    assert caught.value.faults[-1].related == (Position("minions1.yml", 1),)


def test_tells_that_a_file_is_not_utf8(tmp_path: Path) -> None:
    (tmp_path / "minions.yml").write_bytes(b"minions:\n  a: {grains: {x: \xff}}\n")
    with pytest.raises(InventoryError, match=r"^minions.yml:2: the inventory is not UTF-8"):
        load(tmp_path)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("[1]", "'minions: m: secrets' holds a number, where a pattern is needed"),
        ("[a, ' ']", "'minions: m: secrets' holds an empty text, where a pattern is needed"),
        ("a", "where a different type is needed"),
        ("{a: 1}", "where a different type is needed"),
    ],
)
def test_secrets_that_are_no_patterns(tmp_path: Path, given: str, words: str) -> None:
    with pytest.raises(InventoryError, match=re.escape(words)):
        one(tmp_path, f"minions: {{m: {{secrets: {given}}}}}\n")
