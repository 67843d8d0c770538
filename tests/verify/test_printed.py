"""Each kind of value as Salt's commands print it; the expected ones are the real Salt's."""

import datetime as dt
from typing import Any

import pytest

from pillarbook.verify.printed_values import MASK, is_masked, is_printed_as, printed_key

ZONE = dt.timezone(dt.timedelta(hours=2))
NAN = float("nan")
SAME: dict[str, tuple[Any, Any]] = {
    "text": ("a", "a"),
    "number": (1, 1),
    "float": (1.0, 1.0),
    "nan": (NAN, NAN),
    "infinity": (float("inf"), float("inf")),
    "null": (None, None),
    "true": (True, True),
    "date": (dt.date(2020, 1, 31), "datetime.datetime(2020, 1, 31, 0, 0)"),
    "date, local": (dt.date(2020, 1, 31), "datetime.date(2020, 1, 31)"),
    "datetime": (
        dt.datetime(2020, 1, 31, 12, 0, 5),  # noqa: DTZ001
        "datetime.datetime(2020, 1, 31, 12, 0, 5)",
    ),
    "datetime with a zone": (
        dt.datetime(2020, 1, 31, 12, 0, tzinfo=ZONE),
        "datetime.datetime(2020, 1, 31, 12, 0)",
    ),
    "datetime with a zone, local": (
        dt.datetime(2020, 1, 31, 12, 0, tzinfo=dt.UTC),
        "datetime.datetime(2020, 1, 31, 12, 0, tzinfo=datetime.timezone.utc)",
    ),
    "bytes": (b"hi", "hi"),
    "bytes, local": (b"hi", "b'hi'"),
    "bytes that are no text": (b"\xff\x00a", "b'\\xff\\x00a'"),
    "set": ({"a", "b"}, ["b", "a"]),
    "set, local": ({"a", "b"}, "{'b', 'a'}"),
    "empty set": (set(), []),
    "empty set, local": (set(), "set()"),
    "tuple": ((1, b"x"), [1, "x"]),
    "mapping in a tuple": (
        ({1: dt.date(2020, 1, 1)},),
        [{"1": "datetime.datetime(2020, 1, 1, 0, 0)"}],
    ),
    "beyond 64 bits": (2**64, "18446744073709551616"),
    "beyond 64 bits, local": (2**64, 2**64),
    "64 bits": (2**64 - 1, 2**64 - 1),
    "below 64 bits": (-(2**63) - 1, "-9223372036854775809"),
}
OTHERS: dict[str, tuple[Any, Any]] = {
    "number and text": (1, "1"),
    "number and float": (1, 1.0),
    "number and true": (1, True),
    "false and null": (False, None),
    "text and list": ("a", ["a"]),
    "date and its text": (dt.date(2020, 1, 31), "2020-01-31"),
    "other date": (dt.date(2020, 1, 31), "datetime.datetime(2020, 1, 30, 0, 0)"),
    "set with more": ({"a"}, ["a", "b"]),
    "set with less": ({"a", "b"}, ["a"]),
    "set with one twice": ({"a", "b"}, ["a", "a"]),
    "no set": ({"a"}, "{broken"),
    "tuple with more": ((1,), [1, 2]),
    "64 bits as text": (2**64 - 1, str(2**64 - 1)),
    "nan and number": (NAN, 1.0),
}


@pytest.mark.sample(12)
@pytest.mark.parametrize(("value", "given"), SAME.values(), ids=SAME)
def test_it_is_printed_so(value: Any, given: Any) -> None:
    assert is_printed_as(value, given)


@pytest.mark.parametrize(("value", "given"), OTHERS.values(), ids=OTHERS)
def test_it_is_not_printed_so(value: Any, given: Any) -> None:
    assert not is_printed_as(value, given)


KEYS = {
    "text": ("a", "a"),
    "number": (8080, "8080"),
    "true": (True, "true"),
    "null": (None, "null"),
    "float": (1.5, "1.5"),
    "large float": (1e16, "1e+16"),
    "infinity": (float("inf"), "Infinity"),
    "huge": (2**70, str(2**70)),
    "bytes": (b"a", "a"),
    "date": (dt.date(2020, 1, 1), "datetime.datetime(2020, 1, 1, 0, 0)"),
    "tuple": ((1, 2), "(1, 2)"),
}


@pytest.mark.parametrize(("key", "text"), KEYS.values(), ids=KEYS)
def test_a_key_is_printed_so(key: Any, text: str) -> None:
    assert printed_key(key) == text


MASKS: dict[str, tuple[Any, Any, bool]] = {
    "text": ("a", MASK, True),
    "number": (5, MASK, True),
    "true": (True, MASK, True),
    "bytes": (b"x", MASK, True),
    "empty text": ("", MASK, False),
    "zero": (0, MASK, False),
    "null": (None, MASK, False),
    "date, which Salt shows": (dt.date(2020, 1, 1), MASK, False),
    "other text": ("a", "*****", False),
    "set": ({"a", "b"}, [MASK, MASK], True),
    "shorter set": ({"a", "b"}, [MASK], False),
    "tuple with nothing in it": ((0, "a"), [0, MASK], True),
}


@pytest.mark.parametrize(("value", "given", "masked"), MASKS.values(), ids=MASKS)
def test_salt_masks_it(value: Any, given: Any, masked: bool) -> None:
    assert is_masked(value, given) is masked
