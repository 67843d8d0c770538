"""Places of files lead to the pages of these files."""

import pytest
from tests.report.reader import Reader
from tests.report.sample import SampleBook, filled
from tests.report.sample_sources import SampleSources

from pillarbook.redact.source_files import MaskedLine, SourceFile
from pillarbook.report.places import link_places, write_place
from pillarbook.report.report import Report
from pillarbook.report.templates import page_environment

APP = SourceFile("pillar/base/app.sls", "base", "app", is_sls=True, withheld=None)
LONG = "pillar/base/a-folder-with-a-long-name/and-another-one/app.sls"


def write_pages(source: SourceFile) -> dict[str, Reader]:
    data = {"app": {"port": 80, "host": "a"}}
    book = SampleBook(
        {"web1": filled("web1", data)}, sources=SampleSources({source: (MaskedLine(("a: 1",)),)})
    )
    report = Report(book, page_environment())
    written = {page.uri: Reader(report.write(page)) for page in report.pages}
    first = next(page for page in report.pages if page.uri == "sls/index.html")
    return written | {page.uri: Reader(report.write(page)) for page in report.further(first)}


@pytest.fixture(scope="module")
def pages() -> dict[str, Reader]:
    return write_pages(APP)


def test_a_section_leads_to_the_file_that_sets_its_values(pages: dict[str, Reader]) -> None:
    assert "../sls/base/app.html" in pages["minions/web1.html"].links


def test_a_file_leads_to_the_pages_of_the_keys_that_it_sets(pages: dict[str, Reader]) -> None:
    assert "../../keys/app.html" in pages["sls/base/app.html"].links


def test_the_list_of_files_names_those_that_nobody_gets(pages: dict[str, Reader]) -> None:
    page = pages["sls/index.html"]
    assert "Files that nobody gets 1" in " ".join(
        page.text.split()
    )  # above the table, with a number
    assert "#unused" in page.links
    assert page.links.count("../sls/base/app.html") == 2


def test_a_file_without_a_page_has_no_link() -> None:
    other = SourceFile("pillar/base/other.sls", "base", "other", is_sls=True, withheld=None)
    links = write_pages(other)["minions/web1.html"].links
    assert not any("sls/base" in link for link in links)


def test_places_are_linked_and_nothing_else_is() -> None:
    def address(file: str, line: int | None) -> str | None:
        return f"{len(file)}.html#L{line}" if file.startswith("pillar/") else None

    def base_address(file: str, line: int | None) -> str | None:
        return f"https://forge.example/{file}#L{line}" if file == "pillar/a.sls" else None

    before = write_place("pillar/a.sls", 3, is_base=True)
    rows = {
        before: f'<a href="https://forge.example/pillar/a.sls#L3">{before}</a>',
        f"because of {write_place('pillar/a.sls', 3)} (before)": "#L3",
        write_place("pillar/b.sls", 3, is_base=True): '<code class="base">pillar/b.sls:3</code>',
        write_place("pillar/a.sls", 3): '<a href="12.html#L3"><code>pillar/a.sls:3</code></a>',
        write_place("pillar/a.sls", None): '<a href="12.html#LNone"><code>pillar/a.sls</code></a>',
        write_place("pillar/<b>&.sls", 3): "15.html#L3",
        write_place(LONG, 7): f"{len(LONG)}.html#L7",
        write_place("other/a.sls", 3): "<code>other/a.sls:3</code>",
        f'<a href="#x">{write_place("pillar/a.sls", 3)}</a>': '<a href="#x"><code>pillar/a.sls:3',
        "<td>pillar/a.sls:3": "<td>pillar/a.sls:3",
    }
    for html, expected in rows.items():
        linked = link_places(html, address, base_address)
        assert expected in linked, html
        assert linked.count("<a ") == linked.count("</a>") <= 1
