"""What the example's report says of its pillar files."""

from tests.report.reader import Reader
from tests.support.built_sites import BuiltSite


def read(site: BuiltSite, page: str) -> Reader:
    text = (site.folder / page).read_text()
    return Reader(text[text.index("<main") : text.index("</main>") + len("</main>")])


def row(page: Reader, start: str) -> str:
    return next(one.strip() for one in page.rows if one.startswith(f"|{start}"))


def test_an_error_of_a_file_stands_on_its_page_and_not_in_its_figures(
    example_site: BuiltSite,
) -> None:
    page = read(example_site, "sls/base/backup.retention.html")
    assert "found a tab character that violates indentation" in page.text
    assert "#L6" in page.links
    assert "Lines rendered" not in page.text, "it renders, and nobody has a value of it"
    index = read(example_site, "sls/index.html")
    assert row(index, "backup.retention|").endswith("|1|error")
    assert row(index, "db.shard|").endswith("|3|100 %"), "two of three minions have its values"
    assert "All lines of the files that minions get are rendered" in index.text
    assert "Not counted: 1 file with an error" in index.text


def test_lines_of_a_top_file_say_whom_they_match(example_site: BuiltSite) -> None:
    page = read(example_site, "sls/prod/top.html")
    assert row(page, "10|").endswith("|all 3 of roles:web and tier:prod")
    assert row(page, "11|").endswith("|"), "what it gives stands on that SLS's page"
    assert row(read(example_site, "sls/staging/top.html"), "31|").endswith("|matches no minion")


def test_a_picture_shows_the_way_of_a_file_to_minions(example_site: BuiltSite) -> None:
    page = read(example_site, "sls/base/common.users.html")
    assert "this file common.users" in page.said
    text = (example_site.folder / "sls/base/common.users.html").read_text()
    graph = text[text.index("<figure") : text.index("</figure>")]
    assert graph.count("<rect") == 5, "three targets, the SLS that includes it, and itself"
    assert graph.count('class="gives"') == 4
    assert '<a href="../../sls/base/common.html"' in graph
    assert "<figure" not in (example_site.folder / "sls/base/backup.retention.html").read_text()


def test_an_sls_in_the_root_of_another_environment_has_a_link(example_site: BuiltSite) -> None:
    page = read(example_site, "targets.html")
    assert page.links.count("sls/base/web.html") == 2, "of prod and of staging"
