"""Several findings of a rule have one name."""

import pytest

from pillarbook.diagnostics.plurals import name_many
from pillarbook.diagnostics.rules import RULES


@pytest.mark.parametrize("code", RULES)
def test_every_rule_has_a_name_for_several_findings(code: str) -> None:
    name = name_many(code, 1234)
    assert name is not None
    assert name.startswith("1,234 ")


def test_an_unknown_rule_has_none() -> None:
    assert name_many("unknown", 3) is None
