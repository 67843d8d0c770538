"""Following keys through nested data, against what the real Salt answered."""

from typing import Any

import pytest
from tests.compile.matchers.minion import read_answers

from pillarbook.compile.matchers import traverse
from pillarbook.compile.reads import Trace, View
from pillarbook.model import from_tagged

SALT = read_answers("salt_traverse.json")
DATA = from_tagged(SALT["data"])


def test_key_leads_where_salt_goes() -> None:
    for row in SALT["rows"]:
        key, delimiter, expected = row
        found = traverse(DATA, key, "(default)", delimiter)

        wanted = from_tagged(expected)
        assert found == wanted, row
        assert type(found) is type(wanted), row


def test_default_is_none() -> None:
    assert traverse({"a": 1}, "b") is None


def test_key_must_be_text_number_or_sequence() -> None:
    with pytest.raises(TypeError):
        traverse({"a": 1}, 1.5)


@pytest.mark.parametrize(
    ("key", "questions"),
    [
        ("a:b:c", [("get", ("a",)), ("get", ("a", "b")), ("get", ("a", "b", "c"))]),
        ("a:x:c", [("get", ("a",)), ("get", ("a", "x"))]),
        ("a:7", [("get", ("a",)), ("get", ("a", "7")), ("get", ("a", 7))]),
        ("x", [("get", ("x",))]),
    ],
)
def test_one_read_a_level(key: str, questions: list[Any]) -> None:
    trace = Trace()

    traverse(View("grains", {"a": {"b": {"c": 1}, 7: 2}}, trace), key)

    assert [question[1:] for question in trace.answers] == questions
