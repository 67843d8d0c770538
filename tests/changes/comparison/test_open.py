"""A fleet as it is on two sides: what a change touches, and what each side reads."""

import shutil
from pathlib import Path

import pygit2
import pytest
from tests.support.fleets import write_files
from tests.support.repositories import commit_all, git
from tests.support.sides import (
    FILES,
    OPTIONS,
    affected,
    check_sides,
    compile_on_both,
    open_both,
    settings_of,
    told,
    values,
)

from pillarbook.changes.comparison import open_sides, resolve_sides
from pillarbook.inventory.settings import Settings

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


@pytest.mark.sample(10)
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
            base, head = compile_on_both(sides, minion)
        assert affected(sides) == {"web"}
        base, head = compile_on_both(sides, "web")
        assert base is not None
        assert head is not None
        shared = [one for one in base.renders if any(one is other for other in head.renders)]
        assert [one.files[0].path for one in base.renders if one not in shared] == ["web.sls"]
        assert base.tree.items["name"] is head.tree.items["name"]


def test_equal_secrets_have_equal_tokens(folder: Path) -> None:
    commit_all(write_files(folder, {"pillar/common.sls": "password: hunter22-a\nother: 1\n"}))
    write_files(folder, {"pillar/common.sls": "other: 2\npassword: hunter22-a\n"})
    with open_both(folder) as sides:
        base, head = compile_on_both(sides, "db")
        assert base is not None
        assert head is not None
        written = [
            session.shown.texts.tagged(session.shown.redact(one))["password"]
            for session, one in ((sides.base, base), (sides.head, head))
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
    commit_all(write_files(folder, {"mkdocs.yml": section.format("master", "minions.yml")}))
    (folder / "salt").mkdir()
    for name in ("master", "minions.yml", "pillar"):
        (folder / name).rename(folder / "salt" / name)
    write_files(folder, {"mkdocs.yml": section.format("salt/master", "salt/minions.yml")})
    for head in (None, "HEAD"):
        if head:
            commit_all(folder)
        with open_both(folder, "HEAD~1" if head else "HEAD", head) as sides:
            assert values(sides, "web", "port") == (80, 80)
            base, _ = compile_on_both(sides, "web")
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
        assert affected(sides) == {"web", "db"}
        assert f"'{name}', so it has no minions" in told(sides)
    with open_both(folder, "HEAD~1", "HEAD") as sides:
        assert values(sides, "web", "port") == (80, None)


def test_minions_come_and_go(folder: Path) -> None:
    commit_all(folder)
    write_files(folder, {"minions.yml": "minions:\n  new: {}\n  db: {grains: {role: db}}\n"})
    with open_both(folder) as sides:
        assert tuple(sides.minions) == ("new", "db", "web")
        assert affected(sides) == {"new", "web"}
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
    commit_all(write_files(folder, {"README": "x"}))
    for sides in (open_both(folder), open_both(folder, "HEAD~1", "HEAD")):
        with sides:
            assert affected(sides) == set()
            assert values(sides, "db", "p") == (1, 1)


def test_what_is_not_committed_at_all_is_new(folder: Path) -> None:
    shutil.move(folder / "pillar", folder.parent / "pillar")
    (folder / "minions.yml").rename(folder.parent / "minions.yml")
    commit_all(folder)
    shutil.move(folder.parent / "pillar", folder / "pillar")
    (folder.parent / "minions.yml").rename(folder / "minions.yml")
    with open_both(folder) as sides:
        assert values(sides, "db", "name") == (None, "db")


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
    commit_all(write_files(folder, {"master": "pillar_roots: {base: [/srv/pillar]}\n"}))
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


@pytest.mark.slow
def test_folders_without_end_are_given_up(folder: Path) -> None:
    """A few objects name a hundred million files."""
    commit_all(write_files(folder, {"pillar/many/a.sls": "a: 1\n"}))
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
        found = [
            one.message for one in sides.head.shown.diagnostics if one.code == "unreadable-file"
        ]
        assert any("has too many files" in one for one in found)


def test_single_ignored_files_have_one_state(folder: Path) -> None:
    write_files(
        folder,
        {
            ".gitignore": "secrets.sls\nkeys/\n*.tmp\n",
            "pillar/secrets.sls": "{% set token = 'one' %}\nkept: 1\n",
            "pillar/keys/own.yml": "o: 1\n",
            "pillar/common.sls": "{% from 'secrets.sls' import token %}\n"
            "{% import_yaml 'keys/own.yml' as own %}\nt: {{ token }}\no: {{ own.o }}\n",
        },
    )
    commit_all(folder)
    commit_all(write_files(folder, {"README": "x"}))
    for revisions in ((), ("HEAD~1", "HEAD"), ("HEAD~1",)):
        with open_both(folder, *revisions) as sides:
            assert affected(sides) == set()
            assert values(sides, "db", "t") == ("one", "one")
            assert values(sides, "db", "o") == (1, 1)
            files = sides.declared[0].files.files
            assert "secrets.sls" in files.names(folder / "pillar")
            assert "keys" not in files.names(folder / "pillar")  # folders may be large
            assert files.names(folder / "pillar" / "keys") == ["own.yml"]


def test_what_one_commit_has_is_not_read_from_disk(folder: Path) -> None:
    write_files(folder, {"pillar/common.sls": "{% import_yaml 'own.yml' as own %}\no: {{ own }}\n"})
    commit_all(folder)
    commit_all(write_files(folder, {"pillar/own.yml": "1\n"}))
    (folder / "pillar" / "own.yml").unlink()
    commit_all(write_files(folder, {".gitignore": "own.yml\n"}))
    write_files(folder, {"pillar/own.yml": "2\n"})
    with open_both(folder, "HEAD~2", "HEAD~1") as sides:
        assert values(sides, "db", "o") == (None, 1)
    with open_both(folder, "HEAD~1", "HEAD") as sides:
        assert values(sides, "db", "o") == (1, None)


def test_files_of_git_itself_are_in_no_commit(folder: Path) -> None:
    commit_all(write_files(folder, {"README": "x"}))
    with open_both(folder, "HEAD", "HEAD") as sides:
        assert (folder / ".git" / "config").exists()
        assert not sides.declared[0].files.files.exists(folder / ".git" / "config")
