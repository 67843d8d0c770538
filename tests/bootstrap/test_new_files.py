"""Files are written where there were none."""

from pathlib import Path

import pytest

from pillarbook.bootstrap.new_files import CannotWriteError, NewFiles


def test_a_folder_that_takes_nothing_is_told_at_once() -> None:
    with pytest.raises(CannotWriteError, match=r"/proc cannot be written: .*run it in a copy"):
        NewFiles(Path("/proc")).check()


def test_a_file_is_written_once(tmp_path: Path) -> None:
    new = NewFiles(tmp_path)
    assert new.write("a/b.yml", "one")
    assert not new.write("a/b.yml", "two")
    assert (tmp_path / "a" / "b.yml").read_text() == "one"


def test_the_first_free_name_is_taken(tmp_path: Path) -> None:
    new = NewFiles(tmp_path)
    (tmp_path / "a.yml").symlink_to(tmp_path / "nowhere")
    assert new.free_name("a.yml", "b.yml") == "b.yml"
    (tmp_path / "b.yml").touch()
    assert new.free_name("a.yml", "b.yml") == "b-2.yml"
