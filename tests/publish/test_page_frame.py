"""The frame that pages of minions share."""

from pathlib import Path

import pytest
from tests.publish.built import configure, run, site_of
from tests.report.sample import SampleBook, leaf
from tests.support.redacted import make_pillar

from pillarbook.publish.page_frame import PageFrame

IDS = ("a", "b'\"<i>&amp;", "c", "d{{ 7*7 }}", "</title>e", "f")


def book() -> SampleBook:
    return SampleBook({one: make_pillar(one, leaf(("k",), one)) for one in IDS})


@pytest.fixture
def framed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the titles of the pages that MkDocs does not frame."""
    found: list[str] = []
    frame = PageFrame.frame

    def note(self: PageFrame, page: object, content: str) -> str | None:
        text = frame(self, page, content)  # type: ignore[arg-type]  # as it is given
        found.extend([str(getattr(page, "title", ""))] * (text is not None))
        return text

    monkeypatch.setattr(PageFrame, "frame", note)
    return found


def test_a_page_is_the_same_whoever_frames_it(tree: Path, framed: list[str]) -> None:
    assert run(tree, book()) == 0
    here = site_of(tree)
    assert len(framed) == len(IDS) - 2
    (tree / "mine").mkdir()
    (tree / "mine/main.html").write_text('{% extends "base.html" %}')
    configure(tree, "")
    text = (tree / "mkdocs.yml").read_text()
    (tree / "mkdocs.yml").write_text(text.replace("pillarbook}", "pillarbook, custom_dir: mine}"))
    assert run(tree, book(), trusted=True) == 0
    assert len(framed) == len(IDS) - 2
    assert {name: data for name, data in site_of(tree).items() if name.startswith("minions/")} == {
        name: data for name, data in here.items() if name.startswith("minions/")
    }


def test_a_frame_that_says_something_of_its_page_is_never_shared(
    tree: Path, framed: list[str]
) -> None:
    (tree / "mine").mkdir()
    (tree / "mine/base.html").write_text(
        "<title>{{ page.title }}</title>{{ page.content }}{{ page.url }}"
    )
    text = (tree / "mkdocs.yml").read_text()
    (tree / "mkdocs.yml").write_text(text.replace("pillarbook}", "pillarbook, custom_dir: mine}"))
    assert run(tree, book(), trusted=True) == 0
    assert framed == []


def test_what_another_plugin_adds_is_on_every_page(tree: Path, framed: list[str]) -> None:
    (tree / "hook.py").write_text(
        "def on_post_page(output, page, config):\n    return output + page.url\n"
    )
    configure(tree, "hooks: [hook.py]")
    assert run(tree, book(), trusted=True) == 0
    assert framed == []
    assert site_of(tree)["minions/f.html"].endswith(b"minions/f.html")


def test_a_page_of_the_navigation_is_framed_by_mkdocs(tree: Path, framed: list[str]) -> None:
    configure(tree, "nav: [index.md, minions/c.md]")
    assert run(tree, book()) == 0
    assert "c" not in framed
    assert "f" in framed
