"""Runs a page: writes the files that it shows, runs its commands, compares what they print."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from tests.docs.not_run import NOT_RUN, STAND_INS
from tests.docs.pages import ROOT, Block, read_blocks
from tests.support.forked.commands import forked_commands
from tests.support.repositories import commit_all, git

OWN_TREE = "pillar/top.sls"
"""A page that shows this file brings a tree of its own; any other uses the example's."""
COPIED = ("mkdocs.yml", "example", "site_src", "docs")
TOKEN = re.compile(r"\b[0-9a-f]{16}\b")
SECONDS = re.compile(r"\b\d+\.\d+ s\b")
SECONDS_ALLOWED = 120


@dataclass(frozen=True, slots=True)
class Step:
    """A command with the output that the page shows for it."""

    command: str
    """As bash takes it."""
    shown: str
    """What is to be printed; empty where the page does not show it."""
    line: int
    """Where it stands on the page."""


@dataclass(slots=True)
class Session:
    """A folder in which the commands of one page are run, one after the other."""

    folder: Path
    last_code: int = 0
    exported: dict[str, str] = field(default_factory=dict)
    """The variables after the last ``export``, which every later command has."""
    complaints: list[str] = field(default_factory=list)

    def play(self, page: Path) -> list[str]:
        """Run a page from top to bottom; return what is not as it says."""
        blocks = read_blocks(page)
        if not any(map(read_steps, blocks)):
            return []
        prepare(self.folder, own_tree=any(block.file == OWN_TREE for block in blocks))
        for block in blocks:
            if block.file:
                self._write(block, block.file)
            for step in read_steps(block):
                if step.command.startswith("export "):
                    self._export(step.command)
                else:
                    self._run(step, block, follows_code="echo $?" in block.text)
        return self.complaints

    def _write(self, block: Block, name: str) -> None:
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(block.text)

    def _export(self, command: str) -> None:
        result = subprocess.run(
            ["bash", "-c", f"{command}\nenv --null"],
            cwd=self.folder,
            env=environment(self.folder) | self.exported,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        pairs = (line.split("=", 1) for line in result.stdout.rstrip("\0").split("\0"))
        self.exported = dict(pairs)

    def _run(self, step: Step, block: Block, *, follows_code: bool) -> None:
        command = choose_command(step.command)
        if command is None:
            return
        result = subprocess.run(
            ["bash", "-c", f"(exit {self.last_code})\n{command}"],
            cwd=self.folder,
            env=environment(self.folder) | self.exported,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            timeout=SECONDS_ALLOWED,
            check=False,
        )
        self.last_code = result.returncode
        place = f"{block.place} + {step.line}: $ {step.command}"
        if result.returncode not in (0, 2) and not follows_code:
            self.complaints.append(f"{place}\nends with {result.returncode}:\n{result.stdout}")
        elif step.shown and not is_shown(step.shown, result.stdout):
            self.complaints.append(f"{place}\nprints:\n{result.stdout}")


def prepare(folder: Path, *, own_tree: bool) -> None:
    """Fill a page's folder with what it takes for granted: a clone whose ``main`` is checked out."""
    folder.mkdir()
    (folder / ".venv").symlink_to(forked_commands())
    if own_tree:
        return
    for name in COPIED:
        source = ROOT / name
        copy = shutil.copytree if source.is_dir() else shutil.copy
        copy(source, folder / name)
    git(folder, "init", "--quiet", "--initial-branch", "main")
    commit_all(folder)
    git(folder, "update-ref", "refs/remotes/origin/main", "main")


def environment(folder: Path) -> dict[str, str]:
    """Return the variables of a user who has set none of ours, and those of a job on GitHub."""
    kept = {name: value for name, value in os.environ.items() if not _is_ours(name)}
    places = (forked_commands() / "bin", Path(sys.executable).parent, os.environ["PATH"])
    path = os.pathsep.join(map(str, places))
    job = {"GITHUB_BASE_REF": "main", "GITHUB_STEP_SUMMARY": str(folder / "summary.md")}
    return {**kept, **job, "PATH": path, "HOME": str(folder), "LC_ALL": "C.UTF-8"}


def _is_ours(name: str) -> bool:
    return name.startswith(("PILLARBOOK_", "GIT_", "PYTEST_", "COV_"))


def choose_command(command: str) -> str | None:
    """Return what is run for a command of a page; None where nothing is."""
    if any(command.startswith(beginning) for beginning in NOT_RUN):
        return None
    for beginning, placeholder in STAND_INS.items():
        if command.startswith(beginning):
            return placeholder + command.removeprefix(beginning)
    return command


def read_steps(block: Block) -> list[Step]:
    """Return the commands of a block."""
    if block.language == "console":
        return _read_console(block.text)
    if block.language == "bash":
        return _read_script(block.text)
    if block.language == "yaml" and block.file:
        scripts = _find_scripts(yaml.safe_load(block.text))
        return [step for script in scripts for step in _read_script(script)]
    return []


def _read_script(text: str) -> list[Step]:
    """Return the commands of a script, a line each unless a quote or a backslash goes on."""
    found: list[Step] = []
    pending = ""
    for number, line in enumerate(text.replace("\\\n", " ").splitlines(), 1):
        if not pending and (not line.strip() or line.lstrip().startswith("#")):
            continue
        pending += f"{line}\n"
        try:
            shlex.split(pending)
        except ValueError:  # a quote is open
            continue
        found.append(Step(pending.strip(), "", number))
        pending = ""
    assert not pending, f"a quote is not closed: {pending}"
    return found


def _read_console(text: str) -> list[Step]:
    found: list[Step] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("$ "):
            found.append(Step(line[2:], "", number))
        elif found[-1].command.endswith("\\") and not found[-1].shown:
            whole = found[-1].command.removesuffix("\\") + line.strip()
            found[-1] = Step(whole, "", found[-1].line)
        else:
            found[-1] = Step(found[-1].command, f"{found[-1].shown}{line}\n", found[-1].line)
    return found


def _find_scripts(data: Any) -> list[str]:
    """Return the scripts of a CI configuration: GitHub's ``run``, GitLab's ``script``."""
    if isinstance(data, list):
        return [script for item in data for script in _find_scripts(item)]
    if not isinstance(data, dict):
        return []
    found: list[str] = []
    for key, value in data.items():
        if key == "run" and isinstance(value, str):
            found.append(value)
        elif key in ("before_script", "script") and isinstance(value, list):
            found.extend(str(line) for line in value)
        else:
            found.extend(_find_scripts(value))
    return found


def is_shown(shown: str, printed: str) -> bool:
    """Say whether an output is the one shown, where ``...`` stands for anything left out.

    Alone on a line it stands for lines, else for a part of its line. Tokens and seconds differ
    from run to run.
    """
    pattern = "".join(_line_pattern(line) for line in _steady(shown).splitlines())
    return re.fullmatch(pattern, _steady(printed)) is not None


def _line_pattern(line: str) -> str:
    if line.strip() == "...":
        return r"(?:[^\n]*\n)*?"
    parts = (re.escape(part) for part in line.rstrip().split("..."))
    return r"[^\n]*".join(parts) + r"[ ]*\n"


def _steady(text: str) -> str:
    return SECONDS.sub("SECONDS", TOKEN.sub("TOKEN", text))


def split_command(command: str) -> list[str] | None:
    """Return the words of a pillarbook command up to a pipe or a redirection; None for others."""
    words = shlex.split(command, comments=True)
    if not words or Path(words[0]).name != "pillarbook":
        return None
    ends = [index for index, word in enumerate(words) if re.match(r"[|<>;&]|\d?>", word)]
    return words[1 : ends[0] if ends else None]
