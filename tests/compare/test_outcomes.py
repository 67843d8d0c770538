"""The result of a minion by its outcomes."""

import pytest

from pillarbook.compare.outcomes import find_result
from pillarbook.report.sides import outcome_word


@pytest.mark.parametrize("find", [find_result, outcome_word])
@pytest.mark.parametrize(
    ("base", "head", "differs", "result"),
    [
        ("partial", "ok", True, "fixed"),
        ("failed", "ok", False, "fixed"),
        ("partial", "empty", True, "empty"),  # no errors, and none of its values either
        ("partial", "empty", False, "fixed"),  # it had only errors
        ("failed", "empty", False, "fixed"),
        ("ok", "empty", True, "empty"),
        ("empty", "partial", True, "newly failing"),
        ("empty", "empty", False, "unchanged"),
        ("partial", "partial", True, "still failing"),
    ],
)
def test_the_result(find: object, base: str, head: str, differs: bool, result: str) -> None:
    assert callable(find)
    assert find(base, head, differs=differs) == result
