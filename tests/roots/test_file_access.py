"""How the files on disk are read."""

import os
from pathlib import Path

import pytest

from pillarbook.roots.file_access import DISK, walk_allowed


@pytest.mark.parametrize(
    ("most", "content"),
    [(-1, b"abc"), (0, b""), (2, b"ab"), (3, b"abc"), (4, b"abc"), (2**40, b"abc")],
)
def test_no_more_is_read_than_asked_for(tmp_path: Path, most: int, content: bytes) -> None:
    (tmp_path / "file").write_bytes(b"abc")
    assert DISK.read(tmp_path / "file", most) == content


def test_what_a_shell_gives_in_place_of_a_file_is_read_to_its_end() -> None:
    reader, writer = os.pipe()
    os.write(writer, b"abc\n" * 1000)
    os.close(writer)
    try:
        assert DISK.read(Path(f"/dev/fd/{reader}"), 2**20) == b"abc\n" * 1000
    finally:
        os.close(reader)


def test_a_file_whose_size_is_not_told_is_read_to_its_end() -> None:
    path = Path("/proc/self/status")
    assert path.stat().st_size == 0
    assert DISK.read(path, 2**20).endswith(b"\n")


def test_neither_a_pattern_nor_a_walk_goes_through_a_link_that_is_not_allowed(
    tmp_path: Path,
) -> None:
    for name in ("tree/own/x.yml", "tree/x.yml", "elsewhere/x.yml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    tree = tmp_path / "tree"
    for link, target in (("out", "../elsewhere"), ("in", "own"), ("own/ring", ".")):
        (tree / link).symlink_to(target)

    def may_enter(folder: Path) -> bool:
        return folder.resolve().is_relative_to(tree)

    found = DISK.glob("*/x.yml", tree, may_enter)
    assert sorted(found) == ["in/x.yml", "own/x.yml"]
    assert DISK.glob("out/x.yml", tree, may_enter) == []
    walked = [Path(folder).name for folder, _, _ in walk_allowed(DISK, tree, may_enter)]
    assert sorted(walked) == ["in", "own", "tree"]
