"""Each kind of page, at each width and in both colours: quiet, within its window, accessible."""

from collections.abc import Sequence

import pytest
from tests.browser.axe import find_violations
from tests.browser.chromium import HEIGHTS, SCHEMES, WIDTHS, Scheme, Site
from tests.browser.conftest import Visit
from tests.browser.kinds import KINDS
from tests.browser.overflow import find_broken_words, find_overflow
from tests.support.tiers import is_thorough

Pages = Sequence[tuple[Site, str]]


@pytest.mark.sample(1)
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_page_is_quiet_and_stays_within_its_window(
    kind: str, scheme: Scheme, pages: Pages, visit: Visit
) -> None:
    for site, address in pages:
        page = visit(site, width=WIDTHS[-1], scheme=scheme).open(address)
        for width in reversed(WIDTHS):
            page.set_viewport_size({"width": width, "height": HEIGHTS[width]})
            assert find_overflow(page) == [], (address, width)
            assert width < 1280 or find_broken_words(page) == [], (address, width)
        # The window is narrow now: a label before no value says nothing.
        assert page.locator("table:not(.differences) td[data-l]:empty:visible").count() == 0, (
            address
        )


# In short, each width and each scheme once; in full, all of both.
@pytest.mark.grows
@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("width", "scheme"),
    [
        (360, "light"),
        (1280, "dark"),
        pytest.param(360, "dark", marks=pytest.mark.slow),
        pytest.param(1280, "light", marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("kind", KINDS)
def test_a_page_is_accessible(
    width: int, scheme: Scheme, pages: Pages, visit: Visit, request: pytest.FixtureRequest
) -> None:
    site, address = pages[0]
    page = visit(site, width=width, scheme=scheme).open(address)
    assert find_violations(page, whole=is_thorough(request.config)) == []


# The largest page of each kind was looked at in full, above: here only the heads of tables are
# searched for what is not accessible. A page is loaded once, as loading takes longer than looking.
@pytest.mark.slow
@pytest.mark.minutes(3)
@pytest.mark.parametrize(("site", "scheme"), [("example", "light"), ("odd", "dark")])
def test_all_pages_of_a_site_are_quiet_within_their_window_and_accessible(
    site: str, scheme: Scheme, request: pytest.FixtureRequest, visit: Visit
) -> None:
    window = visit(request.getfixturevalue(site), scheme=scheme)
    for path in sorted(window.site.folder.rglob("*.html")):
        address = path.relative_to(window.site.folder).as_posix()
        if address == "404.html":
            continue
        page = window.open(address)
        for width in reversed(WIDTHS):
            page.set_viewport_size({"width": width, "height": HEIGHTS[width]})
            assert find_overflow(page) == [], (address, width)
        assert find_violations(page, whole=False) == [], address
