"""On paper: light, whole, without what can only be clicked."""

import pytest
from tests.browser.chromium import SCHEMES, Scheme, Site
from tests.browser.conftest import Visit

_CONTROLS = "button, input, select, .skip, .copy, body > header nav"
_STATE = """() => {
  const light = colour => {
    const [red, green, blue, alpha = 1] = colour.match(/[\\d.]+/g).map(Number);
    return alpha === 0 || (red + green + blue) / 3 > 200;
  };
  const cut = [...document.querySelectorAll("main *")].filter(element =>
    !element.matches(".unseen")  // for screen readers and the filter alone
    && element.clientHeight && element.scrollHeight > element.clientHeight + 2
    && getComputedStyle(element).overflowY !== "visible");
  const text = getComputedStyle(document.querySelector("main")).color;
  return {
    ground: [document.documentElement, document.body, document.querySelector("main")]
      .every(element => light(getComputedStyle(element).backgroundColor)),
    text: !light(text),
    cut: cut.map(element => element.outerHTML.slice(0, 150)),
    stuck: [...document.querySelectorAll("*")].filter(element =>
      ["sticky", "fixed"].includes(getComputedStyle(element).position)
      && element.getClientRects().length).map(element => element.outerHTML.slice(0, 150)),
  };
}"""


@pytest.mark.sample(1)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_paper_is_light_and_whole(scheme: Scheme, odd: Site, visit: Visit) -> None:
    page = visit(odd, scheme=scheme).open("minions/web1.html")
    page.emulate_media(media="print", color_scheme=scheme)
    shown = [
        one.evaluate("one => one.outerHTML")
        for one in page.locator(_CONTROLS).all()
        if one.is_visible()
    ]
    assert shown == []
    assert page.evaluate(_STATE) == {"ground": True, "text": True, "cut": [], "stuck": []}


@pytest.mark.slow
def test_a_page_prints(example: Site, visit: Visit) -> None:
    page = visit(example).open("minions/app1.hel.teashop.example.html")
    assert page.pdf().startswith(b"%PDF-")


@pytest.mark.slow
def test_the_shapes_of_severities_are_on_paper(example: Site, visit: Visit) -> None:
    page = visit(example).open("diagnostics.html")
    page.emulate_media(media="print")
    shape = 'one => getComputedStyle(one, "::before").printColorAdjust'
    assert page.locator(".mark").first.evaluate(shape) == "exact"


@pytest.mark.slow
def test_a_diagram_is_as_wide_as_the_paper(example: Site, visit: Visit) -> None:
    page = visit(example, width=700).open("minions/app1.ams.teashop.example~states.html")
    page.emulate_media(media="print")
    picture = page.locator(".graph svg")
    assert picture.evaluate("one => one.getBBox().width") > 700
    assert picture.evaluate("one => one.getBoundingClientRect().right") <= 700
