"""What a dump says of each minion, and when it says nothing."""

import io
import json
from typing import Any

import pytest

from pillarbook.inventory.json_objects import DumpError
from pillarbook.verify.dump import Dump


def open_dump(
    text: str, *, declared: frozenset[str] = frozenset(), local: str | None = None
) -> Dump:
    return Dump(io.BytesIO(text.encode()), "dump.json", declared, local)


SILENT: dict[str, tuple[Any, str]] = {
    "false": (False, "gave no pillar"),
    "null": (None, "gave no pillar"),
    "a list": ([], "gave no pillar"),
    "did not return": ("Minion did not return", "did not return"),
    "not connected": ("Minion did not return. [Not connected]", "did not return (not connected)"),
    "no response": (
        "Minion did not return. [No response]\nThe minions may not have all finished",
        "did not return (no response)",
    ),
    "an exception": ("Traceback: password=hunter2", "answered with a message instead of a pillar"),
    "salt-ssh": ({"retcode": 255, "stdout": "", "stderr": "no route"}, "salt-ssh failed on it"),
}


@pytest.mark.parametrize(("value", "reason"), SILENT.values(), ids=SILENT)
def test_a_minion_without_a_pillar_says_why(value: Any, reason: str) -> None:
    (given,) = open_dump(json.dumps({"web1": value})).answers()
    assert (given.minion, given.pillar, given.silence) == ("web1", None, reason)


PILLARS = {
    "empty": {},
    "a key of its own": {"retcode": 1},
    "words of salt-ssh among others": {"retcode": 1, "stderr": "x", "other": 2},
}


@pytest.mark.parametrize("pillar", PILLARS.values(), ids=PILLARS)
def test_a_mapping_is_a_pillar(pillar: dict[str, Any]) -> None:
    (given,) = open_dump(json.dumps({"web1": pillar})).answers()
    assert given.pillar == pillar


def test_salt_call_needs_to_be_told_whose_it_is() -> None:
    text = '{"local": {"a": 1}}'
    with pytest.raises(DumpError, match=r"dump\.json:1: .*--minion ID"):
        list(open_dump(text).answers())
    assert [one.minion for one in open_dump(text, local="web1").answers()] == ["web1"]
    named = open_dump(text, declared=frozenset({"local"})).answers()
    assert [one.minion for one in named] == ["local"]


NONE = {
    "nothing": ("", "is empty; make it with"),
    "blanks": (" \n\n", "is empty; make it with"),
    "other output": ("web1:\n    ----------\n    a:\n        1\n", "holds no JSON object; make it"),
}


@pytest.mark.parametrize(("text", "message"), NONE.values(), ids=NONE)
def test_what_is_no_dump_is_told(text: str, message: str) -> None:
    with pytest.raises(DumpError, match=message):
        list(open_dump(text).answers())


def test_lost_answers_are_counted() -> None:
    dump = open_dump('{}\n{"web1": {}}\n{ }\n')
    assert len(list(dump.answers())) == 1
    assert dump.lost == 2
