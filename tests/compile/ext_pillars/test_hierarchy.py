"""hierarchy_pillar through the whole compile: what surprises, origins, failures and limits."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.support.fleets import compile_case, open_fleet, write_files

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.model import leaves, plain, to_tagged

SLS = {"pillar/top.sls": "base:\n  '*': [p]\n"}
FAILS = "the external pillar 'hierarchy_pillar' fails: "


def master(**options: Any) -> str:
    entry = {"hierarchy_pillar.data_path": "hier", **options}
    return json.dumps({"pillar_roots": {"base": ["pillar"]}, "ext_pillar": [
        {"hierarchy_pillar": entry}
    ]})  # fmt: skip


def compile_one(folder: Path, files: Mapping[str, str], **options: Any) -> CompiledPillar:
    """Compile the minion ``m``; a file's name without a folder is one of the hierarchy."""
    named = {name if "/" in name else f"hier/{name}.yaml": text for name, text in files.items()}
    rest = {"master": master(**options), "minions.yml": "minions: {m: {}}\n"}
    return compile_case(write_files(folder, {**rest, **named}))["m"]


def chains(compiled: CompiledPillar) -> dict[str, list[str]]:
    """Return for each leaf the chain of its origins as ``file:line=value``."""
    return {
        ":".join(str(key) for key in path): [
            f"{Path(origin.file).stem}:{origin.line}={json.dumps(origin.value)}"
            for origin in origins
        ]
        for path, _, origins in leaves(compiled.tree)
    }


def said(compiled: CompiledPillar) -> list[tuple[str, str, str]]:
    return [(one.code, one.message, str(one.position)) for one in compiled.diagnostics]


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (
            {"m": "_merge: up\na: &l [1]\nb: *l", "up": "a: [2]\nb: [3]"},
            {"_merge": "up", "a": [1, 2, 3], "b": [1, 2, 3]},
        ),
        (
            {
                "m": "_merge: [up, c]\nx: {}",
                "up": "x: &d {k: {q: 1}}\ny: *d",
                "c": "x: {k: {r: [1]}}\ny: {k: {s: 2}}",
            },
            {
                "_merge": ["up", "c"],
                "x": {"k": {"q": 1, "r": [1], "s": 2}},
                "y": {"k": {"q": 1, "r": [1], "s": 2}},
            },
        ),
        (
            {"m": "_merge: [a]\nl: [m]", "a": "_merge: [b]\nl: [a]", "b": "l: [b, b, m]"},
            {"_merge": ["a", "b"], "l": ["m", "a", "b"]},
        ),
        (
            {
                "m": "_merge: [_replace, a, b]",
                "_replace": "_merge: [z]",
                "a": "a: 1",
                "b": "b: 1",
                "z": "",
            },
            {},
        ),
        (
            {"m": "_neighbours: ab\na: 5", "a": "x: 1", "b": "word"},
            {"_neighbours": "ab", "a": {"x": 1}, "b": "word"},
        ),
        (
            {"m": "_neighbours: {a: 1}", "a": "[1]"},
            {"_neighbours": {"a": 1}, "a": [1]},
        ),
        ({"m": "a: b\t# no comment for PyYAML"}, {}),
        ({"m": "- a"}, None),
        ({"m": "[]"}, {}),
        (
            {"m": "a: !!omap [{x: 1}]\nm: 010\nm: 09\n1: x"},
            {"a": [("x", 1)], "m": "09", 1: "x"},
        ),
    ],
    ids=[
        "an alias is one object",
        "what moves below an alias is shared",
        "a list of files grows while it is read",
        "a file that an empty one fails",
        "letters name neighbours",
        "keys name neighbours",
        "tabs as PyYAML takes them",
        "list as the minion's own",
        "empty list as the minion's own",
        "PyYAML's own types",
    ],
)
def test_data_is_what_the_module_gives(
    files: dict[str, str], expected: dict[Any, Any] | None, tmp_path: Path
) -> None:
    made = compile_one(tmp_path, files)
    assert (made.outcome == "failed") == (expected is None)
    assert json.dumps(to_tagged(plain(made.tree))) == json.dumps(to_tagged(expected or {}))
    assert made.errors == ()


def test_every_value_names_its_files(tmp_path: Path) -> None:
    files = {
        "m": "_merge: [zone, all]\nntp: own\nl: [1, 3]\nbig: {x: 1}\nclash: text\n_neighbours: [n]\n"
        "n: gone",
        "zone": "_control: other\nntp: zone\nl: [2, 3]\nbig: {y: 2}\nclash: {a: 1}",
        "all": "\nntp: all\nl: [_replace, 4]\nbig: {x: 3, y: 3}",
        "n": "n: 1",
    }
    made = chains(compile_one(tmp_path, files))
    assert {key: value for key, value in made.items() if not key.startswith("_")} == {
        "ntp": ['all:2="all"', 'zone:2="zone"', 'm:2="own"'],
        "l:0": ["m:3=1"],
        "l:1": ["zone:3=3", "m:3=3"],
        "l:2": ["zone:3=2"],
        "l:3": ['all:3="_replace"'],
        "l:4": ["all:3=4"],
        "big:x": ["all:4=3", "m:4=1"],
        "big:y": ["all:4=3", "zone:4=2"],
        "clash": ["zone:5=1", 'm:5="text"'],
        "n:n": ['m:7="gone"', "n:1=1"],
    }


def test_what_is_kept_away_is_overridden(tmp_path: Path) -> None:
    files = {
        "m": "_merge: up\nl: [_replace, 1]\nd: {_control: _replace, x: 1, deep: {y: 1}}",
        "up": "l: [2]\nd: {x: 2, z: 2, deep: {y: 2}}",
    }
    made = chains(compile_one(tmp_path, files))
    assert made["l:0"] == ["up:1=2", "m:2=1"]
    assert made["d:x"] == ["up:2=2", "m:3=1"]
    assert made["d:deep:y"] == ["up:2=2", "m:3=1"]
    assert "d:z" not in made


def test_pillar_that_it_hands_on_overrides_nothing(tmp_path: Path) -> None:
    files = {
        **SLS,
        "pillar/p.sls": "l: [s, both]\nkept: [1, 2]\nm: {a: 1, b: 1}\n",
        "m": "l: [h, both]\nm: {a: 2}\n",
    }
    compiled = compile_one(tmp_path, files)
    assert chains(compiled) == {
        "l:0": ['m:1="h"'],
        "l:1": ['p:1="both"', 'm:1="both"'],
        "l:2": ['p:1="s"'],
        "kept:0": ["p:2=1"],
        "kept:1": ["p:2=2"],
        "m:a": ["p:3=1", "m:2=2"],
        "m:b": ["p:3=1"],
    }
    assert [list(tree.items) for tree in compiled.beside] == [["l", "m"]]


@pytest.mark.parametrize(
    ("files", "words", "position"),
    [
        ({"m": "x: 1\n_merge:\n- none"}, "there is no file none.yaml", "hier/m.yaml:3"),
        ({"m": "_merge: z/a", "hier/z/a.yaml": ""}, "there is no file z/a.yaml", "hier/m.yaml:1"),
        ({"m": "_merge: a", "a": "\n_merge: m"}, "files name each other in a cycle: m > a > m",
         "hier/a.yaml:2"),
        ({"m": "_neighbours: [m]"}, "files name each other in a cycle: m > m", "hier/m.yaml:1"),
        ({"m": "a: 1\nb: [hunter2"}, "hier/m.yaml is not YAML: did not find expected ',' or ']'",
         "hier/m.yaml:2"),
        ({"m": "_merge: a", "a": "# nothing"}, "hier/a.yaml is empty, or holds no mapping",
         "hier/a.yaml:1"),
        ({"m": "_merge: [a, 5]", "a": "x: 1"}, "`_merge` has a value that names no file",
         "hier/m.yaml:1"),
        ({"m": "_merge: {a: 1}"}, "`_merge` names no file", "hier/m.yaml:1"),
        ({"m": "_neighbours: 5"}, "`_neighbours` has a value that names no file", "hier/m.yaml:1"),
    ],
    ids=["missing", "folder named", "ring", "own neighbour", "no YAML", "empty", "number",
         "mapping", "number of neighbours"],
)  # fmt: skip
def test_a_failure_drops_all_and_is_told(
    files: dict[str, str], words: str, position: str, tmp_path: Path
) -> None:
    made = compile_one(tmp_path, {**SLS, "pillar/p.sls": "kept: 1", **files})
    assert plain(made.tree) == {"kept": 1}
    assert (made.outcome, made.errors) == ("partial", ())
    assert said(made) == [("ext-pillar-error", FAILS + words, position)]


def test_a_minion_without_a_file_is_complete(tmp_path: Path) -> None:
    made = compile_one(tmp_path, {**SLS, "pillar/p.sls": "kept: 1", "hier/m.yml": "wrong: ending"})
    assert made.outcome == "ok"
    assert [one.code for one in made.diagnostics] == ["no-minion-file"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"hierarchy_pillar.data_path": "none"}, "there is no folder none"),
        ({"hierarchy_pillar.data_path": 5}, "`hierarchy_pillar.data_path` is no text"),
        ({"hierarchy_pillar.keys": None}, "`hierarchy_pillar.keys` is no list of keys"),
        ({"hierarchy_pillar.keys": [[]]}, "`hierarchy_pillar.keys` is no list of keys"),
        ({"hierarchy_pillar.neighbour_key": {}}, "`hierarchy_pillar.neighbour_key` is no key"),
    ],
    ids=["no folder", "number", "no keys", "list as a key", "mapping as a key"],
)
def test_malformed_options(options: dict[str, Any], words: str, tmp_path: Path) -> None:
    made = compile_one(tmp_path, {"m": "a: 1"}, **options)
    assert [message for _, message, _ in said(made)] == [FAILS + words]
    assert (made.outcome, plain(made.tree)) == ("partial", {})


def test_a_file_nearer_the_top_wins_then_the_folder_of_the_first_name(tmp_path: Path) -> None:
    files = {
        "m": "_merge: [one, two]",
        "one": "at: top",
        "hier/a/one.yaml": "at: below",
        "hier/b/two.yaml": "two: b",
        "hier/a/deep/two.yaml": "two: a",
    }
    assert plain(compile_one(tmp_path, files).tree) == {
        "_merge": ["one", "two"],
        "at": "top",
        "two": "a",
    }


def test_nothing_out_of_reach_is_read(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "secret.yaml").write_text("k: hunter2")
    tree = tmp_path / "tree"
    (tree / "hier").mkdir(parents=True)
    (tree / "hier" / "m.yaml").symlink_to(tmp_path / "out" / "secret.yaml")
    (tree / "hier" / "out").symlink_to(tmp_path / "out")
    linked = compile_one(tree, {"a": ""})
    assert plain(linked.tree) == {}
    assert linked.diagnostics
    (tree / "hier" / "m.yaml").unlink()
    folder = compile_one(tree, {"m": "_merge: secret"})
    assert [message for _, message, _ in said(folder)] == [FAILS + "there is no file secret.yaml"]


@pytest.mark.parametrize("path", ["..", "/", "../out"])
def test_a_data_path_out_of_reach_is_told(path: str, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "m.yaml").write_text("k: hunter2")
    made = compile_one(tmp_path / "tree", {}, **{"hierarchy_pillar.data_path": path})
    assert [code for code, _, _ in said(made)] == ["ext-pillar-error"]
    assert (made.outcome, made.errors, plain(made.tree)) == ("partial", (), {})


@pytest.mark.sample(1)
@pytest.mark.parametrize("key", ["_merge", "_neighbours"])
def test_files_that_double_or_go_on_end_within_the_limits(key: str, tmp_path: Path) -> None:
    doubles = {f"{side}{n}": f"{key}: [a{n + 1}, b{n + 1}]" for n in range(30) for side in "ab"}
    made = compile_one(tmp_path, {"m": f"{key}: [a0, b0]", **doubles, "a30": "x: 1", "b30": "y: 1"})
    assert (made.outcome == "ok") == (key == "_merge")
    chain = {f"c{n}": f"{key}: [c{n + 1}]" for n in range(400)}
    long = compile_one(tmp_path / "long", {"m": f"{key}: [c0]", **chain, "c400": "x: 1"})
    assert said(long)[0][1] == FAILS + "more than 100 files name one another"


def test_one_minion_leaves_nothing_to_the_next(tmp_path: Path) -> None:
    write_files(
        tmp_path,
        {
            "master": master(),
            "minions.yml": "minions: {m: {}, n: {}, o: {}}\n",
            "hier/m.yaml": "_merge: up\nl: [m]\n",
            "hier/n.yaml": "_merge: up\n_neighbours: [m]\nl: [n]\n",
            "hier/o.yaml": "_merge: up\n",
            "hier/up.yaml": "l: &l [up]\nk: *l\n",
        },
    )
    alone = {}
    for minion in ("m", "n", "o"):
        with open_fleet(tmp_path) as fleet:
            alone[minion] = plain(fleet.compile(minion).tree)
    with open_fleet(tmp_path) as fleet:
        for minion in ("o", "n", "m", "n", "o"):
            assert plain(fleet.compile(minion).tree) == alone[minion]
    assert alone["o"] == {"_merge": "up", "l": ["up"], "k": ["up"]}
