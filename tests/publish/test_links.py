"""Links of finished sites: each kind of fault is found, and nothing else is taken for one."""

import html
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.fleets import write_files

from pillarbook.publish.links import DeadLinksError, LinkFault, check_links, read_markup

OTHER = '<h1 id="top-of-it">x</h1><p id="k-a%20b"></p><p id="a b"></p><p id="é&amp;x"></p>'


def check(folder: Path, page: str, *, where: str = "index.html", base: str = "/") -> list[str]:
    """Return the faults of a site with one more page."""
    files = {"sub/other.html": OTHER, "sub/index.html": "", "a b#c?.txt": "", "img/é.svg": ""}
    write_files(folder, files | {where: page})
    return [str(fault) for fault in check_links(folder, base)]


FAULTS = {
    "missing file": ('<a href="x.html">', "'x.html': there is no x.html"),
    "missing in a folder": ('<a href="sub/x.html">', "'sub/x.html': there is no sub/x.html"),
    "missing image": ('<img src="x.png">', "'x.png': there is no x.png"),
    "missing script": ("<script src=js/x.js></script>", "'js/x.js': there is no js/x.js"),
    "another case": ('<a href="Sub/other.html">', "'Sub/other.html': there is no Sub/other.html"),
    "out of the site": ('<a href="../x.html">', "'../x.html': there is no ../x.html"),
    "a folder": ('<a href="sub">', "'sub': there is no sub"),
    "missing id here": ('<a href="#x">', "'#x': the page has no id 'x'"),
    "missing id there": (
        '<a href="sub/other.html#x">',
        "'sub/other.html#x': sub/other.html has no id 'x'",
    ),
    "a query does not hide it": ('<a href="x.html?q=1">', "'x.html?q=1': there is no x.html"),
    "id twice": ('<i id="x"></i><b id=x></b>', "'#x': the page has this id more than once"),
    "id in a comment": ('<!-- <p id="x"> --><a href="#x">', "'#x': the page has no id 'x'"),
    "id in a script": (
        "<script>'<p id=\"x\">'</script><a href='#x'>",
        "'#x': the page has no id 'x'",
    ),
    "id in a title": ('<title><p id="x"></title><a href="#x">', "'#x': the page has no id 'x'"),
    "id in another attribute": (
        """<p title='> id="x"'><a href="#x">""",
        "'#x': the page has no id 'x'",
    ),
    "id of data": ('<p data-id="x"><a href="#x">', "'#x': the page has no id 'x'"),
    "id of an end tag": ('<p></p id="x"><a href="#x">', "'#x': the page has no id 'x'"),
    "encoded once too often": (
        '<a href="sub/other.html#k-a%252520b">',
        "'sub/other.html#k-a%252520b': sub/other.html has no id 'k-a%252520b'",
    ),
    "upper case tags": ('<A HREF="x.html">', "'x.html': there is no x.html"),
    "references": ('<a href="x&#46;html">', "'x.html': there is no x.html"),
    "spaces around": ('<a href = " x.html ">', "' x.html ': there is no x.html"),
    "from the root": ('<a href="/x.html">', "'/x.html': there is no x.html"),
}
RIGHT = {
    "file": '<a href="sub/other.html">',
    "folder with an index": '<a href="sub/">',
    "here": '<a href=".">x</a><a href="./">',
    "the page itself": '<a href=""><a href="?q=1"><a href="#"><a href="#top"><a href="#TOP">',
    "query": '<a href="sub/other.html?q=failed#top-of-it">',
    "encoded name": '<a href="a%20b%23c%3F.txt"><img src="img/%C3%A9.svg"><img src="img/é.svg">',
    "id as it is": '<a href="sub/other.html#k-a%20b">',
    "id encoded": '<a href="sub/other.html#k-a%2520b">',
    "id decoded": '<a href="sub/other.html#a%20b"><a href="sub/other.html#a b">',
    "id with references": '<a href="sub/other.html#%C3%A9&amp;x"><a href="sub/other.html#é&#38;x">',
    "text fragment": '<a href="sub/other.html#top-of-it:~:text=x"><a href="#:~:text=x">',
    "elsewhere": (
        '<a href="https://x/y"><a href="//x/y"><a href="mailto:a@b"><img src="data:image/png,x">'
        '<a href="javascript:void(0)"><a href="HTTP://x">'
    ),
    "fragment of what is no page": '<a href="img/é.svg#view"><a href="a%20b%23c%3F.txt#page=2">',
    "quotes in text": """<pre>a "b' href="x.html" &lt;a href="x.html"&gt;</pre><p>it's</p>""",
    "comment": '<!-- <a href="x.html"> --><!--><a href="sub/"><!-- -- > <a href="x"> --!>',
    "script": "<script>\"<a href='x.html'></scripts>\"</script><style><a href=x></style >",
    "unquoted": "<a href=sub/other.html#top-of-it>x</a><p id=y/><a href=#y/>",
    "greater than in a value": """<a title="a>b <a href='x.html'>" href='sub/'>""",
    "less than in text": "1 < 2 <3 <a href='sub/'> a<b",
    "no value": "<a href><p id><p id>",
    "doctype": '<!DOCTYPE html><?xml <a href="x"?>',
}


@pytest.mark.parametrize(("page", "fault"), FAULTS.values(), ids=FAULTS)
def test_a_planted_fault_is_found(page: str, fault: str, tmp_path: Path) -> None:
    assert check(tmp_path, page) == [f"index.html: {fault}"]


@pytest.mark.parametrize("page", RIGHT.values(), ids=RIGHT)
def test_what_leads_somewhere_is_no_fault(page: str, tmp_path: Path) -> None:
    assert check(tmp_path, page) == []


def test_links_count_from_the_pages_folder(tmp_path: Path) -> None:
    page = '<a href="other.html"><a href="../index.html"><a href="../nope.html">'
    (tmp_path / "index.html").touch()
    found = check(tmp_path, page, where="sub/page.html")
    assert found == ["sub/page.html: '../nope.html': there is no nope.html"]


def test_absolute_paths_count_from_the_path_of_the_site(tmp_path: Path) -> None:
    page = '<a href="/docs/sub/other.html"><a href="/docs"><a href="/docs/x"><a href="/other/x">'
    found = check(tmp_path, page, where="404.html", base="/docs")
    assert found == [
        "404.html: '/docs': there is no index.html",
        "404.html: '/docs/x': there is no x",
    ]


def test_each_page_has_ids_of_its_own(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.html").write_text('<p id="x"><a href="#x"><a href="a.html#x">')
    assert check_links(tmp_path) == ()


def test_a_message_names_the_first_and_counts_all() -> None:
    faults = [LinkFault(f"p{number}.html", "x.html", "there is no x.html") for number in range(9)]
    assert str(DeadLinksError(faults)) == (
        "nothing is published, because the build is strict and 9 links are broken: "
        "p0.html: 'x.html': there is no x.html; p1.html: 'x.html': there is no x.html; "
        "p2.html: 'x.html': there is no x.html; and more"
    )


class _Parser(HTMLParser):
    """The standard library's parser, slow and well tested."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.ids: list[str] = []
        self.links: set[str] = set()

    def handle_starttag(self, _tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.ids.append(value)
            elif name in ("href", "src"):
                self.links.add(value or "")


TEXTS = st.text("ab<>\"'=& /;#\n-é", max_size=8).map(html.escape)
ATTRIBUTES = st.tuples(
    st.sampled_from(["id", "href", "src", "title", "data-id", "ID", "Href"]), TEXTS
).map(lambda pair: f'{pair[0]}="{pair[1]}"')
TAGS = st.tuples(
    st.sampled_from(["a", "p", "td", "section", "title-x", "script-x", "IMG"]),
    st.lists(ATTRIBUTES, max_size=3, unique_by=lambda text: text.partition("=")[0].lower()),
).map(lambda pair: f"<{' '.join((pair[0], *pair[1]))}>")
PIECES = st.one_of(TAGS, TEXTS, TEXTS.map("<!-- {} -->".format), st.sampled_from(["</p>", "<td>"]))


@given(st.lists(PIECES, max_size=12).map("".join))
def test_ids_and_links_are_those_that_a_parser_finds(page: str) -> None:
    parser = _Parser()
    parser.feed(page)
    parser.close()
    found = read_markup(page.encode())
    assert [one.decode() for one in found.ids] == parser.ids
    assert {one.decode() for one in found.links} == parser.links
