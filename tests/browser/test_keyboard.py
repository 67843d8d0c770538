"""Everything can be reached and used by keyboard, and one sees where one is."""

import pytest
from playwright.sync_api import Page, expect
from tests.browser.chromium import SCHEMES, Scheme, Site
from tests.browser.conftest import Visit

MINION = "minions/app1.hel.teashop.example.html"
_FOCUSED = """() => {
  const element = document.activeElement, style = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  return {
    what: element.matches(".skip") ? "skip" : element.closest("header nav, body > header") ? "site"
      : element.matches("input[data-filter]") ? "filter"
      : element.closest(".pillar tr[id]") ? "key" : element.localName,
    visible: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2
      && box.width > 0 && box.height > 0,
    inView: box.top >= -1 && box.bottom <= innerHeight + 1 && box.left >= -1,
    text: element.outerHTML.slice(0, 120),
  };
}"""


def walk(page: Page, steps: int) -> list[dict[str, object]]:
    found = []
    for _ in range(steps):
        page.keyboard.press("Tab")
        found.append(page.evaluate(_FOCUSED))
    return found


@pytest.mark.sample(1)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_tab_goes_from_the_skip_link_over_the_site_to_the_keys(
    scheme: Scheme, example: Site, visit: Visit
) -> None:
    page = visit(example, scheme=scheme).open(MINION)
    steps = walk(page, 60)
    assert [step for step in steps if not (step["visible"] and step["inView"])] == []
    order = list(dict.fromkeys(step["what"] for step in steps))
    assert order[0] == "skip"
    assert order.index("site") < order.index("filter") < order.index("key")


@pytest.mark.slow
def test_the_skip_link_leads_to_the_content(example: Site, visit: Visit) -> None:
    page = visit(example).open(MINION)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")


@pytest.mark.slow
def test_shift_tab_comes_back_without_hiding_under_the_header(example: Site, visit: Visit) -> None:
    page = visit(example).open(MINION)
    page.locator(".pillar tr[id] a").nth(60).focus()
    for _ in range(40):
        page.keyboard.press("Shift+Tab")
        covered = page.evaluate(
            """async () => {
                // The page may still scroll and lay out what comes into view.
                for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
                const element = document.activeElement, box = element.getBoundingClientRect();
                const at = document.elementFromPoint(box.left + 3, box.top + 3);
                return !(element === at || element.contains(at) || at?.contains(element))
                    && element.outerHTML;
            }"""
        )
        assert not covered


@pytest.mark.slow
def test_a_table_is_sorted_by_keyboard(example: Site, visit: Visit) -> None:
    page = visit(example).open("minions/index.html")
    head = page.locator("table[data-sort] thead th").nth(2)
    head.locator("button").focus()
    page.keyboard.press("Enter")
    expect(head).to_have_attribute("aria-sort", "ascending")
    page.keyboard.press("Space")
    expect(head).to_have_attribute("aria-sort", "descending")
