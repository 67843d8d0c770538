"""PillarStack by itself, on the conformance cases and for the origins of its values."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jinja2
import pytest
import yaml
from tests.support.fleets import write_files
from tests.support.stack import as_tree, context_of, new_stack

from pillarbook.compile.merge import Merger, MergeRules
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.model import Leaf, MapNode, Node, leaves, plain, to_tagged

CASES = Path(__file__).parents[2] / "cases" / "stack"
ELSEWHERE = {"ext-pillar-first", "pillar-keys-removed"}  # need the whole compile
FAILS = "Failed to load ext_pillar stack: "
RENDER = "Stack pillar template render error in a.yml:\n"
KINDS = "dict_keys(['pillar', 'grains', 'opts'])"


def sls_pillar(folder: Path, grains: Mapping[str, Any]) -> dict[str, Any]:
    files = sorted((folder / "pillar").glob("*.sls")) if (folder / "pillar").is_dir() else []
    pillar: dict[str, Any] = {}
    for file in files:
        if file.name != "top.sls":
            text = jinja2.Environment(autoescape=False).from_string(file.read_text())  # noqa: S701
            pillar.update(yaml.safe_load(text.render(grains=grains)))
    return pillar


def compile_minion(folder: Path, minion: str, declared: Mapping[str, Any]) -> Any:
    stack = new_stack()
    options = yaml.safe_load((folder / "master").read_text())
    merger = Merger(MergeRules("recurse", bool(options.get("pillar_merge_lists"))), None)
    pillar = as_tree(sls_pillar(folder, {"id": minion, **declared.get("grains", {})}))
    errors = []
    for entry in options["ext_pillar"]:
        context = context_of(folder, minion=minion, declared=declared, pillar=pillar)
        try:
            given = stack(context, entry["stack"])
        except RenderError as error:
            errors.append(f"{FAILS}{error}")
            continue
        assert isinstance(given, MapNode)
        pillar = merger.merge(pillar, given) if given.items else pillar
    data = plain(pillar)
    return {**data, "_errors": errors} if errors else data


@pytest.mark.parametrize(
    "case", sorted({path.parent.name for path in CASES.glob("*/master")} - ELSEWHERE)
)
def test_a_case_gives_what_salt_gives(case: str) -> None:
    folder = CASES / case
    declared = yaml.safe_load((folder / "minions.yml").read_text())["minions"]
    made = {
        minion: compile_minion(folder, minion, given or {}) for minion, given in declared.items()
    }
    expected = json.loads((folder / "expected.json").read_text())
    assert json.dumps(to_tagged(made)) == json.dumps(expected)


def run(folder: Path, files: Mapping[str, str], config: Any = "stack.cfg", **given: Any) -> MapNode:
    made = new_stack()(context_of(write_files(folder, files), **given), config)
    assert isinstance(made, MapNode)
    return made


def chains(tree: Node) -> dict[str, list[str]]:
    """Return for each leaf the chain of its origins as ``file:line=value``."""
    return {
        ":".join(str(key) for key in path): [
            f"{origin.file}:{origin.line}={json.dumps(origin.value)}" for origin in origins
        ]
        for path, _, origins in leaves(tree)
    }


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        ("k: {a: 2}", {"k:a": ["a.yml:1=1", "b.yml:1=2"], "k:c": ["a.yml:1=8"]}),
        (
            "k: {__: overwrite, a: 2}",
            {"k:a": ["a.yml:1=1", "b.yml:1=2"]},
        ),
        ("k: {__: merge-first, a: 2}", {"k:a": ["b.yml:1=2", "a.yml:1=1"], "k:c": ["a.yml:1=8"]}),
        ("k: {__: remove, a: 9}", {"k:c": ["a.yml:1=8"]}),
        (
            "k: {__: remove, a: 9, c: 9}",
            {"k": ["a.yml:1=1", "a.yml:1=8", "a.yml:1={}", "b.yml:1={}"]},
        ),
        ("k: text", {"k": ["a.yml:1=1", "a.yml:1=8", 'b.yml:1="text"']}),
        ("k: [3, 4]", {f"k:{n}": ["a.yml:1=1", "a.yml:1=8", f"b.yml:1={n + 3}"] for n in (0, 1)}),
    ],
    ids=["merge-last", "overwrite", "merge-first", "remove", "remove all", "text", "list"],
)
def test_origins_of_what_meets_a_mapping(
    second: str, expected: dict[str, list[str]], tmp_path: Path
) -> None:
    files = {"stack.cfg": "a.yml\nb.yml", "a.yml": "k: {a: 1, c: 8}", "b.yml": second}
    assert chains(run(tmp_path, files)) == expected


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        ("[2]", {"k:0": ["a.yml:1=0"], "k:1": ["a.yml:1=1"], "k:2": ["b.yml:1=2"]}),
        (
            "[{__: merge-first}, 2]",
            {"k:0": ["b.yml:1=2"], "k:1": ["a.yml:1=0"], "k:2": ["a.yml:1=1"]},
        ),
        ("[{__: remove}, 0]", {"k:0": ["a.yml:1=1"]}),
        ("[{__: overwrite}, 2]", {"k:0": ["a.yml:1=0", "a.yml:1=1", "b.yml:1=2"]}),
        ("{x: 2}", {"k:x": ["a.yml:1=0", "a.yml:1=1", "b.yml:1=2"]}),
    ],
    ids=["merge-last", "merge-first", "remove", "overwrite", "mapping"],
)
def test_origins_of_what_meets_a_list(
    second: str, expected: dict[str, list[str]], tmp_path: Path
) -> None:
    files = {"stack.cfg": "a.yml\nb.yml", "a.yml": "k: [0, 1]", "b.yml": f"k: {second}"}
    assert chains(run(tmp_path, files)) == expected


def test_a_removed_value_stays_in_the_chain_of_who_sets_the_key_again(tmp_path: Path) -> None:
    files = {
        "stack.cfg": "a.yml\nb.yml\nc.yml",
        "a.yml": "k: 1",
        "b.yml": "__: remove\nk:",
        "c.yml": "\nk: 3",
    }
    assert chains(run(tmp_path, files)) == {"k": ["a.yml:1=1", "c.yml:2=3"]}


def test_origins_are_template_lines_and_name_the_stack(tmp_path: Path) -> None:
    files = {
        "stack.cfg": "{% for name in ['a'] %}\n{{ name }}.yml\n{% endfor %}",
        "a.yml": "{% set n = 4 %}\n{% if n %}\n\nk: {{ n }}\n{% endif %}\nlast: x\n",
    }
    made = run(tmp_path, files)
    assert chains(made) == {"k": ["a.yml:4=4"], "last": ['a.yml:6="x"']}
    leaf = made.items["k"]
    assert isinstance(leaf, Leaf)
    assert (leaf.origins[0].sls, leaf.origins[0].saltenv) == ("ext_pillar:stack", None)


def test_what_a_template_writes_names_the_line_that_wrote_it(tmp_path: Path) -> None:
    files = {
        "stack.cfg": "a.yml\nb.yml\nc.yml",
        "a.yml": "k: 1\nl: [1]\ngone: 1\nm: {x: 1}",
        "b.yml": (
            "{% do stack.update({'k': 2}) %}\n{% do stack['l'].insert(0, 7) %}\n"
            "{% do stack.pop('gone') %}\n{% do stack.m.update({'deep': {'y': [1]}}) %}\n"
        ),
        "c.yml": "k: 3\ngone: 3\nm: {deep: {y: [2]}}",
    }
    assert chains(run(tmp_path, files)) == {
        "k": ["a.yml:1=1", "b.yml:1=2", "c.yml:1=3"],
        "l:0": ["b.yml:2=7"],
        "l:1": ["a.yml:2=1"],
        "gone": ["a.yml:3=1", "c.yml:2=3"],
        "m:x": ["a.yml:4=1"],
        "m:deep:y:0": ["b.yml:4=1"],
        "m:deep:y:1": ["c.yml:3=2"],
    }


def test_an_alias_stays_one_object(tmp_path: Path) -> None:
    files = {
        "stack.cfg": "a.yml\nb.yml\nc.yml",
        "a.yml": "one: &x {k: 1}\ntwo: *x\n",
        "b.yml": "one: {more: 2}\n",
        "c.yml": "three: &y [{__: overwrite}, {__: remove}, 1]\nfour: *y\n",
    }
    made = run(tmp_path, files)
    assert plain(made) == {
        "one": {"k": 1, "more": 2},
        "two": {"k": 1, "more": 2},
        "three": [1],
        "four": [1],
    }
    aliases = [node.alias for node in made.items.values() if not isinstance(node, Leaf)]
    assert aliases == [1, 1, 2, 2]
    assert made.shared


def test_grains_put_into_the_stack_are_plain_data(tmp_path: Path) -> None:
    files = {"stack.cfg": "a.yml", "a.yml": "{% do stack.update({'g': __grains__.net}) %}"}
    made = run(tmp_path, files, declared={"grains": {"net": {"ip": ["::1"]}}})
    assert plain(made) == {"g": {"ip": ["::1"]}}


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"nonsense": {}}, "not enough values to unpack (expected 2, got 1)"),
        ({"pillar:x": "a.cfg"}, "'str' object has no attribute 'get'"),
        ({"pillar:x": None}, "argument of type 'NoneType' is not iterable"),
        ({"grains:id": {"m": 5}}, "'int' object has no attribute 'replace'"),
        (
            {"mine:x": {}},
            f'Unknown traverse option "mine", should be one of {KINDS}',
        ),
        (None, "stat: path should be string, bytes, os.PathLike or integer, not NoneType"),
        ([{}], "stat: path should be string, bytes, os.PathLike or integer, not dict"),
    ],
    ids=[
        "no colon",
        "text",
        "null",
        "number as a path",
        "unknown kind",
        "nothing",
        "mapping in a list",
    ],
)
def test_malformed_options(config: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(RenderError) as caught:
        run(tmp_path, {}, config)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("files", "message", "place"),
    [
        ({"stack.cfg": "\n{{ nothing.deeper }}"}, "'nothing' is undefined", ("stack.cfg", 2)),
        ({"stack.cfg": "[1]"}, "'int' object has no attribute 'strip'", None),
        (
            {"stack.cfg": "a.yml", "a.yml": "\n\n{{ 1 / 0 }}"},
            f'{RENDER}"division by zero"',
            ("a.yml", 3),
        ),
        (
            {"stack.cfg": "a.yml", "a.yml": "{% if %}"},
            f"{RENDER}\"Expected an expression, got 'end of statement block'\"",
            ("a.yml", 1),
        ),
        (
            {"stack.cfg": "a.yml", "a.yml": "{% include 'none' %}"},
            f"{RENDER}\"'none' not found in search path: '.'\"",
            ("a.yml", 1),
        ),
        (
            {"stack.cfg": "sub", "sub/a.yml": ""},
            "Stack pillar template render error in sub:\n\"'sub' not found in search path: '.'\"",
            ("sub", None),
        ),
        (
            {"c/stack.cfg": "../a.yml", "a.yml": ""},
            'Stack pillar template render error in c/../a.yml:\n"../a.yml"',
            ("c/../a.yml", None),
        ),
    ],
    ids=["config", "number listed", "file", "syntax", "include", "folder", "outside"],
)
def test_errors(
    files: dict[str, str], message: str, place: tuple[str, int | None] | None, tmp_path: Path
) -> None:
    with pytest.raises(RenderError) as caught:
        run(tmp_path, files, next(iter(files)))
    assert str(caught.value) == message
    assert caught.value.place == place


def test_an_error_in_the_yaml_quotes_the_text_to_salt_only(tmp_path: Path) -> None:
    with pytest.raises(RenderError) as caught:
        run(tmp_path, {"stack.cfg": "a.yml", "a.yml": "password: 'hunter2\n"})
    assert str(caught.value).startswith("Stack pillar yaml parsing error in a.yml:\nwhile scanning")
    assert "hunter2" in str(caught.value)
    assert caught.value.clean == "a.yml is not YAML: found unexpected end of stream"


def test_an_error_in_the_yaml_is_at_a_line_of_the_file(tmp_path: Path) -> None:
    text = "{% set x = 1 %}\n{% set y = 2 %}\na: {{ x }}\nb: [\nc: *y\n"
    with pytest.raises(RenderError) as caught:
        run(tmp_path, {"stack.cfg": "a.yml", "a.yml": text})
    assert caught.value.place == ("a.yml", 5)


@pytest.mark.parametrize("item", ["../../*", "/etc/host*", "link.yml"])
def test_nothing_out_of_reach_is_read(item: str, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("k: 1")
    folder = tmp_path / "tree" / "stack"
    folder.mkdir(parents=True)
    (folder / "link.yml").symlink_to(tmp_path / "secret")
    with pytest.raises(RenderError, match="out of reach"):
        run(folder.parent, {"stack/stack.cfg": item}, "stack/stack.cfg")


def test_each_file_looked_for_is_noted(tmp_path: Path) -> None:
    looked_for: list[Path] = []
    files = {
        "stack.cfg": "a.yml\nnone.yml\nd/*.yml",
        "a.yml": "{% include 'b.txt' %}",
        "b.txt": "k: 1",
        "d/x.yml": "",
    }
    run(tmp_path, files, ["stack.cfg", "other.cfg"], looked_for=looked_for)
    names = {path.relative_to(tmp_path).as_posix() for path in looked_for}
    assert names == {"stack.cfg", "a.yml", "b.txt", "none.yml", "d", "d/x.yml", "other.cfg"}


def test_one_minion_leaves_nothing_to_the_next(tmp_path: Path) -> None:
    (tmp_path / "stack.cfg").write_text("a.yml\n")
    (tmp_path / "lib.jinja").write_text(
        "{% set who = minion_id %}{% macro say() %}{{ who }}{% endmacro %}"
    )
    (tmp_path / "a.yml").write_text(
        "{% from 'lib.jinja' import say %}\nwho: {{ say() }}\nl: [{{ minion_id }}]\n"
    )
    stack = new_stack()
    made = [stack(context_of(tmp_path, minion=name), "stack.cfg") for name in ("one", "two", "one")]
    assert [plain(tree) for tree in made if tree is not None] == [
        {"who": name, "l": [name]} for name in ("one", "two", "one")
    ]
