"""Which tests run: some by default, all with ``--all``, and the rest for a limited time."""

import hashlib
import subprocess
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

ONLY_WITH_ALL = ("slow", "salt_oracle")
"""Markers of tests that do not run by default."""
ROOT = Path(__file__).parents[2]


def pick_default(items: Iterable[pytest.Item]) -> set[pytest.Item]:
    """Return what runs by default: no slow tests, and as many cases of a test as it samples.

    The sample is stable: a digest of the node id decides, so that it stays the same from run to
    run and a new case replaces one other case at most.
    """
    families: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if not any(item.get_closest_marker(name) for name in ONLY_WITH_ALL):
            families[item.nodeid.partition("[")[0]].append(item)
    picked: set[pytest.Item] = set()
    for cases in families.values():
        sample = cases[0].get_closest_marker("sample")
        count = sample.args[0] if sample else len(cases)
        picked.update(sorted(cases, key=lambda case: _digest(case.nodeid))[:count])
    return picked


def order_rest(items: Iterable[pytest.Item], commit: str) -> list[pytest.Item]:
    """Return what the default leaves out or does less of, in a commit's order.

    Files change their order and not their tests: a file's tests share what they build.
    """
    items = list(items)
    default = pick_default(items)
    rest = [item for item in items if item not in default or _does_more(item)]
    return sorted(rest, key=lambda item: _digest(commit + item.nodeid.partition("::")[0]))


def is_thorough(config: pytest.Config) -> bool:
    """Say whether tests that grow are to go through all of their cases."""
    return bool(config.getoption("--all")) or config.getoption("--budget") is not None


def fewer(times: int) -> settings:
    """Return settings of so many times fewer examples than a law draws: for examples that are dear."""
    return settings(max_examples=settings().max_examples // times)


def read_commit() -> str:
    """Return the commit of the checkout; nothing where it is none (an unpacked archive)."""
    command = ["git", "rev-parse", "HEAD"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _does_more(item: pytest.Item) -> bool:
    """Say whether a test draws fresh examples, or goes through more cases, with ``--all``."""
    draws = getattr(getattr(item, "obj", None), "is_hypothesis_test", False)
    return draws or item.get_closest_marker("grows") is not None


class Budget:
    """A plugin that starts no test that the time is too short for, and says what it left out.

    xdist's processes each hold a copy: they learn the end from the first one, and tell it at
    their own end what they left out.
    """

    def __init__(self, config: pytest.Config, seconds: float) -> None:
        given: dict[str, Any] = getattr(config, "workerinput", {})
        self._end: float = given.get("end", time.time() + seconds)
        self._left: Counter[str] = Counter()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> bool | None:
        needs = item.get_closest_marker("minutes")
        if time.time() + (60 * needs.args[0] if needs else 0) < self._end:
            return None
        self._left[item.nodeid.partition("::")[0]] += 1
        return True

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput["end"] = self._end

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self._left.update(getattr(node, "workeroutput", {}).get("left", {}))

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        output: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
        if output is not None:
            output["left"] = dict(self._left)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        total = sum(self._left.values())
        terminalreporter.section("left out for lack of time" if total else "nothing was left out")
        for file, count in sorted(self._left.items()):
            terminalreporter.line(f"{count:6} {file}")
