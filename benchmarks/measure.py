"""Runs a command and takes its time and memory, and tells how both grow with a size."""

import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

WARNING = 1.05
"""The exponent from which on a series grows faster than its size."""
FAILURE = 1.15
"""The exponent that fails the bench."""
POLL_SECONDS = 0.1
SMALLEST_SECONDS = 0.05
"""Less than this above the start-up says nothing of how the time grows."""
SMALLEST_MEMORY = 2 * 2**20


@dataclass(frozen=True, slots=True)
class Measurement:
    """What one run of ``compile`` took."""

    seconds: float
    """From the shell's prompt to the last byte."""
    processor: float
    """Seconds of processor time, of all processes."""
    memory: int
    """Bytes, at most: the proportional set sizes of all processes at one moment."""
    compiling: float
    """Seconds of the step."""
    written: int
    """Bytes of JSON."""


def measure_compile(tree: Path, *words: str, inventory: str = "minions.yml") -> Measurement:
    """Run ``pillarbook compile`` on a tree, its output written to a file beside it."""
    output = tree / "out.json"
    command = [sys.executable, "-m", "pillarbook", "compile", "--timing=json", *words]
    command += ["--master", str(tree / "master"), "--inventory", str(tree / inventory)]
    start = time.perf_counter()
    process = subprocess.Popen([*command, "--output", str(output)], stderr=subprocess.PIPE)
    memory = watch_memory(process)
    seconds = time.perf_counter() - start
    said = process.communicate()[1].decode()
    if process.returncode:
        sys.exit(f"bench: {' '.join(command)} failed:\n{said}")
    told = json.loads(said.splitlines()[-1])
    peak = max(memory, told["peak_memory"]) if memory == 0 else memory
    size = output.stat().st_size
    output.unlink()
    return Measurement(seconds, told["processor_seconds"], peak, told["steps"]["compiling"], size)


def watch_memory(process: "subprocess.Popen[bytes]") -> int:
    """Wait for a process, and return the bytes that it and those that it started had at most."""
    memory = 0
    while process.poll() is None:
        memory = max(memory, sum(map(_proportional_size, with_children(process.pid))))
        time.sleep(POLL_SECONDS)
    return memory


def with_children(process: int) -> Iterator[int]:
    """Yield a process and those that it started."""
    yield process
    try:
        tasks = list(Path(f"/proc/{process}/task").glob("*/children"))
        children = [child for one in tasks for child in one.read_text().split()]
    except OSError:  # it has ended, or this system has no such list
        return
    for child in children:
        yield from with_children(int(child))


def _proportional_size(process: int) -> int:
    """Return the proportional set size of a process in bytes; 0 where the system tells none."""
    try:
        text = Path(f"/proc/{process}/smaps_rollup").read_text()
    except OSError:
        return 0
    found = [line.split()[1] for line in text.splitlines() if line.startswith("Pss:")]
    return int(found[0]) * 1024 if found else 0


@dataclass(frozen=True, slots=True)
class Growth:
    """How a measure grew from a smaller size to a larger one."""

    what: str
    """The measure."""
    exponent: float | None
    """The power of the size that it grew with; None where it is too small to tell. What is small
    at the smaller size counts as the least that can be told, so this is never too large."""

    @property
    def has_failed(self) -> bool:
        """Whether it grew so fast that a large fleet would not end."""
        return self.exponent is not None and self.exponent > FAILURE

    def __str__(self) -> str:
        """Return it as the bench prints it."""
        if self.exponent is None:
            return f"{self.what} too small to tell"
        sign = "FAILED, " if self.has_failed else "warning, " if self.exponent > WARNING else ""
        return f"{self.what} {self.exponent:.2f}{f' ({sign}at most {WARNING})' if sign else ''}"


def compare_sizes(
    sizes: Sequence[int], runs: Sequence[Measurement], empty: Measurement
) -> tuple[Growth, ...]:
    """Return how processor time, memory and bytes grew from the first size to the last.

    ``empty`` is that of a tree with next to nothing in it, which is taken off.
    """
    factor = sizes[-1] / sizes[0]
    first, last = runs[0], runs[-1]
    return (
        _grow(
            "time",
            (first.processor - empty.processor, last.processor - empty.processor),
            factor,
            SMALLEST_SECONDS,
        ),
        _grow(
            "memory",
            (first.memory - empty.memory, last.memory - empty.memory),
            factor,
            SMALLEST_MEMORY,
        ),
        _grow("bytes", (first.written, last.written), factor, 1),
    )


def _grow(what: str, values: tuple[float, float], factor: float, smallest: float) -> Growth:
    first, last = values
    if last < smallest:
        return Growth(what, None)
    return Growth(what, math.log(last / max(first, smallest)) / math.log(factor))


def describe_machine() -> str:
    """Return the number of cores and the version of Python."""
    version = ".".join(map(str, sys.version_info[:3]))
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{cores} cores, Python {version}"
