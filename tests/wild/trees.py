"""Generated trees, compiled by the whole command, and what the real Salt says of them."""

import json
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from benchmarks.real_salt import find_salt
from benchmarks.wild import write_wild
from benchmarks.wild_draft import Planted
from benchmarks.wild_roles import write_roles

from pillarbook.cli.main import run
from pillarbook.diagnostics import Diagnostic
from pillarbook.inventory.settings import ERROR, load_settings
from pillarbook.session import RunOptions, open_session

ORACLE = Path(__file__).parents[2] / "benchmarks" / "salt_time.py"
ROLES = Path(__file__).parents[1] / "data" / "roles-expected.json"
"""What the real Salt gave for the tree of roles with a few minions."""
FEW_MINIONS = 8
WOULD_RUN = {
    "saltutil.runner": "absent.runner",
    "cmd.run": "absent.run",
    "cmd.shell": "absent.shell",
    "cp.get_url": "absent.get_url",
}
"""Functions that Salt would run, and names for them under which it finds none, either."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command gave."""

    code: int
    out: str
    err: str


@dataclass(frozen=True, slots=True)
class Tree:
    """A tree that was written."""

    folder: Path
    planted: tuple[Planted, ...]

    def pillars(self, capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
        """Return ``{minion: pillar}`` in the clear."""
        answer = call(capsys, "compile", "--reveal", "-f", self.folder / "mkdocs.yml", *words)
        assert answer.code in (0, 1), answer.err
        pillars: dict[str, Any] = json.loads(answer.out)
        return pillars

    def found(self, *, reveal: bool, python: bool = False) -> list[Diagnostic]:
        """Return all diagnostics of a run in which each call without an answer is one."""
        settings = replace(load_settings(self.folder / "mkdocs.yml"), unanswered=ERROR)
        with open_session(
            settings, RunOptions(trust=True, reveal=reveal, python=python)
        ) as session:
            list(session.compiler.compile_all(session.fleet.minions))
            return list(session.shown.diagnostics)


def call(capsys: pytest.CaptureFixture[str], *words: object) -> Answer:
    """Call a command; no traceback may come of it."""
    capsys.readouterr()
    code = run([str(word) for word in words])
    captured = capsys.readouterr()
    answer = Answer(code, captured.out, captured.err)
    assert "Traceback" not in answer.out + answer.err
    assert "internal error" not in answer.err
    return answer


def write_tree(folder: Path, profile: str, seed: int, size: int = 12) -> Tree:
    """Write a tree."""
    return Tree(folder, write_wild(folder, profile=profile, seed=seed, size=size))


def write_piece(folder: Path, piece: str) -> Tree:
    """Write a tree with one piece alone."""
    return Tree(folder, write_wild(folder, profile="bare", pieces=(piece,), size=0))


def ask_salt(tree: Tree) -> dict[str, Any]:
    """Return the real Salt's pillars; in the tree before it nothing is run, paths lie here."""
    configured = json.loads((tree.folder / "mkdocs.yml").read_text().partition("pillarbook: ")[2])
    paths: dict[str, str] = configured["paths"]
    replaced = {**WOULD_RUN, **{f"'{path}/": f"'{tree.folder / to}/" for path, to in paths.items()}}
    for file in (tree.folder / "pillar").rglob("*"):
        if file.is_file() and not (content := file.read_bytes()).startswith(b"\0"):
            for old, new in replaced.items():
                content = content.replace(old.encode(), new.encode())
            file.write_bytes(content)
    done = subprocess.run(
        [find_salt(), ORACLE, tree.folder, "--pillars"],
        capture_output=True,
        check=True,
        env={**os.environ, **_environment(configured)},
    )
    pillars: dict[str, Any] = json.loads(done.stdout)
    return pillars


def _environment(configured: Mapping[str, Any]) -> dict[str, str]:
    """Return the variables with which Salt answers as it is declared; not those that are unset."""
    calls = configured.get("functions", {}).get("environ.get", {}).get("$calls", [])
    return {call["args"][0]: call["answer"] for call in calls if len(call["args"]) == 1}


def write_roles_tree(folder: Path, minions: int) -> Tree:
    """Write a tree in which hosts name their roles."""
    write_roles(folder, minions=minions)
    return Tree(folder, ())
