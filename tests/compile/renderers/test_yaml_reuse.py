"""A document that differs from one parsed before in words gives what parsing it gives."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pillarbook.compile.limits import Limits
from pillarbook.compile.renderers.source_text import Line, Segment, SourceText
from pillarbook.compile.renderers.yaml_loader import load_tree
from pillarbook.compile.renderers.yaml_outline import Outline, WordSpan
from pillarbook.compile.renderers.yaml_reuse import MAX_IDLE, ParsedDocuments, leave_out_words
from pillarbook.compile.renderers.yaml_scalars import DuplicateKeyError
from pillarbook.model import Leaf, MapNode, Node, Origin, leaves, plain

PLAIN_WORDS = (
    "web1 web-2.example.com yes no on off true null none y n 1 0 10 0644 1.5 1e3 1.0e+3 0x1f 0b11 "
    "1_000 2024-01-31 190:20:30 NaN a.b a_b 0o17 08 9.9.9 T- << = ~ x: #x 'q' [ ] a#b a:b -1 .5"
)
PRINTED = (
    "\n  u: web1\n  v: 8080",
    "\n  u: db1\n  v: yes",
    "\n  u: db1\n  w: no",
    "{u: x1, v: [y]}",
    "{u: z1, v: [a]}",
    "'s t'",
    '"s\\x41 t"',
    "u: v",
    "- u",
    "|\n  u\n  v",
    "http://web1:80/x",
    "http://db1.x:90/y",
)
"""What macros and filters print."""
WORDS = (
    *PLAIN_WORDS.split(" "),
    *PRINTED,
    "",
    "two words",
    "line\nfeed",
    "é",
    "x" * 120,
    "x" * 240,
)
DOCUMENTS = {
    "plain": "a: \0\nb: [1, \0]\n",
    "within": "a: web-\0.\0\nb: {c: x\0, d: \0y}\n",
    "quoted": "a: '\0'\nb: \"\0 and \0\"\nc: \0\n",
    "keys": "\0: 1\nb: \0\n",
    "same-key": "k: 1\n\0: 2\nb: \0\n",
    "comments": "# \0\na: \0 # \0\n",
    "blocks": "a: |\n  \0\n  x\nb: \0\nc: >\n  \0\n",
    "literal": "a:\n  b: |\n    x \0\n\n      \0\n    \0 y\n  c: \0\nd: |-\n  \0",
    "literal-ends": "a: |+\n  \0\n\n\nb: |-\n  x\0\n  # y\n# \0\nc: |\n  \0: \0\n",
    "literal-starts": "a: | # x\n  \0\nb: |2\n    \0\nc: |\n\n  \0\nd: |\n    \n  \0 x\ne: |\n  \0\n",
    "literal-items": "- |\n \0\n \tx\n- - |\n  \0  \n  y\n- k: |-\n   \0\n  \n  l: \0\n- !!str |\n  \0\n",
    "lists": "- a: \0\n- \0\n- [\0, {b: \0}]\n",
    "anchors": "a: &x\n  k: \0\nb: *x\n",
    "merge-keys": "a: &x {k: \0}\nb:\n  <<: *x\n  c: \0\n",
    "beside-anchors": "a: &x {k: [1]}\nb: *x\nc: \0\nd: [\0, *x, {e: \0}]\n",
    "beside-merge-keys": "a: &x {k: 1, l: [2]}\nb:\n  <<: *x\n  c: 1\nd: {e: \0, f: *x}\n",
    "alias-of-a-scalar": "a: &x \0\nb: *x\nc: \0\n",
    "alias-below": "a: &x {k: &y \0}\nb: {<<: *x}\nc: *y\nd: \0\n",
    "alias-of-a-key": "a: &x \0\n*x : 1\nd: \0\n&z k: \0\nl: *z\n",
    "several-merged": "a: &x {k: {l: \0}}\nb: {<<: [*x, {m: \0}]}\nd: \0\ne: {f: *x}\n",
    "doubled": "a: &a [\0]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]\ne: \0\n",
    "tags": "a: !!str \0\nb: !!int '\0'\nc: \0\n",
    "escapes": 'a: "\\\0"\nb: \0\n',
    "spread": "a: one\n  \0\nb: \0\n",
    "anchor-names": "a: &\0 1\nb: \0\n",
    "adjacent": "a: \0\0\nb: \0-\0\n",
}


def source(document: str, words: Sequence[str]) -> SourceText:
    """Return a document with words in its gaps, as a template would have printed it."""
    text, line, segments = "", 1, []
    for index, part in enumerate(document.split("\0")):
        if index and words[index - 1]:
            segments.append(Segment(len(text), "f.sls", line, verbatim=False))
            text += words[index - 1]
        if part:
            segments.append(Segment(len(text), "f.sls", line, verbatim=True))
        text += part
        line += part.count("\n")
    return SourceText(text, tuple(segments))


def load(data: SourceText) -> Node:
    tree = load_tree(data, new_origin, Limits())
    return MapNode({}, (new_origin(data.locate(0), {}),)) if tree is None else tree


def new_origin(place: Line, value: Any) -> Origin:
    return Origin(place[0], place[1], "s", "base", value)


def described(get: Any) -> Any:
    try:
        tree = get()
    except (yaml.YAMLError, ValueError) as error:
        return type(error)
    placed = [
        (path, type(getattr(node, "value", None)), [repr(one.place) for one in origins])
        for path, node, origins in leaves(tree)
    ]
    return repr(plain(tree)), placed, shape_of(tree)


def shape_of(node: Node) -> Any:
    """Return the containers of a tree with what says which of them are one object."""
    if isinstance(node, Leaf):
        return None
    below = node.items.values() if isinstance(node, MapNode) else node.items
    return node.kind, node.alias, node.shared, [shape_of(item) for item in below]


@pytest.mark.sample(8)
@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=DOCUMENTS)
@given(data=st.data())
def test_reuse_gives_what_parsing_gives(document: str, data: st.DataObject) -> None:
    parsed = ParsedDocuments()
    rows = st.lists(st.sampled_from(WORDS), min_size=5, max_size=5)
    for words in data.draw(st.lists(rows, min_size=2, max_size=6)):
        text = source(document, words)
        found = described(lambda text=text: parsed.find("s", "base", text, lambda: load(text)))
        assert found == described(lambda text=text: load(text)), text.text


@pytest.mark.parametrize(
    ("document", "value"),
    [
        (DOCUMENTS["within"], "web-{}.x"),
        ("a: |\n  of \0.\0\n\n    \0\n", "of {}.x\n\n  {}\n"),
        ("a: |-\n  \0.\0\n  \0\nb: \0\n", "{}.x\n{}"),
    ],
    ids=["scalars", "literal", "stripped"],
)
def test_a_document_is_parsed_once_for_words_that_differ(document: str, value: str) -> None:
    parsed, loaded = ParsedDocuments(), []
    for number in range(100):
        data = source(document, [f"w{number}", "x", f"w{number}", "7", "8"])

        def count(data: SourceText = data) -> Node:
            loaded.append(data.text)
            return load(data)

        tree = parsed.find("s", "base", data, count)
        word = f"w{number}"
        assert plain(tree)["a"] == value.format(word, word)
    assert len(loaded) == 1


COMMENTED = "a: 1 # \0\nb: \0\n"
"""With a word that no value has."""


def test_comments_that_differ_each_time_soon_get_no_outlines(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[str] = []

    def count(text: str, tree: Node, words: list[WordSpan]) -> Any:
        made.append(text)
        return of(text, tree, words)

    of = Outline.of
    monkeypatch.setattr(Outline, "of", count)
    parsed = ParsedDocuments()
    for number in range(3 * MAX_IDLE):
        data = source(COMMENTED, [f"w{number}", "x"])
        parsed.find("s", "base", data, partial(load, data))
    assert len(made) == MAX_IDLE + 1


def test_outlines_that_serve_allow_more_of_them() -> None:
    parsed, loaded = ParsedDocuments(), []
    for number in range(6 * MAX_IDLE):
        data = source(COMMENTED, [f"w{number // 3}", f"x{number}"])

        def count(data: SourceText = data) -> Node:
            loaded.append(data.text)
            return load(data)

        tree = parsed.find("s", "base", data, count)
        assert plain(tree) == {"a": 1, "b": f"x{number}"}
    assert len(loaded) == 2 * MAX_IDLE


def test_the_words_of_a_scalar_are_not_searched_for_among_all() -> None:
    class Words(list[WordSpan]):
        walks = 0

        def __iter__(self) -> Iterator[WordSpan]:
            Words.walks += 1
            return super().__iter__()

    data = source("- \0\n" * 1000, ["web1"] * 1000)
    outline, fixed = Outline.of(data.text, load(data), Words(leave_out_words(data)[0]))
    assert outline is not None
    assert (len(outline.slots), fixed) == (1000, ())
    assert Words.walks < 5


def test_words_in_what_a_macro_printed_differ_as_well() -> None:
    parsed = ParsedDocuments()
    loads = []

    def count(data: SourceText) -> Node:
        loads.append(data)
        return load(data)

    def find(host: str, port: str) -> Any:
        block = f"\n  host: '{host}'\n  port: {port}\n  url: https://{host}:{port}/"
        data = source("a: \0\nb: 1\n", [block])
        return plain(parsed.find("s", "base", data, lambda: count(data)))

    for host, port in (("web1", "80"), ("db7.example.net", "5432"), ("q", "0x10")):
        url = f"https://{host}:{port}/"
        assert find(host, port) == {"a": {"host": host, "port": int(port, 0), "url": url}, "b": 1}
    assert len(loads) == 1


def test_keys_that_differ_are_of_one_document() -> None:
    parsed, loaded = ParsedDocuments(), []

    def find(word: str, value: str) -> Any:
        data = source("x: {\0: 1, c-d: [2]}\n'k \0': \0\n", [word, word, value])

        def count() -> Node:
            loaded.append(word)
            return load(data)

        return plain(parsed.find("s", "base", data, count))

    for word in ("a", "b", "web1.example.com", "c"):
        for value in ("1", "2"):
            assert find(word, value) == {"x": {word: 1, "c-d": [2]}, f"k {word}": int(value)}
    assert loaded == ["a"]
    assert find("7", "1") == {"x": {7: 1, "c-d": [2]}, "k 7": 1}
    assert find("no", "1") == {"x": {False: 1, "c-d": [2]}, "k no": 1}
    assert find("w" * 90, "1") == {"x": {"w" * 90: 1, "c-d": [2]}, f"k {'w' * 90}": 1}
    assert loaded == ["a", "7", "no"]
    with pytest.raises(DuplicateKeyError):
        find("c-d", "1")
