"""When lines last changed, in repositories that git made; git's own blame is asked as well."""

import random
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.support.repositories import commit_all, git

from pillarbook.roots.history import LineAge, WantedLines, find_ages
from pillarbook.roots.repository import Repository

FILE = "pillar/db.sls"
TEXT = "db:\n  user: shop\n  password: |\n    one\n    two\n  port: 5432\n"
USER, PASSWORD, PORT = (2, 2), (3, 5), (6, 6)


def write(folder: Path, text: str, name: str = FILE) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(text.encode())


def begin(folder: Path, text: str = TEXT, day: str = "2020-01-01") -> str:
    git(folder, "init", "--quiet", "--initial-branch", "main")
    write(folder, text)
    return commit_all(folder, day)


def ages(
    folder: Path, *ranges: tuple[int, int], name: str = FILE, most: int = 1000
) -> list[LineAge]:
    repository = Repository(folder, allowed=lambda _: True)
    wanted = WantedLines(name, (folder / name).read_bytes(), ranges)
    found = find_ages(repository, [wanted], most)
    return [found[name, one] for one in ranges]


def dates(folder: Path, *ranges: tuple[int, int], name: str = FILE) -> list[str | None]:
    return [age.date for age in ages(folder, *ranges, name=name)]


def test_the_commit_that_wrote_the_lines(tmp_path: Path) -> None:
    commit = begin(tmp_path)
    assert ages(tmp_path, USER) == [LineAge("committed", commit, "2020-01-01")]


def test_a_value_of_several_lines_is_as_old_as_its_newest(tmp_path: Path) -> None:
    begin(tmp_path)
    write(tmp_path, TEXT.replace("two", "zwei"))
    commit_all(tmp_path, "2021-02-03")
    write(tmp_path, "# Above\n" + TEXT.replace("two", "zwei").replace("5432", "5433"))
    commit_all(tmp_path, "2022-03-04")
    moved = [(first + 1, last + 1) for first, last in (USER, PASSWORD, PORT)]
    assert dates(tmp_path, *moved) == ["2020-01-01", "2021-02-03", "2022-03-04"]


def test_other_files_do_not_count(tmp_path: Path) -> None:
    begin(tmp_path)
    write(tmp_path, "a: 1\n", "pillar/other.sls")
    commit_all(tmp_path, "2021-01-01")
    assert dates(tmp_path, PASSWORD) == ["2020-01-01"]


@pytest.mark.parametrize("change", [lambda text: text, lambda text: text + "  more: 1\n"])
def test_a_renamed_file_keeps_its_age(tmp_path: Path, change: Callable[[str], str]) -> None:
    begin(tmp_path)
    write(tmp_path, "x: 1\n", "pillar/aside.sls")
    commit_all(tmp_path, "2020-06-01")
    git(tmp_path, "mv", "pillar", "data")
    git(tmp_path, "mv", "data/db.sls", "data/database.sls")
    write(tmp_path, change(TEXT), "data/database.sls")
    commit_all(tmp_path, "2021-01-01")
    assert dates(tmp_path, PASSWORD, name="data/database.sls") == ["2020-01-01"]


def test_a_file_that_came_new_is_as_old_as_that(tmp_path: Path) -> None:
    begin(tmp_path)
    (tmp_path / FILE).unlink()
    write(tmp_path, "".join(f"k{number}: {number}\n" for number in range(9)), "pillar/new.sls")
    commit_all(tmp_path, "2021-01-01")
    assert dates(tmp_path, (2, 2), name="pillar/new.sls") == ["2021-01-01"]


def test_what_is_not_committed_says_so(tmp_path: Path) -> None:
    begin(tmp_path)
    write(tmp_path, TEXT.replace("two", "zwei"))
    user, password = ages(tmp_path, USER, PASSWORD)
    assert (user.status, user.date) == ("committed", "2020-01-01")
    assert password == LineAge("changed")


def test_a_file_that_git_does_not_have(tmp_path: Path) -> None:
    begin(tmp_path)
    write(tmp_path, TEXT, "pillar/new.sls")
    assert ages(tmp_path, USER, name="pillar/new.sls") == [LineAge("untracked")]


def test_a_repository_without_a_commit(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    write(tmp_path, TEXT)
    assert ages(tmp_path, USER) == [LineAge("untracked")]


def test_line_ends_of_the_checkout_do_not_count(tmp_path: Path) -> None:
    begin(tmp_path)
    write(tmp_path, TEXT.replace("\n", "\r\n"))
    assert dates(tmp_path, PASSWORD) == ["2020-01-01"]


def test_a_checkout_of_no_branch(tmp_path: Path) -> None:
    begin(tmp_path)
    write(tmp_path, TEXT.replace("two", "zwei"))
    commit_all(tmp_path, "2021-01-01")
    git(tmp_path, "checkout", "--quiet", "HEAD~1")
    assert dates(tmp_path, PASSWORD) == ["2020-01-01"]


def test_a_worktree_has_a_head_of_its_own(tmp_path: Path) -> None:
    main, other = tmp_path / "main", tmp_path / "other"
    begin(main)
    git(main, "worktree", "add", "--quiet", "-b", "other", str(other))
    write(other, TEXT.replace("two", "zwei"))
    commit_all(other, "2021-01-01")
    assert dates(other, PASSWORD) == ["2021-01-01"]
    assert dates(main, PASSWORD) == ["2020-01-01"]


def test_a_shallow_clone_knows_the_least_age(tmp_path: Path) -> None:
    origin, clone = tmp_path / "origin", tmp_path / "clone"
    begin(origin)
    for number, day in enumerate(("2021-01-01", "2022-01-01", "2023-01-01")):
        write(origin, TEXT.replace("5432", f"543{number}"))
        commit_all(origin, day)
    git(tmp_path, "clone", "--quiet", "--depth", "2", f"file://{origin}", str(clone))
    password, port = ages(clone, PASSWORD, PORT)
    assert (password.date, password.at_least) == ("2022-01-01", True)
    assert (port.date, port.at_least) == ("2023-01-01", False)


def test_a_long_history_is_read_in_part(tmp_path: Path) -> None:
    begin(tmp_path)
    for number in range(8):
        write(tmp_path, TEXT.replace("5432", f"{number}"))
        commit_all(tmp_path, f"2021-01-0{number + 1}")
    (age,) = ages(tmp_path, USER, most=3)
    assert (age.date, age.at_least) == ("2021-01-05", True)


def test_a_binary_file_is_as_old_as_its_last_change(tmp_path: Path) -> None:
    begin(tmp_path, "\0a\nb\n")
    write(tmp_path, "\0a\nb\nc\n")
    commit_all(tmp_path, "2021-01-01")
    assert dates(tmp_path, (1, 1)) == ["2021-01-01"]


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(6))
def test_git_blame_says_the_same(seed: int, tmp_path: Path) -> None:
    grow_history(tmp_path, random.Random(seed))  # noqa: S311 (a test that is repeatable)
    text = (tmp_path / FILE).read_text()
    last = text.count("\n")
    ranges = [(at, at) for at in range(1, last + 1)] + [(at, at + 3) for at in range(1, last - 3)]
    found = ages(tmp_path, *ranges)
    blamed = blame(tmp_path)
    for (first, end), age in zip(ranges, found, strict=True):
        assert age.date == max(blamed[first - 1 : end]), (first, end)


def grow_history(folder: Path, dice: random.Random) -> None:
    """Write a history with branches and merges; no two lines of it are alike."""
    lines = [f"line {number}" for number in range(30)]
    begin(folder, "\n".join(lines) + "\n")
    days = iter(f"2021-{month:02}-{day:02}" for month in range(1, 13) for day in range(1, 28))
    for turn in range(8):
        git(folder, "checkout", "--quiet", "-b", f"side{turn}")
        for _ in range(dice.randrange(1, 4)):
            edit(folder, dice, range(15, 28))
            commit_all(folder, next(days))
        git(folder, "checkout", "--quiet", "main")
        edit(folder, dice, range(12))
        commit_all(folder, next(days))
        when = f"{next(days)}T00:00:00Z"
        dates = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
        git(folder, "merge", "--quiet", "--no-edit", "--no-ff", f"side{turn}", **dates)


def edit(folder: Path, dice: random.Random, places: range) -> None:
    """Change, add or remove a line."""
    lines = (folder / FILE).read_text().splitlines()
    at = dice.choice(places)
    match dice.randrange(3):
        case 0:
            lines[at] = f"changed {dice.random()}"
        case 1:
            lines.insert(at, f"added {dice.random()}")
        case _ if len(lines) > 32:
            del lines[at]
    write(folder, "\n".join(lines) + "\n")


def blame(folder: Path) -> list[str]:
    """Return the day of each line as git has it."""
    told = git(folder, "blame", "--date", "short", "-s", FILE, "--line-porcelain")
    seconds = [line.split()[1] for line in told.splitlines() if line.startswith("author-time ")]
    return [datetime.fromtimestamp(int(one), UTC).date().isoformat() for one in seconds]
