"""Values and keys as HTML."""

import datetime as dt
import math
from collections.abc import Hashable
from html import escape, unescape
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pillarbook.redact.redacted_pillar import Redacted
from pillarbook.report.value_html import show_key, show_pair, show_value


def token(place: int) -> str:
    return f"t{place}"


def test_a_value_reads_as_in_yaml() -> None:
    for value, text in [
        ("plain", "plain"),
        ("two words", "two words"),
        ("10.0.0.1", "10.0.0.1"),
        ("10.0.0.1:443", "10.0.0.1:443"),
        ("", '""'),
        (" padded ", '" padded "'),
        ("8080", '"8080"'),
        ("1.0", '"1.0"'),
        ("0x1f", '"0x1f"'),
        ("1:30", '"1:30"'),
        ("yes", '"yes"'),
        ("Null", '"Null"'),
        ("~", '"~"'),
        ("2020-01-31", '"2020-01-31"'),
        ("[]", '"[]"'),
        ("- x", '"- x"'),
        ("one line\n", '"one line\\n"'),
        ("bell\x07", '"bell\\u0007"'),
        ("evil\u202etxt", '"evil\\u202etxt"'),
        (8080, "8080"),
        (1.0, "1.0"),
        (math.inf, ".inf"),
        (True, "true"),
        (None, "null"),
        ([], "[]"),
        ({}, "{}"),
        (dt.date(2020, 1, 31), '{"$date": "2020-01-31"}'),
        (b"\x00", '{"$bytes": "AA=="}'),
        ("é \u200d \x7f", '"é \\u200d \\u007f"'),
    ]:
        html = show_value(value, token)
        assert html.startswith("<code"), (value, text)
        assert unescape(html.partition(">")[2].removesuffix("</code>")) == text, (value, text)


def test_a_reference_is_marked_as_one_and_reads_as_it_is() -> None:
    html = show_value("sdb://vault/app/<x>", token)
    assert html == '<code class="reference">sdb://vault/app/&lt;x&gt;</code>'
    assert "class" not in show_value("see sdb://vault/app", token)


def test_text_of_several_lines_stands_in_full() -> None:
    assert show_value("\n a\nb <\n", token) == "<pre>\n\n a\nb &lt;\n</pre>"


@pytest.mark.parametrize(
    ("value", "begins"),
    [
        ("line\n" * 12, "<pre>"),
        ("line\n" * 13, '<pre class="long" tabindex="0">'),
        ("word " * 300 + "end", '<code class="long" tabindex="0">word'),
        ("\u202e" + "word " * 300, '<code class="long" tabindex="0">&quot;'),
        (b"x" * 1200, '<code class="other long" tabindex="0">'),
        ("x" * 1200, "<code>x"),
    ],
    ids=["12 lines", "13 lines", "one line", "invisible", "bytes", "just short"],
)
def test_a_long_text_is_folded_and_can_be_reached_by_keyboard(value: Any, begins: str) -> None:
    html = show_value(value, token)
    assert html.startswith(begins)
    assert html.endswith(("</pre>", "</code>"))


def test_a_secret_shows_reason_and_token() -> None:
    html = show_value(Redacted("gpg <renderer>", 7), token)
    assert html == '<span class="secret">redacted: gpg &lt;renderer&gt; <code>t7</code></span>'


@pytest.mark.parametrize(
    ("key", "html"),
    [
        ("a", "a"),
        ("", "&quot;&quot;"),
        (" ", "&quot; &quot;"),
        (8080, "8080"),
        (True, "true"),
        (None, "null"),
        ("<", "&lt;"),
    ],
)
def test_a_key_is_shown(key: Hashable, html: str) -> None:
    assert show_key(key) == html


@given(st.from_regex(r"[-+0-9a-fA-F.:_~xeEnNuUlLyYoOtTsSrR=<]{1,12}", fullmatch=True))
def test_text_that_yaml_takes_for_something_else_is_quoted(text: str) -> None:
    loader: Any = yaml.SafeLoader("")
    taken_for = loader.resolve(yaml.ScalarNode, text, (True, False))
    if taken_for != "tag:yaml.org,2002:str":
        assert show_value(text, token).startswith("<code>&quot;")


LONG = "Call us between 8 and 17, or write to <billing@shop.example>; we answer soon."


@pytest.mark.parametrize(
    ("after", "marked"),
    [
        (LONG.replace("17", "16"), ("8 and <del>17</del>, or", "8 and <ins>16</ins>, or")),
        (LONG.replace(" soon", ""), ("answer<del> soon</del>.", "we answer.")),
        (LONG.replace("<b", "<&"), ("&lt;<del>billing</del>@", "&lt;<ins>&amp;illing</ins>@")),
        (f"'{LONG}", (f"<code>{escape(LONG)}</code>", "<code>&quot;&#x27;Call")),
        (17, (f"<code>{escape(LONG)}</code>", '<code class="other">17</code>')),
    ],
    ids=["word", "gone", "escaped", "quoted", "number"],
)
def test_what_differs_in_a_long_line_is_marked(after: Any, marked: tuple[str, str]) -> None:
    shown = show_pair(LONG, after, token)
    assert all(part in side for part, side in zip(marked, shown, strict=True)), shown
