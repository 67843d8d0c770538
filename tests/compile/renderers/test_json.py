"""JSON documents: the lines behind the values, and how faults are worded."""

import math
from typing import Any

import pytest

from pillarbook.compile.limits import Limits
from pillarbook.compile.renderers import json
from pillarbook.compile.renderers.gpg_decryptor import SealedDecryptor
from pillarbook.compile.renderers.render_context import RenderContext
from pillarbook.compile.renderers.render_errors import LimitExceeded, RenderError
from pillarbook.compile.renderers.source_text import Segment, SourceText
from pillarbook.model import Leaf, ListNode, MapNode, Node, leaves, plain


def render(text: str | SourceText, limits: Limits | None = None) -> Node:
    source = SourceText.of_file(text, "f.sls") if isinstance(text, str) else text
    context = RenderContext(
        "f.sls", "/f.sls", "f", "base", {}, limits or Limits(), SealedDecryptor()
    )
    return json.render(context, source, "")


@pytest.mark.parametrize(
    ("text", "data"),
    [
        pytest.param(
            '{"a": {"x": 1}, "b": [1, [], {}]}', {"a": {"x": 1}, "b": [1, [], {}]}, id="all"
        ),
        pytest.param('{"a": 1, "b": 2, "a": 3}', {"a": 3, "b": 2}, id="equal-keys"),
        pytest.param(
            '{"n": null, "t": true, "f": false, "x": -1.5e3, "big": 123456789012345678901}',
            {"n": None, "t": True, "f": False, "x": -1500.0, "big": 123456789012345678901},
            id="scalars",
        ),
        pytest.param(
            r'{"a\"b": "x\ny \u00e9 \ud83d\ude00 {[,:]} \\"}',
            {'a"b': "x\ny é 😀 {[,:]} \\"},
            id="escapes",
        ),
        pytest.param('#!json\n{"a": 1}', {"a": 1}, id="shebang"),
        pytest.param("#!json\n\n \n", {}, id="blank"),
        pytest.param("[1, 2]", [1, 2], id="list"),
        pytest.param('"x"', "x", id="text"),
        pytest.param("0", 0, id="number"),
    ],
)
def test_data(text: str, data: Any) -> None:
    assert repr(plain(render(text))) == repr(data)


def test_numbers_that_are_none() -> None:
    tree = render("[NaN, -Infinity]")
    assert isinstance(tree, ListNode)
    nan, infinity = (item.value for item in tree.items if isinstance(item, Leaf))
    assert math.isnan(nan)
    assert infinity == -math.inf


def test_mappings_are_plain() -> None:
    tree = render('{"a": {}}')
    assert isinstance(tree, MapNode)
    inner = tree.items["a"]
    assert isinstance(inner, MapNode)
    assert (tree.kind, inner.kind) == ("plain", "plain")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        pytest.param('#!json\n{"a": 1,\n "b":\n [true,\n\n {}]}', [[2], [4], [6]], id="as-written"),
        pytest.param('{"a": 1,\n"b": 0,\n"a": 2}', [[1, 3], [2]], id="equal-keys"),
        pytest.param('{"a": {"x": 1,\n"y": 2},\n"a": []}', [[1, 2, 3]], id="equal-key-of-a-map"),
        pytest.param('{"a": "x\\ny{",\n "b\\u000a": 1}', [[1], [2]], id="escaped-line-feeds"),
        pytest.param("\n\n", [[1]], id="blank"),
    ],
)
def test_lines(text: str, lines: list[list[int]]) -> None:
    told = [[origin.line for origin in origins] for _, _, origins in leaves(render(text))]
    assert told == lines


def test_value_that_is_secret_in_the_text_is_marked() -> None:
    source = SourceText.of_file('{"a": 1, "b": "PGP", "c": [2, null]}', "f.sls")
    source = source.splice(15, 18, "open, {sesame}", "gpg renderer")
    tree = render(source)
    secrets = [leaf.secret for _, leaf, _ in leaves(tree) if isinstance(leaf, Leaf)]
    assert plain(tree) == {"a": 1, "b": "open, {sesame}", "c": [2, None]}
    assert secrets == [None, "gpg renderer", None, None]


def test_container_begins_at_its_key() -> None:
    (found,) = leaves(render('{"a":\n {}}'))
    assert found[2][0].line == 1


def test_lines_are_those_of_the_template() -> None:
    source = SourceText(
        '{"a": 1,\n"b": 2}',
        (Segment(0, "f.sls", 7, verbatim=True), Segment(9, "map.jinja", 20, verbatim=False)),
    )
    places = [(origins[0].file, origins[0].line) for _, _, origins in leaves(render(source))]
    assert places == [("f.sls", 7), ("map.jinja", 20)]


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        pytest.param(
            '#!json\n{"a": 1,}',
            "Expecting property name enclosed in double quotes: line 1 column 9 (char 8)",
            2,
            id="comma",
        ),
        pytest.param(
            '{\n"a" 1}', "Expecting ':' delimiter: line 2 column 5 (char 6)", 2, id="colon"
        ),
        pytest.param("[1] 2", "Extra data: line 1 column 5 (char 4)", 1, id="extra"),
        pytest.param("[1,\n", "Expecting value: line 2 column 1 (char 4)", 1, id="end"),
        pytest.param("#!json", "Expecting value: line 1 column 1 (char 0)", 1, id="only-shebang"),
        pytest.param(
            '{"a":\n "x\ny"}',
            "Invalid control character at: line 2 column 4 (char 9)",
            2,
            id="line-feed-in-text",
        ),
    ],
)
def test_errors(text: str, message: str, line: int) -> None:
    with pytest.raises(RenderError) as caught:
        render(text)
    assert str(caught.value) == message
    assert caught.value.place == ("f.sls", line)


@pytest.mark.parametrize(
    ("data", "name"),
    [
        pytest.param(MapNode({}, ()), "collections.OrderedDict", id="ordered"),
        pytest.param(MapNode({}, (), kind="plain"), "dict", id="plain"),
        pytest.param(MapNode({}, (), kind="sls"), "SLSMap", id="yamlex"),
        pytest.param(ListNode((), ()), "list", id="list"),
        pytest.param(Leaf(5, ()), "int", id="scalar"),
    ],
)
def test_data_of_another_renderer_is_refused(data: Node, name: str) -> None:
    context = RenderContext("f.sls", "/f.sls", "f", "base", {}, Limits(), SealedDecryptor())
    with pytest.raises(RenderError) as caught:
        json.render(context, data, "")
    assert str(caught.value) == f"'{name}' object has no attribute 'read'"


def test_nesting_without_end() -> None:
    with pytest.raises(RenderError, match="maximum recursion depth exceeded"):
        render("[" * 100_000)


def test_nodes_are_counted() -> None:
    assert isinstance(render("[1, 2]", Limits(nodes=3)), ListNode)
    with pytest.raises(LimitExceeded, match="the JSON has more than 2 nodes"):
        render("[1, 2]", Limits(nodes=2))
