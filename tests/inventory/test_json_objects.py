"""A stream of JSON objects: every way of cutting it, faults with their lines, bounded memory."""

import io
import json
import tracemalloc
from typing import Any

import pytest

from pillarbook.inventory import json_objects
from pillarbook.inventory.json_objects import DumpError, JsonObjects

MEGABYTE = 1 << 20
STREAM = (
    '{\n    "web1": {"a": [1, -2.5e3, "x\\"}é\\ud83d\\ude00"], "b": NaN}\n}\n{"db1": false}\n{}\n'
)


def read(text: str | bytes) -> list[tuple[str, Any, int]]:
    raw = text.encode() if isinstance(text, str) else text
    objects = JsonObjects(io.BytesIO(raw), "dump.json")
    return [(one.key, one.value, one.line) for one in objects.members()]


@pytest.mark.parametrize("size", [1, 2, 3, 5, 16, 64, MEGABYTE])
def test_where_it_is_cut_does_not_matter(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_objects, "CHUNK", size)
    made = [(key, json.dumps(value), line) for key, value, line in read(STREAM)]
    assert made == [
        ("web1", json.dumps({"a": [1, -2500.0, 'x"}é😀'], "b": float("nan")}), 2),
        ("db1", "false", 4),
    ]


@pytest.mark.parametrize("size", [1, 4, MEGABYTE])
@pytest.mark.parametrize("number", ["1", "12345", "-7", "1.5", "1e5", "true", "null"])
def test_a_bare_value_is_read_to_its_end(
    number: str, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_objects, "CHUNK", size)
    assert read(f'{{"a": {number}, "b": {number}}}') == [
        ("a", json.loads(number), 1),
        ("b", json.loads(number), 1),
    ]


NOISE = {
    "batch mode": "\nExecuting run on ['web1']\n\n",
    "verbose": "Executing job with jid 20240102\n-------------------------\n\n",
    "return code": "retcode:\n    0\n",
    "byte order mark": "\ufeff",
}


@pytest.mark.parametrize("words", NOISE.values(), ids=NOISE)
def test_words_of_salt_between_objects_are_passed_over(words: str) -> None:
    text = f'{words}{{"a": 1}}\n{words.lstrip(chr(0xFEFF))}{{"b": 2}}\n'
    assert [(key, value) for key, value, _ in read(text)] == [("a", 1), ("b", 2)]


FAULTS = {
    "cut off": ('{"a": {"b": 1', "dump.json:1: the dump ends in the middle"),
    "cut off behind a member": ('{"a": 1,\n', "dump.json:2: the dump ends in the middle"),
    "cut off in a text": ('{"a": "bcd', "dump.json:1: the dump ends in the middle"),
    "no value": ('{"a": }', "dump.json:1: the dump is not JSON: Expecting value"),
    "no comma": ('{"a": {}\n"b": {}}', "dump.json:2: the dump is not JSON: a comma"),
    "no colon": ('{"a" {}}', "dump.json:1: the dump is not JSON: a colon"),
    "no key": ("{1: {}}", "dump.json:1: the dump is not JSON: a key"),
    "fault deep inside": (
        '{"a": {\n"b": [1,\n2 3]' + " " * 50 + "}}",
        "dump.json:3: the dump is not JSON: Expecting ',' delimiter",
    ),
    "something behind an object": ('{"a": 1} x\n', "dump.json:1: the dump is not a stream"),
    "a list": ('[{"a": 1}]', "dump.json:1: the dump is not a stream"),
    "half an object": ('"b": 2}\n{"a": 1}', "dump.json:1: the dump is not a stream"),
    "nested without end": ('{"a": ' + "[" * 100_000, "dump.json:1: the dump is nested too deeply"),
    "a number without end": ('{"a": ' + "1" * 5000 + "}", "dump.json:1: the dump holds a number"),
    "no UTF-8": (b'{"a": "\xff\xfe"}', "dump.json: is not UTF-8"),
}


@pytest.mark.parametrize(("text", "message"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_one_sentence_with_its_line(text: str | bytes, message: str) -> None:
    with pytest.raises(DumpError) as raised:
        read(text)
    assert str(raised.value).startswith(message)
    assert "\n" not in str(raised.value)


class _Endless(io.RawIOBase):
    """A dump of many minions that is made while it is read."""

    def __init__(self, minions: int) -> None:
        pillar = json.dumps({"key": ["value" * 20] * 50})
        self._pieces = (f'"m{at}": {pillar},\n'.encode() for at in range(minions))
        self._rest = b"{"

    def read(self, size: int = -1) -> bytes:
        while len(self._rest) < size:
            piece = next(self._pieces, b"")
            if not piece:
                break
            self._rest += piece
        made, self._rest = self._rest[:size], self._rest[size:]
        return made


@pytest.mark.slow
def test_memory_does_not_grow_with_the_dump() -> None:
    objects = JsonObjects(_Endless(3_000), "dump.json")  # type: ignore[arg-type]
    tracemalloc.start()
    keys: list[str] = []
    with pytest.raises(DumpError, match="ends in the middle"):  # the comma behind the last
        keys.extend(one.key for one in objects.members())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(keys) == 3_000  # 15 megabytes
    assert peak < 10 * MEGABYTE
