"""MkDocs' own commands with the plugin."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort
from tests.publish.built import CONFIGURATION, OLD, FailingBook, assert_nothing_left, run, site_of
from tests.report.sample import SampleBook, make_session

from pillarbook.inventory.settings import Settings
from pillarbook.publish.plugin import PillarbookPlugin
from pillarbook.publish.run import Stopped


def open_sample(_settings: Settings) -> SampleBook:
    return FailingBook(make_session().pillars)


def test_mkdocs_itself_ends_with_one_sentence(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = load_config(str(tree / "mkdocs.yml"))
    plugin = config.plugins["pillarbook"]
    assert isinstance(plugin, PillarbookPlugin)
    plugin.open_session = open_sample
    with pytest.raises(Stopped, match="the pillar of db1 cannot be compiled here") as caught:
        build(config)
    assert isinstance(caught.value, Abort)
    assert caught.value.exit_code == 1
    assert config.site_dir == str(tree / "site")
    assert site_of(tree) == OLD
    assert_nothing_left(tree)


@pytest.mark.slow
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
    plugin.open_session = lambda _settings: make_session()
    build(config, serve_url="http://127.0.0.1:8000/")
    run(tree)
    assert (served / "minions/db1.html").read_bytes() == site_of(tree)["minions/db1.html"]


def test_many_builds_by_one_plugin(tree: Path) -> None:
    shutil.rmtree(tree / "site")
    for session in (make_session(), FailingBook(make_session().pillars), make_session()):
        run(tree, session)
    assert "minions/db1.html" in site_of(tree)
    assert_nothing_left(tree)
