"""Options of the whole test suite."""

import gc
import signal
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from tests.support.tiers import Budget, is_thorough, order_rest, pick_default, read_commit

if TYPE_CHECKING:
    from tests.support.built_sites import BuiltSite


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--all",
        action="store_true",
        help="run all tests, and Hypothesis with more and fresh examples",
    )
    parser.addoption(
        "--budget",
        type=float,
        metavar="SECONDS",
        help="run what only --all runs, in an order that changes with the commit, for so long",
    )


def pytest_configure(config: pytest.Config) -> None:
    budget: float | None = config.getoption("--budget")
    thorough = is_thorough(config)
    # No deadline: how long an example takes says more about the machine than about the code.
    settings.register_profile(
        "pillarbook",
        deadline=None,
        derandomize=not thorough,
        max_examples=500 if thorough else 10,
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("pillarbook")
    if budget is not None:
        config.pluginmanager.register(Budget(config, budget))
    # What tests make is large and seldom garbage: to parse all modules would take four times as long
    # with Python's own threshold.
    gc.set_threshold(20_000, 10, 10)
    # A shell starts background jobs with SIGINT ignored, and every process started from one
    # inherits that; tests that interrupt a command need what it does in a terminal.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


# Last, so that a sample is taken from what -k and -m left: a single case can be named.
@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--budget") is not None:
        chosen = order_rest(items, read_commit())
    elif config.getoption("--all"):
        return
    else:
        default = pick_default(items)
        chosen = [item for item in items if item in default]
    kept = set(chosen)
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = chosen


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    # Ten thousand collected tests stay to the end; each full collection would go through them.
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_unconfigure() -> None:
    # pytest collects five times at its end, for what garbage might still report.
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def example_site(tmp_path_factory: pytest.TempPathFactory) -> "BuiltSite":
    """Return the example's report, built once for all that only look at it."""
    # pytest loads this file in every process; few of them look at a site.
    from tests.support.built_sites import build_example  # noqa: PLC0415

    return build_example(tmp_path_factory)
