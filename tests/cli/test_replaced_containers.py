"""``get`` and ``explain`` name the keys of containers that a later value replaces."""

from pathlib import Path

import pytest
from tests.support.fleets import write_fleet
from tests.support.invoked import Printed

from pillarbook.model import ListIndex
from pillarbook.redact import RedactedOrigin
from pillarbook.report.rows import write_overridden

FILES = {
    "top.sls": "base:\n  '*': [one, two]\n",
    "one.sls": (
        "x:\n  y: 5\n  z: {deep: 6}\n"
        "m: {b: 2}\n"
        "list: [1, 2]\n"
        "keys: {ghp_Fj3kQ9xT7wVb2LmN8pRs4YcZ6dHa0EuGiOqB: 1}\n"
    ),
    "two.sls": "x: 7\nm: gone\nlist: [9]\nkeys: 3\n",
}
DECLARED = ("--master", "master", "--inventory", "minions.yml")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(write_fleet(tmp_path, FILES, {"a": {}}))
    return tmp_path


@pytest.mark.parametrize(
    ("key", "words"),
    {
        "x": ["overrides z:deep: 6  pillar/one.sls:3", "y: 5  pillar/one.sls:2"],
        "list": ["[1]: 2  pillar/one.sls:5"],
    }.items(),
)
def test_overridden_values_have_their_keys(key: str, words: list[str], printed: Printed) -> None:
    shown = {
        "get": printed(["get", key, *DECLARED]).out,
        "explain": printed(["explain", "a", key, *DECLARED]).out,
    }
    for text in shown.values():
        assert all(one in text for one in words)


@pytest.mark.parametrize(
    ("key", "told"),
    {
        "x:y": "pillar/one.sls:2 sets it, and pillar/two.sls:1 replaces 'x'",
        "x:z": "pillar/one.sls:3 sets it, and pillar/two.sls:1 replaces 'x'",
        "m:b": "pillar/one.sls:4 sets it, and pillar/two.sls:2 replaces 'm'",
        "list:1": "pillar/one.sls:5 sets it, and pillar/two.sls:3 replaces 'list'",
    }.items(),
)
def test_a_dropped_key_is_told_with_the_line_that_replaces_it(
    key: str, told: str, printed: Printed
) -> None:
    assert printed(["get", key, *DECLARED], 1).err.strip().endswith(f"'{key}'; {told}")
    assert told in printed(["explain", "a", key, *DECLARED], 1).err


def test_a_secret_key_of_an_overridden_value_is_not_shown(printed: Printed) -> None:
    assert "ghp_" not in printed(["get", "keys", *DECLARED]).out


def test_a_page_shows_the_keys() -> None:
    origin = RedactedOrigin("one.sls", 3, "one", "base", 6, ("<z>", ListIndex(2)))
    row = write_overridden(origin, lambda _: "")
    assert "<code>&lt;z&gt;:[2]:</code> <del>" in row
