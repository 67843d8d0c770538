"""Targets of all kinds, odd ones above all, against what the real Salt answered."""

import re
from typing import Any

import pytest
from tests.compile.matchers.minion import Minion, answer_as_salt, name_row, read_answers

COMPOUND = read_answers("salt_compound.json")
MATCHERS = read_answers("salt_matchers.json")
PYTHON_WORDS = re.compile(r"(TypeError|AttributeError|\berror): .*")
"""Exceptions of Python's own; their words differ between versions."""


def without_python_words(answer: Any) -> Any:
    if not isinstance(answer, dict):
        return answer
    return {"$raises": PYTHON_WORDS.sub(lambda found: found[0].split(":")[0], answer["$raises"])}


@pytest.mark.parametrize("row", COMPOUND["rows"], ids=name_row)
def test_compound_is_what_salt_says(row: list[Any]) -> None:
    target, minion_id, expected = row
    minion = Minion(
        minion_id, COMPOUND["grains"][minion_id], COMPOUND["pillar"], COMPOUND["nodegroups"]
    )

    answer = answer_as_salt(target, "compound", minion)

    assert without_python_words(answer) == without_python_words(expected)


@pytest.mark.parametrize("row", MATCHERS["rows"], ids=name_row)
def test_matcher_is_what_salt_says(row: list[Any]) -> None:
    target, matcher, minion_id, expected = row
    data = MATCHERS["grains"][minion_id]
    minion = Minion(minion_id, grains=data, pillar=data, nodegroups=MATCHERS["nodegroups"])

    answer = answer_as_salt(target, matcher, minion)

    assert without_python_words(answer) == without_python_words(expected)


def test_tables_are_large_enough_to_trust() -> None:
    assert len({target for target, *_ in COMPOUND["rows"]}) >= 80
    assert {answer for *_, answer in COMPOUND["rows"] if isinstance(answer, bool)} == {True, False}
