"""Replacing a site by its new version."""

import errno
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

import pillarbook.publish.replace_site as replace_module
from pillarbook.publish.replace_site import finish_interrupted, stage
from pillarbook.publish.site_folder import MARK, PublishError


def content(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != MARK
    }


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "index.html").write_text("old")
    (folder / "404.html").write_text("old")
    return folder


def write_new(target: Path) -> replace_module.StagedSite:
    staged = stage(target)
    (staged.folder / "index.html").write_text("new")
    (staged.folder / "minions").mkdir()
    (staged.folder / "minions/a.html").write_text("new")
    return staged


NEW = {"index.html": "new", "minions/a.html": "new"}
OLD = {"404.html": "old", "index.html": "old"}


@pytest.fixture(params=["exchange", "two renames"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "two renames":
        monkeypatch.setattr(replace_module, "exchange", lambda _one, _other: False)
    return str(request.param)


def test_a_first_site_appears(tmp_path: Path) -> None:
    target = tmp_path / "deep/er/site"
    assert write_new(target).publish() == "at once"
    assert content(target) == NEW
    assert names(target.parent) == ["site"]


def test_a_new_site_replaces_the_old_one(site: Path, way: str) -> None:
    staged = write_new(site)
    assert content(site) == OLD
    assert staged.publish() == "at once"
    assert content(site) == NEW
    assert names(site.parent) == ["site"]


def test_the_folder_keeps_its_permissions(site: Path, way: str) -> None:
    site.chmod(0o750)
    write_new(site).publish()
    assert site.stat().st_mode & 0o777 == 0o750


def test_hidden_entries_move_along(site: Path, way: str) -> None:
    (site / ".git").mkdir()
    (site / ".git/HEAD").write_text("ref")
    write_new(site).publish()
    assert content(site) == {".git/HEAD": "ref", **NEW}


def test_a_discarded_site_leaves_the_old_one(site: Path) -> None:
    write_new(site).discard()
    assert content(site) == OLD
    assert names(site.parent) == ["site"]


def test_a_link_to_the_site_stays_one(site: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(site)
    write_new(link).publish()
    assert link.is_symlink()
    assert content(site) == NEW


def test_a_file_is_no_site(tmp_path: Path) -> None:
    (tmp_path / "site").write_text("mine")
    with pytest.raises(PublishError, match="not a folder"):
        stage(tmp_path / "site")


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(PublishError, match=r"Not a directory|File exists"):
        stage(tmp_path / "file/site")


KILLED = """
import os, sys
from pathlib import Path
import pillarbook.publish.replace_site as replace_module

target, moment = Path(sys.argv[1]), sys.argv[2]
if moment != "exchanged":
    replace_module.exchange = lambda one, other: False
staged = replace_module.stage(target)
(staged.folder / "index.html").write_text("new")
left = {"renamed once": 1, "renamed twice": 2, "renamed thrice": 3}.get(moment)

def rename(self, other, plain=Path.rename):
    global left
    found = plain(self, other)
    left -= 1
    if left == 0:
        os._exit(9)
    return found

if left is not None:
    Path.rename = rename
replace_module._retire = lambda folder, target: os._exit(9)
if moment == "writing":
    (staged.folder / ".half").write_text("what no one has searched for secrets")
    os._exit(9)
staged.publish()
"""


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        ("writing", OLD),
        ("exchanged", {"index.html": "new"}),
        ("renamed once", OLD),
        ("renamed twice", {"index.html": "new"}),
        ("renamed thrice", {"index.html": "new"}),
    ],
)
def test_the_next_command_finishes_what_a_killed_one_began(
    site: Path, moment: str, expected: dict[str, str]
) -> None:
    (site / ".nojekyll").write_text("")
    ended = subprocess.run([sys.executable, "-c", KILLED, str(site), moment], check=False)
    assert ended.returncode == 9
    assert names(site.parent) != ["site"]
    finish_interrupted(site)
    assert content(site) == {".nojekyll": "", **expected}
    assert names(site.parent) == ["site"]


def test_a_command_at_work_is_left_alone(site: Path) -> None:
    first = write_new(site)
    second = write_new(site)
    assert first.folder.is_dir()
    second.publish()
    first.publish()
    assert content(site) == NEW
    assert names(site.parent) == ["site"]


@pytest.mark.parametrize("number", [errno.EBUSY, errno.EXDEV])
def test_a_mounted_target_is_synchronised(
    site: Path, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(one: Path, other: Path) -> bool:
        raise OSError(number, os.strerror(number), str(one), None, str(other))

    monkeypatch.setattr(replace_module, "exchange", refuse)
    inode = site.stat().st_ino
    assert write_new(site).publish() == "file by file"
    assert content(site) == NEW
    assert site.stat().st_ino == inode
    assert names(site.parent) == ["site"]


def test_a_full_disk_is_one_sentence_and_the_old_site_stands(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(one: Path, other: Path) -> bool:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(one), None, str(other))

    monkeypatch.setattr(replace_module, "exchange", refuse)
    staged = write_new(site)
    with pytest.raises(PublishError, match="No space left"):
        staged.publish()
    staged.discard()
    assert content(site) == OLD
    assert names(site.parent) == ["site"]


def test_two_renames_that_fail_half_way_bring_the_old_site_back(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replace_module, "exchange", lambda _one, _other: False)
    plain = Path.rename

    def rename(self: Path, other: Path) -> Path:
        if self.name.endswith("ready"):
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return plain(self, other)

    staged = write_new(site)
    monkeypatch.setattr(Path, "rename", rename)
    with pytest.raises(PublishError):
        staged.publish()
    staged.discard()
    assert content(site) == OLD


def test_a_site_that_cannot_be_written_beside_is_synchronised(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(elsewhere))
    plain = Path.mkdir

    def mkdir(self: Path, *arguments: Any, **options: Any) -> None:
        if self.name.startswith(".site.pillarbook-"):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))
        plain(self, *arguments, **options)

    monkeypatch.setattr(Path, "mkdir", mkdir)
    staged = stage(site)
    (staged.folder / "index.html").write_text("new")
    assert staged.publish() == "file by file"
    assert content(site) == {"index.html": "new"}
    assert names(elsewhere) == []


def test_what_cannot_be_removed_is_told_and_tried_again(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "rmtree", lambda *_, **__: None)  # a site of another user's
        staged = write_new(site)
        assert staged.publish() == "at once"
    assert content(site) == NEW
    assert [folder.is_dir() for folder in staged.left] == [True]
    again = write_new(site)
    again.publish()
    assert again.left == []
    assert names(site.parent) == ["site"]


def test_a_remainder_that_cannot_be_looked_into_stops_no_build(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remainder = site.with_name(".site.pillarbook-12345678")
    remainder.mkdir()
    plain = os.open

    def refuse(path: Any, *arguments: Any, **options: Any) -> int:
        if Path(path).name == remainder.name:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return plain(path, *arguments, **options)

    monkeypatch.setattr(os, "open", refuse)
    staged = write_new(site)
    staged.publish()
    assert content(site) == NEW
    assert staged.left == [remainder]
