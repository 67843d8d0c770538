"""The index of the search box, read as the script reads it."""

import gzip
import json
import random
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pytest
from tests.report.environment import page_environment
from tests.report.sample import SampleBook, filled, make_session

from pillarbook.redact.redacted_pillar import Redacted
from pillarbook.report.key_fleet import MAX_SPOTS
from pillarbook.report.report import Report
from pillarbook.report.search_entries import SitePage
from pillarbook.report.search_index import BLOCK, KEYS, MAX_KEY, list_words, write_search
from pillarbook.report.search_rows import PARTS, WORDS, SearchEntry, SearchPart, fold

Row = tuple[str, ...]


def read_keys(files: Mapping[str, str]) -> list[str]:
    """Return the keys of all blocks, from both levels of the directory."""
    text = files["assets/search/index.js"]
    assert text.startswith("globalThis.pillarbookSearchIndex = ")
    directory: dict[str, Any] = json.loads(text.partition(" = ")[2].rstrip(";\n"))
    assert directory["step"] == KEYS
    keys: list[str] = []
    for number, first in enumerate(directory["keys"]):
        file = files[f"assets/search/keys{number}.js"]
        call = re.fullmatch(r"pillarbookSearchKeys\((.*)\);\n", file)
        assert call
        told, some = json.loads(f"[{call[1]}]")
        assert (told, some[0]) == (number, first)
        keys += some
    return keys


def read_block(files: Mapping[str, str], number: int) -> list[tuple[str, Row]]:
    """Return the terms of a block with what they find."""
    call = re.fullmatch(r"pillarbookSearch\((.*)\);\n", files[f"assets/search/{number}.js"])
    assert call
    told, texts, rows = json.loads(f"[{call[1]}]")
    assert told == number
    found = []
    for offset, *numbers in rows:
        row = tuple(texts[at] for at in (*numbers, *[0] * (6 - len(numbers))))
        found.append((fold(row[1])[offset:], row))
    return found


def look_up(files: Mapping[str, str], word: str, blocks: int = 1) -> set[Row]:
    """Return what a word finds, from the first blocks that the directory leads to."""
    keys = read_keys(files)
    word = fold(word)
    first = bisect_left(keys, word[:MAX_KEY])
    if first == len(keys) or not keys[first].startswith(word[:MAX_KEY]):
        first = max(0, first - 1)
    rows: list[tuple[str, Row]] = []
    for number in range(first, min(first + blocks, len(keys))):
        if number == first or keys[number].startswith(word[:MAX_KEY]):
            rows += read_block(files, number)
    return {row for term, row in rows if term.startswith(word)}


def search(book: SampleBook, own: Sequence[SitePage] = ()) -> dict[str, str]:
    report = Report(book, page_environment())
    waiting = list(report.pages)
    while waiting:
        page = waiting.pop(0)
        report.write(page)
        waiting += report.further(page)
    return dict(report.write_search(own))


def kinds(rows: Iterable[Row]) -> set[str]:
    return {row[0] for row in rows}


def some_entries(count: int) -> list[SearchEntry]:
    chosen = random.Random(5)  # noqa: S311 (no secret)
    words = ["web", "db", "cache", "É", "\U0001f375tea", "cdn", "x" * 30]
    return [
        SearchEntry("Keys", f"{':'.join(chosen.choices(words, k=4))}{number}", page="a.html")
        for number in range(count)
    ]


def test_a_word_finds_each_entry_in_which_a_word_begins_so() -> None:
    entries = some_entries(3_000)
    files = dict(write_search([SearchPart(entries, WORDS), SearchPart((), WORDS)]))
    assert len(files) > 100
    label = entries[7].label.lower()
    for word in ("web", "web:db", "cache.db", "é", "\ufffdtea", "xxx", label, label[:-1]):
        wanted = re.escape(fold(word))
        expected = {
            one.label for one in entries if re.search(rf"(^|[:./_\s-]){wanted}", fold(one.label))
        }
        assert expected
        assert {row[1] for row in look_up(files, word, 3_000)} == expected, word
        first = look_up(files, word)
        assert {row[1] for row in first} <= expected
        assert len(first) >= min(len(expected), 7), word  # more than are shown
    assert look_up(files, "nothing") == set()


def test_each_kind_is_in_the_first_block_of_a_word() -> None:
    entries = [SearchEntry("Minions", f"web{number:04}.example.com") for number in range(2_000)]
    entries += [SearchEntry("Keys", f"web:{number}") for number in range(400)]
    entries.append(SearchEntry("SLS files", "roles.web"))
    found = Counter(
        row[0] for row in look_up(dict(write_search([SearchPart(entries, WORDS)])), "we")
    )
    assert found["SLS files"] == 1
    assert min(found["Minions"], found["Keys"]) > 6


def test_blocks_are_small_and_their_keys_are_in_order() -> None:
    entries = [SearchEntry("Values", f"value {number:05}", "a:b") for number in range(5_000)]
    # Names that would make a tree of keys as deep as they are long.
    entries += [SearchEntry("Keys", "a" * number, "ä" * 10) for number in range(1, 1_200)]
    files = dict(write_search([SearchPart(entries, PARTS)]))
    keys = read_keys(files)
    assert keys == sorted(keys)
    for at, key in enumerate(keys):
        rows = read_block(files, at)
        assert all(term >= key for term, _ in rows)
        assert len(files[f"assets/search/{at}.js"]) < BLOCK * 1.2 or len(rows) == 1
    assert {row[1] for row in look_up(files, "value 00017")} == {"value 00017"}
    assert {row[1] for row in look_up(files, "a" * 40)} >= {"a" * 40}


def test_what_very_many_share_is_found_for_some_of_them() -> None:
    entries = [SearchEntry("Minions", f"web{number}.example.com") for number in range(500)]
    files = dict(write_search([SearchPart(entries, WORDS)]))
    assert len(look_up(files, "example", 500)) == 100
    assert len(look_up(files, "web", 500)) == 500


def test_the_report_finds_minions_keys_values_grains_and_pages() -> None:
    book = make_session()
    book.facts = {"site": "ams", "disk": {"sda": "WDC-1234"}, "none": None}
    files = search(book, [SitePage("Our &amp; <b>rules</b>", "ours.html", [("How to", "how-to")])])
    assert ("Minions", "web1.example.com") in {row[:2] for row in look_up(files, "web1")}
    (key,) = (row for row in look_up(files, "nginx:workers") if row[0] == "Keys")
    assert key == ("Keys", "nginx:workers", "integer", "2 minions", "keys/nginx.html", key[5])
    (value,) = look_up(files, "0.0.0.0:443")
    place = "nginx:sites:shop.example.com:listen"
    assert value[:5] == ("Values", "0.0.0.0:443", place, "2 minions", "keys/nginx.html")
    assert value[5] == "k-nginx.sites.shop%2Eexample%2Ecom.listen"
    assert "Grains" in kinds(look_up(files, "wdc-1234"))
    assert {row[1] for row in look_up(files, "ams")} == {"site:ams"}
    assert ("Pages", "Our & rules", "", "", "ours.html", "") in look_up(files, "our")
    assert ("Pages", "How to", "Our & rules", "", "ours.html", "how-to") in look_up(files, "how")
    assert {row[4] for row in look_up(files, "secrets")} >= {"secrets.html"}


def test_no_secret_and_no_token_is_found() -> None:
    secret = Redacted("gpg renderer", 7)
    book = SampleBook({"m": filled("m", {"a": {"password": secret, "list": [secret]}})})
    book.facts = {"api": secret}
    files = search(book)
    assert kinds(look_up(files, "a:password")) == {"Keys"}
    text = "".join(files.values())
    assert "gpg renderer" not in text
    assert book.token(7) not in text


@pytest.mark.slow
def test_each_value_of_a_key_with_very_many_is_found_on_its_minion() -> None:
    count = MAX_SPOTS + 50
    book = SampleBook(
        {f"n{at}": filled(f"n{at}", {"net": {"ip": f"10.0.{at}"}}) for at in range(count)}
    )
    files = search(book)
    for at in (0, 17, count - 1):
        found = {row for row in look_up(files, f"10.0.{at}") if row[1] == f"10.0.{at}"}
        assert found == {("Values", f"10.0.{at}", "net:ip", f"n{at}", "", "k-net.ip")}


def test_values_of_several_minions_lead_to_the_page_of_their_key() -> None:
    book = SampleBook({f"n{at}": filled(f"n{at}", {"app": {"port": 8080}}) for at in range(4)})
    (found,) = look_up(search(book), "8080")
    assert found == ("Values", "8080", "app:port", "4 minions", "keys/app.html", "k-app.port")


@pytest.mark.slow
def test_an_index_of_many_values_is_small() -> None:
    """As many entries as ten thousand minions have that get ten values of their own each."""
    random.seed(3)
    entries = [
        SearchEntry(
            "Values", f"10.{at % 250}.{at // 250}.{random.randint(1, 9)}", f"net:{at % 10}:address",  # noqa: S311 (no secret)
            f"web{at // 10:05}.ams.example.com", "", f"k-net.{at % 10}.address",
        )
        for at in range(100_000)
    ]  # fmt: skip
    files = dict(write_search([SearchPart(entries, PARTS)]))
    sizes = {name: len(gzip.compress(text.encode())) for name, text in files.items()}
    assert sum(sizes.values()) < 5_000_000


def test_another_theme_finds_names_and_their_words_with_nothing_unseen() -> None:
    found = list_words(["web1.example.com", "a\u202eb"])
    assert found == "web1.example.com web1 example com a\\u202eb a u202eb"
