"""What a path leads to, opened without following anything that came since."""

import errno
import os
import socket
from pathlib import Path

import pytest

from pillarbook.roots.no_links import (
    NotRegularError,
    follow_path,
    is_inside,
    open_file,
    open_folder,
    path_of,
)


@pytest.mark.parametrize(
    ("links", "path", "real"),
    [
        ({}, "a/b", "a/b"),
        ({"a": "b"}, "a/x", "b/x"),
        ({"a": "b/c", "b": "d"}, "a", "d/c"),
        ({"a": "d/e"}, "a/../x", "d/x"),
        ({"d/a": "../b"}, "d/a/x", "b/x"),
        ({"a": "/"}, "a/etc", "/etc"),
    ],
)
def test_a_path_is_followed_as_the_system_does(
    tmp_path: Path, links: dict[str, str], path: str, real: str
) -> None:
    (tmp_path / "d/e").mkdir(parents=True)
    for link, leads in links.items():
        (tmp_path / link).symlink_to(leads)
    followed = follow_path(tmp_path / path)
    assert followed.real == tmp_path / real == Path(os.path.realpath(tmp_path / path))
    assert len(followed.links) == len(links)


def test_a_loop_of_links_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(OSError, match="symbolic links") as caught:
        follow_path(tmp_path / "a")
    assert caught.value.errno == errno.ELOOP


def test_what_git_keeps_is_not_inside(tmp_path: Path) -> None:
    assert is_inside(tmp_path / "a/x.git", tmp_path)
    assert not is_inside(tmp_path / "a/.git/config", tmp_path)
    assert not is_inside(tmp_path.parent, tmp_path)
    assert is_inside(tmp_path / ".git/wt/a", tmp_path / ".git/wt")


@pytest.mark.parametrize("make", [False, True])
@pytest.mark.parametrize("link", ["a", "a/b"])
def test_a_link_that_came_since_is_not_followed(tmp_path: Path, link: str, *, make: bool) -> None:
    outside = tmp_path / "outside"
    (outside / "b").mkdir(parents=True)
    (tmp_path / link).parent.mkdir(exist_ok=True)
    (tmp_path / link).symlink_to(outside)
    (outside / "file").write_text("")
    with pytest.raises(OSError, match="Not a directory"), open_folder(tmp_path / "a/b", make=make):
        pass
    with pytest.raises(OSError, match="Not a directory"):
        open_file(tmp_path / link / "file")
    assert sorted(path.name for path in outside.iterdir()) == ["b", "file"]


def test_a_file_is_no_link_pipe_socket_or_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("text")
    with os.fdopen(open_file(tmp_path / "file")) as file:
        assert file.read() == "text"
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))
    for name in ("pipe", "socket"):
        with pytest.raises(NotRegularError):
            open_file(tmp_path / name)
    with pytest.raises(IsADirectoryError):
        open_file(tmp_path)
    (tmp_path / "link").symlink_to("file")
    with pytest.raises(OSError, match="symbolic links"):
        open_file(tmp_path / "link")


def test_an_open_folder_is_written_to_whatever_takes_its_name(tmp_path: Path) -> None:
    folder, outside = tmp_path / "a/b", tmp_path / "outside"
    outside.mkdir()
    with open_folder(folder, make=True) as descriptor:
        held = path_of(descriptor, folder)
        folder.rename(tmp_path / "moved")
        folder.symlink_to(outside)
        (held / "file").write_text("text")
    assert (tmp_path / "moved/file").read_text() == "text"
    assert not [*outside.iterdir()]


def test_a_folder_that_another_command_makes_meanwhile_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = os.mkdir

    def make_twice(name: str, *, dir_fd: int) -> None:
        make(name, dir_fd=dir_fd)
        make(name, dir_fd=dir_fd)

    monkeypatch.setattr(os, "mkdir", make_twice)
    with open_folder(tmp_path / "a/b", make=True):
        assert (tmp_path / "a/b").is_dir()
