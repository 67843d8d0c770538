"""The report in MkDocs' own themes and material: nothing of theirs puts boxes, bullets or lines where none belong."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Route
from tests.browser.chromium import Tabs, on_disk
from tests.browser.odd import write_odd_tree
from tests.support.built_sites import build_tree, built_once

PAGES = (
    "index.html",
    "minions/web1.html",
    "diagnostics.html",
    "secrets.html",
    "environments/base--staging.html",
)
_STYLES = """() => {
  const style = (element) => getComputedStyle(element);
  const all = (selector) => [...document.querySelectorAll(`.pillarbook ${selector}`)];
  const clear = "rgba(0, 0, 0, 0)";
  const name = (element) => element.outerHTML.slice(0, 80);
  return {
    boxed: all(".mark").filter((one) => style(one).backgroundColor !== clear || style(one).paddingTop !== "0px").map(name),
    bullets: all(":is(.jump, .findings, .rules) > li, .jump li, td ol > li")
      .filter((one) => style(one).listStyleType !== "none" || style(one).marginLeft !== "0px").map(name),
    lined: all("table:not(.matrix) tbody :is(td, th)").filter((one) => style(one).borderLeftWidth !== "0px").map(name),
    outside: all("*:not(.unseen)").filter((one) => {
      const box = one.getBoundingClientRect();
      const whole = one.closest(".pillarbook").getBoundingClientRect();
      return box.width && box.height && box.right > 0 && box.right > whole.right + 1 && !one.closest("pre, svg, .matrix");
    }).map(name),
    headless: all("table.stack:not(.wide, .changes) thead th").filter((one) => innerWidth > 1000 && one.getBoundingClientRect().right < 0).map(name),
    resized: all("small, .tag, .unfold").filter((one) => parseFloat(style(one).fontSize) < 11 || parseFloat(style(one).fontSize) > 14).map(name),
    covered: all("table.stack thead th").filter((one) => style(one).position === "sticky"
      && document.querySelector(".md-header, .navbar.fixed-top")?.getBoundingClientRect().height > parseFloat(style(one).top) + 1).map(name),
    caught: all("table.pillar").filter((one) => {
      for (let box = one; !box.matches(".pillarbook"); box = box.parentElement)
        if (style(box).overflowY !== "visible") return true;
      return false;
    }).map(name),
    striped: all("tbody tr:not(.section) > td:not(.yes)").filter((one) => style(one).backgroundColor !== clear).map(name),
    unseen: all("td.yes").filter((one) => style(one).backgroundColor === clear).map(name),
    broken: all("td.yes").filter((one) => {
      const text = document.createRange();
      text.selectNodeContents(one);
      return text.getClientRects().length > 1;
    }).map(name),
    empty: [...document.querySelectorAll(".bs-sidebar")]
      .filter((one) => !one.querySelector("li") && style(one).visibility !== "hidden").map(name),
    spread: all("pre code").filter((one) => style(one).display !== "inline").map(name),
  };
}"""

_TOP = "getComputedStyle(document.querySelector('.pillarbook')).getPropertyValue('--top')"


@pytest.fixture(scope="session", params=["mkdocs", "readthedocs", "material"])
def other(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the site of a theme that is not pillarbook's."""
    theme: str = request.param

    def build(folder: Path) -> None:
        tree = write_odd_tree(folder)
        configuration = tree / "mkdocs.yml"
        text = configuration.read_text()
        assert "name: pillarbook" in text
        configuration.write_text(text.replace("name: pillarbook", f"name: {theme}"))
        build_tree(tree)

    return built_once(f"odd-{theme}", tmp_path_factory, build) / "site"


@pytest.mark.slow
@pytest.mark.sample(1)
@pytest.mark.parametrize("width", [1280, 360])
def test_other_themes_leave_the_report_as_it_is(width: int, other: Path, tabs: Tabs) -> None:
    window = tabs.open(on_disk(other), width=width)

    def refuse(route: Route) -> Any:  # the themes load fonts and scripts from elsewhere
        return route.abort()

    window.page.route("http*://**", refuse)
    window.page.mouse.move(0, 0)  # a row below the pointer of an earlier test has another color
    for address in PAGES:
        assert (other / address).is_file()
        page = window.open(address)
        bar = page.locator(".navbar.fixed-top")
        if width == 1280 and bar.count():  # its links may take several lines
            bar.evaluate("one => { one.style.height = '150px'; }")
            page.wait_for_function(f"({_TOP}) === '150px'")
        found = page.evaluate(_STYLES)
        assert {what: names for what, names in found.items() if names} == {}, address
    tabs.close(window, reuse=False)
