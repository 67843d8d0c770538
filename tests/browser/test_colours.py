"""The reader's choice of colours."""

import pytest
from playwright.sync_api import Page, expect
from tests.browser.axe import find_violations
from tests.browser.chromium import SCHEMES, Scheme, Site
from tests.browser.conftest import Visit
from tests.support.tiers import is_thorough

OTHER: dict[Scheme, Scheme] = {"light": "dark", "dark": "light"}


def resources(page: Page) -> str:
    """Return whether the page is light or dark."""
    light: bool = page.evaluate(
        """() => getComputedStyle(document.body).backgroundColor.match(/\\d+/g)
            .slice(0, 3).reduce((sum, part) => sum + Number(part), 0) > 382"""
    )
    return "light" if light else "dark"


@pytest.mark.sample(1)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_choice_holds_on_all_pages_until_taken_back(
    scheme: Scheme, example: Site, visit: Visit
) -> None:
    window = visit(example, scheme=scheme)
    page = window.open("index.html")
    assert resources(page) == scheme
    page.get_by_role("button", name=f"Colours: {OTHER[scheme]}").click()
    assert resources(page) == OTHER[scheme]
    for address in ("minions/index.html", "guide/reading.html", "diagnostics.html"):
        assert resources(window.open(address)) == OTHER[scheme]
    chosen = page.get_by_role("button", name=f"Colours: {OTHER[scheme]}")
    expect(chosen).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Colours: system").click()
    assert resources(page) == scheme
    page.emulate_media(color_scheme=OTHER[scheme])
    assert resources(page) == OTHER[scheme]


@pytest.mark.slow
def test_a_choice_is_made_before_anything_is_painted(example: Site, visit: Visit) -> None:
    window = visit(example, scheme="light")
    page = window.open("index.html")
    page.get_by_role("button", name="Colours: dark").click()
    page.goto(window.site / "minions/index.html", wait_until="commit")
    page.locator("body").wait_for(state="attached")
    assert page.evaluate("document.documentElement.dataset.scheme") == "dark"


@pytest.mark.slow
@pytest.mark.grows
def test_colours_that_were_chosen_are_as_accessible(
    example: Site, visit: Visit, request: pytest.FixtureRequest
) -> None:
    for scheme in SCHEMES:
        page = visit(example, scheme=OTHER[scheme]).open("diagnostics.html")
        page.get_by_role("button", name=f"Colours: {scheme}").click()
        page.mouse.move(0, 0)
        assert not find_violations(page, whole=is_thorough(request.config))
