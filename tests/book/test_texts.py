"""Pillars as JSON and YAML texts."""

import json
from pathlib import Path

import pytest
import yaml
from tests.report.sample import make_book
from tests.support.redacted import make_pillar

from pillarbook.book.texts import PillarTexts
from pillarbook.redact import Redacted, RedactedPillar

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
    texts = PillarTexts(make_book().token)
    for _ in range(2):  # the second time from memory
        tagged = json.loads(json.dumps(texts.tagged(one)))
        assert json.dumps(json.loads(texts.as_json(one))) == json.dumps(tagged)
        tagged = json.loads(json.dumps(texts.tagged(one, in_yaml=True)))
        assert json.dumps(yaml.safe_load(texts.as_yaml(one))) == json.dumps(tagged)


def test_keys_of_schemas_stay_what_they_are_in_yaml() -> None:
    schema = {"$schema": "https://json-schema.org", "items": {"$ref": "#/a", "x": {"$ref": "#/b"}}}
    data = {"api": schema, "one": {"$ref": "#/c"}, "odd": {"$date": 1}, "numbers": {1: {"$id": 2}}}
    texts = PillarTexts(make_book().token)
    odd, numbers = {"$map": [["$date", 1]]}, {"$map": [[1, {"$id": 2}]]}
    for one in (data, {**data, "$defs": {}}):
        written = yaml.safe_load(texts.as_yaml(make_pillar("m", data=one)))
        assert written == {**one, "odd": odd, "numbers": numbers}


def test_a_secret_is_its_reason_and_token() -> None:
    texts = PillarTexts(make_book().token)
    assert json.loads(texts.as_json(PILLARS["secret"])) == {
        "db": {"password": {"redacted": "gpg renderer", "token": "0003-token"}}
    }


def test_half_of_a_surrogate_pair_is_written(tmp_path: Path) -> None:
    texts = PillarTexts(make_book().token)
    text = texts.as_yaml(make_pillar("m", data={"half": "\ud800"}))
    (tmp_path / "out").write_text(text, encoding="utf-8", errors="backslashreplace")
    assert "half" in text
