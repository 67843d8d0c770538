"""A repository that is built after each of some edits, with ``build --history``."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.support.built_sites import built_once
from tests.support.fleets import write_files
from tests.support.repositories import commit_all, git
from tests.support.sides import start

from pillarbook.cli.main import run

KEY = "a key for the tests of histories, 0123456789"
SECRETS = ("kL9mPq2rS7tV4w", "vB3nHj8xZ5cQ1y")
BANNER = "wintermoth418kesh"
FILES = {
    "mkdocs.yml": "site_name: Report\ntheme: {name: pillarbook}\nplugins:\n"
    "  - pillarbook: {master: master, inventory: minions.yml}\n",
    "docs/index.md": "# Report\n",
    ".gitignore": "site/\nhistory/\nother/\n",
    "master": "pillar_roots: {base: [pillar]}\n",
    "minions.yml": "minions: {web1: {}, web2: {}, db1: {}}\n",
    "pillar/top.sls": "base: {'*': [common], 'web*': [web]}\n",
    "pillar/common.sls": f"motd: hello\ndb: {{password: {SECRETS[0]}}}\nold: 1\n",
    "pillar/web.sls": "app:\n  port: {{ 80 if grains.id == 'web1' else 81 }}\n  user: www\n",
}
EDITS: dict[str, dict[str, str]] = {
    "a value": {"pillar/web.sls": FILES["pillar/web.sls"].replace("www", "nginx")},
    "nothing": {"README": "x\n"},
    "a minion": {"minions.yml": "minions: {web1: {}, web2: {}, db1: {}, web3: {}}\n"},
    "a secret": {"pillar/common.sls": FILES["pillar/common.sls"].replace(*SECRETS)},
    "a key": {"pillar/common.sls": f"motd: hello\ndb: {{password: {SECRETS[1]}}}\n"},
    "a mapping": {
        "pillar/web.sls": "app:\n  port: {{ 80 if grains.id == 'web1' else 81 }}\n  user: nginx\n"
        "  tls: {cert: {{ grains.id }}, on: true}\n"
    },
}
"""What each commit after the first one changes."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a repository before its first build."""
    tree = tmp_path / "tree"
    tree.mkdir()
    start(tree)
    commit(write_files(tree, FILES), 1)
    monkeypatch.chdir(tree)
    monkeypatch.setenv("PILLARBOOK_TOKEN_KEY", KEY)
    return tree


@pytest.fixture(scope="module")
def all_built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a repository that was built after each edit; for tests that only read it."""

    def fill(tree: Path) -> None:
        start(tree)
        commit(write_files(tree, FILES), 1)
        with pytest.MonkeyPatch.context() as patched:
            patched.chdir(tree)
            patched.setenv("PILLARBOOK_TOKEN_KEY", KEY)
            build_all(tree, patched)

    return built_once("history", tmp_path_factory, fill)


@pytest.fixture
def built(all_built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of that repository, to work in."""
    tree = shutil.copytree(all_built, tmp_path / "tree", symlinks=True)
    monkeypatch.chdir(tree)
    monkeypatch.setenv("PILLARBOOK_TOKEN_KEY", KEY)
    return tree


def commits_of(folder: Path) -> list[str]:
    return git(folder, "log", "--reverse", "--format=%H").split()


def commit(folder: Path, number: int) -> str:
    return commit_all(folder, f"2026-01-{number:02}")


def build(monkeypatch: pytest.MonkeyPatch, number: int = 1, *words: str) -> int:
    """Build on a day of January."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(1_767_236_400 + 86_400 * (number - 1)))
    return run(["build", "--history", "history", *words])


def build_all(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Build at first, and after each edit."""
    assert build(monkeypatch) == 0
    for number, edit in enumerate(EDITS.values(), 2):
        write_files(folder, edit)
        commit(folder, number)
        assert build(monkeypatch, number) == 0


def entries(folder: Path) -> list[Any]:
    return [json.loads(file.read_text()) for file in sorted((folder / "history").iterdir())]


def plain(file: Path) -> str:
    """Return the text of a page's content."""
    page = file.read_text().partition('<div class="pillarbook">')[2]
    return " ".join(re.sub(r"<[^>]*>", " ", page).replace("&rarr;", "→").split())


def section(file: Path) -> str:
    """Return the text of a page's history."""
    text = plain(file)
    return text[text.index("History What changed") :] if "History What changed" in text else ""
