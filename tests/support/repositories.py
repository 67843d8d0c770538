"""Git repositories built from folders: one for each repository, and below it one for each branch."""

import datetime as dt
import os
import shutil
import subprocess
from pathlib import Path

import pygit2

FIXED = {
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.com",
    "GIT_AUTHOR_DATE": "2020-01-01T00:00:00Z",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.com",
    "GIT_COMMITTER_DATE": "2020-01-01T00:00:00Z",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/nowhere",
    "GIT_TEMPLATE_DIR": "",  # a copy of a dozen sample hooks takes longer than all else of `git init`
}


def git(folder: Path, *arguments: str, **environment: str) -> str:
    """Run git in a folder, without the user's configuration; return what it prints."""
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        ["git", *arguments],
        cwd=folder,
        env={**os.environ, **FIXED, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"git {' '.join(arguments)}: {done.stderr}"
    return done.stdout


def commit_all(folder: Path, day: str = "2020-01-01") -> str:
    """Commit everything in a working tree; return the commit's id.

    It is the commit that git makes, but that filters of the configuration do not run. Git itself
    would take three processes, in hundreds of tests.
    """
    repository = pygit2.Repository(str(folder))
    repository.index.read()
    repository.index.add_all()
    repository.index.write()
    time = dt.datetime.fromisoformat(f"{day}T00:00:00Z")
    who = pygit2.Signature("a", "a@example.com", int(time.timestamp()), 0)
    parents = [] if repository.head_is_unborn else [repository.head.target]
    tree = repository.index.write_tree()
    return str(repository.create_commit("HEAD", who, who, "x\n", tree, parents))


def build_repository(branches: Path, target: Path) -> Path:
    """Build a repository with a branch for each folder; one whose name ends in .git is bare."""
    work = target.with_name(target.name + "-work") if target.suffix == ".git" else target
    git(work, "init", "--quiet", "--initial-branch", "master")
    for branch in sorted(branches.iterdir(), key=lambda path: (path.name != "master", path.name)):
        if branch.name != "master":
            git(work, "checkout", "--quiet", "--orphan", branch.name)
            git(work, "rm", "--quiet", "-rf", ".")
        shutil.copytree(branch, work, symlinks=True, dirs_exist_ok=True)
        commit_all(work)
    git(work, "checkout", "--quiet", "master")
    if work != target:
        git(target.parent, "clone", "--quiet", "--mirror", work.name, target.name)
        shutil.rmtree(work)
    return target


def build_repositories(folder: Path, target: Path) -> Path:
    """Build a repository for each folder in one."""
    for branches in sorted(folder.iterdir()):
        build_repository(branches, target / branches.name)
    return target
