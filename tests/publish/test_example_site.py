"""The example's site, built as people build it."""

import re
import shutil
from pathlib import Path

import pytest

from pillarbook.cli.main import run
from pillarbook.publish.links import check_links

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "theme",
    [
        "pillarbook",
        pytest.param("mkdocs", marks=pytest.mark.slow),
        pytest.param("readthedocs", marks=pytest.mark.slow),
    ],
)
def test_every_link_of_the_example_leads_somewhere(
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
    pages = [path for path in (tmp_path / "public").rglob("*.html") if path.name != "404.html"]
    said = re.fullmatch(r"pillarbook: (.*): (\d+) pages in \d+\.\d s", err.splitlines()[-1])
    assert said is not None
    assert Path(said[1]) == tmp_path / "public"
    assert int(said[2]) <= len(pages)
    assert [str(fault) for fault in check_links(tmp_path / "public")] == []


def test_a_build_that_fails_says_nothing_of_a_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["build"]) == 1
    assert capsys.readouterr().err == (
        "pillarbook: mkdocs.yml does not exist; give a MkDocs configuration with -f FILE\n"
    )
