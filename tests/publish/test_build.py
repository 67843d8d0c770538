"""Whole sites, built by MkDocs in this process."""

import html
import logging
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort
from tests.report.sample import SampleBook, leaf, make_book, pillar

from pillarbook.diagnostics import Diagnostic, PillarbookError, Severity
from pillarbook.inventory.settings import Settings
from pillarbook.publish.build import build_site
from pillarbook.publish.plugin import PillarbookPlugin, Stopped
from pillarbook.redact.model import RedactedPillar
from pillarbook.report import slug

CONFIGURATION = """\
site_name: Sample
docs_dir: pages
theme: {name: pillarbook}
plugins:
  - pillarbook:
      master: master
      inventory: minions.yml
"""
OLD = {"index.html": b"the site before"}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a folder with a configuration and the site of an earlier build."""
    (tmp_path / "mkdocs.yml").write_text(CONFIGURATION)
    (tmp_path / "master").write_text("pillar_roots: {base: [pillar]}\n")
    (tmp_path / "minions.yml").write_text("minions: {}\n")
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages/index.md").write_text("# Front\n\nBy hand.\n")
    (tmp_path / "site").mkdir()
    (tmp_path / "site/index.html").write_bytes(b"the site before")
    return tmp_path


@pytest.fixture(autouse=True)
def mkdocs_loggers() -> Iterator[None]:
    """Check that a build takes its handlers away again."""
    loggers = [logging.getLogger(name) for name in ("mkdocs", "pillarbook.publish")]
    before = [list(logger.handlers) for logger in loggers]
    yield
    assert [list(logger.handlers) for logger in loggers] == before


class FailingBook(SampleBook):
    """A book that cannot go on with its third minion."""

    fault: Exception = PillarbookError("the pillar of db1 cannot be compiled here")

    def pillar(self, minion: str) -> RedactedPillar:
        if minion == "db1":
            raise self.fault
        return super().pillar(minion)


def run(tree: Path, book: SampleBook | None = None, **options: Any) -> int:
    return build_site(
        tree / "mkdocs.yml", open_book=lambda _settings: book or make_book(), **options
    )


def site_of(tree: Path) -> dict[str, bytes]:
    folder = tree / "site"
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def assert_nothing_left(tree: Path) -> None:
    assert not [path.name for path in tree.iterdir() if path.name.startswith(".")]


def test_a_site_has_a_page_a_minion_and_a_front_page(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book = make_book()
    assert run(tree, book) == 0
    site = site_of(tree)
    assert set(site) == {
        "404.html",
        "css/pillarbook.css",
        "img/icon.svg",
        "index.html",
        "js/filter.js",
        *(f"minions/{slug(minion)}.html" for minion in book.minions),
    }
    front = site["index.html"].decode()
    assert "By hand." in front
    assert "missing-sls" in front
    assert all(f'href="minions/{slug(minion)}.html"' in front for minion in book.minions)
    assert book.asked == list(book.minions)
    assert book.closed
    assert capsys.readouterr() == ("", "")
    assert_nothing_left(tree)


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
    assert 'href="../css/pillarbook.css"' in page
    assert page.count("<h1>") == 1
    assert page.count("minions/") == 0
    assert not re.search(r"https?://", page)
    assert not re.search(r"<script(?! src)|<style|\bstyle=|\bon[a-z]+=", page)


def test_every_link_leads_somewhere(tree: Path) -> None:
    run(tree)
    site = site_of(tree)
    for name, data in site.items():
        if not name.endswith(".html") or name == "404.html":
            continue
        text = data.decode()
        ids = set(re.findall(r'\bid="([^"]*)"', text))
        for link in re.findall(r'\b(?:href|src)="([^"]*)"', text):
            path, _, fragment = html.unescape(link).partition("#")
            target = (tree / "site" / name).parent / path if path else tree / "site" / name
            assert target.is_file(), (name, link)
            assert not fragment or path or html.unescape(fragment) in ids, (name, link)


def test_a_tree_without_pages_gets_a_front_page(tree: Path) -> None:
    (tree / "pages/index.md").unlink()
    assert run(tree) == 0
    front = site_of(tree)["index.html"].decode()
    assert "<h1>Sample</h1>" in front
    assert "missing-sls" in front


@pytest.mark.parametrize("theme", ["mkdocs", "readthedocs"])
def test_the_pages_stand_in_another_theme(tree: Path, theme: str) -> None:
    text = CONFIGURATION.replace("name: pillarbook", f"name: {theme}")
    (tree / "mkdocs.yml").write_text(text)
    assert run(tree) == 0
    page = site_of(tree)["minions/web1.example.com.html"].decode()
    assert 'id="k-nginx.workers"' in page


def test_the_theme_is_pillarbooks_unless_another_is_named(tree: Path) -> None:
    (tree / "mkdocs.yml").write_text(CONFIGURATION.replace("theme: {name: pillarbook}\n", ""))
    assert run(tree) == 0
    assert "css/pillarbook.css" in site_of(tree)


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


def test_minions_are_outside_the_navigation(tree: Path) -> None:
    (tree / "mkdocs.yml").write_text(CONFIGURATION.replace("pages\n", "pages\nnav: [index.md]\n"))
    assert run(tree, strict=False) == 0
    page = site_of(tree)["minions/db1.html"].decode()
    assert page[page.index("<nav") : page.index("</nav>")].count("<li>") == 1


def test_the_command_may_name_the_site_folder(tree: Path) -> None:
    assert run(tree, site_dir=tree / "elsewhere") == 0
    assert (tree / "elsewhere/index.html").is_file()
    assert site_of(tree) == OLD


def test_planted_markup_in_names_stays_text(tree: Path) -> None:
    planted = "<script>alert(1)</script>\"'&lt;i&gt;{{ 7*7 }}"
    text = CONFIGURATION.replace("Sample", f"'{planted.replace(chr(39), chr(39) * 2)}'")
    (tree / "mkdocs.yml").write_text(text)
    book = SampleBook({planted: pillar(planted, leaf((planted,), planted))})
    assert run(tree, book) == 0
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


def test_hand_written_pages_do_not_shadow_a_minion(tree: Path) -> None:
    (tree / "pages/minions").mkdir()
    (tree / "pages/minions/db1.md").write_text("# Mine")
    assert run(tree) == 0
    assert "postgres" in site_of(tree)["minions/db1.html"].decode()


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        pytest.param(
            ("master: master", "master: master\n      revision: {}"),
            r"mkdocs.yml:7: 'revision' is not known \(did you mean 'revisions'\?\)",
            id="unknown option",
        ),
        pytest.param(("pages", "nowhere"), "mkdocs.yml:2: docs_dir: ", id="no pages"),
        pytest.param(
            ("site_name: Sample\n", ""), r"mkdocs.yml:1: site_name: Required", id="no name"
        ),
        pytest.param(("name: pillarbook", "name: other"), "mkdocs.yml:3: theme: ", id="no theme"),
        pytest.param(
            (CONFIGURATION[CONFIGURATION.index("  - ") :], "  - search"),
            "mkdocs.yml:4: `plugins` does not list pillarbook",
            id="no plugin",
        ),
        pytest.param(("plugins:", "plugins: ["), "mkdocs.yml:5: ", id="no YAML"),
        pytest.param(("site_name", "hooks: [a.py]\nsite_name"), "--trust", id="hooks"),
    ],
)
def test_a_bad_configuration_is_one_message_and_the_old_site_stands(
    tree: Path, change: tuple[str, str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tree / "mkdocs.yml").write_text(CONFIGURATION.replace(*change))
    assert run(tree) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert re.search(expected, err)
    assert "Traceback" not in err
    assert err.count("\n") == 1
    assert site_of(tree) == OLD
    assert_nothing_left(tree)


def test_a_trusted_configuration_may_have_hooks(tree: Path) -> None:
    (tree / "hook.py").write_text("def on_post_page(output, **_): return output + '<!-- h -->'\n")
    (tree / "mkdocs.yml").write_text(CONFIGURATION + "hooks: [hook.py]\n")
    assert run(tree, trusted=True) == 0
    assert site_of(tree)["index.html"].endswith(b"<!-- h -->")


def test_a_book_that_cannot_go_on_leaves_the_old_site(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book = FailingBook(make_book().pillars)
    assert run(tree, book) == 1
    assert capsys.readouterr().err == "the pillar of db1 cannot be compiled here\n"
    assert site_of(tree) == OLD
    assert_nothing_left(tree)


def test_the_exit_code_is_the_errors_own(tree: Path) -> None:
    class LeakError(PillarbookError):
        exit_code = 3

    book = FailingBook(make_book().pillars)
    book.fault = LeakError("a secret would get out")
    assert run(tree, book) == 3


def test_a_fault_of_pillarbook_itself_leaves_the_old_site(tree: Path) -> None:
    book = FailingBook(make_book().pillars)
    book.fault = ZeroDivisionError()
    with pytest.raises(ZeroDivisionError):
        run(tree, book)
    assert site_of(tree) == OLD
    assert_nothing_left(tree)


def test_an_interrupted_build_leaves_the_old_site(tree: Path) -> None:
    class Interrupted(SampleBook):
        def pillar(self, minion: str) -> RedactedPillar:
            raise KeyboardInterrupt(minion)

    with pytest.raises(KeyboardInterrupt):
        run(tree, Interrupted(make_book().pillars))
    assert site_of(tree) == OLD
    assert_nothing_left(tree)


def test_a_strict_build_publishes_no_errors(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tree, strict=True) == 1
    assert capsys.readouterr().err == (
        "nothing is published, because the build is strict and the pillar has an error: "
        "pillar/base/top.sls:10: The SLS private.keys is in no root of the environment base.\n"
    )
    assert site_of(tree) == OLD
    assert_nothing_left(tree)


def test_a_strict_build_minds_mkdocs_warnings(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tree / "pages/index.md").write_text("[dead](nowhere.md)")
    assert run(tree, replace(make_book(), faults=()), strict=True) == 1
    assert "MkDocs found 1 warning" in capsys.readouterr().err
    assert site_of(tree) == OLD
    assert run(tree, replace(make_book(), faults=())) == 0


def test_a_strict_build_takes_warnings_of_the_pillar(tree: Path) -> None:
    faults = tuple(
        Diagnostic(code="x", severity=severity, message="m")
        for severity in (Severity.WARNING, Severity.NOTE)
    )
    assert run(tree, replace(make_book(), faults=faults), strict=True) == 0


def test_an_error_of_the_pillar_is_no_error_of_the_build(tree: Path) -> None:
    assert run(tree) == 0
    assert "missing-sls" in site_of(tree)["minions/db1.html"].decode()


def open_sample(_settings: Settings) -> SampleBook:
    return FailingBook(make_book().pillars)


def test_mkdocs_itself_ends_with_one_sentence(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = load_config(str(tree / "mkdocs.yml"))
    plugin = config.plugins["pillarbook"]
    assert isinstance(plugin, PillarbookPlugin)
    plugin.open_book = open_sample
    with pytest.raises(Stopped, match="the pillar of db1 cannot be compiled here") as caught:
        build(config)
    assert isinstance(caught.value, Abort)
    assert caught.value.exit_code == 1
    assert config.site_dir == str(tree / "site")
    assert site_of(tree) == OLD
    assert_nothing_left(tree)


def test_mkdocs_build_is_told_of_an_unknown_option(tree: Path) -> None:
    (tree / "mkdocs.yml").write_text(CONFIGURATION.replace("master:", "mastre: x\n      master:"))
    command = [sys.executable, "-m", "mkdocs", "build", "-f", str(tree / "mkdocs.yml")]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    said = ended.stdout + ended.stderr
    assert "mkdocs.yml:6: 'mastre' is not known (did you mean 'master'?)" in said
    assert "Traceback" not in said
    assert site_of(tree) == OLD
    assert_nothing_left(tree)


def test_mkdocs_serve_builds_the_same_pages(tree: Path, tmp_path: Path) -> None:
    served = tmp_path / "served"
    served.mkdir()
    config = load_config(str(tree / "mkdocs.yml"), site_dir=str(served))
    plugin = config.plugins["pillarbook"]
    assert isinstance(plugin, PillarbookPlugin)
    plugin.open_book = lambda _settings: make_book()
    build(config, serve_url="http://127.0.0.1:8000/")
    run(tree)
    assert (served / "minions/db1.html").read_bytes() == site_of(tree)["minions/db1.html"]


def test_many_builds_by_one_plugin(tree: Path) -> None:
    shutil.rmtree(tree / "site")
    for book in (make_book(), FailingBook(make_book().pillars), make_book()):
        run(tree, book)
    assert "minions/db1.html" in site_of(tree)
    assert_nothing_left(tree)
