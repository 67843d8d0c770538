"""Where names may go on in the next line."""

import re

import pytest
from tests.browser.chromium import Site
from tests.browser.conftest import Visit

# Each text as a reader sees it, with a bar where a line may end.
_BREAKS = """places => [...document.querySelectorAll(places)].map((place) => {
    for (const end of place.querySelectorAll("wbr")) end.replaceWith("|");
    return place.textContent.trim();
})"""


def test_names_break_at_their_parts_and_numbers_do_not(example: Site, visit: Visit) -> None:
    window = visit(example)
    ids = window.open("minions/index.html").evaluate(_BREAKS, "#table\\.minions tbody th a")
    assert "web1.|hel.|teashop.|example" in ids
    page = window.open("minions/web1.hel.teashop.example.html")
    values = page.evaluate(_BREAKS, "#pillar-table td:nth-child(2)")
    assert "10.30.0.2" in values
    (about,) = window.open("index.html").evaluate(_BREAKS, ".about")
    assert "compared with Salt 3008.3" in about
    assert not re.search(r"\d\W?\|\d", about)  # the version, the commit's date


@pytest.mark.slow
def test_the_name_of_an_environment_stays_on_one_line(example: Site, visit: Visit) -> None:
    page = visit(example, width=768).open("index.html")
    name = page.locator(".environments tbody th a").first
    lines = "link => { link.textContent = 'development'; return link.getClientRects().length; }"
    assert name.evaluate(lines) == 1


@pytest.mark.slow
def test_no_line_begins_with_the_comma_after_a_link(example: Site, visit: Visit) -> None:
    page = visit(example).open("minions/app1.stg.teashop.example~states.html")
    begins = """links => links.filter(link => {
        const comma = document.createRange(), after = link.nextSibling;
        if (!after?.textContent.startsWith(",")) return false;
        comma.setStart(after, 0);
        comma.setEnd(after, 1);
        return comma.getBoundingClientRect().left < [...link.getClientRects()].at(-1).right - 1;
    }).map(link => link.textContent)"""
    assert page.locator("td a").evaluate_all(begins) == []
