"""A key that a mapping has twice is named as the file writes it."""

from pathlib import Path

import pytest
from tests.support.fleets import open_fleet, write_fleet

TEXTS = {
    "equal": ("a: 1\nb: 1\na: 2\n", "the key 'a' twice in one mapping"),
    "one and true": (
        "1: one\nb: 1\ntrue: yes\n",
        "the keys '1' and 'true' in one mapping, which are the same key",
    ),
    "two numbers": (
        "16: a\nb: 1\n0x10: b\n",
        "the keys '16' and '0x10' in one mapping, which are the same key",
    ),
    "in a set": (
        "!!set\n? 1\n? true\n",
        "the keys '1' and 'true' in one mapping, which are the same key",
    ),
}


@pytest.mark.parametrize(("text", "words"), TEXTS.values(), ids=TEXTS)
def test_both_keys_are_named(text: str, words: str, tmp_path: Path) -> None:
    write_fleet(tmp_path, {"top.sls": "base: {'*': [s]}\n", "s.sls": text}, {"m": {}})
    with open_fleet(tmp_path) as fleet:
        (found,) = fleet.compile("m").diagnostics
    assert found.code == "duplicate-key"
    assert found.message.startswith(f"SLS 's' has {words}, first at pillar/s.sls:")
