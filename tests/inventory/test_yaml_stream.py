"""The event reader gives what PyYAML's SafeLoader gives, and knows its lines."""

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from tests.support.tiers import fewer

from pillarbook.inventory.yaml_stream import YamlStream


def read(text: str) -> Any:
    stream = YamlStream(text)
    root = stream.root()
    value = None if root is None else stream.plain(root)
    if root is not None:
        stream.finish()
    return value


def lines_of(text: str) -> dict[Any, int]:
    stream = YamlStream(text)
    root = stream.root()
    assert root is not None
    return dict(stream.located(root).lines)


DOCUMENTS = {
    "scalars": "a: 1\nb: 1.5\nc: yes\nd: ~\ne:\nf: text\ng: '1'\nh: \"yes\"\n",
    "numbers": "a: 0755\nb: 0x1F\nc: 1_000\nd: 190:20:30\ne: .inf\nf: -.INF\ng: 0b11\nh: 1e3\n",
    "dates": "a: 2020-01-31\nb: 2020-01-31 10:20:30\nc: '2020-01-31'\n",
    "number keys": "1: a\ntrue: b\n2020-01-31: c\n~: d\n",
    "blocks": "a: |\n  one\n  two\nb: >-\n  one\n  two\n",
    "flow": "{a: [1, {b: c}, []], d: {}}",
    "anchors": "a: &x [1, {b: 2}]\nc: *x\nd: [*x, *x]\n",
    "anchored scalar": "a: &x 5\nb: *x\n*x : key\n",
    "merge": "a: &x {k: 1, l: 2}\nb: {<<: *x, k: 3, m: 4}\n",
    "merge before and after": "a: &x {k: 1}\nb:\n  z: 0\n  <<: *x\n  y: 9\n",
    "merge list": "a: &x {k: 1}\nb: &y {k: 2, l: 3}\nc: {<<: [*x, *y]}\nd: {<<: [*y, *x]}\n",
    "merge twice": "a: &x {k: 1}\nb: &y {k: 2}\nc:\n  <<: *x\n  <<: *y\n",
    "merge of a merge": "a: &x {k: 1}\nb: &y {<<: *x, l: 2}\nc: {<<: *y}\n",
    "merge in a literal": "c: {<<: {k: 1}, l: 2}\n",
    "quoted merge key": "a: {'<<': 1}\n",
    "same key twice": "a: 1\nb: 2\na: 3\n",
    "value key": "=: 1\n",
    "tags": "a: !!str 5\nb: !!int '5'\nc: !!float 1\nd: !!binary aGk=\ne: ! 5\nf: !!null ''\n",
    "container tags": "a: !!set {x, y}\nb: !!omap [x: 1]\nc: !!pairs [x: 1, x: 2]\nd: !!map {}\n",
    "sequence at the top": "- 1\n- [2]\n",
    "empty": "",
    "comment only": "# nothing\n",
    "with marks": "---\na: 1\n...\n",
    "directive": "%YAML 1.1\n---\na: 1\n",
    "deep": "a: {b: {c: {d: {e: [[[1]]]}}}}\n",
    "unicode": "a: ümläut ☃\n",
}


@pytest.mark.parametrize("text", DOCUMENTS.values(), ids=DOCUMENTS.keys())
def test_reads_what_pyyaml_reads(text: str) -> None:
    wanted = yaml.safe_load(text)
    assert read(text) == wanted
    assert repr(read(text)) == repr(wanted)  # key order and types too
    stream = YamlStream(text)
    root = stream.root()
    assert root is None or repr(stream.located(root).value) == repr(wanted)


BROKEN = {
    "tab": "a:\n\tb: 1\n",
    "unclosed": "a: [1, 2\n",
    "undefined alias": "a: *x\n",
    "duplicate anchor": "a: &x 1\nb: &x 2\n",
    "list as a key": "? [a]\n: 1\n",
    "mapping as a key": "? {a: b}\n: 1\n",
    "python tag": "a: !!python/object/apply:os.system ['true']\n",
    "unknown tag": "a: !secret x\n",
    "unknown tag on a mapping": "a: !secret {}\n",
    "merge of a scalar": "a: {<<: 1}\n",
    "merge of a list of scalars": "a: {<<: [1]}\n",
    "two documents": "a: 1\n---\nb: 2\n",
    "control character": "a: \x01\n",
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN.keys())
def test_refuses_what_pyyaml_refuses(text: str) -> None:
    with pytest.raises(yaml.YAMLError):
        yaml.safe_load(text)
    with pytest.raises(yaml.YAMLError):
        read(text)


def test_refuses_a_value_that_contains_itself() -> None:
    with pytest.raises(yaml.YAMLError, match="contains itself"):
        read("a: &x [*x]\n")


@pytest.mark.slow
def test_stops_at_an_alias_bomb() -> None:
    levels = ["a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    levels += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    with pytest.raises(yaml.YAMLError, match="aliases expand to more than"):
        read("\n".join(levels))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a: 1\nb:\n  - x\n  - y\n", {(): 1, ("a",): 1, ("b",): 3, ("b", 0): 3, ("b", 1): 4}),
        ("a: &x\n  k: 1\nb: *x\n", {(): 1, ("a",): 1, ("a", "k"): 2, ("b",): 1, ("b", "k"): 2}),
        (
            "a: &x\n  k: 1\n  l: 2\nb:\n  <<: *x\n  l: 3\n",
            {(): 1, ("a",): 1, ("a", "k"): 2, ("a", "l"): 3}
            | {("b",): 5, ("b", "k"): 2, ("b", "l"): 6},
        ),
        ("\na: |\n  text\n", {(): 2, ("a",): 2}),
        ("a: {}\nb: []\n", {(): 1, ("a",): 1, ("b",): 2}),
    ],
    ids=["plain", "an alias leads to its literal", "merge", "block", "empty containers"],
)
def test_knows_the_line_of_every_value(text: str, wanted: dict[Any, int]) -> None:
    assert lines_of(text) == wanted


SCALARS = st.none() | st.booleans() | st.integers() | st.text() | st.dates()
TREES = st.recursive(
    SCALARS,
    lambda below: st.lists(below, max_size=4) | st.dictionaries(st.text(), below, max_size=4),
    max_leaves=20,
)


@fewer(4)
@given(TREES)
def test_reads_any_tree_that_pyyaml_writes(tree: Any) -> None:
    text = yaml.dump(tree, Dumper=yaml.CSafeDumper, sort_keys=False, allow_unicode=True)
    assert read(text) == yaml.safe_load(text)


def test_equal_members_are_one_object_and_others_stay_apart() -> None:
    text = "a: {x: {k: [v, 1]}}\nb: {x: {k: [v, 1]}}\nc: {x: {k: [v, true]}}\nd: {x: {1: [v, 1]}}\n"
    found = read(text + "e: {x: {true: [v, 1]}}\nf: {x: {k: [v, '1']}}\n")
    assert found == yaml.safe_load(text + "e: {x: {true: [v, 1]}}\nf: {x: {k: [v, '1']}}\n")
    assert found["a"]["x"] is found["b"]["x"]
    parts = [found[name]["x"] for name in "acdef"]
    assert len({id(one) for one in parts}) == len(parts)


def test_keys_and_values_of_many_mappings_are_one_object() -> None:
    many = list(read("".join(f"m{at}: {{os: Debian, at: {at}}}\n" for at in range(9))).values())
    assert len({id(key) for one in many for key in one}) == 2
    assert len({id(one["os"]) for one in many}) == 1
