"""A pillar repository with a pull request, checked out as a service's runner checks it out."""

import os
import shlex
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.ci.places import ACTIONS, CI, GITHUB, run_of
from tests.support.fleets import write_files
from tests.support.forked.commands import forked_commands
from tests.support.repositories import commit_all, git

MKDOCS = """\
site_name: Example
docs_dir: pages
theme: {name: pillarbook}
plugins:
  - pillarbook: {master: conf/master, inventory: minions.yml}
"""
FLEET = {
    "mkdocs.yml": MKDOCS,
    "conf/master": "pillar_roots: {base: [../pillar]}\n",
    "minions.yml": "minions: {web1: {}, web2: {}, db1: {}}\n",
    "pages/index.md": "# Pillar\n",
    "pillar/top.sls": "base:\n  '*': [all]\n  'web*': [web]\n  'db*': [db]\n",
    "pillar/all.sls": "ntp: 10.0.0.1\n",
    "pillar/web.sls": "workers: 4\n",
    "pillar/db.sls": "shards: 2\n",
}
CHANGE = {"pillar/web.sls": "workers: 8\n"}
RUN = {
    "GITHUB_ACTIONS": "true",
    "GITHUB_SERVER_URL": "https://github.example",
    "GITHUB_REPOSITORY": "shop/pillar",
    "GITHUB_RUN_ID": "77",
}
LINK = "https://github.example/shop/pillar/actions/runs/77"


@dataclass(frozen=True, slots=True)
class Pull:
    """A pull request."""

    origin: Path
    """The repository that it is for; its HEAD is the merge with the base."""
    base: str
    """The tip of the branch that it is for, when it was opened."""
    head: str
    """Its own tip."""
    merge: str
    """Its merge with a later tip of that branch."""


def open_pull(
    folder: Path,
    change: Mapping[str, str] = CHANGE,
    fleet: Mapping[str, str] = FLEET,
    *,
    remove: tuple[str, ...] = (),
) -> Pull:
    """Return a pull request, after which somebody else changed the branch that it is for."""
    git(folder, "init", "--quiet", "--initial-branch", "main")
    git(folder, "config", "uploadpack.allowAnySHA1InWant", "true")
    base = commit_all(write_files(folder, fleet))
    git(folder, "checkout", "--quiet", "-b", "change")
    for name in remove:
        (folder / name).unlink()
    head = commit_all(write_files(folder, change), "2020-01-02")
    git(folder, "checkout", "--quiet", "main")
    commit_all(write_files(folder, {"pillar/all.sls": "ntp: 10.0.0.2\n"}), "2020-01-03")
    git(folder, "checkout", "--quiet", "--detach")
    later = "2020-01-04T00:00:00Z"
    git(folder, "merge", "--quiet", "--no-edit", "change", GIT_COMMITTER_DATE=later)
    return Pull(folder, base, head, git(folder, "rev-parse", "HEAD").strip())


def check_out(pull: Pull, folder: Path, commit: str, *depth: str) -> Path:
    """Return a checkout of a commit, as the runner has it."""
    git(folder, "init", "--quiet")
    git(folder, "remote", "add", "origin", f"file://{pull.origin}")
    git(folder, "fetch", "--quiet", "--no-tags", *depth, "origin", commit)
    git(folder, "checkout", "--quiet", "--detach", "FETCH_HEAD")
    return folder


@dataclass(frozen=True, slots=True)
class Ended:
    """How the action's steps ended."""

    out: Path
    """The results."""
    log: str
    """What the steps printed."""
    summary: str
    """The summary of the job."""
    outputs: Mapping[str, str]
    """The outputs of the step."""
    code: int
    """The exit code of the last step."""


def run_action(checkout: Path, home: Path, **inputs: str) -> Ended:
    """Run the action's own shell in a checkout.

    ``home`` is a folder of the runner; ``inputs`` are what the action's YAML gives the steps, by
    variable.
    """
    home.mkdir(exist_ok=True)
    given = {
        **inherited(),
        **RUN,
        "GITHUB_ACTION_PATH": str(GITHUB),
        "GITHUB_OUTPUT": str(home / "output"),
        "GITHUB_STEP_SUMMARY": str(home / "summary"),
        "PILLAR_VENV": str(forked_commands()),
        "PILLAR_OUT": str(home / "pillarbook"),
        "PILLAR_CONFIG": "mkdocs.yml",
        "PILLAR_NAME": "pillar",
        "PILLAR_FAIL_ON": "error",
        **inputs,
    }
    for name in ("output", "summary"):
        (home / name).write_text("")
    shell = run_of(ACTIONS["run"], "Compare, check, report")
    done = bash(shell, checkout, given)
    lines = (home / "output").read_text().splitlines()
    outputs = dict(line.split("=", 1) for line in lines)
    end = run_of(ACTIONS["run"], "End as the findings say")
    code = bash(end, checkout, {**given, "EXIT_CODE": outputs.get("exit-code", "")}).returncode
    summary = (home / "summary").read_text()
    return Ended(home / "pillarbook", done.stdout, summary, outputs, code)


def prepare(checkout: Path, out: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Run the first step alone: it finds the base, and takes the configuration from it."""
    out.mkdir()
    given = {
        **inherited(),
        "PILLAR_VENV": str(forked_commands()),
        "PILLAR_OUT": str(out),
        "PILLAR_CONFIG": "mkdocs.yml",
        "PILLAR_CONFIGURATION": "head",
        **inputs,
    }
    return bash(f"bash {shlex.quote(str(CI / 'steps' / 'prepare.sh'))}", checkout, given)


def of_pull(pull: Pull) -> dict[str, str]:
    """Return what the action's YAML takes from the event of a pull request."""
    return {"PILLAR_BASE": pull.base, "PILLAR_BASE_NAME": "main", "PILLAR_HEAD": pull.head}


def inherited() -> dict[str, str]:
    """Return the variables of a runner that has set none of ours."""
    ours = ("PILLAR", "GIT_", "GITHUB_", "CI_", "PYTEST_", "COV_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return {**kept, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null"}


def bash(
    shell: str, folder: Path, environment: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """Run shell as GitHub runs it."""
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", shell],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
