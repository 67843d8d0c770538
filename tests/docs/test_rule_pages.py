"""Each rule has a page; the tree on it gives exactly what the page says ``check`` prints."""

import re
from pathlib import Path

import pytest
from tests.docs.pages import ROOT, read_blocks, read_first_cells
from tests.support.rule_pages import RULE_PAGES, check_page, rule_page, shown_on

from pillarbook.diagnostics.rules import RULES
from pillarbook.inventory.rule_settings import RuleSetting

LINE_OF_CODE = re.compile(r'code="([a-z0-9-]+)"')


def test_every_rule_has_a_page_and_every_page_a_rule() -> None:
    pages = {page.stem for page in RULE_PAGES.glob("*.md")} - {"index"}
    assert pages == set(RULES)


def test_the_source_names_the_rules_and_no_others() -> None:
    files = (file for file in (ROOT / "generator").rglob("*.py") if file.name != "rules.py")
    source = "\n".join(file.read_text() for file in files)
    assert set(LINE_OF_CODE.findall(source)) <= set(RULES)
    assert [code for code in RULES if f'"{code}"' not in source] == []


def test_the_index_lists_each_rule_with_its_severity_and_title() -> None:
    text = (RULE_PAGES / "index.md").read_text()
    rows = [row.split(" | ") for row in text.splitlines() if row.startswith("| [")]
    assert [row[1:] for row in rows] == [
        [str(rule.severity), f"{rule.title} |"] for rule in RULES.values()
    ]
    assert read_first_cells(text) == [f"[{code}]({code}.md)" for code in RULES]


def test_a_page_says_what_its_rule_is() -> None:
    for code in RULES:
        text = rule_page(code).read_text()
        rule = RULES[code]
        assert text.startswith(
            f"# {code}\n\n**{str(rule.severity).capitalize()}**: {rule.title}.\n"
        ), code
        assert "](index.md#configure)" in text, code


@pytest.mark.sample(16)
@pytest.mark.parametrize("code", RULES)
def test_the_tree_of_a_page_gives_what_it_says(code: str, tmp_path: Path) -> None:
    page = rule_page(code)
    shown = shown_on(page)
    assert shown or code in NOT_SHOWN
    assert check_page(page, tmp_path) == shown


@pytest.mark.sample(16)
@pytest.mark.parametrize("code", RULES)
def test_a_rule_that_is_off_says_nothing(code: str, tmp_path: Path) -> None:
    assert check_page(rule_page(code), tmp_path, {code: RuleSetting(off=True)}) == []


NOT_SHOWN = {
    "internal-error": "a fault that is known would be mended",
    "missing-revision": "`check` compares nothing",
    "not-compared": "`check` compares nothing",
}
"""Rules without an example, and why."""


def test_pages_without_example_say_so() -> None:
    for code in NOT_SHOWN:
        assert not [block for block in read_blocks(rule_page(code)) if block.file]
