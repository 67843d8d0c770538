"""What unknown values cost: a tree that asks much, beside the same tree with declared answers.

A tree that asks nothing is compiled with unknown values and without, which must take as long.
"""

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from benchmarks.wild_large import write_large

RUNS = 3
MINIONS = 60
SECRET = {"user": "app", "password": "not-the-real-one", "replica": "db2"}
TOKEN = {"args": ["secret/*", "token"], "answer": "not-the-real-token"}
ADDRESSES = {"$answer": {"web1.example.net": ["10.0.0.1"], "web2.example.net": ["10.0.0.2"]}}
ANSWERS: Mapping[str, object] = {
    "clock": "2026-01-31T12:00:00",
    "functions": {
        "vault.read_secret": {"$calls": [TOKEN], "$answer": SECRET},
        "saltutil.runner": ADDRESSES,
        "mine.get": ADDRESSES,
        "random.get_str": "abcdefghijklmnop",
    },
}
"""Answers for all that the tree asks."""


def measure_unknown(work: Path) -> None:
    """Print the processor time of both, and their ratios."""
    asking, plain = work / "asking", work / "plain"
    write_large(asking, minions=MINIONS, asking=True)
    write_large(plain, minions=MINIONS)
    answered = _configure(asking, ANSWERS)
    strict = _configure(plain, {"unanswered": "error"})
    for what, first, second in (
        ("unknown values, beside declared answers", asking / "mkdocs.yml", answered),
        ("nothing unknown, beside `unanswered: error`", plain / "mkdocs.yml", strict),
    ):
        # In turns, so that a busy machine slows both down.
        pairs = [(_time_compile(first), _time_compile(second)) for _ in range(RUNS)]
        took, beside = (statistics.median(one) for one in zip(*pairs, strict=True))
        print(f"{MINIONS} minions, {what}: {took:.1f} s, {beside:.1f} s of processor time", end="")
        print(f", {took / beside:.2f} times as much", flush=True)


def _configure(tree: Path, more: Mapping[str, object]) -> Path:
    """Write a second configuration of a tree, and return its path."""
    head, _, section = (tree / "mkdocs.yml").read_text().rpartition("  - pillarbook: ")
    made = tree / "other.yml"
    made.write_text(f"{head}  - pillarbook: {json.dumps({**json.loads(section), **more})}\n")
    return made


def _time_compile(configuration: Path) -> float:
    command = [sys.executable, "-m", "pillarbook", "compile", "-f", str(configuration), "--trust"]
    before = os.times()
    subprocess.run(
        [*command, "--jobs", "1", "--output", os.devnull], capture_output=True, check=True
    )
    after = os.times()
    return sum(after[2:4]) - sum(before[2:4])
