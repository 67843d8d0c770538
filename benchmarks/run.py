"""What ``python3 make.py bench`` prints: compiles and a diff against the real Salt, and the site.

    python -m benchmarks.run [--minions N] [--only PART]... [--salt-python PYTHON] [--no-salt]

A part is ``main`` (a fleet beside Salt, and a diff), ``large`` (the shape of openSUSE's tree),
``unknown`` (unknown values beside declared answers), ``site``, ``start`` (start-up), or a series: a
tree in two sizes, with the growth of time, memory and bytes from one to the other. It fails if one
of them grows too fast.

Both halves of a comparison run one after the other on the same tree, so that only their ratio
counts on a busy machine. Without a Python that has Salt, one is made in ``.tools/salt``.
"""

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from benchmarks.fleet import InventoryFormat, write_fleet, write_sample
from benchmarks.measure import describe_machine, watch_memory
from benchmarks.real_salt import find_salt
from benchmarks.series import FLEETS, measure_series, measure_start
from benchmarks.shapes import SHAPES
from benchmarks.unknown_values import measure_unknown
from benchmarks.wild_large import MINIONS, write_large

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = 20
RUNS = 5
DIFFS = 3
JOBS = ("1", "2")
"""Numbers of processes; without the option there are as many as there are cores."""
SERIES = (*FLEETS, *SHAPES)
PARTS = ("main", "large", "unknown", "start", *SERIES, "site")
FORMAT: InventoryFormat = "yaml"
"""The inventory's form, which people have."""
CONFIGURATION = """\
site_name: Benchmark
docs_dir: docs
theme: {name: pillarbook}
plugins:
  - pillarbook:
      master: fleet/master
      inventory: fleet/minions.yml
      environments: [base, staging, prod]
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run both measurements."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--minions", type=int, default=10_000)
    parser.add_argument("--salt-python", help="a Python that has Salt 3008.3 installed")
    parser.add_argument("--no-salt", action="store_true", help="leave the comparison out")
    parser.add_argument("--only", action="append", choices=PARTS, help="measure this; repeatable")
    parser.add_argument("--series-minions", type=int, default=20_000, help="those of the fleets")
    asked = parser.parse_args(arguments)
    parts = asked.only or PARTS
    with tempfile.TemporaryDirectory(prefix="pillarbook-bench-") as folder:
        work = Path(folder)
        print(describe_machine())
        salt = None if asked.no_salt else find_salt(asked.salt_python)
        if "main" in parts or "site" in parts:
            write_fleet(work / "fleet", minions=asked.minions, inventory_format=FORMAT)
        if "main" in parts:
            _measure_main(work, asked.minions, salt)
        if "large" in parts:
            _measure_large(work, salt)
        if "unknown" in parts:
            measure_unknown(work)
        if "start" in parts:
            measure_start(work, lambda tree: _time_salt(salt, tree) if salt else None)
        has_failed = measure_series(
            work,
            [part for part in parts if part in SERIES],
            asked.series_minions,
            lambda tree: _time_salt(salt, tree) if salt else None,
        )
        if "site" in parts:
            _measure_site(work, asked.minions)
    return 1 if has_failed else 0


def _measure_main(work: Path, minions: int, salt: str | None) -> None:
    """Measure one fleet beside the real Salt, and a diff of it."""
    fleet, sample = work / "fleet", work / "sample"
    write_sample(fleet, sample, SAMPLE)
    print(f"{minions:,} minions, 40 roles, 6 sites, 3 environments, 110 SLS files")
    before = _time_salt(salt, sample) if salt else None
    _measure_compile(fleet, minions, before)
    if salt:
        after = _time_salt(salt, sample)
        print(f"Salt once more after it: {after * 1000:.1f} ms a minion")
    _measure_diff(fleet, salt, sample)


def _measure_compile(fleet: Path, minions: int, salt_seconds: float | None) -> None:
    if salt_seconds is not None:
        print(f"Salt: {salt_seconds * 1000:.1f} ms a minion, the median of {SAMPLE}")
    for jobs in JOBS:
        print(f"--jobs {jobs}:")
        master, inventory = fleet / "master", fleet / "minions.yml"
        whole, each = _run_compile(master, inventory, minions, "--jobs", jobs)
        if salt_seconds is not None:
            print(f"compiling: {salt_seconds / each:.0f} times as fast as Salt")
            print(f"the whole command: {salt_seconds / (whole / minions):.0f} times as fast")


def _measure_large(work: Path, salt: str | None) -> None:
    """Measure one tree of the shape of openSUSE's, its messages decrypted."""
    tree = work / "large"
    write_large(tree)
    files = len(list(tree.rglob("*.sls"))) - 1
    print(f"a large tree: {files} SLS files, {MINIONS} minions of about 1,400 leaves")
    master, inventory = tree / "master", tree / "minions.yml"
    runs = [_run_compile(master, inventory, MINIONS, "--reveal")[0] for _ in range(RUNS)]
    print(f"the whole command: {min(runs):.2f} s at least, {statistics.median(runs):.2f} s mostly")
    if salt:
        seconds = _time_salt(salt, tree)
        print(f"Salt: {seconds * 1000:.0f} ms a minion, about {seconds * MINIONS:.0f} s for all")
        ratio = seconds * MINIONS / statistics.median(runs)
        print(f"the whole command: {ratio:.0f} times as fast")


def _run_compile(master: Path, inventory: Path, minions: int, *words: str) -> tuple[float, float]:
    """Run ``compile`` and return the seconds that it took, and those of compiling one minion."""
    command = [sys.executable, "-m", "pillarbook", "compile", "--timing", *words]
    command += ["--master", str(master), "--inventory", str(inventory), "--output", os.devnull]
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    whole = time.perf_counter() - start
    took = {word: float(number) for word, number in re.findall(r"(\w+) ([\d.]+) s", done.stderr)}
    each = took["compiling"] / minions
    print(
        f"pillarbook: reading {took['reading']:.2f} s, compiling {took['compiling']:.2f} s "
        f"({each * 1000:.3f} ms a minion), writing {took['writing']:.2f} s, in all {whole:.2f} s"
    )
    return whole, each


def _measure_diff(fleet: Path, salt: str | None, sample: Path) -> None:
    """Measure what a pull request shows that adds one value to one role, cold."""
    changed = fleet / "pillar" / "base" / "roles" / "db" / "service.sls"
    (fleet / "mkdocs.yml").write_text(
        "plugins: [{pillarbook: {master: master, inventory: minions.yml}}]\n"
    )
    _git(fleet, "init", "-q", "-b", "main")
    _commit_all(fleet)
    changed.write_text(changed.read_text() + "one_more: true\n")
    _commit_all(fleet)
    command = [sys.executable, "-m", "pillarbook", "diff", "HEAD~1"]
    for _ in range(DIFFS):
        before = _time_salt(salt, sample) if salt else None
        start = time.perf_counter()
        done = subprocess.run(command, cwd=fleet, capture_output=True, text=True, check=False)
        took = time.perf_counter() - start
        ratio = f", as long as Salt takes for {took / before:.0f} minions" if before else ""
        print(f"diff: {took:.1f} s{ratio}: {done.stdout.splitlines()[0]}")


def _commit_all(folder: Path) -> None:
    _git(folder, "add", "--all")
    _git(folder, "-c", "user.name=b", "-c", "user.email=b@example.com", "commit", "-qm", "A state")


def _git(folder: Path, *words: str) -> None:
    subprocess.run(["git", "-C", str(folder), *words], check=True)  # noqa: S607 (that of PATH)


def _measure_site(work: Path, minions: int) -> None:
    (work / "docs").mkdir()
    (work / "docs" / "index.md").write_text("# Benchmark\n")
    (work / "mkdocs.yml").write_text(CONFIGURATION)
    start = time.perf_counter()
    command = [sys.executable, "-m", "pillarbook", "build", "-f", str(work / "mkdocs.yml")]
    process = subprocess.Popen([*command, "--jobs", "2"])
    memory = watch_memory(process)
    took = time.perf_counter() - start
    if process.returncode:
        sys.exit(f"bench: {' '.join(command)} failed")
    pages = sum(1 for _ in (work / "site" / "minions").glob("*.html"))
    sizes: Counter[str] = Counter()
    for file in (work / "site").rglob("*"):
        if file.is_file():
            sizes[f"{file.relative_to(work / 'site').parts[0]} {file.suffix}"] += (
                file.stat().st_size
            )
    used = f"{sizes.total() / 1e6:.0f} MB, {memory / 1e6:.0f} MB of memory"
    print(f"site: {pages:,} pages of minions, {used}, {took:.1f} s in all")
    for kind, size in sizes.most_common(5):
        print(f"site: {kind}: {size / 1e6:.1f} MB")
    if pages < minions:
        sys.exit(f"bench: {minions - pages} minions have no page")


def _time_salt(python: str, case: Path) -> float:
    script = Path(__file__).with_name("salt_time.py")
    done = subprocess.run(
        [python, str(script), str(case)], capture_output=True, text=True, check=True
    )
    return float(done.stdout)


if __name__ == "__main__":
    sys.exit(main())
