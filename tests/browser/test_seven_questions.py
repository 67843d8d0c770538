"""Seven questions that people bring to a report, each answered within three clicks from home."""

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.chromium import Site
from tests.browser.conftest import Visit
from tests.browser.test_search import group, search
from tests.browser.test_walks import Walk

KEY = "nginx:client_max_body_size"
WEB1 = "web1.hel.teashop.example"


def row(page: Page, table: str, *texts: str) -> Locator:
    """Return the first row in sight that has all texts."""
    rows = page.locator(f"{table} tbody tr:visible")
    for text in texts:
        rows = rows.filter(has_text=text)
    return rows.first


def what_does_web1_get_for_a_key_and_who_decided(walk: Walk) -> None:
    walk.click(WEB1)
    walk.filter("pillar-table", KEY)
    walk.read(row(walk.page, "#pillar-table", KEY), "16m", "web/cdn.sls:11", "web/init.sls:13")


def which_minions_have_another_value_of_it(walk: Walk) -> None:
    walk.click(WEB1)
    walk.filter("pillar-table", KEY)
    row(walk.page, "#pillar-table", KEY).locator("th a").click()
    walk.clicks += 1
    section = walk.page.locator("#key-table tbody", has_text=KEY).first
    other = section.locator("tr", has_text="64m").first
    walk.read(other, "web2.ams.teashop.example", "hosts/ams/web2.sls:3")


def who_gets_an_sls_and_what_does_it_give(walk: Walk) -> None:
    walk.click("SLS files", "header")
    walk.filter("sls-table", "web.cdn")
    walk.click("web.cdn")
    walk.read(walk.page.locator("#who + p"), "all 3 of roles:web and tier:prod")
    walk.read(row(walk.page, "table.source", "client_max_body_size: 16m"), "2 minions")


def how_does_staging_differ_for_web_servers(walk: Walk) -> None:
    walk.click("staging")
    walk.filter("changes", "roles:web")
    walk.read(row(walk.page, "#changes"))
    expect(row(walk.page, "#changes", "client_max_body_size")).to_contain_text("8m")
    expect(row(walk.page, "#changes", "postgres")).to_have_count(0)


def who_can_read_a_secret(walk: Walk) -> None:
    walk.click("Secrets", "header")
    walk.filter("secret-table", "tls:private_key")
    walk.read(row(walk.page, "#secret-table", "roles:web"), "all 4")


def where_does_an_address_stand(walk: Walk) -> None:
    found = group(search(walk.page, "10.30.0.53"), "Values")
    expect(found.first).to_contain_text("system:resolver:nameservers")
    found.first.click()
    walk.clicks += 1
    walk.read(row(walk.page, "#value-table", "10.30.0.53"), "sites/hel.sls:16")


def what_has_changed(walk: Walk) -> None:
    walk.page.locator("#fleet\\.changes a").click()
    walk.clicks += 1
    expect(walk.page.locator("h1")).to_have_text("Changes")
    walk.filter("changes", "integer")
    walk.read(row(walk.page, "#changes", "kinds:integer"), "twelve", "because of")


WALKS = (
    what_does_web1_get_for_a_key_and_who_decided,
    which_minions_have_another_value_of_it,
    who_gets_an_sls_and_what_does_it_give,
    how_does_staging_differ_for_web_servers,
    who_can_read_a_secret,
    where_does_an_address_stand,
)
"""Those over the example; the pictures of docs/questions.md are taken at their ends."""


@pytest.mark.slow
def test_seven_questions_are_answered_within_three_clicks(
    example: Site, odd: Site, visit: Visit
) -> None:
    window, changed = visit(example), visit(odd)
    for walk_to_answer in WALKS:
        walk_to_answer(Walk(window.open("index.html")))
    what_has_changed(Walk(changed.open("index.html")))
