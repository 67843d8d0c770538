"""yamlex documents: what repeated keys become, which line says so, and how faults are worded."""

from datetime import date
from typing import Any

import pytest

from pillarbook.compile.limits import Limits
from pillarbook.compile.renderers import yamlex
from pillarbook.compile.renderers.gpg_decryptor import SealedDecryptor
from pillarbook.compile.renderers.render_context import RenderContext
from pillarbook.compile.renderers.render_errors import LimitExceeded, RenderError
from pillarbook.compile.renderers.source_text import Segment, SourceText
from pillarbook.model import Leaf, ListNode, MapNode, Node, leaves, plain


def render(text: str, limits: Limits | None = None) -> Node:
    context = RenderContext(
        "f.sls", "/f.sls", "f", "base", {}, limits or Limits(), SealedDecryptor()
    )
    return yamlex.render(context, SourceText.of_file(text, "f.sls"), "")


@pytest.mark.parametrize(
    ("text", "data"),
    [
        pytest.param("a: one\na: two", {"a": "two"}, id="scalar-replaces"),
        pytest.param("a: {x: 1}\na: {y: 2}", {"a": {"y": 2}}, id="map-replaces"),
        pytest.param(
            "a: {x: {p: 1}, y: 1}\na: {x: {q: 2}}", {"a": {"x": {"q": 2}}}, id="map-replaces-deep"
        ),
        pytest.param("a: [1]\na: [2]", {"a": []}, id="untagged-list-is-lost"),
        pytest.param("a: !aggregate [1]\na: [2]", {"a": []}, id="untagged-list-after-tagged"),
        pytest.param("a: 1\na: [1]\nb: [2]", {"a": [], "b": [2]}, id="untagged-list-after-scalar"),
        pytest.param(
            "a: {l: [1], m: {x: 1}}\na: {l: [2], m: {y: 2}, n: [3]}",
            {"a": {"l": [], "m": {"y": 2}, "n": [3]}},
            id="untagged-list-in-repeated-map",
        ),
        pytest.param(
            "d: &d {l: [1], s: x}\ne: {<<: *d, l: [3]}\nf: *d",
            {"d": {"l": [1], "s": "x"}, "e": {"l": [], "s": "x"}, "f": {"l": [1], "s": "x"}},
            id="merge-key",
        ),
        pytest.param(
            "a: !aggregate [x]\na: !aggregate [y, x]\na: !aggregate z",
            {"a": ["x", "y", "z"]},
            id="lists-gather",
        ),
        pytest.param(
            "a: !aggregate {x: {p: 1}}\na: !aggregate {x: {q: 2}, y: 3}",
            {"a": {"x": {"q": 2}, "y": 3}},
            id="maps-gather",
        ),
        pytest.param("a: !aggregate [x]\na: y", {"a": "y"}, id="untagged-replaces-tagged"),
        pytest.param("a: !aggregate\nb: !aggregate ~", {"a": [], "b": []}, id="null-gathers"),
        pytest.param("a: !aggregate '42'", {"a": [42]}, id="quotes-do-not-count"),
        pytest.param("!aggregate a: [1]\n!aggregate a: [2]", {"a": [1, 2]}, id="tag-on-the-key"),
        pytest.param(
            "a: !aggregate [x]\n!reset a: !aggregate [y]\na: !aggregate [z]",
            {"a": ["y", "z"]},
            id="reset",
        ),
        pytest.param("a: !reset [1]", {"a": [1]}, id="reset-on-a-value"),
        pytest.param("a: !!map {x: 1, x: 2}", {"a": {"x": 2}}, id="plain-map"),
        pytest.param("a: !!set {q, r}", {"a": {"q", "r"}}, id="set"),
        pytest.param("a: !!pairs [x: 1, y: [2]]", {"a": [("x", 1), ("y", [2])]}, id="pairs"),
        pytest.param("=: 3\na: {=: 4}", {"=": 3, "a": {"=": 4}}, id="value-key"),
        pytest.param("0644: 0644", {644: 644}, id="leading-zero"),
        pytest.param("a: -010\nb: 1_000\nc: 0", {"a": -10, "b": 1000, "c": 0}, id="ints"),
        pytest.param(
            "2001-02-03: 2001-02-03",
            {date(2001, 2, 3): date(2001, 2, 3)},
            id="dates",
        ),
        pytest.param("a: !!binary aGk=", {"a": b"hi"}, id="binary"),
        pytest.param("# nothing", {}, id="empty"),
        pytest.param("[]", {}, id="falsy"),
        pytest.param("- a", ["a"], id="list"),
    ],
)
def test_data(text: str, data: Any) -> None:
    tree = plain(render(text))
    assert tree == data
    assert repr(tree) == repr(data) or isinstance(data.get("a"), set)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        pytest.param("a: {}", {"": "sls", "a": "sls"}, id="map"),
        pytest.param("!aggregate {a: !!map {}}", {"": "aggregate", "a": "plain"}, id="tagged"),
        pytest.param("a: !aggregate {}", {"": "sls", "a": "aggregate"}, id="tagged-value"),
        pytest.param("a: !aggregate []", {"": "sls", "a": "aggregate"}, id="tagged-list"),
        pytest.param("a: []", {"": "sls", "a": "plain"}, id="list"),
        pytest.param("", {"": "plain"}, id="empty"),
    ],
)
def test_kinds(text: str, kinds: dict[str, str]) -> None:
    tree = render(text)
    assert isinstance(tree, MapNode)
    below = {key: item.kind for key, item in tree.items.items() if not isinstance(item, Leaf)}
    assert {"": tree.kind, **below} == kinds


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        pytest.param("a: 1\nb:\n  - x\n  - |\n    t\n    u\n", [[1], [3], [4]], id="as-written"),
        pytest.param("a: 1\n\na: 2", [[1, 3]], id="replaced"),
        pytest.param(
            "a: !aggregate\n  - x\na: !aggregate\n  - y\n  - x\n", [[5, 2], [4]], id="gathered"
        ),
        pytest.param("a: !aggregate {x: 1}\na: !aggregate {y: 2}", [[1], [2]], id="maps-gathered"),
        pytest.param("a: {x: 1,\n y: 1}\na: {y: 2}", [[1, 2, 3]], id="key-lost"),
        pytest.param("a: 1\n!reset a: 2", [[1, 2]], id="reset"),
        pytest.param("d: &d {x: 1}\ne:\n  <<: *d\n  y: 2\n", [[1], [1], [4]], id="merge-key"),
        pytest.param("d: &d {x: 1}\ne:\n  <<: *d\n  x: 2\n", [[1], [1, 4]], id="merged-key-lost"),
        pytest.param("d: &d\n  x: 1\ne: *d", [[2], [2]], id="alias"),
        pytest.param(
            "a: é\u2028b: \x85c: 1\nd: 2", [[1], [1], [1], [2]], id="breaks-that-files-do-not-count"
        ),
        pytest.param("a:\n  {}\nb: !aggregate\n  []", [[1], [3]], id="container-at-its-key"),
        pytest.param("\ufeffa: 1\nb: 2", [[1], [2]], id="byte-order-mark"),
    ],
)
def test_lines(text: str, lines: list[list[int]]) -> None:
    told = [[origin.line for origin in origins] for _, _, origins in leaves(render(text))]
    assert told == lines


def test_value_that_is_secret_in_the_text_is_marked() -> None:
    source = SourceText.of_file("a: 1\nb: !aggregate PGP\nc: [2, ~]\n", "f.sls")
    source = source.splice(19, 22, "open", "gpg renderer")
    context = RenderContext("f.sls", "/f.sls", "f", "base", {}, Limits(), SealedDecryptor())
    tree = yamlex.render(context, source, "")
    secrets = [leaf.secret for _, leaf, _ in leaves(tree) if isinstance(leaf, Leaf)]
    assert plain(tree) == {"a": 1, "b": ["open"], "c": [2, None]}
    assert secrets == [None, "gpg renderer", None, None]


def test_lines_are_those_of_the_template() -> None:
    source = SourceText(
        "a: 1\nb: 2\nc: 3\n",
        (
            Segment(0, "f.sls", 7, verbatim=True),
            Segment(5, "map.jinja", 20, verbatim=False),
            Segment(10, "f.sls", 9, verbatim=True),
        ),
    )
    context = RenderContext("f.sls", "/f.sls", "f", "base", {}, Limits(), SealedDecryptor())
    tree = yamlex.render(context, source, "")
    places = [(origins[0].file, origins[0].line) for _, _, origins in leaves(tree)]
    assert places == [("f.sls", 7), ("map.jinja", 20), ("f.sls", 9)]


def test_aliases_are_numbered_as_they_appear() -> None:
    tree = render("a: &x {in: &y {p: 1}}\nb: *x\nc: *y\nd: {}")
    assert isinstance(tree, MapNode)
    numbers = {key: item.alias for key, item in tree.items.items() if isinstance(item, MapNode)}
    assert numbers == {"a": 1, "b": 1, "c": 2, "d": 0}
    assert tree.shared


def test_gathered_copy_is_no_alias() -> None:
    tree = render("a: &x [1]\nb: *x\nb: !aggregate [2]")
    assert isinstance(tree, MapNode)
    item = tree.items["a"]
    assert isinstance(item, ListNode)
    assert item.alias == 0


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        pytest.param("a:\n  b: c: d", "Unknown yaml render error", 2, id="scanner"),
        pytest.param("a:\n\t- x", "Unknown yaml render error", 2, id="tab"),
        pytest.param(
            "a: [1\nb: 2",
            "while parsing a flow sequence\n"
            '  in "<file>", line 1, column 4\n'
            "did not find expected ',' or ']'\n"
            '  in "<file>", line 2, column 2',
            2,
            id="parser",
        ),
        pytest.param(
            "a: 1\nb: *c",
            'found undefined alias\n  in "<file>", line 2, column 4',
            2,
            id="composer",
        ),
        pytest.param(
            "a: 1\nb: !foo 1",
            "could not determine a constructor for the tag '!foo'\n"
            '  in "<file>", line 2, column 4',
            2,
            id="tag",
        ),
        pytest.param(
            "? [a]\n: 1",
            'While constructing a mapping   in "<file>", line 1, column 1'
            ' found unacceptable key   in "<file>", line 1, column 3',
            1,
            id="key",
        ),
        pytest.param(
            "a: !!omap [x: 1]",
            'expected a mapping node, but found sequence\n  in "<file>", line 1, column 4',
            1,
            id="omap",
        ),
        pytest.param(
            "a: !!map x",
            'expected a mapping node, but found scalar\n  in "<file>", line 1, column 4',
            1,
            id="map",
        ),
        pytest.param(
            "a: !!set {[x]: 1}",
            "while constructing a mapping\n"
            '  in "<file>", line 1, column 4\n'
            "found unhashable key\n"
            '  in "<file>", line 1, column 11',
            1,
            id="set",
        ),
        pytest.param(
            "x: 1\na: \x01",
            "unacceptable character #x0001: control characters are not allowed\n"
            '  in "<file>", position 8',
            2,
            id="reader",
        ),
        pytest.param(
            "a: 1\nb:\n  c: 0x1f",
            "invalid literal for int() with base 10: '0x1f'",
            3,
            id="hexadecimal",
        ),
        pytest.param(
            "a: 12:30", "invalid literal for int() with base 10: '12:30'", 1, id="base-60"
        ),
        pytest.param("a: 2001-13-45", "month must be in 1..12", 1, id="date"),
        pytest.param("a: !!bool maybe", "'maybe'", 1, id="bool"),
        pytest.param("a: !!int [1]", "'list' object has no attribute 'startswith'", 1, id="int"),
        pytest.param(
            "a: !!floaty 1",
            "SafeConstructor.construct_yaml_float() takes 2 positional arguments but 3 were given",
            1,
            id="letters-after-a-tag",
        ),
        pytest.param(
            "a: &a {b: *a}",
            'found unconstructable recursive node\n  in "<file>", line 1, column 4',
            1,
            id="map-in-itself",
        ),
        pytest.param("&a [*a]", "maximum recursion depth exceeded", 1, id="list-in-itself"),
    ],
)
def test_errors(text: str, message: str, line: int) -> None:
    with pytest.raises(RenderError) as caught:
        render(text)
    assert str(caught.value) == message
    assert caught.value.place == ("f.sls", line)


def test_data_of_another_renderer_is_refused() -> None:
    context = RenderContext("f.sls", "/f.sls", "f", "base", {}, Limits(), SealedDecryptor())
    with pytest.raises(RenderError, match="a string or stream input is required"):
        yamlex.render(context, MapNode({}, ()), "")


def test_nodes_are_counted_through_aliases() -> None:
    text = "a: &a [x, x, x]\nb: &b [*a, *a, *a]\nc: [*b, *b, *b]"
    assert isinstance(render(text, Limits(nodes=59)), MapNode)
    with pytest.raises(LimitExceeded, match="more than 57 nodes, aliases counted"):
        render(text, Limits(nodes=57))
