"""Bringing a folder to the state of another."""

from pathlib import Path

import pytest
from tests.support.fleets import write_files

from pillarbook.publish.synchronise import synchronise


def content(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): path.read_text()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param({}, {"a": "1", "b/c": "2"}, id="into an empty folder"),
        pytest.param({"a": "0", "x": "1", "y/z": "1"}, {"a": "1"}, id="removes what is gone"),
        pytest.param({"a/b": "1"}, {"a": "2"}, id="a folder becomes a file"),
        pytest.param({"a": "1"}, {"a/b": "2"}, id="a file becomes a folder"),
        pytest.param({".a.pillarbook-part": "half"}, {"a": "1"}, id="half a file from before"),
    ],
)
def test_the_target_holds_what_the_source_holds(
    tmp_path: Path, before: dict[str, str], after: dict[str, str]
) -> None:
    source, target = (
        write_files(tmp_path / "source", after),
        write_files(tmp_path / "target", before),
    )
    target.mkdir(exist_ok=True)
    synchronise(source, target)
    assert content(target) == after


def test_unchanged_files_are_not_touched(tmp_path: Path) -> None:
    source, target = (
        write_files(tmp_path / "s", {"a": "1"}),
        write_files(tmp_path / "t", {"a": "1"}),
    )
    inode = (target / "a").stat().st_ino
    synchronise(source, target)
    assert (target / "a").stat().st_ino == inode


def test_hidden_entries_at_the_top_stay(tmp_path: Path) -> None:
    source, target = (
        write_files(tmp_path / "s", {"a": "1"}),
        write_files(tmp_path / "t", {".git/HEAD": "ref"}),
    )
    synchronise(source, target)
    assert content(target) == {"a": "1", ".git/HEAD": "ref"}


def test_links_are_replaced_and_not_followed(tmp_path: Path) -> None:
    outside = write_files(tmp_path / "outside", {"precious": "mine"})
    source, target = write_files(tmp_path / "s", {"a/precious": "2", "f": "2"}), tmp_path / "t"
    target.mkdir()
    (target / "a").symlink_to(outside)
    (target / "f").symlink_to(outside / "precious")
    (target / "gone").symlink_to(outside)
    synchronise(source, target)
    assert content(outside) == {"precious": "mine"}
    assert content(target) == {"a/precious": "2", "f": "2"}
