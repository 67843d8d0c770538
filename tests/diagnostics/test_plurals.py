"""Several findings of a rule have one name."""

from pillarbook.diagnostics.rules import RULES
from pillarbook.diagnostics.siblings import name_many


def test_every_rule_has_a_name_for_several_findings() -> None:
    for code in RULES:
        name = name_many(code, 1234)
        assert name is not None, code
        assert name.startswith("1,234 "), code


def test_an_unknown_rule_has_none() -> None:
    assert name_many("unknown", 3) is None
