"""The declarations of both sides, if commits lack some of them."""

from pathlib import Path

import pytest
from tests.support.fleets import write_files
from tests.support.repositories import commit_all, git
from tests.support.sides import affected, open_both, told, values

from pillarbook.inventory.declaration_errors import SettingsError

CONFIGURED = "plugins:\n  - pillarbook: {master: master, inventory: minions.yml}\n"
ALL = ("mkdocs.yml", "master", "minions.yml")
FIRST = [ALL, ("mkdocs.yml", "minions.yml"), ("master", "minions.yml"), ("mkdocs.yml",)]
"""What is on disk only, before the first declarations are committed."""
WITHOUT = {"web": (None, 81), "db": (None, None)}


def commit_without(folder: Path, names: tuple[str, ...]) -> None:
    """Commit a tree and a change of it; some files are only on disk, and not committed."""
    if "mkdocs.yml" in names or len(names) == 1:
        write_files(folder, {"mkdocs.yml": CONFIGURED})
    kept = {name: (folder / name).read_text() for name in names}
    for name in names:
        (folder / name).unlink()
    commit_all(folder)
    commit_all(write_files(folder, {"pillar/web.sls": "port: 81\n"}))
    write_files(folder, kept)


@pytest.mark.parametrize("names", [*FIRST, ("master",), ("minions.yml",)], ids=", ".join)
def test_what_neither_commit_has_is_read_from_disk(folder: Path, names: tuple[str, ...]) -> None:
    commit_without(folder, names)
    files = "file" if len(names) == 1 else "files"
    with open_both(folder, "HEAD~1", "HEAD") as sides:
        assert affected(sides) == {"web"}
        assert values(sides, "web", "port") == (80, 81)
        assert [note for note in sides.notes if "on disk" in note] == [
            f"neither commit has {', '.join(names)}, so both are compared with the {files} on disk"
        ]


@pytest.mark.sample(3)
@pytest.mark.parametrize("staged", [False, True], ids=["untracked", "staged"])
@pytest.mark.parametrize("names", FIRST, ids=", ".join)
def test_first_declarations_that_are_not_committed_are_read_on_both_sides(
    folder: Path, names: tuple[str, ...], staged: bool
) -> None:
    commit_without(folder, names)
    write_files(folder, {"pillar/web.sls": "port: 82\n"})
    listed, files = ", ".join(names), "file" if len(names) == 1 else "files"
    if staged:
        git(folder, "add", "--all")
    for base, port in (("HEAD", 81), ("HEAD~1", 80)):
        with open_both(folder, base) as sides:
            assert affected(sides) == {"web"}
            assert values(sides, "web", "port") == (port, 82)
            assert [note for note in sides.notes if "on disk" in note] == [
                f"{listed}: not committed, so both sides are compared with the {files} on disk"
            ]


@pytest.mark.parametrize("name", ["master", "minions.yml"])
def test_a_file_that_the_committed_configuration_names_is_no_first_declaration(
    folder: Path, name: str
) -> None:
    commit_without(folder, (name,))
    with open_both(folder) as sides:
        assert values(sides, "web", "port") == (None, 81)
        assert f"'{name}', so it has no minions" in told(sides)


@pytest.mark.parametrize("names", FIRST[:3], ids=", ".join)
def test_the_commit_of_the_first_declarations_brings_all_minions(
    folder: Path, names: tuple[str, ...]
) -> None:
    commit_without(folder, names)
    commit_all(folder)
    for head in ("HEAD", None):
        with open_both(folder, "HEAD~1", head) as sides:
            assert values(sides, "web", "port") == (None, 81)


def test_a_file_that_is_nowhere_is_reported_with_the_commit(folder: Path) -> None:
    commit_without(folder, ("minions.yml",))
    (folder / "minions.yml").unlink()
    head = git(folder, "rev-parse", "--short=7", "HEAD").strip()
    names = "'inventory' names minions.yml, which does not exist"
    lacks = f"in {head} (HEAD) {names} (commit it, or compare commits that have it)"
    for base, to, message in (("HEAD~1", "HEAD", lacks), ("HEAD", None, names)):
        with pytest.raises(SettingsError) as caught:
            open_both(folder, base, to)
        assert str(caught.value) == f"mkdocs.yml:2: {message}"


def test_a_file_that_an_uncommitted_configuration_names_must_exist(folder: Path) -> None:
    commit_without(folder, ("mkdocs.yml", "minions.yml"))
    (folder / "minions.yml").unlink()
    with pytest.raises(SettingsError, match="'inventory' names minions"):
        open_both(folder)
