"""What somebody new asks, each answered within three clicks from the home page."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.chromium import WIDTHS, Site
from tests.browser.conftest import Visit

MAX_CLICKS = 3


class Walk:
    """A walk from the home page that counts clicks; typing and reading are free."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.clicks = 0

    def click(self, name: str, within: str = "main") -> None:
        """Click the first link in sight that is named so."""
        self.page.locator(within).get_by_role("link", name=name, exact=True).first.click()
        self.clicks += 1
        assert self.clicks <= MAX_CLICKS

    def filter(self, table: str, words: str) -> None:
        """Scroll to a table's filter box and type into it."""
        box = self.page.locator(f'input[data-filter="{table}"]')
        expect(box).to_be_visible()  # once the script is there
        box.evaluate("box => box.scrollIntoView()")
        box.fill(words)

    def read(self, answer: Locator, *texts: str) -> None:
        """Read an answer without looking for it on another screen."""
        expect(answer).to_be_in_viewport()
        for text in texts:
            expect(answer).to_contain_text(text)


@pytest.fixture(params=WIDTHS)
def walk(request: pytest.FixtureRequest, example: Site, visit: Visit) -> Walk:
    return Walk(visit(example, width=request.param).open("index.html"))


@pytest.mark.slow
@pytest.mark.sample(1)
def test_what_does_web1_get_for_a_key_who_decided_and_what_lost(walk: Walk) -> None:
    walk.click("web1.hel.teashop.example")
    walk.filter("pillar-table", "client_max_body_size")
    row = walk.page.locator('[id="k-nginx.client_max_body_size"]')
    walk.read(row, "16m", "pillar/prod/web/cdn.sls:11", "prod: web.cdn")
    walk.read(row.locator("li"), "8m", "pillar/base/web/init.sls:13")
    assert row.locator("del").inner_text().strip('"') == "8m"


@pytest.mark.slow
@pytest.mark.sample(1)
def test_how_does_staging_differ(walk: Walk) -> None:
    walk.click("staging")
    expect(walk.page.locator("h1")).to_have_text("prod and staging")
    walk.filter("changes", "mail.catcher")
    row = walk.page.locator("#changes tbody tr:visible", has_text="catcher").first
    walk.read(row, "pillar/staging/mail/catcher.sls")


@pytest.mark.slow
@pytest.mark.sample(1)
def test_how_does_staging_differ_for_web1(walk: Walk) -> None:
    walk.click("web1.hel.teashop.example")
    walk.page.locator("nav.jump").get_by_role("link", name="In other environments").click()
    walk.clicks += 1
    walk.read(walk.page.locator("#environments"))
    heads = walk.page.locator("table.differences thead th").all_text_contents()
    assert [head.split()[0] for head in heads[1:]] == ["prod", "staging", "base"]
    size = walk.page.locator("table.differences tbody tr", has_text="client_max_body_size")
    for cell, text in zip(size.locator("td").all(), ("16m", "8m", ""), strict=True):
        expect(cell).to_have_text(text)
    # Most cells of such tables are empty, so the style sheet says it.
    told = "cell => getComputedStyle(cell, '::after').content"
    assert size.locator("td").last.evaluate(told) == '"missing"'
    expect(size.locator("td").last).to_be_visible()


@pytest.mark.slow
@pytest.mark.sample(1)
def test_why_does_db2_not_get_web(walk: Walk) -> None:
    walk.click("db2.hel.teashop.example")
    walk.page.locator("nav.jump").get_by_role("link", name="Targets").click()
    walk.clicks += 1
    walk.read(walk.page.locator("#why"))
    walk.page.get_by_role("link", name="all targets").click()
    walk.clicks += 1
    walk.filter("target-table", "web.cdn prod")
    row = walk.page.locator("#target-table tbody tr:visible", has_text="web.cdn").first
    walk.read(row, "web*", "all 3 of roles:web and tier:prod")
    walk.filter("target-table", "N@frontend")
    row = walk.page.locator("#target-table tbody tr:visible", has_text="web.nordic").first
    walk.read(row, "N@frontend and G@site:hel", "all 3 of roles:web")
    assert walk.clicks <= MAX_CLICKS


@pytest.mark.slow
@pytest.mark.sample(1)
def test_which_words_of_a_target_match_app1(walk: Walk) -> None:
    walk.click("Minions")
    walk.click("app1.hel.teashop.example")
    walk.page.locator("nav.jump").get_by_role("link", name="Targets").click()
    walk.clicks += 1
    row = walk.page.locator("table.targets tbody tr", has_text="common, sites.hel").first
    walk.read(row, "not N@shared")
    assert walk.clicks <= MAX_CLICKS


@pytest.mark.slow
@pytest.mark.sample(1)
def test_who_can_read_the_token_of_ci_and_who_could(walk: Walk) -> None:
    walk.click("Secrets", ".facts")
    walk.click("forgeable", ".facts")
    rows = walk.page.locator("#secret-table tbody tr:visible")
    head = rows.first
    walk.read(head, "ci1.hel.teashop.example", "roles:ci", "pillar/base/top.sls", "forgeable")
    walk.read(rows.filter(has_text="ci:github:token"), "key names a token", "ci/init.sls:24")
    expect(rows).to_have_count(3)


@pytest.mark.slow
@pytest.mark.sample(1)
def test_the_matrix_says_who_reads_what(walk: Walk) -> None:
    walk.click("Secrets", ".facts")
    row = walk.page.locator("table.matrix tbody tr", has_text="tls:private_key")
    walk.read(row, "all 4 of roles:web")
    columns = walk.page.locator("table.matrix thead th.group").all_text_contents()
    cells = row.locator("td").all_text_contents()
    reading = {name for name, cell in zip(columns, cells, strict=True) if cell == "yes"}
    assert len(reading) == 2
    assert any("web1.stg.teashop.example" in name for name in reading)


@pytest.mark.slow
@pytest.mark.sample(1)
def test_what_is_broken_and_where(walk: Walk) -> None:
    errors = walk.page.locator("table.diagnostics tbody tr", has_text="error")
    expect(errors.first).to_contain_text("pillar/base/backup/retention.sls:6")
    walk.click("db2.hel.teashop.example", "table.diagnostics")
    walk.page.locator("nav.jump").get_by_role("link", name="Diagnostics").click()
    walk.clicks += 1
    answer = walk.page.locator(".findings li").first
    walk.read(answer, "shard", "pillar/base/db/shard.sls:4", "declare")


@pytest.mark.slow
@pytest.mark.sample(1)
def test_what_a_diagnostic_means_is_told(walk: Walk) -> None:
    walk.click("missing-grain")
    expect(walk.page).to_have_url(re.compile(r"diagnostics\.html#RULE-missing-grain$"))
    walk.click("How to fix missing-grain")
    expect(walk.page.locator("h1")).to_contain_text("missing-grain")


@pytest.mark.slow
@pytest.mark.sample(1)
def test_which_minions_are_partial(walk: Walk) -> None:
    walk.click("partial", ".facts")
    rows = walk.page.locator("#table\\.minions tbody tr:visible")
    expect(rows).to_have_count(3)
    walk.read(rows.first, "partial")
