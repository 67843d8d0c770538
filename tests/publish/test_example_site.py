"""The example's site, built as people build it."""

import re
import shutil
from collections import Counter
from pathlib import Path

import pytest
from tests.support.built_sites import BuiltSite

from pillarbook.cli.main import run
from pillarbook.publish.links import check_links

ROOT = Path(__file__).parents[2]


def test_every_link_of_the_example_leads_somewhere(example_site: BuiltSite) -> None:
    assert example_site.out == ""
    assert_links_lead_somewhere(example_site.folder, example_site.err)


def assert_links_lead_somewhere(site: Path, said: str) -> None:
    pages = [path for path in site.rglob("*.html") if path.name != "404.html"]
    last = re.fullmatch(r"pillarbook: (.*): (\d+) pages in \d+\.\d s", said.splitlines()[-1])
    assert last is not None
    assert Path(last[1]) == site
    assert int(last[2]) <= len(pages)
    assert [str(fault) for fault in check_links(site)] == []


def test_the_page_for_lost_addresses_has_its_own_styles(example_site: BuiltSite) -> None:
    page = (example_site.folder / "404.html").read_text()
    rule = (example_site.folder / "css/theme.css").read_text().partition("\n\nbody {")[2][:60]
    assert rule in page.partition("<style>")[2].partition("</style>")[0]
    assert "stylesheet" not in page


def test_the_tab_of_a_browser_tells_pages_apart(example_site: BuiltSite) -> None:
    pages = (path for path in example_site.folder.rglob("*.html") if path.parent.name != "guide")
    titles = Counter(path.read_text().partition("<title>")[2].partition("<")[0] for path in pages)
    assert [title for title, count in titles.items() if count > 1] == []
    assert "State SLS common.ssh (prod) · Example pillar" in titles
    assert "Page not found · Example pillar" in titles


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["mkdocs", "readthedocs"])
def test_every_link_leads_somewhere_in_another_theme(
    theme: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(ROOT / "example", tmp_path / "example")
    shutil.copytree(ROOT / "site_src", tmp_path / "site_src")
    text = (ROOT / "mkdocs.yml").read_text().replace("name: pillarbook", f"name: {theme}")
    (tmp_path / "mkdocs.yml").write_text(text)
    monkeypatch.chdir(tmp_path)
    assert run(["build", "--site-dir", "public"]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert_links_lead_somewhere(tmp_path / "public", err)


def test_a_build_that_fails_says_nothing_of_a_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["build"]) == 1
    assert capsys.readouterr().err == (
        "pillarbook: mkdocs.yml does not exist; `pillarbook init` writes one, or give a MkDocs"
        " configuration with -f FILE\n"
    )
