"""A folder as a tree: what counts, what does not, and what is said of it."""

import errno
import fnmatch
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pillarbook.roots.environment_roots import Roots
from pillarbook.roots.folder import LARGEST_FILE, FolderTree


def open_tree(folder: Path, allowed: Path | None = None) -> FolderTree:
    reach = (allowed or folder).resolve()
    return FolderTree(
        folder, shown=lambda path: path.name, allowed=lambda path: path.is_relative_to(reach)
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "out.sls").write_text("outside")
    inside = tmp_path / "in"
    (inside / "sub").mkdir(parents=True)
    (inside / "a.sls").write_text("a: 1")
    (inside / "sub/init.sls").write_text("b: 1")
    (inside / ".hidden.sls").write_text("c: 1")
    return inside


def test_files_are_listed_and_read(folder: Path) -> None:
    tree = open_tree(folder)
    assert sorted(tree.names()) == [".hidden.sls", "a.sls", "sub/init.sls"]
    found = tree.find("a.sls")
    assert found is not None
    assert (found.path, found.shown, found.content) == ("a.sls", "a.sls", b"a: 1")
    assert found.full == str(folder / "a.sls")
    assert tree.find("a.sls") is found
    assert tree.refused == {}


def link_to_itself(path: Path) -> None:
    path.symlink_to(path.name)


def link_outside(path: Path) -> None:
    path.symlink_to(path.parent.parent / "out.sls")


def link_nowhere(path: Path) -> None:
    path.symlink_to("nowhere")


def link_to_a_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def grow(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(LARGEST_FILE + 1)


ABSENT: dict[str, tuple[Callable[[Path], None], dict[str, str]]] = {
    "a link to itself": (link_to_itself, {}),
    "a link that leads out": (link_outside, {"x.sls": "leads out of the repository"}),
    "a link to nowhere": (link_nowhere, {}),
    "a device": (link_to_a_device, {}),
    "a pipe": (os.mkfifo, {}),
    "a folder": (os.mkdir, {}),
    "too large a file": (grow, {"x.sls": "has more than 64 MiB"}),
}


@pytest.mark.parametrize(("make", "refused"), ABSENT.values(), ids=ABSENT)
def test_what_counts_as_absent(
    make: Callable[[Path], None], refused: dict[str, str], folder: Path
) -> None:
    make(folder / "x.sls")
    tree = open_tree(folder)
    assert tree.find("x.sls") is None
    assert tree.refused == refused


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_that_cannot_be_read_counts_as_absent(folder: Path) -> None:
    (folder / "a.sls").chmod(0)
    tree = open_tree(folder)
    assert tree.find("a.sls") is None
    assert tree.refused == {"a.sls": "cannot be read: Permission denied"}


@pytest.mark.parametrize(
    "path", ["nope.sls", "../out.sls", "/etc/hostname", "a\0b", "x" * 300, "", ".", "a.sls/b"]
)
def test_paths_that_lead_to_no_file_of_the_tree(path: str, folder: Path) -> None:
    assert open_tree(folder).find(path) is None


def test_a_tree_that_is_a_file_or_missing_is_empty(folder: Path) -> None:
    for place in (folder / "a.sls", folder / "nope"):
        tree = open_tree(place)
        assert (tree.names(), tree.find("a.sls")) == ((), None)


def test_links_are_followed_inside_and_circles_once(folder: Path) -> None:
    (folder / "again").symlink_to("sub")
    (folder / "circle").symlink_to(".")
    (folder / "out").symlink_to("..")
    tree = open_tree(folder)
    assert sum(name.endswith("init.sls") for name in tree.names()) == 1
    assert tree.find("again/init.sls") is not None
    assert tree.find("circle/circle/a.sls") is not None
    assert tree.refused == {"out": "leads out of the repository"}


def test_names_that_are_no_text_count_as_absent(folder: Path) -> None:
    with open(os.fsencode(folder) + b"/\xff.sls", "wb"):  # noqa: PTH123 (a name in bytes)
        pass
    tree = open_tree(folder)
    assert not any("\udcff" in name for name in tree.names())
    assert tree.find("\udcff.sls") is None
    assert tree.refused == {"\\udcff.sls": "has a name that is not UTF-8"}


def test_the_first_tree_that_has_a_file_gives_it(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    (other / "sub").mkdir(parents=True)
    (other / "a.sls").write_text("other")
    (other / "sub.sls").write_text("other")
    roots = Roots({"base": [open_tree(folder), open_tree(other)]})
    found = roots.find("a.sls", "base")
    assert found is not None
    assert found.content == b"a: 1"
    plain, is_init = roots.find_sls("sub", "base")
    assert plain is not None
    assert (plain.content, is_init) == (b"other", False)
    assert roots.available("nope") is None
    assert roots.matching("s*", "base") == ("sub",)


@pytest.mark.parametrize(
    "pattern", ["a", "b", "sub.deep", "sub", "", "zz", "su[b]", "s?b", "*", "[a", "a\\b", "a\nb"]
)
def test_a_name_without_wildcards_matches_itself(pattern: str, tmp_path: Path) -> None:
    for name in ("a", "sub/deep", "sub/init", "[a", "a\nb", "z"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / f"{name}.sls").write_text("")
    roots = Roots({"base": [open_tree(tmp_path)]})
    names = roots.available("base")
    assert names is not None
    assert len(names) == 6
    assert roots.matching(pattern, "base") == tuple(fnmatch.filter(names, pattern))


@pytest.fixture
def barred(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a tree with a folder that nobody may look into, whoever runs the test."""
    below = folder / "sub"
    plain_stat, plain_scan, plain_access = os.stat, os.scandir, os.access

    def refuse(path: object) -> None:
        if str(path) != str(below) and str(path).startswith(f"{below}/"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    def stat(path: Any, **options: Any) -> os.stat_result:
        refuse(path)
        return plain_stat(path, **options)

    def lstat(path: Any, **options: Any) -> os.stat_result:
        refuse(path)
        return plain_stat(path, follow_symlinks=False, **options)

    def scandir(path: Any) -> Any:
        refuse(f"{path}/")
        return plain_scan(path)

    monkeypatch.setattr(os, "stat", stat)
    monkeypatch.setattr(os, "lstat", lstat)
    monkeypatch.setattr(os, "scandir", scandir)
    monkeypatch.setattr(
        os, "access", lambda path, mode: Path(path) != below and plain_access(path, mode)
    )
    return folder


def test_a_folder_that_cannot_be_looked_into_is_told_of(barred: Path) -> None:
    tree = open_tree(barred)
    roots = Roots({"base": [tree]})
    assert roots.find_sls("sub", "base")[0] is None
    assert tree.refused == {"sub": "cannot be read: Permission denied"}
    assert roots.bars_sls("sub", "base") == "sub"
    assert roots.bars_sls("sub.deep", "base") == "sub"
    assert roots.bars_sls("other", "base") is None


def test_a_walk_tells_of_it_too(barred: Path) -> None:
    tree = open_tree(barred)
    assert sorted(tree.names()) == [".hidden.sls", "a.sls"]
    assert tree.refused == {"sub": "cannot be read: Permission denied"}


@pytest.mark.parametrize("name", [".git/config", "sub/.git/config", "link"])
def test_what_git_keeps_is_not_there(folder: Path, name: str) -> None:
    for kept in (folder / ".git", folder / "sub/.git"):
        kept.mkdir()
        (kept / "config").write_text("token")
    (folder / "link").symlink_to(".git/config")
    tree = open_tree(folder)
    assert tree.find(name) is None
    assert tree.find(str(folder / name)) is None
    assert tree.refused == {Path(name).name: "belongs to git itself"}
    assert not any(".git/" in path for path in tree.names())


@pytest.mark.parametrize("way", ["a.sls", "sub"])
def test_a_link_that_appears_after_the_check_is_not_followed(way: str, folder: Path) -> None:
    outside = folder.parent / "elsewhere"
    outside.mkdir()
    (outside / "init.sls").write_text("outside")

    def exchange(_path: Path) -> bool:
        (folder / way).rename(folder.parent / "before")
        (folder / way).symlink_to(outside if way == "sub" else outside / "init.sls")
        return True

    tree = FolderTree(folder, shown=lambda path: path.name, allowed=exchange)
    assert tree.find("sub/init.sls" if way == "sub" else way) is None
