"""Commands in forks of a server end, print and are stopped as those of processes of their own."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.support.fleets import write_files
from tests.support.forked.commands import forked

REAL = (sys.executable, "-m", "pillarbook")
TREE = {
    "master": "pillar_roots: {base: [pillar]}\n",
    "minions.yml": "minions: {m: {}}\n",
    "pillar/top.sls": "base: {'*': [a, missing]}\n",
    "pillar/a.sls": "{% set password = 'hT5jKw8nBv3c' %}\npassword: {{ password }}\nä: é\n",
    "loop/top.sls": "base: {'*': [a]}\n",
    "loop/a.sls": "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
}
DECLARED = ("--master", "master", "--inventory", "minions.yml")


def test_they_end_and_print_as_real_ones(tmp_path: Path) -> None:
    tree = write_files(tmp_path, TREE)
    given = {**os.environ, "PILLARBOOK_TOKEN_KEY": "0" * 64}

    def run(command: tuple[str, ...], *words: str) -> tuple[int, str, str, int]:
        ended = subprocess.run(
            [*command, *words, *DECLARED, "--output", "out"],
            cwd=tree,
            env=given,
            umask=0o27,
            capture_output=True,
            text=True,
            check=False,
        )
        mode = (tree / "out").stat().st_mode if (tree / "out").exists() else 0
        return ended.returncode, ended.stdout, ended.stderr, mode

    for words, code in ((["compile"], 0), (["check"], 2), (["compile", "--minion", "nobody"], 1)):
        made = []
        for command in (REAL, (forked(),)):
            ended = run(command, *words)
            made.append((ended, (tree / "out").read_bytes() if code != 1 else b""))
            (tree / "out").unlink(missing_ok=True)
        assert made[0] == made[1]
        assert made[0][0][0] == code


def test_a_signal_goes_on_to_them(tmp_path: Path) -> None:
    files = {**TREE, "master": "pillar_roots: {base: [loop]}\n"}
    tree = write_files(tmp_path, files)
    with subprocess.Popen([forked(), "compile", *DECLARED], cwd=tree) as process:
        end = time.monotonic() + 60
        while not takes_signal(process.pid, signal.SIGTERM) and time.monotonic() < end:
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        # The fork may not have come so far that it handles the signal; then it dies of it.
        assert process.wait() in (128 + signal.SIGTERM, -signal.SIGTERM)


def takes_signal(pid: int, number: int) -> bool:
    """Say whether a process has come so far that it handles a signal itself."""
    status = Path(f"/proc/{pid}/status").read_text()
    caught = re.search(r"^SigCgt:\s*(\w+)$", status, re.MULTILINE)
    return caught is not None and bool(int(caught[1], 16) >> (number - 1) & 1)
