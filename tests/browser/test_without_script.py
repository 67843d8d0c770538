"""A browser that runs no script shows everything, and nothing that would do nothing."""

from collections.abc import Sequence

import pytest
from tests.browser.chromium import Site
from tests.browser.conftest import Visit
from tests.browser.kinds import KINDS
from tests.browser.overflow import find_overflow

# What scrolls takes the focus so that keys can scroll it, with or without a script.
_CONTROLS = (
    "button, input, select, textarea, [role=button], [tabindex]:not(pre, .graph, [tabindex='-1'])"
)
_UNSEEN = """() => [...document.querySelectorAll("main p, main td, main th, main li, main dd, main pre")]
  .filter(element => element.textContent.trim() && !element.closest(".filter, .same, .matrix .no, [data-needs-script]")
    && element.getClientRects().length === 0)
  .map(element => element.outerHTML.slice(0, 150))"""


@pytest.mark.sample(1)
@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("kind", KINDS)
def test_a_page_is_whole_without_script(
    kind: str, width: int, pages: Sequence[tuple[Site, str]], visit: Visit
) -> None:
    site, address = pages[0]
    page = visit(site, width=width, java_script_enabled=False).open(address)
    dead = [
        one.evaluate("one => one.outerHTML")
        for one in page.locator(_CONTROLS).all()
        if one.is_visible()
    ]
    assert dead == []
    assert page.evaluate(_UNSEEN) == []
    assert find_overflow(page) == []
