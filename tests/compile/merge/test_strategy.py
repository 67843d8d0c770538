"""Which strategy is meant."""

import pytest

from pillarbook.compile.merge import resolve_strategy


@pytest.mark.parametrize(
    ("strategy", "renderer", "resolved"),
    [
        pytest.param("smart", "jinja|yaml", "recurse", id="smart"),
        pytest.param("smart", "jinja|yamlex", "aggregate", id="smart-yamlex"),
        pytest.param("smart", "yamlex_jinja", "aggregate", id="smart-joined-name"),
        pytest.param("smart", "yamlex|jinja", "recurse", id="smart-yamlex-not-last"),
        pytest.param(None, "yaml", "recurse", id="not-set"),
        pytest.param("", "yamlex", "aggregate", id="empty"),
        pytest.param("overwrite", "yamlex", "overwrite", id="named"),
        pytest.param("sideways", "yaml", "sideways", id="unknown"),
    ],
)
def test_resolve(strategy: str | None, renderer: str, resolved: str) -> None:
    assert resolve_strategy(strategy, renderer) == resolved
