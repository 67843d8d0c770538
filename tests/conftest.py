"""Options of the whole test suite."""

import pytest
from hypothesis import HealthCheck, settings

ONLY_WITH_ALL = ("slow", "salt_oracle")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--all",
        action="store_true",
        help="run the slow tests too, and Hypothesis with more and fresh examples",
    )


def pytest_configure(config: pytest.Config) -> None:
    thorough = bool(config.getoption("--all"))
    # No deadline: how long an example takes says more about the machine than about the code.
    settings.register_profile(
        "pillarbook",
        deadline=None,
        derandomize=not thorough,
        max_examples=500 if thorough else 50,
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("pillarbook")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--all"):
        return
    for item in items:
        if any(item.get_closest_marker(name) for name in ONLY_WITH_ALL):
            item.add_marker(pytest.mark.skip(reason="runs with --all"))
