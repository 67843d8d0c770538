"""Mappings and lists that are shown and not counted."""

from typing import Any

import pytest

from pillarbook.redact import Redacted
from pillarbook.report.few_values import DEEPEST, MAX_LEAF, show_few

LONG = "x" * MAX_LEAF


def nest(depth: int) -> Any:
    return {"a": nest(depth - 1)} if depth else 1


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        pytest.param({}, "{}", id="an empty mapping"),
        pytest.param([], "[]", id="an empty list"),
        pytest.param({"a": 1, "b": "x"}, '{a: 1, b: "x"}', id="a mapping"),
        pytest.param({"a": {"b": [1, None]}, "c": []}, "{a: {b: [1, null]}, c: []}", id="nested"),
        pytest.param({80: 1, "a b": 2, "": 3}, '{80: 1, "a b": 2, "": 3}', id="other keys"),
        pytest.param(["1", 1], '["1", 1]', id="a list"),
        pytest.param({"a": 1, "b": 2, "c": 3, "d": 4}, "4 keys", id="many keys"),
        pytest.param([[1, 2, 3, 4]], "1 member", id="many below"),
        pytest.param({"a": LONG}, "1 key", id="a long value"),
        pytest.param({LONG: 1, "b": 2}, f"{{{LONG}: 1, b: 2}}", id="a key that just fits"),
        pytest.param({LONG + "x": 1, "b": 2}, "2 keys", id="a long key"),
        pytest.param({"pw": Redacted("key", 7)}, "{pw: <redacted: key, t7>}", id="a secret"),
        pytest.param(nest(DEEPEST), "{a: {a: {a: {a: {a: 1}}}}}", id="as deep as may be"),
        pytest.param(nest(900), "1 key", id="too deep"),
    ],
)
def test_what_is_shown(value: Any, shown: str) -> None:
    assert show_few(value, "t{}".format) == shown
