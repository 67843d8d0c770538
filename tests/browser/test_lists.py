"""Lists take one row until somebody opens them."""

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.chromium import Site
from tests.browser.conftest import Visit
from tests.browser.odd import UNBROKEN

MINION = "minions/web1.hel.teashop.example.html"
HEAD = "#pillar-table tr.list"
MEMBERS = '#pillar-table tr[id^="k-packages.wanted."]'


def head_of(page: Page, name: str) -> Locator:
    """Return the row of a list."""
    return page.locator(HEAD).filter(has=page.locator("th", has_text=name)).first


def heights(rows: Locator) -> list[int]:
    """Return how much room rows take."""
    found: list[int] = rows.evaluate_all("rows => rows.map(row => row.offsetHeight)")
    return found


def test_a_list_says_its_members_in_one_row_and_opens(example: Site, visit: Visit) -> None:
    page = visit(example).open(MINION)
    head, members = head_of(page, "packages:wanted"), page.locator(MEMBERS)
    expect(head).to_contain_text("curl, htop, jq, rsync, tmux")
    expect(head.locator("td a")).to_have_text(":21")
    assert heights(members) == [0] * 5
    button = head.get_by_role("button")
    expect(button).to_have_attribute("aria-expanded", "false")
    expect(button).to_have_text("Show 5 rows")  # all values are in the row already
    button.click()
    assert all(height > 10 for height in heights(members))
    expect(button).to_have_text("Show less")
    button.click()
    assert heights(members) == [0] * 5
    expect(head_of(page, "nameservers")).to_contain_text("overrides other values")
    lines = page.locator("#pillar-table a[href*='#L']").all_text_contents()
    assert lines
    assert lines == [
        line.strip() for line in lines
    ]  # the space behind a line is no part of its link


@pytest.mark.slow
def test_a_long_first_member_is_shown_as_far_as_there_is_room(odd: Site, visit: Visit) -> None:
    page = visit(odd).open("minions/gr-e-example~073393c2baf6.html")
    expect(head_of(page, "kinds:long members")).to_contain_text(f"{UNBROKEN[:160]}…")


@pytest.mark.slow
def test_a_filter_shows_members_as_rows(example: Site, visit: Visit) -> None:
    page = visit(example).open(MINION)
    box = page.locator("input[data-filter=pillar-table]")
    box.fill("rsync")
    assert [height > 10 for height in heights(page.locator(MEMBERS))] == [0, 0, 0, 1, 0]
    expect(page.locator(f"{HEAD}:visible")).to_have_count(0)
    box.press("Escape")
    assert heights(page.locator(MEMBERS)) == [0] * 5
    expect(head_of(page, "packages:wanted")).to_be_visible()


@pytest.mark.slow
def test_a_link_to_a_member_opens_its_list(example: Site, visit: Visit) -> None:
    window = visit(example)
    page = window.open(f"{MINION}#k-packages.wanted.3")
    expect(page.locator(MEMBERS).nth(3)).to_be_in_viewport()
    page.evaluate("location.hash = 'k-nginx.vhosts.shop.listen.1'")
    row = page.locator('[id="k-nginx.vhosts.shop.listen.1"]')
    expect(row).to_be_in_viewport()
    assert heights(row)[0] > 10


@pytest.mark.slow
def test_lists_of_arguments_take_one_line(example: Site, visit: Visit) -> None:
    page = visit(example).open(MINION.replace(".html", "~states.html"))
    head = page.locator("li.list", has_text="pkgs").first
    expect(head).to_contain_text("curl, htop, jq, rsync, tmux")
    expect(head.locator(".from a")).to_have_text("packages:wanted")
    member = page.locator("li", has_text="htop").locator("visible=true")
    expect(member).to_have_count(1)
    head.get_by_role("button").click()
    expect(member).to_have_count(2)


@pytest.mark.slow
def test_every_key_leads_to_its_row_on_the_page_of_its_top_level_key(
    example: Site, visit: Visit
) -> None:
    page = visit(example).open(MINION)
    rows = page.locator("#pillar-table tr[id]:not(.section)")
    found = rows.evaluate_all(
        "rows => rows.map(({ id, cells: [{ lastElementChild: a }] }) => [id, a.href])"
    )
    pages: dict[str, str] = {}
    for own, address in found:
        file, _, anchor = address.partition("#")
        name = file.rpartition("/")[2]
        text = pages.setdefault(name, (example.folder / "keys" / name).read_text())
        assert f'<tr id="{anchor}"' in text, own
        ends = zip(own.split("."), anchor.split("."), strict=True)
        assert all(other in (key, "*") for key, other in ends), own
    assert len(found) > 50
