"""Series of trees of one shape and two sizes: how time, memory and bytes grow between them."""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.fleet import write_fleet
from benchmarks.measure import Measurement, compare_sizes, measure_compile
from benchmarks.shapes import SHAPES, Shape, write_own_names

RUNS = 5
FLEETS = {"fleet": ("--jobs", "1"), "fleet-jobs": ("--jobs", "2")}
"""The generated fleet as a series, and the options of ``compile``."""
START = {
    "--version": ["--version"],
    "--help": ["--help"],
    "compile of 4 minions, 110 SLS files": [],
}
SALT_MINIONS = 20
"""Minions of a series that the real Salt compiles."""

TimeSalt = Callable[[Path], float | None]
"""Gives the seconds that the real Salt takes for a minion of a tree; None without a Salt."""


def measure_start(work: Path, time_salt: TimeSalt) -> None:
    """Print how long the shortest commands take, byte code kept."""
    small = work / "start"
    write_fleet(small, minions=4)
    declared = ["--master", str(small / "master"), "--inventory", str(small / "minions.yml")]
    for what, words in START.items():
        command = [sys.executable, "-m", "pillarbook", *(words or ["compile", *declared])]
        took = []
        for _ in range(RUNS):
            start = time.perf_counter()
            subprocess.run(command, capture_output=True, check=True)
            took.append(time.perf_counter() - start)
        seconds = statistics.median(took)
        salt = None if words else time_salt(small)
        ratio = "" if salt is None else f", {salt * 4 / seconds:.1f} times as fast as Salt"
        print(f"start-up: {what}: {seconds:.2f} s{ratio}")


def measure_series(work: Path, names: Sequence[str], minions: int, time_salt: TimeSalt) -> bool:
    """Print what each series takes and how it grows.

    Return whether one of them grows too fast. ``names`` are some of ``FLEETS`` and ``SHAPES``.
    """
    empty_tree = work / "empty"
    write_own_names(empty_tree, 1)
    empty = measure_compile(empty_tree)
    has_failed = False
    for name in names:
        fleet = Shape("minions", minions, lambda out, size: write_fleet(out, minions=size))
        shape = fleet if name in FLEETS else SHAPES[name]
        runs = []
        for one in shape.sizes:
            tree = work / f"{name}-{one}"
            shape.write(tree, one)
            runs.append(measure_compile(tree, *FLEETS.get(name, ())))
            _print_run(f"{name}: {one:,} {shape.what}", runs[-1])
        salt = None if name in FLEETS else _time_salt(work, name, shape, time_salt)
        if salt is not None:
            print(f"{name}: Salt: {salt * 1000:.1f} ms a minion")
        grown = compare_sizes(shape.sizes, runs, empty)
        smaller, larger = shape.sizes
        print(f"{name}: growth exponents from {smaller:,} to {larger:,}: ", end="")
        print(", ".join(map(str, grown)), flush=True)
        has_failed = has_failed or any(one.has_failed for one in grown)
    return has_failed


def _time_salt(work: Path, name: str, shape: Shape, time_salt: TimeSalt) -> float | None:
    """Return what the real Salt takes for a minion of the larger tree of a series."""
    if name != "own-names":
        return time_salt(work / f"{name}-{shape.size}")
    sample = work / f"{name}-salt"
    shape.write(sample, SALT_MINIONS)
    return time_salt(sample)


def _print_run(what: str, run: Measurement) -> None:
    print(
        f"{what}: {run.seconds:.2f} s ({run.processor:.2f} s of processor time, compiling "
        f"{run.compiling:.2f} s), {run.memory / 2**20:.0f} MiB, "
        f"{run.written / 2**20:.1f} MiB of JSON",
        flush=True,
    )
