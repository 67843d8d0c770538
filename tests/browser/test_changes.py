"""The pages of what has changed since a revision, as somebody uses them."""

import re

from playwright.sync_api import expect
from tests.browser.chromium import Site
from tests.browser.conftest import Visit
from tests.browser.odd import LONG_ID

INDEX = "changes/index.html"


def test_the_box_finds_changes_by_key_cause_and_minion(odd: Site, visit: Visit) -> None:
    page = visit(odd).open(INDEX)
    rows = page.locator("#changes tbody tr:not(.section)")
    box = page.locator("input[data-filter=changes]")
    everything = rows.count()
    for words, text in (
        ("lines", "kinds.lines"),
        ("kinds.sls:703 before", "once"),
        (LONG_ID, "kinds.integer"),
    ):
        box.fill(words)
        shown = rows.locator("visible=true")
        expect(shown.filter(has_text=text).first).to_be_visible()
        assert 0 < shown.count() < everything
        assert all(
            row.locator("tr.section").first.is_visible()
            for row in page.locator("#changes tbody:visible").all()
        )
    box.fill("")
    assert rows.locator("visible=true").count() == everything


def test_from_all_changes_to_a_group_to_a_minion_and_back(odd: Site, visit: Visit) -> None:
    page = visit(odd).open("index.html")
    page.locator("#fleet-changes a").click()
    expect(page.locator("h1")).to_have_text("Changes")
    page.get_by_role("link", name=re.compile(r"minions, one by one")).first.click()
    expect(page.locator("h1")).to_have_text(re.compile("^Changes on "))
    page.locator("#minions + .members").get_by_role("link", name="web7", exact=True).click()
    expect(page).to_have_url(re.compile(r"minions/web7\.html#changes$"))
    expect(page.locator("#changes")).to_be_in_viewport()
    page.locator("#changes + p").get_by_role("link", name="All changes").click()
    expect(page.locator("h1")).to_have_text("Changes")


def test_a_row_is_a_place_to_link_to(odd: Site, visit: Visit) -> None:
    page = visit(odd).open(INDEX)
    link = page.locator("#changes th[scope=row] > a").first
    link.click()
    assert page.locator("#changes tr:target").count() == 1
