"""Longest common subsequences, against the textbook's table."""

import random
import time
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pillarbook.compare import subsequence
from pillarbook.compare.subsequence import common_subsequence


def textbook_length(base: Sequence[object], head: Sequence[object]) -> int:
    row = [0] * (len(head) + 1)
    for left in base:
        above = row
        row = [0]
        for at, right in enumerate(head):
            row.append(above[at] + 1 if left == right else max(row[at], above[at + 1]))
    return row[-1]


def words(letters: int) -> st.SearchStrategy[tuple[list[int], list[int]]]:
    word = st.lists(st.integers(1, letters), max_size=40)
    return st.tuples(word, word)


def check(base: Sequence[object], head: Sequence[object]) -> None:
    pairs = common_subsequence(base, head)
    assert all(base[left] == head[right] for left, right in pairs)
    assert all(one[0] < two[0] and one[1] < two[1] for one, two in pairwise(pairs))
    assert len(pairs) == textbook_length(base, head)


@pytest.mark.parametrize(
    ("base", "head"),
    [
        ("", ""),
        ("a", ""),
        ("", "a"),
        ("abc", "abc"),
        ("abc", "xbz"),
        ("abcab", "cabbc"),
        ("aaa", "aa"),
    ],
)
def test_of_words(base: str, head: str) -> None:
    check(base, head)


@pytest.mark.parametrize("most_bits", [subsequence.MAX_BITS, 40])
@given(pair=st.sampled_from([2, 5, 30]).flatmap(words))
def test_is_longest(most_bits: int, pair: tuple[list[int], list[int]]) -> None:
    """A table that is divided says the same as a whole one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subsequence, "MAX_BITS", most_bits)
        check(*pair)


@pytest.mark.parametrize("edits", [0, 20, 5_000])
def test_long_ones_take_no_time(edits: int) -> None:
    chance = random.Random(0)  # noqa: S311 (the same lists each time)
    base = [chance.randrange(3_000) for _ in range(5_000)]
    head = list(base)
    for _ in range(edits):
        head[chance.randrange(5_000)] = chance.randrange(3_000)
    began = time.process_time()
    common_subsequence(base, head)
    assert time.process_time() - began < 3
