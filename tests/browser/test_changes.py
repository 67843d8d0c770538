"""The pages of what has changed since a revision, as somebody uses them."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect
from tests.browser.chromium import Site, on_disk
from tests.browser.conftest import Visit
from tests.browser.earlier import commit_earlier
from tests.browser.odd import LONG_ID
from tests.support.built_sites import build_tree
from tests.support.fleets import write_files

INDEX = "changes/index.html"


def test_the_box_finds_changes_by_key_cause_and_minion(odd: Site, visit: Visit) -> None:
    page = visit(odd).open(INDEX)
    rows = page.locator("#changes tbody tr:not(.section)")
    box = page.locator("input[data-filter=changes]")
    everything = rows.count()
    for words, text in (
        ("lines", "kinds:lines"),
        ("kinds.sls:706 before", "once"),
        (LONG_ID, "kinds:integer"),
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


@pytest.mark.slow
def test_from_all_changes_to_a_group_to_a_minion_and_back(odd: Site, visit: Visit) -> None:
    page = visit(odd).open("index.html")
    page.locator("#fleet\\.changes a").click()
    expect(page.locator("h1")).to_have_text("Changes")
    page.get_by_role("link", name=re.compile(r"minions, one by one")).first.click()
    expect(page.locator("h1")).to_have_text(re.compile("^Changes on "))
    page.locator("#minions + .members").get_by_role("link", name="web7", exact=True).click()
    expect(page).to_have_url(re.compile(r"minions/web7\.html#changes$"))
    expect(page.locator("#changes")).to_be_in_viewport()
    page.locator("#changes + p").get_by_role("link", name="All changes").click()
    expect(page.locator("h1")).to_have_text("Changes")


@pytest.mark.slow
def test_a_row_is_a_place_to_link_to(odd: Site, visit: Visit) -> None:
    page = visit(odd).open(INDEX)
    link = page.locator("#changes th[scope=row] > a").first
    link.click()
    assert page.locator("#changes tr:target").count() == 1


BROKEN_HEADS = """() => [...document.querySelectorAll("thead th")].filter((head) => {
  const range = document.createRange();
  range.selectNodeContents(head);
  return !head.textContent.includes(" ")
    && new Set([...range.getClientRects()].map((line) => line.top)).size > 1;
}).map((head) => head.textContent)"""
TOUCHED = """() => [...document.querySelectorAll("pre + .unfold")].filter((button) => {
  const [own, next] = [button, button.nextElementSibling].map(
    (one) => one?.getClientRects()[0] ?? { top: Infinity });
  return next.top < own.bottom && next.left < own.right + 4;
}).length"""


TREE = {
    "mkdocs.yml": "site_name: x\ndocs_dir: pages\ntheme: {name: pillarbook}\nplugins:\n  - pillarbook:"
    " {master: master, inventory: minions.yml, revisions: {base: HEAD}}\n",
    "pages/index.md": "# x\n",
    "master": "pillar_roots: {base: [pillar]}\n",
    "minions.yml": "minions: {web1.example.com: {grains: {}}, web2.example.com: {grains: {}}}\n",
    "pillar/top.sls": "base: {'*': [long, short], 'web1*': [fails]}\n",
    "pillar/long.sls": "long: |\n" + "  a line of the message\n" * 13,
    "pillar/short.sls": "a: 1\n",
    "pillar/fails.sls": "a: {{ a_long_name_that_nothing_gives.port }}\n",
}


@pytest.mark.slow
def test_no_head_breaks_in_a_word_and_no_button_touches_a_file(
    tmp_path: Path, visit: Visit
) -> None:
    earlier = {"long:": "before:", "{{ a_long_name_that_nothing_gives.port }}": "2"}
    build_tree(commit_earlier(write_files(tmp_path, TREE), earlier))
    page = visit(on_disk(tmp_path / "site")).open(INDEX)
    assert page.locator("pre + .unfold").count() == 1
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(TOUCHED) == 0
        assert width == 360 or page.evaluate(BROKEN_HEADS) == []
