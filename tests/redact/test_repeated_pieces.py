"""Texts that repeat a piece of secrets, and secrets that repeat each other: linear, and hidden."""

import time
from collections.abc import Callable

import pytest

from pillarbook.redact.copy_search import CopySearch
from pillarbook.redact.secret_names import Names
from pillarbook.redact.secret_search import Searches, SecretSearch, find_texts
from pillarbook.redact.secret_sources import SecretSource
from pillarbook.redact.secret_store import SecretStore

WORD = "Kr7mQp2xTz9w"


def seconds(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin


def test_equal_secrets_of_many_sources_are_looked_for_once() -> None:
    store = SecretStore()
    for number in range(300):
        store.add(WORD, (f"k{number}",), source=SecretSource("opened", b"%d" % number))
    places = frozenset(range(300))
    search = Searches(store).among(places)
    assert len(search) == len(SecretSearch.of([(0, WORD)]))
    assert search.ids_in(f"a {WORD} b".encode()) == places
    assert len(list(search.find_each(f"{WORD} {WORD}".encode()))) == 2


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("secrets", "text"),
    [
        ([f"a{number} {WORD}" for number in range(300)], f"{WORD} " * 20_000),
        (["aB3" * 5_000 + "x"], "aB3" * 40_000),
        ([f"{'aB3' * 200}x{number}" for number in range(100)], "aB3" * 20_000),
    ],
    ids=["many that share a word", "a long one of one piece", "many long ones of one piece"],
)
def test_a_text_of_pieces_takes_little_longer_than_one_of_secrets(
    secrets: list[str], text: str
) -> None:
    raw = text.encode()
    one, all_of_them = SecretSearch.of([(0, text[:12])]), SecretSearch.of(enumerate(secrets))
    assert one.ids_in(raw)
    assert all_of_them.ids_in(raw)
    base = seconds(lambda: list(one.find(raw)))
    assert seconds(lambda: list(all_of_them.find(raw))) < 10 * base + 1


@pytest.mark.slow
def test_a_secret_behind_many_pieces_is_hidden_as_a_whole() -> None:
    secret = "aB3" * 300 + "Zq8-end"
    search = SecretSearch.of([(0, secret)])
    text = "aB3" * 200_000 + f" plain {secret} plain"
    shown = search.replace(text, lambda _: "<token>")
    assert "aB3aB3aB3" not in shown
    assert "Zq8" not in shown
    assert len(shown) < 100


def test_a_secret_over_the_edge_of_what_is_searched_at_once_is_found() -> None:
    search = SecretSearch.of([(0, WORD)])
    for before in range(2**16 - len(WORD) - 1, 2**16 + 2):
        hits = list(search.find(b"." * before + WORD.encode() + b"."))
        assert [(hit.start, hit.end) for hit in hits] == [(before, before + len(WORD))]


@pytest.mark.slow
def test_values_are_not_compared_with_each_copy() -> None:
    """Sixteen times the copies in sixteen times the values take about sixteen times as long."""

    def find_reasons(count: int) -> float:
        store = SecretStore()
        values = [f"{WORD}{number:05}xQ" for number in range(count)]
        own = {store.add(value, (f"k{at}",)): (f"k{at}",) for at, value in enumerate(values)}
        copies = CopySearch(store, Names(store))
        known = copies.named(own, own)
        assert copies.reason_by(values[0], known) == "same as k0"  # the search is made
        texts = [f"see {value}" for value in values]
        return seconds(lambda: [copies.reason_by(text, known) for text in texts])

    few = min(find_reasons(250) for _ in range(3))
    assert min(find_reasons(4_000) for _ in range(2)) < 50 * few


def test_texts_are_found_in_one_pass() -> None:
    """What is hidden of a file is looked for in all of it, however many words that are."""

    def find(count: int) -> float:
        words = [f"{WORD}{number:06}".encode() for number in range(count)]
        raw = b" ".join(words)
        assert len(list(find_texts(words, raw))) == count
        return seconds(lambda: list(find_texts(words, raw)))

    few = min(find(1_000) for _ in range(3))
    assert min(find(16_000) for _ in range(3)) < 50 * few
