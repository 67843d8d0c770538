"""A file is cut into hunks that can be taken back one by one."""

import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.tiers import fewer

from pillarbook.changes.attribution.hunks import ChangedFile, cut

FILE = Path("/a.sls")
TEXTS = st.one_of(
    st.none(),
    st.lists(st.sampled_from([b"a\n", b"b\n", b"\n", b"c", b"d\r\n"]), max_size=8).map(b"".join),
)


def cut_texts(base: bytes | None, head: bytes | None) -> ChangedFile:
    return cut(FILE, "a.sls", base, head)


@pytest.mark.slow
@fewer(2)
@given(base=TEXTS, head=TEXTS)
def test_all_taken_back_is_the_base(base: bytes | None, head: bytes | None) -> None:
    file = cut_texts(base, head)
    if base != head:
        assert file.without(file.hunks) == base
    assert file.without(()) == head


@pytest.mark.parametrize(
    ("base", "head", "told"),
    [
        pytest.param(b"a\nb\n", b"a\nc\n", [((1, 2), (1, 2))], id="a line"),
        pytest.param(b"a\n", b"a\nb\nc\n", [((1, 1), (1, 3))], id="lines more"),
        pytest.param(b"a\nb\nc\n", b"x\nb\n", [((0, 1), (0, 1)), ((2, 3), (2, 2))], id="two"),
        pytest.param(None, b"a\nb\n", [((0, 0), (0, 2))], id="a new file"),
        pytest.param(b"a\nb\n", None, [((0, 2), (0, 0))], id="a file less"),
        pytest.param(b"a", b"a\n", [((0, 1), (0, 1))], id="the end of the last line"),
    ],
)
def test_hunks(base: bytes | None, head: bytes | None, told: list[object]) -> None:
    assert [(hunk.base, hunk.head) for hunk in cut_texts(base, head).hunks] == told


def test_hunks_are_those_of_git(tmp_path: Path) -> None:
    base = b"a:\n  x: 1\nb:\n  x: 1\n  y: 2\nc: 3\n"
    head = b"a:\n  x: 1\nn:\n  x: 1\nb:\n  y: 2\n  x: 1\n\0c: \r3\n"
    (tmp_path / "base").write_bytes(base)
    (tmp_path / "head").write_bytes(head)
    command = ["git", "diff", "--no-index", "--text", "-U0", "base", "head"]
    told = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).stdout
    cited = [
        (list(hunk.lines_on("base")), list(hunk.lines_on("head")))
        for hunk in cut_texts(base, head).hunks
    ]
    assert cited == [
        tuple(list(range(int(first), int(first) + int(lines or 1))) for first, lines in sides)
        for sides in (
            ((m[1], m[2]), (m[3], m[4]))
            for m in re.finditer(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", told)
        )
    ]


def test_one_of_two_taken_back() -> None:
    file = cut_texts(b"a\nb\nc", b"x\nb\ny\n")
    first, second = file.hunks
    assert file.without((first,)) == b"a\nb\ny\n"
    assert file.without((second,)) == b"x\nb\nc"
    assert list(first.lines_on("head")) == [1]
    assert list(second.lines_on("base")) == [3]
