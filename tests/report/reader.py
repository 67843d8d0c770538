"""Reads fragments as a browser would, for tests that look at what they say."""

import re
from collections.abc import Mapping
from html.parser import HTMLParser

from pillarbook.diagnostics import Diagnostic, Severity
from pillarbook.model import Position

PLANTED = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>{{ 7*7 }}{% raw %}&amp;"
"""Text that would do something if it were ever taken for markup or for a template."""
KNOWN_TAGS = frozenset(
    re.findall(
        r"\w+",
        """
        a b br code dd del details div dl dt em figure h1 h2 h3 i input ins label li nav ol output p
        path pre rect script small span strong summary svg table tbody td text th thead title tr ul wbr
    """,
    )
)
"""What fragments are made of."""
ENDED_BY: Mapping[str, frozenset[str]] = {
    "td": frozenset({"td", "th", "tr", "tbody", "table"}),
    "th": frozenset({"td", "th", "tr", "tbody", "table"}),
    "tr": frozenset({"tr", "tbody", "table"}),
    "tbody": frozenset({"tbody", "table"}),
}
"""Elements that HTML lets end by themselves, with the tags that end them."""
BLOCKS = frozenset({"div", "dl", "figure", "ol", "p", "pre", "table", "ul"})
NO_BLOCKS = frozenset({"b", "code", "h1", "h2", "h3", "i", "p", "pre", "small", "span", "strong"})
"""Elements in which HTML allows text and its like only."""
VOID = frozenset({"br", "input", "path", "rect", "wbr"})


class Reader(HTMLParser):
    """Reads a fragment: its text, its tags, its ids; complains where tags do not nest."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text = ""
        self.tags: set[str] = set()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.scripts: list[str] = []
        self.names: set[str] = set()
        self.rows: list[str] = []
        """The text of each table row, cells apart."""
        self.said: list[str] = []
        """What attributes say to people."""
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert self._open == []

    def _end_by(self, tag: str, stop: str = "") -> None:
        while self._open and self._open[-1] != stop and tag in ENDED_BY.get(self._open[-1], ()):
            self._open.pop()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "table":
            self._end_by(tag)
        self.tags.add(tag)
        assert tag not in BLOCKS or not NO_BLOCKS.intersection(self._open), (tag, self._open)
        self.names.update(name for name, _ in attrs)
        for name, value in attrs:
            self._note(tag, name, value or "")
        if tag == "tr":
            self.rows.append("")
        if tag in {"td", "th"} and self.rows:
            self.rows[-1] += "|"
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in VOID
        self.handle_starttag(tag, attrs)

    def _note(self, tag: str, name: str, value: str) -> None:
        if name == "id":
            self.ids.append(value)
        elif name == "href":
            self.links.append(value)
        elif name == "src":
            self.scripts.append(value)
            assert tag == "script"
        elif name in {"aria-label", "title", "data-l"}:
            self.said.append(value)

    def handle_endtag(self, tag: str) -> None:
        self._end_by(tag, stop=tag)
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data
        if "tr" in self._open:
            self.rows[-1] += data

    def row(self, words: str) -> str:
        """Return the first row that holds some words, without its line breaks."""
        return next(row.replace("\n", "") for row in self.rows if words in row)


def is_safe(page: Reader) -> bool:
    """Say whether a fragment has nothing in it that was planted."""
    handlers = [name for name in page.names if name.startswith("on") or name == "style"]
    return page.tags <= KNOWN_TAGS and not handlers and all("<" not in src for src in page.scripts)


def planted_diagnostic() -> Diagnostic:
    """Return a diagnostic with markup in each of its fields."""
    return Diagnostic(
        code=PLANTED,
        severity=Severity.ERROR,
        message=PLANTED,
        position=Position(PLANTED, 1),
        path=(PLANTED,),
        minions=(PLANTED,),
        help=PLANTED,
        related=(Position(PLANTED),),
    )
