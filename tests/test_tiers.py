"""Which tests run by default, with ``--all`` and within a budget of time."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TESTS = """
import signal
import time

import pytest
from hypothesis import given, strategies

@pytest.mark.grows
def test_one():
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler

@pytest.mark.sample(2)
@pytest.mark.parametrize("case", range(9))
def test_cases(case):
    time.sleep(0)

@pytest.mark.slow
@pytest.mark.parametrize("case", range(3))
def test_slow(case):
    pass

@given(strategies.integers())
def test_law(number):
    assert number == number
"""
LONG = "\n@pytest.mark.slow\n@pytest.mark.minutes(2)\ndef test_long():\n    pass\n"
MARKERS = "[pytest]\nmarkers =\n    minutes\n    grows\n    slow\n    salt_oracle\n    sample\naddopts = --strict-markers\n"


def run_tests(folder: Path, *words: str, more: str = "") -> tuple[list[str], str]:
    """Return the node ids that passed, and what pytest printed, with SIGINT ignored."""
    (folder / "test_it.py").write_text(TESTS + more)
    (folder / "pytest.ini").write_text(MARKERS)
    command = [sys.executable, "-m", "pytest", "-v", "-p", "tests.conftest", *words]
    shell = ["sh", "-c", 'trap "" INT; exec "$@"', "sh", *command]
    ended = subprocess.run(
        shell,
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return re.findall(r"::(test_\S+) PASSED", ended.stdout), ended.stdout


def counts(passed: list[str]) -> tuple[int, ...]:
    """Return how many cases of each test passed."""
    names = [case.partition("[")[0] for case in passed]
    return tuple(names.count(name) for name in ("test_one", "test_cases", "test_slow", "test_law"))


@pytest.mark.slow
def test_default_and_rest_are_all_and_each_can_be_named(tmp_path: Path) -> None:
    default, printed = run_tests(tmp_path, "-p", "no:xdist")
    assert counts(default) == (1, 2, 0, 1)
    assert "skipped" not in printed
    rest, printed = run_tests(tmp_path, "-p", "no:xdist", "--budget", "60")
    assert counts(rest) == (1, 7, 3, 1)
    assert "nothing was left out" in printed
    both, _ = run_tests(tmp_path, "-p", "no:xdist", "--all")
    assert {*default, *rest} == set(both)
    assert len(both) == 14
    omitted = next(case for case in rest if case.startswith("test_cases"))
    passed, _ = run_tests(tmp_path, "-p", "no:xdist", f"test_it.py::{omitted}")
    assert passed == [omitted]


def test_what_takes_longer_than_the_time_is_not_started(tmp_path: Path) -> None:
    rest, printed = run_tests(tmp_path, "-p", "no:xdist", "--budget", "60", more=LONG)
    assert counts(rest) == (1, 7, 3, 1)
    assert "test_long" not in "".join(rest)
    assert re.search(r"left out for lack of time.*\n +1 test_it\.py\n", printed)


@pytest.mark.slow
def test_time_that_is_up_starts_no_test_and_says_so(tmp_path: Path) -> None:
    slow = "\n@pytest.fixture(autouse=True)\ndef wait():\n    time.sleep(1)\n"
    _, printed = run_tests(tmp_path, "-n", "2", "--budget", "3", more=slow)
    left = re.search(r"left out for lack of time.*\n +(\d+) test_it\.py\n", printed)
    passed = re.search(r"=+ (\d+) passed.* in .*=+$", printed.strip())
    assert left is not None
    # On a busy machine the time may be up before the first test.
    assert (int(passed[1]) if passed else 0) + int(left[1]) == 12
