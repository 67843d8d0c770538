"""The pages of rules as they are read without the guide around them."""

from pillarbook.diagnostics.rule_pages import read_rule_page
from pillarbook.diagnostics.rules import RULES


def test_no_page_links_to_one_that_is_not_there() -> None:
    for code in RULES:
        text = read_rule_page(code)
        assert text.startswith(f"# {code}\n"), code
        assert ".md)" not in text, code
        assert ".md#" not in text, code
        assert not text.rstrip().endswith("Configure rules"), code


def test_rules_that_have_an_address_are_linked() -> None:
    found = [read_rule_page(code, {"missing-sls": "x.html"}.get) for code in RULES]
    assert any("(x.html)" in text for text in found)
