"""Texts that repeat a piece of secrets, and secrets that repeat each other: linear, and hidden."""

import time
from collections.abc import Callable

import pytest

from pillarbook.redact.secret_search import Searches, SecretSearch
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
        store.place(WORD, (f"k{number}",), source=SecretSource("opened", b"%d" % number))
    places = frozenset(range(300))
    search = Searches(store).among(places)
    assert len(search) == len(SecretSearch.of([(0, WORD)]))
    assert search.places_in(f"a {WORD} b".encode()) == places
    assert len(list(search.find_each(f"{WORD} {WORD}".encode()))) == 2


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
    assert one.places_in(raw)
    assert all_of_them.places_in(raw)
    base = seconds(lambda: list(one.find(raw)))
    assert seconds(lambda: list(all_of_them.find(raw))) < 10 * base + 1


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
