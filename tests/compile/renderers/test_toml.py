"""TOML documents: what they give, which line says so, and how faults are worded."""

from typing import Any

import pytest

from pillarbook.compile.limits import Limits
from pillarbook.compile.renderers import toml
from pillarbook.compile.renderers.gpg_decryptor import SealedDecryptor
from pillarbook.compile.renderers.render_context import RenderContext
from pillarbook.compile.renderers.render_errors import LimitExceeded, RenderError
from pillarbook.compile.renderers.source_text import SourceText
from pillarbook.compile.renderers.toml import find_spans
from pillarbook.model import Node, leaves, plain, to_tagged


def render(text: str, limits: Limits | None = None) -> Node:
    context = RenderContext(
        "f.sls", "/f.sls", "f", "base", {}, limits or Limits(), SealedDecryptor()
    )
    return toml.render(context, SourceText.of_file(text, "f.sls"), "")


@pytest.mark.parametrize(
    ("text", "data"),
    [
        pytest.param("", {}, id="nothing"),
        pytest.param("a.b = 1\na.c = 2", {"a": {"b": 1, "c": 2}}, id="dotted-keys"),
        pytest.param("i = {a = 1, b = {c = 2}}", {"i": {"a": 1, "b": {"c": 2}}}, id="inline"),
        pytest.param(
            "t = 1979-05-27T07:32:00Z", {"t": {"$datetime": "1979-05-27T07:32:00+00:00"}}, id="zone"
        ),
    ],
)
def test_document_gives_what_the_library_gives(text: str, data: Any) -> None:
    assert to_tagged(plain(render(text))) == data


TEXT = '''#!toml
title = "edge"
list = [
  [1],  # one
  [2, 3],
]
long = """
[x]
y = 1
"""
inline = {a = 1, "b.c" = 2}
a.b.c = 3

[proxy]
on = true
[proxy.limits]
since = 2020-02-29
[[back]]
host = "a"
[[back.end]]
n = 1
[[back]]
host = "b"
[back.sub]
'q' = 'r'
empty = []
'''
LINES = {
    ("title",): 2,
    ("list", 0, 0): 4,
    ("list", 1, 0): 5,
    ("list", 1, 1): 5,
    ("long",): 7,
    ("inline", "a"): 11,
    ("inline", "b.c"): 11,
    ("a", "b", "c"): 12,
    ("proxy", "on"): 15,
    ("proxy", "limits", "since"): 17,
    ("back", 0, "host"): 19,
    ("back", 0, "end", 0, "n"): 21,
    ("back", 1, "host"): 23,
    ("back", 1, "sub", "q"): 25,
    ("back", 1, "sub", "empty"): 26,
}


def test_each_value_has_its_line() -> None:
    assert {path: origins[-1].line for path, _, origins in leaves(render(TEXT))} == LINES


def test_what_the_finder_does_not_follow_has_the_line_above_it() -> None:
    assert find_spans("a = 1\n= 2\nb = 3") == {("a",): (4, 5)}


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        pytest.param(
            'a = [1, "x"]', "Not a homogeneous array (line 1 column 1 char 0)", 1, id="mixed"
        ),
        pytest.param("a = 1\na = 2", "Duplicate keys! (line 2 column 1 char 6)", 2, id="twice"),
    ],
)
def test_fault_is_worded_as_the_library_does(text: str, message: str, line: int) -> None:
    with pytest.raises(RenderError) as caught:
        render(text)
    assert str(caught.value) == message
    assert caught.value.place == ("f.sls", line)


def test_what_may_be_shown_of_a_fault_quotes_no_value() -> None:
    with pytest.raises(RenderError) as caught:
        render("[a]\nx = 'hunter2'\n[a]\ny = 1")
    assert "hunter2" in str(caught.value)
    assert "hunter2" not in str(caught.value.clean)


def test_nodes_are_counted() -> None:
    with pytest.raises(LimitExceeded):
        render("a = [1, 2, 3, 4]", Limits(nodes=4))
