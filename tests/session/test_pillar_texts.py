"""Pillars as JSON and YAML texts."""

import datetime as dt
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.report.sample import make_session
from tests.support.redacted import make_pillar

from pillarbook.compile.renderers.yaml_loader import load_plain
from pillarbook.model import from_tagged, to_tagged
from pillarbook.redact import Redacted, RedactedPillar
from pillarbook.session.pillar_texts import PillarTexts

SHARED = {"a": [1, "two", None], "text": "line\nline\n"}
PILLARS = {
    "plain": make_pillar("m", data={"x": SHARED, "y": SHARED, "on": True}),
    "empty": make_pillar("m", outcome="empty"),
    "raises": make_pillar("m", outcome="failed", raises="TypeError: no"),
    "other keys": make_pillar("m", data={80: "port", "80": "text", "$x": 1}),
    "secret": make_pillar("m", data={"db": {"password": Redacted("gpg renderer", 3)}}),
    "colon": make_pillar("m", data={"a: b": 1, "- c": {"#": "# no comment"}, "": ""}),
}


@pytest.mark.parametrize("one", PILLARS.values(), ids=PILLARS)
def test_both_forms_say_the_same(one: RedactedPillar) -> None:
    texts = PillarTexts(make_session().token)
    for _ in range(2):  # the second time from memory
        tagged = json.loads(json.dumps(texts.tagged(one)))
        assert json.dumps(json.loads(texts.as_json(one))) == json.dumps(tagged)
        tagged = texts.tagged(one, in_yaml=True)
        assert json.dumps(yaml.safe_load(texts.as_yaml(one))) == json.dumps(tagged)


def test_numbers_that_json_lacks_are_written_in_json_that_any_program_reads() -> None:
    data = {"nan": math.nan, "list": [math.inf, {"x": -math.inf}], math.inf: 1, "a": {1.5: 2.5}}
    texts = PillarTexts(make_session().token)
    written = texts.as_json(make_pillar("m", data=data))
    assert json.loads(written, parse_constant=pytest.fail) == {
        "$map": [
            ["nan", {"$float": "nan"}],
            ["list", [math.inf, {"x": -math.inf}]],
            [math.inf, 1],
            ["a", {"$map": [[1.5, 2.5]]}],
        ]
    }
    assert str(from_tagged(to_tagged(data))) == str(data)
    in_yaml = texts.as_yaml(make_pillar("m", data={"nan": math.nan, "inf": math.inf}))
    assert in_yaml == "nan: .nan\ninf: .inf\n"


def test_keys_of_schemas_stay_what_they_are_in_yaml() -> None:
    schema = {"$schema": "https://json-schema.org", "items": {"$ref": "#/a", "x": {"$ref": "#/b"}}}
    data = {"api": schema, "one": {"$ref": "#/c"}, "odd": {"$date": 1}, "numbers": {1: {"$id": 2}}}
    texts = PillarTexts(make_session().token)
    odd = {"$map": [["$date", 1]]}
    for one in (data, {**data, "$defs": {}}):
        written = yaml.safe_load(texts.as_yaml(make_pillar("m", data=one)))
        assert written == {**one, "odd": odd}


BIDI = {
    "a word": ("abc\u202edef", r'"abc\u202Edef"'),
    "with other letters": ("\xe4\u2066\u05d0\u2069", '"\xe4\\u2066\u05d0\\u2069"'),
    "a backslash before it": ("\\\u200f", r'"\\\u200F"'),
    "several lines": ("a\n\u061cb\n", r'"a\n\u061Cb\n"'),
    "half of a pair": ("\u202e\ud800", r'"\u202E\ud800"'),
}


@pytest.mark.parametrize(("text", "written"), BIDI.values(), ids=BIDI)
def test_controls_of_the_direction_of_text_are_escaped_in_yaml(text: str, written: str) -> None:
    texts = PillarTexts(make_session().token)
    data = {"a": text, "b": [text, "plain", 1], "c\u202e": {"d": True}}
    told = texts.as_yaml(make_pillar("m", data=data))
    lines = [f"a: {written}", "b:", f"- {written}", "- plain", "- 1", r'"c\u202E":', "  d: true"]
    assert [line.casefold() for line in told.splitlines()] == [line.casefold() for line in lines]
    if "\ud800" not in text:  # which no reader takes
        assert yaml.safe_load(told) == load_plain(told) == data


KEYS: list[tuple[object, str]] = [
    (80, "80"), (-1, "-1"), (0, "0"), (10**30, str(10**30)), (True, "true"), (False, "false"), (None, "null"), (1.5, "1.5"),
    (1e20, "1.0e+20"), (5e-324, "5.0e-324"), (float("inf"), ".inf"), ("80", "'80'"), ("0o17", "0o17"), ("017", "'017'"), ("1_0", "'1_0'"),
    ("true", "'true'"), ("no", "'no'"), ("", "''"), ("~", "'~'"), ("1e3", "1e3"), ("12:30:45", "'12:30:45'"), ("2020-01-31", "'2020-01-31'"),
]  # fmt: skip


@pytest.mark.parametrize("read", [yaml.safe_load, load_plain], ids=["PyYAML", "Salt"])
def test_keys_that_are_plain_scalars_are_written_plainly_in_yaml(
    read: Callable[[str], Any],
) -> None:
    texts = PillarTexts(make_session().token)
    for key, plain in KEYS:
        for data in ({"ports": {key: "http"}}, {key: {"a": [1]}, "b": 2}):
            text = texts.as_yaml(make_pillar("m", data=data))
            assert f"{plain}:" in text
            # 1, 1.0 and true are equal keys
            assert repr(read(text)) == repr(data)


def test_keys_that_are_no_plain_scalars_are_tagged_in_yaml() -> None:
    texts = PillarTexts(make_session().token)
    for key, told in (
        (dt.date(2020, 1, 31), {"$date": "2020-01-31"}),
        ((1, "a"), [1, "a"]),
        (b"x", {"$bytes": "eA=="}),
    ):
        text = texts.as_yaml(make_pillar("m", data={"a": {key: 1, 2: 3}}))
        assert yaml.safe_load(text) == {"a": {"$map": [[told, 1], [2, 3]]}}


def test_a_secret_is_its_reason_and_token() -> None:
    texts = PillarTexts(make_session().token)
    assert json.loads(texts.as_json(PILLARS["secret"])) == {
        "db": {"password": {"redacted": "gpg renderer", "token": "0003-token"}}
    }


def test_half_of_a_surrogate_pair_is_written(tmp_path: Path) -> None:
    texts = PillarTexts(make_session().token)
    text = texts.as_yaml(make_pillar("m", data={"half": "\ud800"}))
    (tmp_path / "out").write_text(text, encoding="utf-8", errors="backslashreplace")
    assert "half" in text
