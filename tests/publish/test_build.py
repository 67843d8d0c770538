"""Whole sites, built by MkDocs in this process."""

import errno
import html
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort
from tests.publish.built import CONFIGURATION, OLD, assert_nothing_left, configure, run, site_of
from tests.report.sample import SampleBook, leaf, make_book
from tests.support.redacted import make_pillar

from pillarbook.diagnostics import Diagnostic, PillarbookError, Severity
from pillarbook.inventory.settings import Settings, load_settings
from pillarbook.publish.links import check_links
from pillarbook.publish.plugin import PillarbookPlugin
from pillarbook.publish.run import Published, Stopped
from pillarbook.redact.model import RedactedPillar
from pillarbook.report import slug, template_root

FORMATS = ("html", "json", "yaml")


class FailingBook(SampleBook):
    """A book that cannot go on with its third minion."""

    fault: Exception = PillarbookError("the pillar of db1 cannot be compiled here")

    def make_pillar(self, minion: str) -> RedactedPillar:
        if minion == "db1":
            raise self.fault
        return super().pillar(minion)


def test_a_site_has_the_reports_pages_and_what_lies_beside_them(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book = make_book()
    assert run(tree, book) == 0
    site = site_of(tree)
    theme = template_root() / "theme"
    assert set(site) == {
        "404.html",
        *(str(file.relative_to(theme)) for file in theme.glob("*/*") if file.is_file()),
        "diagnostics.html",
        "environments/index.html",
        "index.html",
        "minions/index.html",
        *(f"minions/{slug(minion)}.{kind}" for minion in book.minions for kind in FORMATS),
    }
    front = site["index.html"].decode()
    assert "By hand." in front
    assert front.index("By hand.") < front.index("<h2")
    listed = site["minions/index.html"].decode()
    assert all(f'href="{slug(minion)}.html"' in listed for minion in book.minions)
    assert book.asked == list(book.minions)
    assert book.closed
    assert capsys.readouterr() == ("", "")
    assert_nothing_left(tree)


def test_data_beside_a_page_is_utf_8_whatever_is_in_it(tree: Path) -> None:
    @dataclass
    class Odd(SampleBook):
        def written(self, pillar: RedactedPillar) -> str:  # noqa: ARG002 (as in the base)
            return json.dumps("\ud800 \N{SNOWMAN}", ensure_ascii=False)

    assert run(tree, Odd(make_book().pillars)) == 0
    data = site_of(tree)["minions/db1.json"]
    assert json.loads(data) == "\ud800 \N{SNOWMAN}"


def test_the_command_learns_what_was_published(tree: Path) -> None:
    done: list[Published] = []
    assert run(tree, on_published=done.append) == 0
    pages = [name for name in site_of(tree) if name.endswith(".html") and name != "404.html"]
    assert (done[0].folder, done[0].pages) == (tree / "site", len(pages))
    assert [one.code for one in done[0].diagnostics] == [one.code for one in make_book().faults]
    assert run(tree, FailingBook(make_book().pillars), on_published=done.append) == 1
    assert len(done) == 1


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
    book = SampleBook({planted: make_pillar(planted, leaf((planted,), planted))})
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


def test_a_strict_build_has_no_dead_links(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tree / "pages/index.md").write_text('<a href="nowhere.html">x</a>\n')
    book = replace(make_book(), faults=())
    assert run(tree, book, strict=True) == 1
    assert capsys.readouterr().err == (
        "nothing is published, because the build is strict and a link leads nowhere: "
        "index.html: 'nowhere.html': there is no nowhere.html\n"
    )
    assert site_of(tree) == OLD
    assert_nothing_left(tree)
    assert run(tree, book) == 0


def test_a_strict_build_without_faults_is_published(tree: Path) -> None:
    assert run(tree, replace(make_book(), faults=()), strict=True) == 0
    assert site_of(tree) != OLD


def test_a_template_with_a_fault_is_one_message(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tree / "mine").mkdir()
    configuration = CONFIGURATION.replace(
        "{name: pillarbook}", "{name: pillarbook, custom_dir: mine}"
    )
    (tree / "mkdocs.yml").write_text(configuration)
    for text, message in (
        ("{% block %}", "main.html:1: "),
        ("\n{{ nothing.at.all }}", "main.html:2: 'nothing' is undefined"),
    ):
        (tree / "mine/main.html").write_text(text)
        assert run(tree, trusted=True) == 1
        said = capsys.readouterr().err
        assert message in said
        assert said.count("\n") == 1
    assert site_of(tree) == OLD
    assert_nothing_left(tree)


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
        def make_pillar(self, minion: str) -> RedactedPillar:
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


def test_a_full_disk_is_blamed_on_the_site_folder(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    class FullDisk(FailingBook):
        fault = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    assert run(tree, FullDisk(make_book().pillars)) == 1
    told = capsys.readouterr().err
    assert told == f"the site folder {tree}/site cannot be written: No space left on device\n"
    assert site_of(tree) == OLD
    assert_nothing_left(tree)


def test_a_remainder_of_an_earlier_site_is_told_of(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("pillarbook.publish.swap._retire", lambda _folder, _target: False)
    assert run(tree) == 0
    told = capsys.readouterr().err
    assert re.fullmatch(
        rf"warning: {tree}/\.site\.pillarbook-\w+, what is left of .* cannot be removed\n", told
    )


def test_a_second_entry_of_the_plugin_is_refused(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    configure(tree, "  - pillarbook: {}")
    assert run(tree) == 1
    assert "lists pillarbook twice" in capsys.readouterr().err
    assert site_of(tree) == OLD
    with pytest.raises(PillarbookError, match=r"mkdocs\.yml:8: 'plugins' lists pillarbook twice"):
        load_settings(tree / "mkdocs.yml")
