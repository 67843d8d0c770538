"""A tree of openSUSE's shape is built as a site, and gives what the real Salt gives."""

import json
from pathlib import Path
from typing import Any

import pytest
from benchmarks.wild_roles import MINIONS, SLS_PER_MINION
from tests.wild.test_trees import differences, lost
from tests.wild.trees import FEW_MINIONS, ROLES, Tree, ask_salt, call, write_roles_tree


def build(tree: Tree, capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    """Build the site, and return what the pages of the minions have, by the minion."""
    answer = call(capsys, "build", "-f", tree.folder / "mkdocs.yml", "--trust", *words)
    assert answer.code == 0, answer.err
    assert "error" not in answer.err
    pages: dict[str, Any] = {}
    for file in (tree.folder / "site" / "minions").glob("*.json"):
        pages.update({file.stem: json.loads(file.read_text())})
    return pages


def check_site(tree: Tree, expected: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    """Check pillars in the clear and, but for secrets, on the pages."""
    assert differences(tree.pillars(capsys, "--python"), expected) == {}
    shown = build(tree, capsys)
    assert shown.keys() == expected.keys()
    hidden = [place for name in expected for place in unlike(shown[name], expected[name])]
    assert hidden  # the secrets, and they alone
    assert [place for place in hidden if not is_secret(place)] == []
    assert lost(tree.found(reveal=True, python=True)) == set()


def unlike(shown: Any, value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the paths at which two trees of data are not the same, keys in the same order."""
    if isinstance(shown, dict) and isinstance(value, dict) and list(shown) == list(value):
        return [one for key in shown for one in unlike(shown[key], value[key], (*path, key))]
    if isinstance(shown, list) and isinstance(value, list) and len(shown) == len(value):
        pairs = enumerate(zip(shown, value, strict=True))
        return [one for at, both in pairs for one in unlike(*both, (*path, at))]
    return [] if json.dumps(shown) == json.dumps(value) else [path]


def is_secret(path: tuple[Any, ...]) -> bool:
    return path[-1] in ("password", "token", "console")


@pytest.mark.slow
def test_a_few_minions_get_what_salt_gives(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tree = write_roles_tree(tmp_path, FEW_MINIONS)
    check_site(tree, json.loads(ROLES.read_text()), capsys)


def test_the_tree_has_its_shape(tmp_path: Path) -> None:
    pillar = write_roles_tree(tmp_path, MINIONS).folder / "pillar"
    sls = {path: path.read_text() for path in pillar.rglob("*.sls") if path.name != "top.sls"}
    assert len(sls) == MINIONS * SLS_PER_MINION == 300
    assert len(list((pillar / "base/id").iterdir())) == MINIONS == 100
    for first, least in {"#!py\n": 10, "#!yaml|gpg\n": 50, "#!jinja|yaml|gpg\n": 10}.items():
        assert sum(text.startswith(first) for text in sls.values()) >= least
    assert sum("salt['slsutil.renderer']" in text for text in sls.values()) >= 20


@pytest.mark.salt_oracle
def test_all_minions_get_what_salt_gives(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ours, salts = (write_roles_tree(tmp_path / name, MINIONS) for name in ("ours", "salts"))
    check_site(ours, ask_salt(salts), capsys)
