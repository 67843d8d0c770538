"""Whole fragments: a minion's page and the front page."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from tests.report.sample import SampleBook, leaf, make_book, origin, pillar

from pillarbook.diagnostics import Diagnostic, PillarbookError, Severity
from pillarbook.model import Position
from pillarbook.redact.model import Redacted, TargetVerdict
from pillarbook.report import MinionPages, page_environment, write_front

PLANTED = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>{{ 7*7 }}{% raw %}&amp;"
KNOWN_TAGS = frozenset(
    re.findall(
        r"\w+",
        """
        a b br code dd del div dl dt h1 h2 input label li ol output p pre small span
        table tbody td th thead tr wbr
    """,
    )
)
VOID = frozenset({"br", "input", "wbr"})


class Reader(HTMLParser):
    """Reads a fragment: its text, its tags, its ids; complains where tags do not nest."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text = ""
        self.tags: set[str] = set()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.names: set[str] = set()
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.names.update(name for name, _ in attrs)
        self.ids += [value or "" for name, value in attrs if name == "id"]
        self.links += [value or "" for name, value in attrs if name == "href"]
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def write(book: SampleBook, minion: str) -> str:
    return MinionPages(book, page_environment()).write(minion).html


def front(book: SampleBook) -> str:
    pages = MinionPages(book, page_environment())
    summaries = [pages.write(minion).summary for minion in book.minions]
    return write_front(summaries, book.diagnostics, page_environment())


@pytest.mark.parametrize(
    ("minion", "expected"),
    [
        ("web1.example.com", ["redacted: gpg renderer", "0007-token", "overrode", "G@roles:web"]),
        ("Web2", ["staging", "nginx.workers"]),
        ("db1", ["private.keys", "_errors", "missing-sls", "declare where it lies"]),
        ("old1", ["Tab at line 3", "There is none"]),
        ("spare", ["There is nothing in it", "does not match"]),
    ],
)
def test_a_minions_page_says(minion: str, expected: list[str]) -> None:
    page = Reader(write(make_book(), minion))
    assert all(words in page.text for words in expected)
    assert len(set(page.ids)) == len(page.ids)
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)


def test_a_page_asks_for_one_pillar_once() -> None:
    book = make_book()
    write(book, "db1")
    assert book.asked == ["db1"]


def test_a_pillar_that_shows_its_secrets_is_not_published() -> None:
    with pytest.raises(PillarbookError, match="not for publishing"):
        write(SampleBook({"m": pillar("m", revealed=True)}), "m")


def test_an_empty_pillar_has_no_row() -> None:
    book = SampleBook({"m": pillar("m", leaf((), {}), outcome="empty")})
    page = MinionPages(book, page_environment()).write("m")
    assert "There is nothing in it" in page.html
    assert page.summary.values == 0


def test_the_front_page_sums_up() -> None:
    page = Reader(front(make_book()))
    assert "ok2" in page.text.replace("\n", "")
    assert "2 1 different" in page.text
    assert "missing-sls" in page.text
    assert "web1.example.com, Web2, db1 and 1 more" in page.text
    assert "minions/web2~d443df215b87.html" in page.links


def test_the_front_page_of_a_clean_fleet() -> None:
    assert "Nothing to report" in front(replace(make_book(), faults=()))


def test_the_front_page_stays_readable_with_many_diagnostics() -> None:
    fault = Diagnostic(code="x", severity=Severity.NOTE, message="m")
    page = write_front([], [fault] * 510, page_environment())
    assert "10 more" in page


def test_planted_markup_stays_text() -> None:
    place = origin(PLANTED, PLANTED, 1)
    minion = pillar(
        PLANTED,
        leaf((PLANTED, PLANTED), PLANTED, place),
        leaf(
            (PLANTED, "lines"),
            f"{PLANTED}\n{PLANTED}\n",
            replace(place, sls=PLANTED, saltenv=PLANTED),
        ),
        leaf((PLANTED, "secret"), Redacted(PLANTED, 1)),
        outcome="partial",
        errors=(PLANTED,),
        raises=PLANTED,
        pillarenv=PLANTED,
        saltenv=PLANTED,
        targets=(TargetVerdict(PLANTED, PLANTED, PLANTED, PLANTED, 1, True, (PLANTED,)),),
    )
    fault = Diagnostic(
        code=PLANTED,
        severity=Severity.ERROR,
        message=PLANTED,
        position=Position(PLANTED, 1),
        path=(PLANTED,),
        minions=(PLANTED,),
        help=PLANTED,
        related=(Position(PLANTED),),
    )
    book = SampleBook({PLANTED: minion}, (fault,), {PLANTED: {PLANTED: [PLANTED]}})
    for html, times in ((write(book, PLANTED), 28), (front(book), 7)):
        page = Reader(html)
        assert page.tags <= KNOWN_TAGS
        assert not any(name.startswith("on") for name in page.names)
        assert page.text.count("<script>alert(1)</script>") >= times
        assert page.text.count("{{ 7*7 }}") >= times
