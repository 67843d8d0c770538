"""The pages of the guide as they are read without the rest of it."""

import re

from pillarbook.diagnostics.guide_texts import GUIDE_PAGES, read_guide_page, rule_name
from pillarbook.diagnostics.rules import RULES

NAMES = (*GUIDE_PAGES, *map(rule_name, RULES))
LINK = re.compile(r"\]\(([^)\s]+)\)")


def test_no_page_links_to_one_that_is_not_there() -> None:
    for name in NAMES:
        text = read_guide_page(name)
        assert all("://" in target for target in LINK.findall(text)), name
        assert not text.rstrip().endswith("Configure rules"), name


def test_a_page_of_a_rule_begins_with_its_code() -> None:
    for code in RULES:
        assert read_guide_page(rule_name(code)).startswith(f"# {code}\n"), code


def test_pages_that_have_an_address_are_linked() -> None:
    found = [read_guide_page(name, {"rules/missing-sls": "x.html"}.get) for name in NAMES]
    assert any("(x.html)" in text for text in found)


def test_a_link_is_read_from_the_folder_of_its_page_and_keeps_its_place() -> None:
    addresses = {"guide/reading": "r.html", "rules/forgeable-secret": "f.html"}
    text = read_guide_page("guide/reading", addresses.get)
    assert {"r.html#changes", "f.html"} <= set(LINK.findall(text))
