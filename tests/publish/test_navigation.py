"""The report in a site's navigation, and titles that are text whoever wrote them."""

import html
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from tests.publish.built import CONFIGURATION, configure, run, site_of
from tests.report.sample import SampleBook, leaf
from tests.support.redacted import make_pillar

from pillarbook.publish.links import check_links
from pillarbook.report.slug import slug
from pillarbook.report.source import EnvironmentSide

SUMMARIES = ["Minions", "Keys", "Targets", "Secrets", "Diagnostics"]
"""Without environments to compare, their page is in no navigation that does not name it."""
PLANTED = "<script>alert(1)</script>\"'&lt;plant&gt;{{ 7*7 }}<plant onclick=x>"


def nav_of(tree: Path, page: str = "minions/db1.html") -> list[tuple[str, str]]:
    """Return names and addresses of a page's navigation."""
    text = site_of(tree)[page].decode()
    nav = text[text.index("<nav") : text.index("</nav>")]
    found = re.findall(r'<a href="([^"]*)"[^>]*>(.*?)</a>', nav)
    return [(html.unescape(name), address) for address, name in found]


def test_without_a_nav_the_report_follows_the_home_page(tree: Path) -> None:
    (tree / "pages/about.md").write_text("# About")
    assert run(tree) == 0
    assert nav_of(tree) == [
        ("Front", "../index.html"),
        ("Minions", "index.html"),
        ("Keys", "../keys/index.html"),
        ("Targets", "../targets.html"),
        ("Secrets", "../secrets.html"),
        ("Diagnostics", "../diagnostics.html"),
        ("About", "../about.html"),
    ]


def test_a_home_page_of_the_reports_own_comes_first(tree: Path) -> None:
    (tree / "pages/index.md").rename(tree / "pages/about.md")
    assert run(tree) == 0
    assert [name for name, _ in nav_of(tree)] == ["Home", *SUMMARIES, "Front"]


def test_a_home_page_called_as_the_site_is_not_named_twice(tree: Path) -> None:
    (tree / "pages/index.md").write_text("# Sample\n")
    assert run(tree) == 0
    assert nav_of(tree)[0] == ("Home", "../index.html")


NAVS = {
    "home only": ("[index.md]", ["Front", *SUMMARIES]),
    "named": (
        "[index.md, Who: minions/index.md, environments/index.md, Bad: diagnostics.md]",
        ["Front", "Keys", "Targets", "Secrets", "Who", "Environments", "Bad"],
    ),
    "some named": (
        "[index.md, Bad: diagnostics.md]",
        ["Front", "Minions", "Keys", "Targets", "Secrets", "Bad"],
    ),
    "in a section": (
        "[index.md, {Fleet: [minions/index.md, {Environments: environments/index.md}]}]",
        ["Front", "Keys", "Targets", "Secrets", "Diagnostics", "Fleet"],
    ),
    "home not first": ("[about.md, Start: index.md]", ["About", "Start", *SUMMARIES]),
    "home not named": ("[about.md]", [*SUMMARIES, "About"]),
    "a link": ("[index.md, Wiki: 'https://wiki.example']", ["Front", *SUMMARIES, "Wiki"]),
    "hidden": (
        "[index.md]\nnot_in_nav: |\n  diagnostics.md\n  environments/",
        ["Front", "Minions", "Keys", "Targets", "Secrets"],
    ),
}


@pytest.mark.sample(2)
@pytest.mark.parametrize(("nav", "expected"), NAVS.values(), ids=NAVS)
def test_a_nav_that_is_configured_gets_what_it_lacks(
    nav: str, expected: list[str], tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tree / "pages/about.md").write_text("# About")
    configure(tree, f"nav: {nav}")
    assert run(tree) == 0
    assert [name for name, _ in nav_of(tree)] == expected
    assert capsys.readouterr().err == ""
    assert check_links(tree / "site") == ()


def test_a_nav_may_name_a_home_page_that_nobody_wrote(tree: Path) -> None:
    (tree / "pages/index.md").unlink()
    configure(tree, "nav: [Fleet: index.md]")
    assert run(tree) == 0
    assert [name for name, _ in nav_of(tree)] == ["Fleet", *SUMMARIES]


def test_what_a_nav_does_not_have_is_warned_of(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    configure(tree, "nav: [index.md, minions/nobody.md]")
    assert run(tree) == 0
    assert "'minions/nobody.md'" in capsys.readouterr().err


class _Elements(HTMLParser):
    """Gathers what a page is made of."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.scripts = ""
        self._in_script = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names |= {tag, *(name for name, _ in attrs)}
        self._in_script = tag == "script"

    def handle_data(self, data: str) -> None:
        self.scripts += data if self._in_script else ""

    def handle_endtag(self, _tag: str) -> None:
        self._in_script = False


def read(page: bytes) -> _Elements:
    found = _Elements()
    found.feed(page.decode())
    found.close()
    return found


def quote(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


@pytest.mark.sample(1)
@pytest.mark.parametrize("theme", ["pillarbook", "mkdocs", "readthedocs"])
def test_planted_markup_in_titles_stays_text(theme: str, tree: Path) -> None:
    odd = "pages/<plant onclick=x>&lt;plant&gt;.md"
    (tree / odd).write_text("no heading\n")
    (tree / "pages/meta.md").write_text(f"---\ntitle: {quote(PLANTED)}\n---\ntext\n")
    (tree / "pages/other.md").write_text("# &lt;plant&gt; and `<plant>`\n")
    side = EnvironmentSide(PLANTED, is_pillarenv=True, has_top=True)
    base = EnvironmentSide("base", is_pillarenv=True, has_top=True)
    given = make_pillar(PLANTED, leaf((PLANTED,), PLANTED), data={PLANTED: PLANTED})
    session = SampleBook({PLANTED: given}, environments=(base, side))
    text = CONFIGURATION.replace("name: pillarbook", f"name: {theme}")
    text = text.replace("Sample", quote(PLANTED))
    nav = [
        f"{quote(PLANTED)}: index.md",
        f"{quote(PLANTED)}: [other.md, {quote(PLANTED)}: minions/index.md]",
        f"{quote(PLANTED)}: 'https://wiki.example'",
        "meta.md",
        quote(odd.removeprefix("pages/")),
    ]
    (tree / "mkdocs.yml").write_text(f"{text}nav:\n" + "".join(f"  - {line}\n" for line in nav))
    assert run(tree, session) == 0
    pages = {name: data for name, data in site_of(tree).items() if name.endswith(".html")}
    assert f"minions/{slug(PLANTED)}.html" in pages
    for name, data in pages.items():
        found = read(data)
        assert not {"plant", "onclick"} & found.names, name
        assert "<script>" not in found.scripts, name
        assert theme != "pillarbook" or not found.scripts, name
    assert check_links(tree / "site") == ()
    title = re.search(r"<title>(.*?)</title>", pages[f"minions/{slug(PLANTED)}.html"].decode())
    assert title is not None
    assert PLANTED in html.unescape(title[1])
