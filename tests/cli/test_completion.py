"""The completion scripts in real shells: options, ids, keys, environments and rules."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.support.fleets import write_fleet
from tests.support.forked.commands import forked_commands
from tests.support.tiers import is_thorough

FILES = {
    "top.sls": "base: {'*': [keys], 'web*': [web]}\n",
    "keys.sls": "ntp: {server: a.example}\nshared: {password: hT5jKw8nBv3c, port: 1}\n",
    "web.sls": "nginx: {workers: 8, work_dir: /srv, sites: {a: {root: /srv/a}}}\n",
}
MINIONS = ("web1.acme.test", "web2.acme.test", "db1.acme.test")
MASTER = "pillar_roots: {base: [pillar], staging: [pillar]}\nfile_roots: {base: [states], qa: []}\n"
CONFIGURATION = """
plugins:
  - pillarbook:
      master: master
      inventory: minions.yml
      environments: [base, prod: {pillar_roots: {base: [pillar]}}]
"""
# How a shell says what it would offer for a line; each argument is one.
SHELLS = {
    "bash": """
eval "$(_PILLARBOOK_COMPLETE=bash_source pillarbook)"
for COMP_LINE in "$@"; do
  COMP_POINT=${#COMP_LINE} COMPREPLY=()
  # bash takes this for the last word, of which the replies are a longer form
  last=${COMP_LINE##*[ :=]}
  _pillarbook_completion pillarbook 2>/dev/null
  for reply in "${COMPREPLY[@]}"; do echo "${COMP_LINE%"$last"}$reply"; done
  echo ---
done
""",
    "zsh": """
autoload -U compinit && compinit -D
eval "$(_PILLARBOOK_COMPLETE=zsh_source pillarbook)"
offer() { for one in $@; do print -r -- "${line%${words[-1]}}${one//\\\\\\\\:/:}"; done }
# what shows the choices to the user; outside of the line editor they do nothing
compadd() { offer ${(P)@[-1]}; }
_describe() { offer ${${(P)3}%%:*}; }
_files() { :; }
for line in "$@"; do
  words=(${(z)line})
  [[ $line == *' ' ]] && words+=('')
  CURRENT=$#words
  _pillarbook_completion
  print -r -- ---
done
""",
    "fish": """
_PILLARBOOK_COMPLETE=fish_source pillarbook | source
for line in $argv
    set last (string split -r -m 1 ' ' -- $line)[-1]
    set before (string sub -l (math (string length -- $line) - (string length -- "$last")) -- $line)
    for one in (complete -C $line)
        echo $before(string split \\t -- $one)[1]
    end
    echo ---
end
""",
}
COMMANDS = {
    "bash": ["bash", "--norc", "-c", SHELLS["bash"], "bash"],
    "zsh": ["zsh", "-f", "-c", SHELLS["zsh"], "zsh"],
    "fish": ["fish", "--no-config", "-c", SHELLS["fish"]],
}
LINES = {
    "a command": ("ex", ["explain", "export"]),
    "an option": ("compile --pillare", ["compile --pillarenv"]),
    "a minion": ("explain web", ["explain web1.acme.test", "explain web2.acme.test"]),
    "a minion of an option": ("compile --minion d", ["compile --minion db1.acme.test"]),
    "no such minion": ("explain nobody", []),
    "keys": ("explain web1.acme.test n", [f"explain web1.acme.test {k}" for k in ("ntp", "nginx")]),
    "keys below": (
        "explain web1.acme.test nginx:wor",
        ["explain web1.acme.test nginx:workers", "explain web1.acme.test nginx:work_dir"],
    ),
    "keys of another minion": ("explain db1.acme.test ng", []),
    "a key of all": ("get shared:po", ["get shared:port"]),
    "keys of minions": ("get --minion web* nginx:si", ["get --minion web* nginx:sites"]),
    "an environment": ("compile --pillarenv st", ["compile --pillarenv staging"]),
    "a named environment": ("compile --pillarenv p", ["compile --pillarenv prod"]),
    "an environment of states": ("compile --saltenv q", ["compile --saltenv qa"]),
    "two environments": ("diff --environments base st", ["diff --environments base staging"]),
    "a rule": ("check --rule unused", ["check --rule unused-sls"]),
}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("completion")
    write_fleet(folder, FILES, {minion: {} for minion in MINIONS})
    (folder / "master").write_text(MASTER)
    (folder / "mkdocs.yml").write_text(CONFIGURATION)
    return folder


def complete(shell: str, lines: Sequence[str], folder: Path) -> list[list[str]]:
    """Return what a shell offers for each of some lines, in order."""
    path = f"{forked_commands() / 'bin'}:{os.environ['PATH']}"
    done = subprocess.run(
        [*COMMANDS[shell], *(f"pillarbook {line}" for line in lines)],
        cwd=folder,
        env={**os.environ, "PATH": path, "HOME": str(folder), "TERM": "dumb"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    *offers, rest = done.stdout.replace("pillarbook ", "").split("---\n")
    assert rest == ""
    return [sorted(offer.splitlines()) for offer in offers]


@pytest.mark.grows
@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_completes(shell: str, tree: Path, request: pytest.FixtureRequest) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    rows = [*LINES.values()][:: 1 if is_thorough(request.config) else 3]
    offered = complete(shell, [line for line, _ in rows], tree)
    assert offered == [sorted(wanted) for _, wanted in rows]


@pytest.mark.sample(1)
@pytest.mark.parametrize("fault", ["no configuration", "no inventory", "not YAML"])
def test_where_nothing_can_be_read_nothing_is_said(fault: str, tmp_path: Path) -> None:
    lines = ["explain w", "explain w n", "compile --pillarenv ", "get a"]
    if fault != "no configuration":
        (tmp_path / "mkdocs.yml").write_text(CONFIGURATION)
        (tmp_path / "master").write_text("pillar_roots: [" if fault == "not YAML" else MASTER)
    assert complete("bash", lines, tmp_path) == [[]] * len(lines)


def test_no_secret_is_offered(tree: Path) -> None:
    below, beside = complete("bash", ["get shared:password:", "get shared:"], tree)
    assert below == []
    assert "hT5j" not in "".join(beside)
