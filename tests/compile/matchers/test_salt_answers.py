"""Targets of all kinds, odd ones above all, against what the real Salt answered."""

import re
from typing import Any

from tests.compile.matchers.minion import Minion, answer_as_salt, read_answers

COMPOUND = read_answers("salt_compound.json")
MATCHERS = read_answers("salt_matchers.json")
PYTHON_WORDS = re.compile(r"(TypeError|AttributeError|\berror): .*")
"""Exceptions of Python's own; their words differ between versions."""


def without_python_words(answer: Any) -> Any:
    if not isinstance(answer, dict):
        return answer
    return {"$raises": PYTHON_WORDS.sub(lambda found: found[0].split(":")[0], answer["$raises"])}


def test_compound_is_what_salt_says() -> None:
    for target, minion_id, expected in COMPOUND["rows"]:
        minion = Minion(
            minion_id, COMPOUND["grains"][minion_id], COMPOUND["pillar"], COMPOUND["nodegroups"]
        )
        answer = answer_as_salt(target, "compound", minion)
        assert without_python_words(answer) == without_python_words(expected), (target, minion_id)


def test_matcher_is_what_salt_says() -> None:
    for target, matcher, minion_id, expected in MATCHERS["rows"]:
        data = MATCHERS["grains"][minion_id]
        minion = Minion(minion_id, grains=data, pillar=data, nodegroups=MATCHERS["nodegroups"])
        answer = answer_as_salt(target, matcher, minion)
        row = (target, matcher, minion_id)
        assert without_python_words(answer) == without_python_words(expected), row


def test_tables_are_large_enough_to_trust() -> None:
    assert len({target for target, *_ in COMPOUND["rows"]}) >= 80
    assert {answer for *_, answer in COMPOUND["rows"] if isinstance(answer, bool)} == {True, False}
