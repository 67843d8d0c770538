"""Since when secrets are what they are, by the repository that a tree lies in."""

import subprocess
import sys
from pathlib import Path

from tests.support.fleets import write_fleet
from tests.support.repositories import commit_all, git

from pillarbook.inventory.settings import Settings
from pillarbook.roots.history import LineAge
from pillarbook.session import RunOptions, open_session

FILES = {
    "top.sls": "base: {'*': [a, keys.b]}\n",
    "a.sls": "db:\n  password: earl-grey-42\n",
    "keys/b.sls": "tls:\n  private_key: |\n    one-{{ grains.id }}\n    two\n  port: 443\n",
}
PLACES = [("pillar/a.sls", 2), ("pillar/keys/b.sls", 2)]
PASSWORD, KEY = PLACES


def ages(folder: Path, *, master: str = "") -> dict[tuple[str, int], LineAge]:
    tree = folder / master
    settings = Settings(master=tree / "master", inventory=(tree / "minions.yml",), folder=tree)
    with open_session(settings, RunOptions()) as session:
        asked = [*PLACES, ("pillar/gone.sls", 1), ("pillar/a.sls", 99)]
        return session.report.ages((str(Path(master, file)), line) for file, line in asked)


def test_a_tree_in_no_repository_has_no_ages(tmp_path: Path) -> None:
    write_fleet(tmp_path, FILES, {"web1": {}})
    assert ages(tmp_path) == {}


def test_each_value_has_its_last_change(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    first = commit_all(write_fleet(tmp_path, FILES, {"web1": {}}), "2020-01-01")
    (tmp_path / "pillar/keys/b.sls").write_text(FILES["keys/b.sls"].replace("two", "zwei"))
    second = commit_all(tmp_path, "2021-01-01")
    assert ages(tmp_path) == {
        PASSWORD: LineAge("committed", first, "2020-01-01"),
        KEY: LineAge("committed", second, "2021-01-01"),
    }


def test_a_tree_below_the_top_of_its_repository(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    write_fleet(tmp_path / "salt", FILES, {"web1": {}})
    commit = commit_all(tmp_path, "2020-01-01")
    assert ages(tmp_path, master="salt")["salt/pillar/a.sls", 2].commit == commit


def test_a_linked_worktree_has_the_history_of_its_repository(tmp_path: Path) -> None:
    main, linked = tmp_path / "main", tmp_path / "linked"
    main.mkdir()
    git(main, "init", "--quiet")
    commit = commit_all(write_fleet(main, FILES, {"web1": {}}), "2020-01-01")
    git(main, "worktree", "add", "--quiet", "-b", "side", str(linked))
    assert ages(linked)[PASSWORD] == LineAge("committed", commit, "2020-01-01")
    # A folder that does not name the worktree back is another repository's.
    (main / ".git/worktrees/linked/gitdir").write_text("/nowhere/.git\n")
    assert ages(linked) == {}


def test_a_link_leads_to_the_file_that_git_has(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    write_fleet(tmp_path, FILES, {"web1": {}})
    (tmp_path / "pillar/a.sls").rename(tmp_path / "real.sls")
    (tmp_path / "pillar/a.sls").symlink_to("../real.sls")
    commit = commit_all(tmp_path, "2020-01-01")
    assert ages(tmp_path)[PASSWORD].commit == commit


def test_a_repository_that_cannot_be_read_tells_nothing(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    commit_all(write_fleet(tmp_path, FILES, {"web1": {}}), "2020-01-01")
    (tmp_path / ".git/objects/link").symlink_to("/etc")
    assert ages(tmp_path) == {}


def test_nobody_runs_git(tmp_path: Path) -> None:
    """Neither a program nor the repository's configuration has a part in it."""
    git(tmp_path, "init", "--quiet")
    commit_all(write_fleet(tmp_path, FILES, {"web1": {}}), "2020-01-01")
    (tmp_path / ".git/config").write_text("[broken\n")
    assert ages(tmp_path)[PASSWORD].date == "2020-01-01"
    loaded = (
        "import sys, pillarbook.session, pillarbook.roots.history; print('pygit2' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", loaded], capture_output=True, check=True)
    assert done.stdout.strip() == b"False"
