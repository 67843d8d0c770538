"""Why some of git is read by hand: what libgit2 does where `roots` cannot use it."""

from pathlib import Path

import pygit2
import pytest
from tests.support.fleets import write_files
from tests.support.repositories import commit_all, git

from pillarbook.roots.repository import Repository


def build(folder: Path) -> Path:
    write_files(folder, {"a.sls": "a: 1\n"})
    git(folder, "init", "--quiet", "--initial-branch", "master")
    commit_all(folder)
    return folder


def test_libgit2_reads_what_a_configuration_includes(tmp_path: Path) -> None:
    """So `git_references` reads the few options that it needs as text, and no other file."""
    folder = build(tmp_path / "repository")
    outside = tmp_path / "outside"
    outside.write_text("[core]\n\trepositoryformatversion = 99\n")
    with (folder / ".git/config").open("a") as stream:
        stream.write(f"[include]\n\tpath = {outside}\n")
    with pytest.raises(pygit2.GitError):
        pygit2.Repository(str(folder))
    assert Repository(folder, allowed=lambda path: path.is_relative_to(folder)).find_head()


def test_libgit2_follows_a_list_of_ignored_files_that_is_a_link(tmp_path: Path) -> None:
    """So `git_ignored` reads the lists; git itself follows no such link."""
    folder = build(tmp_path / "repository")
    (tmp_path / "outside").write_text("*.sls\n")
    (folder / ".gitignore").symlink_to(tmp_path / "outside")
    assert pygit2.Repository(str(folder)).path_is_ignored("new.sls")
    assert git(folder, "status", "--porcelain", "--ignored", "--", "new.sls") == ""


def test_an_entry_of_libgit2s_index_has_no_stamp(tmp_path: Path) -> None:
    """So `git_index` reads the index: the stamp spares the hash of nearly all files."""
    index = pygit2.Repository(str(build(tmp_path))).index
    assert not {"mtime", "modified", "size", "file_size"} & set(dir(index["a.sls"]))


def test_without_its_folder_libgit2_does_not_know_where_a_clone_ends(tmp_path: Path) -> None:
    """So `merge_base` walks the commits of a shallow clone."""
    folder = build(tmp_path / "repository")
    for number in "23":
        commit_all(write_files(folder, {"a.sls": f"a: {number}\n"}), f"2020-01-0{number}")
    git(folder, "branch", "other", "HEAD~1")
    clone = tmp_path / "clone"
    options = ("--no-single-branch", "--depth", "1")
    git(tmp_path, "clone", "--quiet", *options, folder.as_uri(), str(clone))
    alone = pygit2.Repository()
    alone.set_odb(pygit2.Odb(str(clone / ".git/objects")))
    ends = [git(clone, "rev-parse", name).strip() for name in ("HEAD", "origin/other")]
    with pytest.raises(pygit2.GitError):
        alone.merge_base(*ends)
    assert Repository(clone, allowed=lambda _: True).merge_base(*ends) is None
