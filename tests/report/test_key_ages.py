"""Since which commit values stand, as pages of keys say it; git's own blame is asked as well."""

import random
import re
from pathlib import Path

import pytest
from tests.report.environment import page_environment
from tests.support.derived import opened, write_tree
from tests.support.repositories import commit_all, git

from pillarbook.report.forge import find_forge
from pillarbook.report.report import Report

MASTER = {"pillar_roots": {"base": ["pillar"]}}
SLS = ("one", "two", "three")
KEYS = 12
ROW = re.compile(
    r"pillar/(\w+)\.sls:(\d+)</code>.*?</small> <small class=\"since-commit\">(.*?)</small>"
)
CONFIGURATION = (
    "site_name: x\nplugins: [{pillarbook: {master: master, inventory: minions.yml%s}}]\n"
)


def begin(folder: Path, options: str = "") -> Path:
    top = "base:\n  '*':\n" + "".join(f"    - {name}\n" for name in SLS)
    files = {f"pillar/{name}.sls": write_sls(name, [0] * KEYS) for name in SLS}
    write_tree(folder, {"pillar/top.sls": top, **files}, master=MASTER, minions={"a": {}, "b": {}})
    (folder / "mkdocs.yml").write_text(CONFIGURATION % options)
    git(folder, "init", "--quiet", "--initial-branch", "main")
    return folder


def write_sls(name: str, values: list[int]) -> str:
    return f"{name}:\n" + "".join(f"  k{at}: {value}\n" for at, value in enumerate(values))


def told_in(folder: Path, repo_url: str | None = None) -> dict[tuple[str, int], str]:
    """Return what pages of keys say of lines, by SLS and line."""
    with opened(folder) as session:
        session.compile_fleet(lambda _: None)  # as a build does, so that all secrets are known
        report = Report(session.report, page_environment(), None, find_forge(repo_url, None, None))
        pages = list(report.pages)
        found: dict[tuple[str, int], str] = {}
        for page in pages:
            html = report.write(page)
            pages += report.further(page)
            if page.kind == "key-top":
                found |= {(file, int(line)): words for file, line, words in ROW.findall(html)}
    return found


def text_of(html: str) -> str:
    return re.sub(r"<[^>]*>", "", html)


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(5))
def test_each_value_has_the_commit_that_git_blames(seed: int, tmp_path: Path) -> None:
    dice = random.Random(seed)  # noqa: S311 (a test that is repeatable)
    tree = begin(tmp_path / "tree")
    values = {name: [0] * KEYS for name in SLS}
    for turn in range(1, 13):
        commit_all(tree, f"2021-{turn:02}-01")
        for name in dice.sample(SLS, dice.randrange(1, 3)):
            values[name][dice.randrange(KEYS)] = turn
            (tree / f"pillar/{name}.sls").write_text(write_sls(name, values[name]))
    commit_all(tree, "2022-01-01")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", "--depth", "5", tree.as_uri(), "clone")
    ends = set(git(clone, "rev-list", "--max-parents=0", "HEAD").split())
    for folder, boundary in ((tree, set()), (clone, ends)):
        told = {place: text_of(html) for place, html in told_in(folder).items()}
        assert len(told) == len(SLS) * KEYS
        for name in SLS:
            blamed = git(folder, "blame", "--line-porcelain", f"pillar/{name}.sls")
            commits = re.findall(r"^([0-9a-f]{40}) \d+ (\d+)", blamed, re.MULTILINE)
            for commit, line in commits[1:]:
                said = told[name, int(line)]
                if commit in boundary:  # git blames the oldest that it has for all before it
                    assert said == f"before {commit[:7]}"
                else:
                    assert re.fullmatch(rf"since {commit[:7]}, 202[12]-\d\d-01", said)


def test_lines_that_are_not_committed_say_so(tmp_path: Path) -> None:
    tree = begin(tmp_path)
    commit_all(tree)
    (tree / "pillar/one.sls").write_text(write_sls("one", [0] * (KEYS - 1) + [7]))
    (tree / "pillar/top.sls").write_text("base: {'*': [one, new]}\n")
    (tree / "pillar/new.sls").write_text("new: {a: 1}\n")
    told = told_in(tree)
    assert told["one", KEYS + 1] == "not committed"
    assert told["new", 1] == "not in git"
    assert told["one", 2].startswith("since ")


def test_without_a_repository_nothing_is_said(tmp_path: Path) -> None:
    tree = begin(tmp_path / "tree")
    (tree / ".git").rename(tmp_path / "elsewhere")
    assert told_in(tree) == {}


def test_a_commit_leads_to_the_site_of_the_repository(tmp_path: Path) -> None:
    tree = begin(tmp_path)
    commit = commit_all(tree)
    html = told_in(tree, "https://gitlab.com/x/y")["one", 2]
    assert f'<a href="https://gitlab.com/x/y/-/commit/{commit}">' in html


@pytest.mark.slow
def test_authors_are_named_only_if_asked_for_and_never_as_markup(tmp_path: Path) -> None:
    tree = begin(tmp_path)
    git(tree, "add", ".")
    author = {"GIT_AUTHOR_NAME": "Ada <b>&\u202e", "GIT_AUTHOR_EMAIL": "ada@example.com"}
    git(tree, "commit", "--quiet", "--message", "x", **author)
    assert "Ada" not in told_in(tree)["one", 2]
    (tree / "mkdocs.yml").write_text(CONFIGURATION % ", pages: {authors: true}")
    told = told_in(tree)["one", 2]
    assert told.endswith(", Ada b&amp;\\u202e")  # git keeps no angle brackets in names
    assert "example.com" not in told


def test_an_author_who_is_called_like_a_secret_is_hidden(tmp_path: Path) -> None:
    tree = begin(tmp_path, ", pages: {authors: true}")
    secret = "kL9mPq2rS7tV4w"
    (tree / "pillar/one.sls").write_text(f"one:\n  a: 1\n  password: {secret}\n")
    git(tree, "add", ".")
    git(tree, "commit", "--quiet", "--message", "x", GIT_AUTHOR_NAME=f"Ada {secret}")
    told = told_in(tree)["one", 2]
    assert told.startswith("since ")
    assert secret not in told
