"""A fleet as it is on two sides, over real repositories of all the kinds that people have."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pygit2
import pytest
from tests.support.fleets import write_files, write_fleet
from tests.support.repositories import commit_all, git
from tests.support.sides import OPTIONS, check_sides, open_both, settings_of, start

from pillarbook.book.sides import Sides, open_sides, resolve_sides
from pillarbook.inventory.settings import Settings
from pillarbook.model import plain

MINIONS: Mapping[str, Any] = {"web": {"grains": {"role": "web"}}, "db": {"grains": {"role": "db"}}}
FILES = {
    "top.sls": "base:\n  '*': [common]\n  'role:web':\n    - match: grain\n    - web\n",
    "common.sls": "name: {{ grains.id }}\n",
    "web.sls": "{% from 'map.jinja' import port %}\nport: {{ port }}\n",
    "map.jinja": "{% set port = 80 %}\n",
}
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize 5\n"
LOCKED = b"\0GITCRYPT\0\x01\x02\x03"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repository with a fleet that is not committed yet."""
    folder = tmp_path / "r"
    write_fleet(folder, FILES, MINIONS)
    start(folder)
    return folder


def values(sides: Sides, minion: str, key: str) -> tuple[Any, Any]:
    """Return a value of a minion on both sides; None where there is none."""
    base, head = sides.compile(minion)
    return tuple(  # type: ignore[return-value]
        None if side is None else plain(side.tree).get(key) for side in (base, head)
    )


def touched(sides: Sides) -> set[str]:
    return {minion for minion in sides.minions if sides.touched(minion)}


def told(sides: Sides) -> str:
    found = (*sides.base.diagnostics, *sides.head.diagnostics)
    return "\n".join(one.message for one in found if one.code == "not-compared")


CHANGES: dict[str, tuple[dict[str, str | None], set[str]]] = {
    "nothing": ({}, set()),
    "a comment": ({"pillar/web.sls": f"# why\n{FILES['web.sls']}"}, {"web"}),
    "an import": ({"pillar/map.jinja": "{% set port = 81 %}\n"}, {"web"}),
    "a file that nobody reads": ({"pillar/other.sls": "a: 1\n", "README": "x"}, set()),
    "a package before its folder": ({"pillar/web/init.sls": "port: 1\n"}, set()),
    "a file that is gone": ({"pillar/web.sls": None}, {"web"}),
    "the top file": ({"pillar/top.sls": "base:\n  '*': [common]\n"}, {"web", "db"}),
    "a broken template": ({"pillar/web.sls": "{% if %}\n"}, {"web"}),
    "an option": ({"master": "pillar_roots: {base: [pillar]}\npillar_merge_lists: true\n"}, {"web", "db"}),
    "a comment in the master file": ({"master": "# x\npillar_roots: {base: [pillar]}\n"}, set()),
    "master.d": ({"master.d/a.conf": "pillar_opts: true\n"}, {"web", "db"}),
    "a line above in the inventory": (
        {"minions.yml": "# x\nminions:\n  web: {grains: {role: web}}\n  db: {grains: {role: db}}\n"},
        set(),
    ),
    "the grains of one": (
        {"minions.yml": "minions:\n  web: {grains: {role: web}}\n  db: {grains: {role: x}}\n"},
        {"db"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("committed", [False, True], ids=["uncommitted", "committed"])
@pytest.mark.parametrize(("edits", "expected"), CHANGES.values(), ids=CHANGES)
def test_a_change_touches_whom_it_concerns(
    folder: Path, edits: dict[str, str | None], expected: set[str], committed: bool
) -> None:
    def change() -> None:
        for name, text in edits.items():
            if text is None:
                (folder / name).unlink()
            else:
                write_files(folder, {name: text})

    assert check_sides(folder, change, committed=committed) == expected


def test_only_what_a_change_touches_is_rendered_again(folder: Path) -> None:
    commit_all(folder)
    write_files(folder, {"pillar/web.sls": "port: 81\n"})
    with open_both(folder) as sides:
        for minion in sides.minions:
            base, head = sides.compile(minion)
        assert touched(sides) == {"web"}
        base, head = sides.compile("web")
        assert base is not None
        assert head is not None
        shared = [one for one in base.renders if any(one is other for other in head.renders)]
        assert [one.files[0].path for one in base.renders if one not in shared] == ["web.sls"]
        assert base.tree.items["name"] is head.tree.items["name"]


def test_equal_secrets_have_equal_tokens(folder: Path) -> None:
    write_files(folder, {"pillar/common.sls": "password: hunter22-a\nother: 1\n"})
    commit_all(folder)
    write_files(folder, {"pillar/common.sls": "other: 2\npassword: hunter22-a\n"})
    with open_both(folder) as sides:
        base, head = sides.compile("db")
        assert base is not None
        assert head is not None
        written = [
            book.tagged(book.redact(one))["password"]
            for book, one in ((sides.base, base), (sides.head, head))
        ]
        assert written[0] == written[1]
        assert "hunter22" not in str(written)


def test_the_pillar_folder_is_renamed(folder: Path) -> None:
    def change() -> None:
        (folder / "pillar").rename(folder / "tree")
        write_files(folder, {"master": "pillar_roots: {base: [tree]}\n"})

    assert check_sides(folder, change, committed=False) == {"web", "db"}
    with open_both(folder) as sides:
        assert values(sides, "web", "port") == (80, 80)


def test_each_side_has_its_own_configuration(folder: Path) -> None:
    section = "plugins:\n  - pillarbook:\n      master: {}\n      inventory: {}\n"
    write_files(folder, {"mkdocs.yml": section.format("master", "minions.yml")})
    commit_all(folder)
    (folder / "salt").mkdir()
    for name in ("master", "minions.yml", "pillar"):
        (folder / name).rename(folder / "salt" / name)
    write_files(folder, {"mkdocs.yml": section.format("salt/master", "salt/minions.yml")})
    for head in (None, "HEAD"):
        if head:
            commit_all(folder)
        with open_both(folder, "HEAD~1" if head else "HEAD", head) as sides:
            assert values(sides, "web", "port") == (80, 80)
            base, _ = sides.compile("web")
            assert base is not None
            assert base.renders[-1].files[0].path == "web.sls"


@pytest.mark.parametrize("name", ["master", "minions.yml"])
def test_a_side_without_a_fleet_is_empty(folder: Path, name: str) -> None:
    commit_all(folder)
    (folder / name).rename(folder / "kept")
    commit_all(folder)
    (folder / "kept").rename(folder / name)
    with open_both(folder) as sides:
        assert set(sides.minions) == {"web", "db"}
        assert values(sides, "web", "port") == (None, 80)
        assert touched(sides) == {"web", "db"}
        assert f"{name}, so its fleet is empty" in told(sides)
    with open_both(folder, "HEAD~1", "HEAD") as sides:
        assert values(sides, "web", "port") == (80, None)


def test_minions_come_and_go(folder: Path) -> None:
    commit_all(folder)
    write_files(folder, {"minions.yml": "minions:\n  new: {}\n  db: {grains: {role: db}}\n"})
    with open_both(folder) as sides:
        assert tuple(sides.minions) == ("new", "db", "web")
        assert touched(sides) == {"new", "web"}
        assert values(sides, "new", "name") == (None, "new")
        assert values(sides, "web", "name") == ("web", None)


def test_an_environment_comes_and_goes(folder: Path) -> None:
    top = "dev:\n  '*': [only]\n"

    def change() -> None:
        write_files(folder, {"dev/top.sls": top, "dev/only.sls": "dev: 1\n"})
        write_files(folder, {"master": "pillar_roots: {base: [pillar], dev: [dev]}\n"})

    assert check_sides(folder, change, committed=False) == {"web", "db"}
    with open_both(folder) as sides:
        assert values(sides, "db", "dev") == (None, 1)
    commit_all(folder)
    git(folder, "revert", "--no-edit", "HEAD")
    with open_both(folder, "HEAD~1", "HEAD") as sides:
        assert values(sides, "db", "dev") == (1, None)


def test_links_are_those_of_the_commit(folder: Path) -> None:
    write_files(folder, {"shared/a.sls": "v: 1\n", "shared/b.sls": "v: 2\n"})
    (folder / "pillar" / "linked").symlink_to("../shared")
    (folder / "pillar" / "common.sls").unlink()
    (folder / "pillar" / "common.sls").symlink_to("linked/a.sls")

    def change() -> None:
        (folder / "pillar" / "common.sls").unlink()
        (folder / "pillar" / "common.sls").symlink_to("linked/b.sls")

    assert check_sides(folder, change, committed=True) == {"web", "db"}
    with open_both(folder, "HEAD~1", "HEAD") as sides:
        assert values(sides, "db", "v") == (1, 2)


def test_a_link_out_of_the_commit_reads_nothing(folder: Path, tmp_path: Path) -> None:
    write_files(tmp_path, {"outside.sls": "stolen: 1\n"})
    commit_all(folder)
    (folder / "pillar" / "common.sls").unlink()
    (folder / "pillar" / "common.sls").symlink_to(tmp_path / "outside.sls")
    commit_all(folder)
    git(folder, "checkout", "--quiet", "HEAD~1")
    with open_both(folder, "HEAD", "main") as sides:
        assert values(sides, "db", "stolen") == (None, None)


def test_untracked_files_count_in_the_working_tree(folder: Path) -> None:
    commit_all(folder)
    write_files(folder, {"pillar/web/init.sls": "port: 9\n", ".gitignore": "web.sls\n"})
    (folder / "pillar" / "web.sls").unlink()
    with open_both(folder) as sides:
        assert values(sides, "web", "port") == (80, 9)


def test_an_ignored_inventory_has_one_state(folder: Path) -> None:
    write_files(
        folder, {".gitignore": "minions.yml\nprivate/\n", "private/top.sls": "base: {'*': [p]}\n"}
    )
    write_files(
        folder, {"private/p.sls": "p: 1\n", "master": "pillar_roots: {base: [private, pillar]}\n"}
    )
    commit_all(folder)
    write_files(folder, {"README": "x"})
    commit_all(folder)
    for sides in (open_both(folder), open_both(folder, "HEAD~1", "HEAD")):
        with sides:
            assert touched(sides) == set()
            assert values(sides, "db", "p") == (1, 1)


def test_what_is_not_committed_at_all_is_new(folder: Path) -> None:
    shutil.move(folder / "pillar", folder.parent / "pillar")
    (folder / "minions.yml").rename(folder.parent / "minions.yml")
    commit_all(folder)
    shutil.move(folder.parent / "pillar", folder / "pillar")
    (folder.parent / "minions.yml").rename(folder / "minions.yml")
    with open_both(folder) as sides:
        assert values(sides, "db", "name") == (None, "db")


@pytest.mark.parametrize("stale", [False, True], ids=["stamped", "touched"])
@pytest.mark.parametrize("attribute", ["text eol=crlf", "filter=upper"])
def test_a_file_that_git_calls_unmodified_is_the_same(
    folder: Path, attribute: str, stale: bool
) -> None:
    """Filters lie between both; none is run."""
    write_files(folder, {".gitattributes": f"*.sls {attribute}\n"})
    git(folder, "config", "filter.upper.clean", "tr a-z A-Z")
    git(folder, "config", "filter.upper.smudge", "tr A-Z a-z")
    commit_all(folder)
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
        assert touched(sides) == ({"web"} if stale and "filter" in attribute else set())
    write_files(folder, {"README": "x"})
    commit_all(folder)
    if not stale:
        os.utime(folder / ".git" / "index", ns=(2**61, 2**61))
        with open_both(folder, "HEAD~1", "HEAD") as sides:
            assert touched(sides) == set()
            assert values(sides, "db", "name") == ("db", "db")


def test_what_only_a_filter_has_is_named_and_not_compared(folder: Path) -> None:
    for number in (1, 2):
        (folder / "pillar" / "common.sls").write_bytes(LOCKED + bytes([number]))
        (folder / "pillar" / "map.jinja").write_text(POINTER.format(str(number) * 64))
        commit_all(folder)
    write_files(folder, {"pillar/common.sls": "clear: 1\n", "pillar/map.jinja": FILES["map.jinja"]})
    with open_both(folder, "HEAD~1") as sides:
        assert touched(sides) == set()
        assert values(sides, "web", "clear") == (1, 1)
        assert "pillar/common.sls is only there as git-crypt keeps it in" in told(sides)
        assert "pillar/map.jinja is only there as Git LFS keeps it in" in told(sides)
    with open_both(folder, "HEAD~1", "HEAD") as sides:
        base, head = sides.compile("db")
        assert base is not None
        assert head is not None
        assert "pillar/common.sls is only there as git-crypt" in told(sides)
        assert plain(base.tree) == plain(head.tree)


def test_a_mode_is_no_change(folder: Path) -> None:
    commit_all(folder)
    (folder / "pillar" / "web.sls").chmod(0o755)
    commit_all(folder)
    with open_both(folder, "HEAD~1", "HEAD") as sides:
        assert touched(sides) == set()


def test_a_worktree_and_a_bare_mirror(folder: Path, tmp_path: Path) -> None:
    commit_all(folder)
    write_files(folder, {"pillar/common.sls": "name: other\n"})
    commit_all(folder)
    git(folder, "worktree", "add", "--quiet", "--detach", str(tmp_path / "w"), "HEAD")
    with open_both(tmp_path / "w", "HEAD~1") as sides:
        assert values(sides, "db", "name") == ("db", "other")
    git(tmp_path, "clone", "--quiet", "--mirror", str(folder), "mirror.git")
    mirror = tmp_path / "mirror.git"
    with open_both(mirror, "HEAD~1", "HEAD") as sides:
        assert values(sides, "db", "name") == ("db", "other")
        base, _ = sides.compile("db")
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
    write_files(folder, {"pillar/web.sls": "port: 1\n"})
    commit_all(folder)
    git(folder, "config", "uploadpack.allowFilter", "true")
    url = f"file://{folder}"
    git(tmp_path, "clone", "--quiet", "--filter=blob:none", url, "clone")
    with open_both(tmp_path / "clone", "HEAD~1") as sides:
        assert values(sides, "db", "name") == ("other", "other")
        assert "pillar/common.sls is not in this partial clone in" in told(sides)
        helps = {one.help for one in sides.base.diagnostics if one.code == "not-compared"}
        assert any("git fetch" in str(one) for one in helps)


def test_a_submodule_is_read_from_its_own_repository(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    start(other)
    write_files(other, {"secret.sls": "v: 1\n"})
    commit_all(other)
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
    write_files(folder, {"pillar/top.sls": "base: {'*': [sub.secret]}\n"})
    commit_all(folder)
    with open_both(folder) as sides:
        assert touched(sides) == set()
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


def test_external_pillars_read_the_commit(folder: Path) -> None:
    options = "pillar_roots: {base: [pillar]}\next_pillar:\n"
    options += "  - stack: stack/main.cfg\n  - file_tree: {root_dir: tree}\n"
    write_files(folder, {"master": options, "stack/main.cfg": "*.yml\n", "stack/a.yml": "a: 1\n"})
    write_files(folder, {"tree/hosts/db/key": "one"})

    def change() -> None:
        write_files(folder, {"tree/hosts/db/key": "two"})

    assert check_sides(folder, change, committed=True) == {"db"}
    with open_both(folder, "HEAD~1", "HEAD") as sides:
        assert values(sides, "db", "key") == (b"one", b"two")
    write_files(folder, {"stack/b.yml": "b: 1\n"})
    with open_both(folder) as sides:
        assert values(sides, "web", "b") == (None, 1)
        assert values(sides, "web", "a") == (1, 1)


def test_what_is_mapped_by_paths_is_the_commits(folder: Path) -> None:
    write_files(folder, {"master": "pillar_roots: {base: [/srv/pillar]}\n"})
    commit_all(folder)
    write_files(folder, {"pillar/common.sls": "name: other\n"})
    given = settings_of(folder)
    settings = Settings(
        master=given.master,
        inventory=given.inventory,
        folder=folder,
        paths={"/srv/pillar": "pillar"},
    )
    with open_sides(settings, OPTIONS, *resolve_sides(folder)) as sides:
        assert values(sides, "db", "name") == ("db", "other")


def test_folders_without_end_are_given_up(folder: Path) -> None:
    """A few objects name a hundred million files."""
    write_files(folder, {"pillar/many/a.sls": "a: 1\n"})
    commit_all(folder)
    repository = pygit2.Repository(str(folder))
    tree = repository.revparse_single("HEAD:pillar/many").id
    for _ in range(8):
        level = repository.TreeBuilder()
        for number in range(10):
            level.insert(str(number), tree, pygit2.enums.FileMode.TREE)
        tree = level.write()
    pillar = repository.TreeBuilder(repository.revparse_single("HEAD:pillar"))  # type: ignore[arg-type]
    pillar.insert("many", tree, pygit2.enums.FileMode.TREE)
    top = repository.TreeBuilder(repository.revparse_single("HEAD^{tree}"))  # type: ignore[arg-type]
    top.insert("pillar", pillar.write(), pygit2.enums.FileMode.TREE)
    who = pygit2.Signature("a", "a@example.com", 1_600_000_000, 0)
    head = repository.create_commit(None, who, who, "x", top.write(), [repository.head.target])
    with open_both(folder, "HEAD", str(head)) as sides:
        assert values(sides, "db", "name") == ("db", "db")
        found = [one.message for one in sides.head.diagnostics if one.code == "unreadable-file"]
        assert any("has too many files" in one for one in found)
