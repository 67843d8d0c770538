"""Texts that stand in for secrets: other ones of the same form, the same for the same secret."""

import base64
import datetime as dt
import json
import random
import re
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from pillarbook.compile.placeholder_views import with_placeholders
from pillarbook.model import MapNode, Origin, grow, plain
from pillarbook.redact import Rules, SecretStore
from pillarbook.redact.placeholder_texts import Shape, placeholder_for_number, placeholder_for_text
from pillarbook.redact.placeholders import Choice, SecretPlaceholders, identify

KEY = b"k" * 32
PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA75\nxY+/=\n-----END RSA PRIVATE KEY-----\n"


def placeholders(
    shape: Shape = Shape.LONG, *, sealed: bool = False, **more: Any
) -> SecretPlaceholders:
    return SecretPlaceholders(Rules(), KEY, shape, sealed, **more)


def drawer(seed: Any) -> random.Random:
    return random.Random(seed)  # noqa: S311 (a test draws)


def made(text: Any, shape: Shape = Shape.LONG) -> Any:
    return placeholders(shape).of_value(text)


@pytest.mark.parametrize("shape", Shape, ids=lambda shape: shape.value)
@pytest.mark.parametrize(
    "value",
    [
        *("hunter2", "Zz9", "x", "4711", "0815", "p@ss:w/rd!", "$%&", "äöü", "two words", " pad\n"),
        *("dGhlIHNlY3JldA==", "0badf00ddeadbeef", PEM, "abcdefghijklmnopqrstuvwxyz", "0123456789"),
        *('{"a": "b1", "n": 5}', "user=u\npassword=p\n", b"raw\n", b"\xff\xfe\x00", 4711, -9, 2.5),
        *(True, False, dt.date(2024, 2, 29), dt.datetime(2024, 2, 29, 1, 2)),  # noqa: DTZ001
    ],
    ids=repr,
)
def test_a_stand_in_is_another_value_of_its_type(value: Any, shape: Shape) -> None:
    other = made(value, shape)
    assert type(other) is type(value)
    assert other != value
    assert other == made(value, shape)


@given(text=st.text(min_size=1, max_size=40))
@example(":\n:")
def test_texts_differ_in_more_than_chance(text: str) -> None:
    other = made(text)
    if text.strip():
        assert other != text
        assert len(other) != len(text)
    alike = made(text, Shape.ALIKE)
    if re.search(r"[^\W\d_]|[0-9]", text):
        assert len(alike) == len(text)
        assert alike != text


@given(text=st.from_regex(r"[ -~]{0,3}[A-Za-z0-9][ -~]{0,30}", fullmatch=True))
@example("/0000000")
@example("Z0000000")
@example("00000000000=")
def test_the_first_and_last_character_differ(text: str) -> None:
    bare, other = text.strip(), made(text).strip()
    assert other[0] != bare[0]
    assert other[-1] != bare[-1]


@given(text=st.from_regex(r"[a-z]{1,20}", fullmatch=True))
def test_whether_a_letter_is_in_it_is_otherwise_for_each(text: str) -> None:
    other = placeholder_for_text(text, Shape.LONG, drawer(text))
    alphabet = set("abcdefghijklmnopqrstuvwxyz")
    if set(text) != alphabet:
        assert set(text) & set(other) == set()
        assert alphabet - set(text) <= set(other)


@given(number=st.integers(min_value=1000, max_value=10**12))
def test_a_number_leaves_other_remainders(number: int) -> None:
    other = placeholder_for_number(number, Shape.LONG, drawer(number))
    assert len(str(other)) > len(str(number))
    assert [other % one != number % one for one in (2, 5, 10)] == [True] * 3


@given(content=st.binary(min_size=8, max_size=60))
def test_base64_stays_base64(content: bytes) -> None:
    text = base64.b64encode(content).decode()
    assume(not text.isalnum() and b"-----" not in content)  # a word, or armor
    other = base64.b64decode(made(text), validate=True)
    assert len(other) > len(content)


@given(
    data=st.dictionaries(
        st.text(max_size=5), st.one_of(st.text(max_size=8), st.integers(), st.none()), min_size=1
    )
)
def test_json_keeps_its_keys(data: dict[str, Any]) -> None:
    other = json.loads(made(json.dumps(data)))
    assert list(other) == list(data)
    assert {key: type(one) for key, one in other.items()} == {
        key: type(one) for key, one in data.items()
    }


def test_a_key_keeps_the_lines_that_say_what_it_is() -> None:
    lines = made(PEM).splitlines()
    assert (lines[0], lines[-1]) == (PEM.splitlines()[0], PEM.splitlines()[-1])
    assert lines[1] != PEM.splitlines()[1]


def test_another_key_gives_another_stand_in() -> None:
    one = SecretPlaceholders(Rules(), b"1" * 32, Shape.LONG, sealed=False)
    assert one.of_value("hunter2") != made("hunter2")


def test_the_key_follows_from_that_of_the_tokens() -> None:
    purpose = b"stand-ins"
    keys = [SecretStore(key).key.derive(purpose) for key in (b"a", b"a", b"b", None, None)]
    assert keys[0] == keys[1]
    assert len(set(keys)) == 4


def test_only_what_is_chosen_is_replaced() -> None:
    known = frozenset({identify("one-1"), identify("two-2")})
    some = placeholders(choice=Choice(frozenset({identify("one-1")}), known, others=False))
    others = placeholders(choice=Choice(frozenset(), known, others=True))
    replaced = [
        (one.of_value(text) != text) for one in (some, others) for text in ("one-1", "two-2", "3-x")
    ]
    assert replaced == [True, False, False, False, False, True]


def tree_of(data: dict[str, Any]) -> MapNode:
    tree = grow(data, lambda _, value: Origin("t.sls", 1, "t", "base", value))
    assert isinstance(tree, MapNode)
    return tree


def test_a_tree_shares_what_holds_no_secret() -> None:
    tree = tree_of({"db": {"password": "hunter2", "port": 1}, "open": {"x": [1]}})
    shown = with_placeholders(tree, placeholders())
    assert shown.items["open"] is tree.items["open"]
    assert plain(shown)["db"]["port"] == 1
    assert plain(shown)["db"]["password"] == made("hunter2")
    assert with_placeholders(tree, None) is tree


def test_a_tree_is_not_replaced_twice() -> None:
    kind = placeholders()
    once = with_placeholders(tree_of({"password": "hunter2"}), kind)
    assert with_placeholders(once, kind) is once


MESSAGE = "-----BEGIN PGP MESSAGE-----\n\naGVsbG8=\n=abcd\n-----END PGP MESSAGE-----"


@pytest.mark.parametrize("sealed", [True, False])
def test_ciphertext_is_replaced_where_nobody_opens_it(sealed: bool) -> None:
    shown = placeholders(sealed=sealed).of_leaf(("x",), f"pw: {MESSAGE}", None)
    assert (shown != f"pw: {MESSAGE}") is sealed
    assert shown.startswith("pw: ")
    assert "-----BEGIN PGP MESSAGE-----\n\n" in shown
    assert "-----END PGP MESSAGE-----" in shown


@pytest.mark.parametrize("shape", Shape, ids=lambda shape: shape.value)
def test_a_number_gets_no_more_digits_than_python_writes(shape: Shape) -> None:
    assert len(str(made(10**4299, shape))) == 4300
    assert len(json.loads(made(f'{{"n": {10**4299}}}', shape))) == 1


def test_a_stand_in_stays_what_it_is() -> None:
    of = placeholders()
    for value in ("hunter2", 4711, "two words\n", b"raw secret"):
        once = of.of_value(value)
        assert of.of_value(once) == once
        assert of.of_value(f" {once!s} ") == f" {once!s} " or isinstance(value, bytes)
