"""Whole sites, built by MkDocs in this process."""

import html
import json
import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.publish.built import (
    CONFIGURATION,
    OLD,
    assert_nothing_left,
    configure,
    run,
    site_of,
)
from tests.report.sample import SampleBook, leaf, make_session
from tests.support.redacted import make_pillar

from pillarbook.publish.links import check_links
from pillarbook.publish.mkdocs_run import build_site
from pillarbook.redact.redacted_pillar import RedactedPillar
from pillarbook.report.slug import slug
from pillarbook.report.templates import template_root
from pillarbook.schemas import list_files

FORMATS = ("html", "json", "yaml")


def test_a_site_has_the_reports_pages_and_what_lies_beside_them(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = make_session()
    assert run(tree, session) == 0
    site = site_of(tree)
    theme = template_root() / "theme"
    assert set(site) == {
        "404.html",
        *(f"assets/search/{name}.js" for name in ("index", "keys0", *range(4))),
        *(str(file.relative_to(theme)) for file in theme.glob("*/*") if file.is_file()),
        "diagnostics.html",
        "environments/index.html",
        "index.html",
        "keys/index.html",
        *(f"keys/{name}.html" for name in ("motd", "nginx", "ntp", "postgres")),
        "minions/index.html",
        "secrets.html",
        "targets.html",
        "guide/reading.html",
        "guide/words.html",
        "rules/missing-grain.html",
        "rules/missing-sls.html",
        "report.json",
        *dict(list_files()),
        "secrets.json",
        *(f"minions/{slug(minion)}.{kind}" for minion in session.minions for kind in FORMATS),
    }
    front = site["index.html"].decode()
    assert "By hand." in front
    assert front.index("By hand.") < front.index("<h2")
    listed = site["minions/index.html"].decode()
    assert all(f'href="{slug(minion)}.html"' in listed for minion in session.minions)
    assert session.asked == list(session.minions)
    assert session.closed
    assert capsys.readouterr() == ("", "")
    assert_nothing_left(tree)


def test_data_beside_a_page_is_utf_8_whatever_is_in_it(tree: Path) -> None:
    @dataclass
    class Odd(SampleBook):
        def as_json(self, pillar: RedactedPillar) -> str:  # noqa: ARG002 (as in the base)
            return json.dumps("\ud800 \N{SNOWMAN}", ensure_ascii=False)

    assert run(tree, Odd(make_session().pillars)) == 0
    data = site_of(tree)["minions/db1.json"]
    assert json.loads(data) == "\ud800 \N{SNOWMAN}"


def test_the_command_learns_what_was_published(tree: Path) -> None:
    published = build_site(tree / "mkdocs.yml", open_session=lambda _: make_session())
    assert published is not None
    pages = [name for name in site_of(tree) if name.endswith(".html") and name != "404.html"]
    assert (published.folder, published.pages) == (tree / "site", len(pages))
    assert [one.code for one in published.diagnostics] == [
        one.code for one in make_session().faults
    ]


def test_two_builds_are_equal_byte_for_byte(tree: Path) -> None:
    run(tree)
    first = site_of(tree)
    run(tree)
    assert site_of(tree) == first


def test_a_page_is_framed_by_the_theme(tree: Path) -> None:
    run(tree)
    page = site_of(tree)["minions/web1.example.com.html"].decode()
    assert "<title>web1.example.com · Sample</title>" in page
    assert "script-src 'self'" in page
    assert 'href="../css/theme.css"' in page
    assert page.count("<h1>") == 1
    assert not re.search(r"https?://", page)
    assert not re.search(r"<script(?! src)|<style|\bstyle=|\bon[a-z]+=", page)


def test_every_link_leads_somewhere(tree: Path) -> None:
    run(tree)
    assert check_links(tree / "site") == ()


def test_a_tree_without_pages_gets_a_front_page(tree: Path) -> None:
    (tree / "pages/index.md").unlink()
    assert run(tree) == 0
    front = site_of(tree)["index.html"].decode()
    assert "<h1>Sample</h1>" in front
    assert "missing-sls" in front


def test_no_heading_has_an_id_of_the_report(tree: Path) -> None:
    def find_ids() -> list[str]:
        return re.findall(r"\bid=[\"']?([^\"' >]+)", site_of(tree)["index.html"].decode())

    run(tree)
    given = set(find_ids()) - {"front"}
    assert len(given) >= 5
    # One of each is what somebody might call a chapter: "Content", "Fleet changes", "Minion table".
    headings = {re.sub(r"[^\w]", " ", one) for one in given}
    headings |= {one.title().replace(" ", "") for one in headings}
    lines = "\n\n".join(f"## {one}\n\n## {one.replace(' ', '-')}" for one in sorted(headings))
    (tree / "pages/index.md").write_text(f"# Front\n\n{lines}\n")
    run(tree)
    found = find_ids()
    assert len(found) > 3 * len(given)
    assert len(found) == len(set(found))


def test_the_theme_is_pillarbooks_unless_another_is_named(tree: Path) -> None:
    (tree / "mkdocs.yml").write_text(CONFIGURATION.replace("theme: {name: pillarbook}\n", ""))
    assert run(tree) == 0
    assert "css/theme.css" in site_of(tree)


def test_urls_are_flat_whatever_the_configuration_says(tree: Path) -> None:
    (tree / "mkdocs.yml").write_text(CONFIGURATION + "use_directory_urls: true\n")
    assert run(tree) == 0
    assert "minions/db1.html" in site_of(tree)


def test_a_search_index_has_titles_only(tree: Path) -> None:
    (tree / "mkdocs.yml").write_text(CONFIGURATION.replace("plugins:", "plugins:\n  - search"))
    assert run(tree) == 0
    index = site_of(tree)["search/search_index.json"].decode()
    assert "web1.example.com" in index
    assert "ntp1.example.com" not in index


def test_the_command_may_name_the_site_folder(tree: Path) -> None:
    assert run(tree, site_dir=tree / "elsewhere") == 0
    assert (tree / "elsewhere/index.html").is_file()
    assert site_of(tree) == OLD


def test_planted_markup_in_names_stays_text(tree: Path) -> None:
    planted = "<script>alert(1)</script>\"'&lt;i&gt;{{ 7*7 }}"
    text = CONFIGURATION.replace("Sample", f"'{planted.replace(chr(39), chr(39) * 2)}'")
    (tree / "mkdocs.yml").write_text(text)
    session = SampleBook({planted: make_pillar(planted, leaf((planted,), planted))})
    assert run(tree, session) == 0
    site = site_of(tree)
    for name in ("index.html", "404.html", f"minions/{slug(planted)}.html"):
        page = site[name].decode()
        assert "<script>" not in page
        assert "<i>" not in page
        assert "&lt;script&gt;alert(1)" in page
        assert "{{ 7*7 }}" in page
    minion = site[f"minions/{slug(planted)}.html"].decode()
    title = minion[minion.index("<title>") + 7 : minion.index("</title>")]
    assert html.unescape(title) == f"{planted} · {planted}"


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("written", "address"),
    [
        ("minions/db1.md", "minions/db1.html"),
        ("minions/README.md", "minions/index.html"),
        ("diagnostics.html", "diagnostics.html"),
        ("minions/db1.json", "minions/db1.json"),
    ],
)
def test_hand_written_files_do_not_shadow_the_report(
    written: str, address: str, tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tree / "pages/minions").mkdir()
    (tree / "pages" / written).write_text("# By somebody else")
    assert run(tree) == 0
    assert b"somebody" not in site_of(tree)[address]
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert f"warning: {written} is left out: the report has" in said


def test_a_page_that_is_excluded_is_no_home_page(tree: Path) -> None:
    configure(tree, "exclude_docs: index.md")
    assert run(tree) == 0
    front = site_of(tree)["index.html"].decode()
    assert "By hand." not in front
    assert "<h1>Sample</h1>" in front
