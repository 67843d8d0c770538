"""Trees of the shape of public ones compile as in Salt, and nothing in them is lost in silence."""

import json
from pathlib import Path
from typing import Any

import pytest
from benchmarks.wild import PROFILES
from benchmarks.wild_pieces import FOLDERS, piece_names
from tests.wild.trees import Tree, ask_salt, call, write_piece, write_tree

from pillarbook.diagnostics import Diagnostic

PIECES = [piece for folder in FOLDERS for piece in piece_names(folder)]
FEW = [(profile, seed) for profile in PROFILES for seed in (1, 2)]
MANY = [(profile, seed) for profile in PROFILES for seed in range(1, 13)]
Place = tuple[str, str, int | None]
"""Code, file and line of a diagnostic."""
HARMLESS = {
    "changed-alias",
    "changes-grains",
    "key-missing",
    "lost-scalar",
    "minion-opts",
    "missing-root",
    "plain-secret",
    "type-clash",
    "unmatched-target",
    "unknown-minion",
    "unused-sls",
}
"""Rules that tell of no loss."""


def differences(ours: dict[str, Any], salts: dict[str, Any]) -> dict[str, Any]:
    """Return what differs, key order included, as ``{minion: [(key, ours, Salt's)]}``."""
    found: dict[str, Any] = {}
    for minion in {**salts, **ours}:
        one, other = ours[minion], salts[minion]
        keys = [key for key in {**one, **other} if dump(one.get(key)) != dump(other.get(key))]
        if dump(one) != dump(other):
            found[minion] = [(key, one.get(key), other.get(key)) for key in keys] or "order"
    return found


def dump(value: Any) -> str:
    return json.dumps(value)


def lost(found: list[Diagnostic]) -> set[Place]:
    """Return what tells of something that is not there."""
    return {
        (one.code, one.position.file, one.position.line) if one.position else (one.code, "", None)
        for one in found
        if one.code not in HARMLESS
    }


def planted(tree: Tree, *, without: str) -> set[Place]:
    """Return what has to be named, but for what a rule is about that does not count in the run."""
    return {(one.code, one.file, one.line) for one in tree.planted if one.code != without}


def check_tree(tree: Tree, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """Check that a tree compiles, and that all that is planted in it is named; return pillars."""
    pillars = tree.pillars(capsys, "--python")
    assert tree.pillars(capsys, "--python", "--no-memo") == pillars
    call(capsys, "check", "-f", tree.folder / "mkdocs.yml")
    assert lost(tree.found(reveal=True, python=True)) == planted(
        tree, without="unsupported-renderer"
    )
    assert lost(tree.found(reveal=False)) == planted(tree, without="undecryptable")
    return pillars


@pytest.mark.sample(2)
@pytest.mark.parametrize("piece", PIECES)
def test_each_habit_compiles_or_is_named(
    tmp_path: Path, piece: str, capsys: pytest.CaptureFixture[str]
) -> None:
    check_tree(write_piece(tmp_path, piece), capsys)


@pytest.mark.sample(1)
@pytest.mark.parametrize(("profile", "seed"), FEW)
def test_a_tree_compiles_and_what_it_lacks_is_named(
    tmp_path: Path, profile: str, seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    check_tree(write_tree(tmp_path, profile, seed), capsys)


@pytest.mark.salt_oracle
@pytest.mark.parametrize(("profile", "seed"), MANY)
def test_a_tree_gives_what_salt_gives(
    tmp_path: Path, profile: str, seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    tree = write_tree(tmp_path, profile, seed)
    pillars = check_tree(tree, capsys)
    assert differences(pillars, ask_salt(tree)) == {}


@pytest.mark.salt_oracle
@pytest.mark.parametrize("piece", PIECES)
def test_each_habit_gives_what_salt_gives(
    tmp_path: Path, piece: str, capsys: pytest.CaptureFixture[str]
) -> None:
    tree = write_piece(tmp_path, piece)
    assert differences(check_tree(tree, capsys), ask_salt(tree)) == {}
