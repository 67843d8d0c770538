"""Links to a key."""

import pytest
from playwright.sync_api import Page, expect
from tests.browser.chromium import WIDTHS, Site
from tests.browser.conftest import Visit
from tests.support.tiers import is_thorough

MINION = "minions/app1.hel.teashop.example.html"
_SEEN = """id => {
  const row = document.getElementById(id);
  const box = row.querySelector("th").getBoundingClientRect();
  const at = document.elementFromPoint(box.left + 8, box.top + 4);
  const ground = element => getComputedStyle(element).backgroundColor;
  const cells = [row, ...row.cells].map(ground);
  const other = [...row.closest("table").querySelectorAll("tr[id]:not(.section)")]
    .filter(one => one !== row).slice(-1)[0];
  return {
    inView: box.top >= 0 && box.top < innerHeight,
    covered: !row.contains(at),
    highlighted: cells.join() !== [other, ...other.cells].map(ground).join(),
  };
}"""
GOOD = {"inView": True, "covered": False, "highlighted": True}


def assert_seen(page: Page, row: str) -> None:
    """Check a row once the page has come to rest there."""
    for _ in range(20):
        if page.evaluate(_SEEN, row) == GOOD:
            break
        page.wait_for_timeout(50)
    assert page.evaluate(_SEEN, row) == GOOD, row


def ids_of_rows(page: Page) -> list[str]:
    ids: list[str] = page.evaluate(
        "[...document.querySelectorAll('.pillar tr[id]:not(.section)')].map(row => row.id)"
    )
    return ids


@pytest.mark.slow
@pytest.mark.grows
@pytest.mark.sample(1)
@pytest.mark.parametrize("width", WIDTHS)
def test_a_link_shows_its_row_highlighted_below_the_header(
    width: int, example: Site, visit: Visit, request: pytest.FixtureRequest
) -> None:
    window = visit(example, width=width)
    ids = ids_of_rows(window.open(MINION))
    step = 12 if is_thorough(request.config) else len(ids) // 3
    for row in (*ids[step::step], ids[-2]):
        page = window.open("index.html")
        page = window.open(f"{MINION}#{row}")
        assert_seen(page, row)


def test_a_link_shows_its_row_whatever_is_filtered(example: Site, visit: Visit) -> None:
    page = visit(example).open(MINION)
    ids = ids_of_rows(page)
    page.locator("input[data-filter=pillar-table]").fill("no such key")
    expect(page.locator(f'[id="{ids[40]}"]')).to_be_hidden()
    page.evaluate("id => { location.hash = id; }", ids[40])
    assert_seen(page, ids[40])


@pytest.mark.slow
def test_each_key_of_odd_pages_can_be_linked_to(odd: Site, visit: Visit) -> None:
    window = visit(odd)
    page = window.open("minions/web1.html")
    rows = page.evaluate(
        """[...document.querySelectorAll('.pillar tr[id]')].map(row => {
            location.hash = row.id;
            return document.querySelector(':target') === row || row.id;
        })"""
    )
    assert [row for row in rows if row is not True] == []
