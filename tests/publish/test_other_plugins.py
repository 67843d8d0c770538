"""Plugins of others beside pillarbook's, in strict builds."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.publish.built import CONFIGURATION, run, site_of
from tests.report.sample import make_session

PROOFER = "  - htmlproofer: {raise_error: true, validate_external_urls: false}\n"
SECTIONS = """\
  - section-index
nav:
  - Home: index.md
  - Ours:
    - ours/index.md
    - ours/more.md
"""


def write_own_pages(tree: Path, theme: str, plugins: str, link: str) -> None:
    text = CONFIGURATION.replace("{name: pillarbook}", f"{{name: {theme}}}")
    (tree / "mkdocs.yml").write_text(text + plugins)
    (tree / "pages/ours").mkdir()
    (tree / "pages/ours/index.md").write_text("# Ours\n\n[Keys](../keys/index.md)\n")
    (tree / "pages/ours/more.md").write_text(f"# More\n\n[nginx]({link})\n")


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["readthedocs", "material"])
def test_sections_with_a_page_of_their_own(
    theme: str, tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    link = "../minions/web1.example.com.md"
    write_own_pages(tree, theme, PROOFER + SECTIONS, f"{link}#k-nginx.workers")
    assert run(tree, replace(make_session(), faults=()), trusted=True, strict=True) == 0
    said = capsys.readouterr()
    assert said.out == ""
    assert "warning: " not in said.err
    page = site_of(tree)["ours/more.html"].decode()
    assert 'href="../minions/web1.example.com.html#k-nginx.workers"' in page
    assert 'href="index.html"' in page, "the section is a link"


def test_a_link_checker_sees_anchors_of_the_report(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_own_pages(tree, "pillarbook", PROOFER, "../minions/web1.example.com.md#k-nothing")
    assert run(tree, trusted=True) == 1
    assert "web1.example.com.html#k-nothing" in capsys.readouterr().err
