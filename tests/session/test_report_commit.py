"""Of which commit a report is."""

from pathlib import Path

import pytest
from tests.support.fleets import write_fleet
from tests.support.repositories import commit_all, git

from pillarbook.inventory.settings import Settings
from pillarbook.report.about_report import AboutReport, ReportCommit, describe_about
from pillarbook.session import open_session

FILES = {"top.sls": "base: {'*': [a]}\n", "a.sls": "a: 1\n"}


def describe(folder: Path) -> ReportCommit | None:
    tree = folder / "salt"
    settings = Settings(master=tree / "master", inventory=(tree / "minions.yml",), folder=tree)
    with open_session(settings) as session:
        return session.report.about.describe().commit


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    git(tmp_path, "init", "--quiet", "--initial-branch", "main")
    write_fleet(tmp_path / "salt", FILES, {"web1": {}})
    return tmp_path


def test_there_is_none_before_the_first_commit(tree: Path) -> None:
    assert describe(tree) is None


def test_it_is_the_one_that_is_checked_out(tree: Path) -> None:
    commit = commit_all(tree, "2020-01-01")
    found = describe(tree)
    assert found is not None
    assert (found.id, found.branch, found.is_modified) == (commit, "main", False)
    (tree / "unrelated.txt").write_text("x")
    assert describe(tree) == found
    git(tree, "checkout", "--quiet", "--detach")
    detached = describe(tree)
    assert detached is not None
    assert detached.branch is None


@pytest.mark.parametrize("file", ["salt/pillar/a.sls", "salt/pillar/new.sls", "salt/minions.yml"])
def test_a_file_of_the_report_that_differs_is_told(tree: Path, file: str) -> None:
    commit_all(tree, "2020-01-01")
    path = tree / file
    path.write_text((path.read_text() if path.exists() else "") + "# x\n")
    found = describe(tree)
    assert found is not None
    assert found.is_modified


def test_a_damaged_repository_is_none(tree: Path) -> None:
    commit_all(tree, "2020-01-01")
    (tree / ".git" / "HEAD").write_text("ref: refs/heads/../../x\n")
    assert describe(tree) is None


def test_it_is_said_in_one_line(tree: Path) -> None:
    commit = commit_all(tree, "2020-01-01")
    settings = Settings(
        master=tree / "salt/master", inventory=(tree / "salt/minions.yml",), folder=tree / "salt"
    )
    with open_session(settings) as session:
        words = describe_about(session.report.about.describe())
    assert words.startswith(f"commit {commit[:7]} on main, 2020-01-01 ")
    assert "; inventory salt/minions.yml; pillarbook " in words


def test_the_inventory_and_what_was_not_seen_are_said() -> None:
    files = tuple(f"{number}.yml" for number in range(5))
    about = AboutReport(commit=None, time="", inventory=files, guessed=2, not_trusted=1)
    assert describe_about(about, not_decrypted=1200).startswith(
        "inventory 0.yml, 1.yml, 2.yml and 2 more with 2 guessed minions; "
        "1 setting without effect, because not trusted; 1,200 values not decrypted; pillarbook "
    )


def test_processes_that_share_the_work_find_it_once(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit_all(tree, "2020-01-01")
    write_fleet(tree / "salt", FILES, {"web1": {}, "web2": {}})
    walks = tree / "walks"

    def find(*_: object) -> None:
        with walks.open("a") as file:
            file.write("x")

    monkeypatch.setattr("pillarbook.session.report_commit.find_report_commit", find)
    folder = tree / "salt"
    settings = Settings(
        master=folder / "master", inventory=(folder / "minions.yml",), folder=folder
    )
    with open_session(settings) as session:
        session.jobs = 2
        times = session.compile_fleet(lambda _: session.report.about.describe().time)
    assert len(times) == 1
    assert walks.read_text() == "x"
