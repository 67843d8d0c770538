"""Two sides over real repositories of all the kinds that people have."""

import os
import shutil
from pathlib import Path

import pytest
from tests.support.fleets import describe, write_files
from tests.support.repositories import commit_all, git
from tests.support.sides import (
    FILES,
    affected,
    compile_on_both,
    compile_without_recording,
    open_both,
    start,
    told,
    values,
)

from pillarbook.model import plain

POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize 5\n"
LOCKED = b"\0GITCRYPT\0\x01\x02\x03"


@pytest.mark.sample(1)
@pytest.mark.parametrize("stale", [False, True], ids=["stamped", "touched"])
@pytest.mark.parametrize("attribute", ["text eol=crlf", "filter=upper"])
def test_a_file_that_git_calls_unmodified_is_the_same(
    folder: Path, attribute: str, stale: bool
) -> None:
    """Filters lie between both; none is run."""
    write_files(folder, {".gitattributes": f"*.sls {attribute}\n"})
    git(folder, "config", "filter.upper.clean", "tr a-z A-Z")
    git(folder, "config", "filter.upper.smudge", "tr A-Z a-z")
    commit_by_git(folder)
    git(folder, "rm", "--quiet", "-rf", "--cached", ".")
    git(folder, "reset", "--quiet", "--hard")
    os.utime(folder / ".git" / "index", ns=(2**61, 2**61))
    assert git(folder, "status", "--porcelain") == ""
    assert (folder / "pillar" / "web.sls").read_bytes() != git(
        folder, "show", "HEAD:pillar/web.sls"
    ).encode()
    if stale:
        (folder / "pillar" / "web.sls").touch()
    with open_both(folder) as sides:
        assert affected(sides) == ({"web"} if stale and "filter" in attribute else set())
    write_files(folder, {"README": "x"})
    commit_by_git(folder)
    if not stale:
        os.utime(folder / ".git" / "index", ns=(2**61, 2**61))
        with open_both(folder, "HEAD~1", "HEAD") as sides:
            assert affected(sides) == set()
            assert values(sides, "db", "name") == ("db", "db")


def commit_by_git(folder: Path) -> None:
    """Commit everything with the filters of the configuration, which only git runs."""
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "x")


def test_what_only_a_filter_has_is_named_and_not_compared(folder: Path) -> None:
    for number in (1, 2):
        (folder / "pillar" / "common.sls").write_bytes(LOCKED + bytes([number]))
        (folder / "pillar" / "map.jinja").write_text(POINTER.format(str(number) * 64))
        commit_all(folder)
    write_files(folder, {"pillar/common.sls": "clear: 1\n", "pillar/map.jinja": FILES["map.jinja"]})
    with open_both(folder, "HEAD~1") as sides:
        assert affected(sides) == set()
        assert values(sides, "web", "clear") == (1, 1)
        assert "pillar/common.sls is only available in its git-crypt form in" in told(sides)
        assert "pillar/map.jinja is only available in its Git LFS form in" in told(sides)
    with open_both(folder, "HEAD~1", "HEAD") as sides:
        base, head = compile_on_both(sides, "db")
        assert base is not None
        assert head is not None
        assert "pillar/common.sls is only available in its git-crypt form" in told(sides)
        assert plain(base.tree) == plain(head.tree)


def test_what_is_locked_on_one_side_alone_is_there_and_locked(folder: Path) -> None:
    (folder / "pillar" / "common.sls").write_bytes(LOCKED)
    commit_all(folder)
    whole = compile_without_recording(folder)
    (folder / "pillar" / "common.sls").unlink()
    with open_both(folder) as sides:
        base, _ = compile_on_both(sides, "db")
        assert base is not None
        assert [one.code for one in base.diagnostics] == ["git-crypt"]
        assert describe(base)["errors"] == whole["db"]["errors"]


def test_a_mode_is_no_change(folder: Path) -> None:
    commit_all(folder)
    (folder / "pillar" / "web.sls").chmod(0o755)
    commit_all(folder)
    with open_both(folder, "HEAD~1", "HEAD") as sides:
        assert affected(sides) == set()


def test_a_worktree_and_a_bare_mirror(folder: Path, tmp_path: Path) -> None:
    commit_all(folder)
    commit_all(write_files(folder, {"pillar/common.sls": "name: other\n"}))
    git(folder, "worktree", "add", "--quiet", "--detach", str(tmp_path / "w"), "HEAD")
    with open_both(tmp_path / "w", "HEAD~1") as sides:
        assert values(sides, "db", "name") == ("db", "other")
    git(tmp_path, "clone", "--quiet", "--mirror", str(folder), "mirror.git")
    mirror = tmp_path / "mirror.git"
    with open_both(mirror, "HEAD~1", "HEAD") as sides:
        assert values(sides, "db", "name") == ("db", "other")
        base, _ = compile_on_both(sides, "db")
        assert base is not None
        assert base.tree.items["name"].origins[-1].file == "pillar/common.sls"


def test_a_shallow_clone_compares_what_it_has(folder: Path, tmp_path: Path) -> None:
    commit_all(folder)
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{folder}", "clone")
    write_files(tmp_path / "clone", {"pillar/common.sls": "name: other\n"})
    with open_both(tmp_path / "clone") as sides:
        assert values(sides, "db", "name") == ("db", "other")


def test_a_partial_clone_names_what_is_missing(folder: Path, tmp_path: Path) -> None:
    commit_all(folder)
    write_files(folder, {"pillar/common.sls": "name: other\n"})
    commit_all(write_files(folder, {"pillar/web.sls": "port: 1\n"}))
    git(folder, "config", "uploadpack.allowFilter", "true")
    url = f"file://{folder}"
    git(tmp_path, "clone", "--quiet", "--filter=blob:none", url, "clone")
    with open_both(tmp_path / "clone", "HEAD~1") as sides:
        assert values(sides, "db", "name") == ("other", "other")
        assert "pillar/common.sls is not in this partial clone in" in told(sides)
        helps = {one.help for one in sides.base.shown.diagnostics if one.code == "not-compared"}
        assert any("git fetch" in str(one) for one in helps)


def test_a_submodule_is_read_from_its_own_repository(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    commit_all(write_files(start(other), {"secret.sls": "v: 1\n"}))
    git(
        folder,
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "add",
        "-q",
        str(other),
        "pillar/sub",
    )
    commit_all(write_files(folder, {"pillar/top.sls": "base: {'*': [sub.secret]}\n"}))
    with open_both(folder) as sides:
        assert affected(sides) == set()
        assert values(sides, "db", "v") == (1, 1)
    write_files(folder / "pillar" / "sub", {"secret.sls": "v: 2\n"})
    with open_both(folder) as sides:
        assert values(sides, "db", "v") == (1, 2)
    commit_all(folder / "pillar" / "sub")
    commit_all(folder)
    with open_both(folder, "HEAD~1", "HEAD") as sides:
        assert values(sides, "db", "v") == (1, 2)
    git(tmp_path, "clone", "--quiet", str(folder), "clone")
    with open_both(tmp_path / "clone", "HEAD~1") as sides:  # not checked out: empty on both sides
        assert values(sides, "db", "v") == (None, None)
    shutil.rmtree(folder / ".git" / "modules" / "pillar" / "sub" / "objects")
    (folder / ".git" / "modules" / "pillar" / "sub" / "objects").mkdir()
    with open_both(folder, "HEAD~1") as sides:
        assert values(sides, "db", "v") == (2, 2)
        assert "pillar/sub is a submodule whose commit is not here in" in told(sides)
