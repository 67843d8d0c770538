"""Markup in keys, values, ids, names and messages stays text, whatever the browser is told."""

import re
from html import unescape

import pytest
from playwright.sync_api import Page
from tests.browser.chromium import Site, Window
from tests.browser.conftest import Visit
from tests.browser.kinds import pages_by_kind
from tests.browser.planted import HIDDEN, IMAGE, MARKS, NAME, SITE_NAME
from tests.support.tiers import is_thorough

# Nothing that a page of ours has, or ever should have.
_FOREIGN = """() => {
  const found = [];
  for (const element of document.querySelectorAll("*")) {
    if (["img", "iframe", "object", "embed", "style", "textarea"].includes(element.localName)
        || (element.localName === "script" && !element.getAttribute("src")))
      found.push(element.outerHTML.slice(0, 200));
    for (const { name, value } of element.attributes)
      if (name.startsWith("on") || name === "style" || name === "srcdoc" || name === "autofocus"
          || (["href", "src", "action", "xlink:href"].includes(name)
              && /^\\s*(javascript|data|https?):/i.test(value)))
        found.push(`${element.localName} ${name}=${value}`);
  }
  if (window.pwned !== undefined) found.push("a script ran");
  return found;
}"""
_INVISIBLE = "[\u200b\u202a-\u202e\u2066-\u2069]"


def assert_harmless(page: Page) -> None:
    assert page.evaluate(_FOREIGN) == []
    text = page.evaluate("document.body.textContent + document.title")
    assert not page.evaluate("([text, what]) => new RegExp(what).test(text)", [text, _INVISIBLE])


# Every row gets its buttons by focus; every button is pressed.
_USE = """() => {
  for (const link of document.querySelectorAll("#pillar-table th a")) {
    link.focus();
    link.closest("tr").querySelectorAll("button").forEach(button => button.click());
  }
  document.querySelectorAll("button").forEach(button => button.click());
}"""


def use_every_part(page: Page) -> None:
    """Let the scripts work on the page's texts."""
    page.evaluate(_USE)
    for box in page.locator("input[type=search]:visible").all():
        box.fill(IMAGE)
        assert_harmless(page)
        box.fill("")


USED = ("minions/plain.html", "minions/named.html", "minions/failing.html")


@pytest.mark.grows
@pytest.mark.sample(1)
@pytest.mark.parametrize("policy", ["policy", "no-policy"])
def test_planted_markup_stays_text(
    policy: str, planted: Site, visit: Visit, request: pytest.FixtureRequest
) -> None:
    window: Window = visit(planted, bypass_csp=policy == "no-policy")
    thorough = is_thorough(request.config)
    for pages in list(pages_by_kind(planted.folder).values())[:: 1 if thorough else 3]:
        for address in pages if thorough else pages[:1]:
            if address != "404.html":
                page = window.open(address)
                assert_harmless(page)
    for address in USED if thorough else USED[:1]:
        page = window.open(address)
        use_every_part(page)
        assert_harmless(page)


def test_no_page_has_characters_that_nobody_sees(planted: Site) -> None:
    pages = sorted(planted.folder.rglob("*.html"))
    found = [page.name for page in pages if re.search(_INVISIBLE, unescape(page.read_text()))]
    assert found == []


@pytest.mark.slow
def test_planted_texts_are_shown_as_they_are(planted: Site, visit: Visit) -> None:
    window: Window = visit(planted)
    page = window.open("minions/named.html")
    text = page.evaluate("document.body.textContent")
    shown = (*MARKS, IMAGE, NAME, SITE_NAME)
    assert [mark for mark in shown if mark not in text] == []
    assert HIDDEN not in text
    assert SITE_NAME in page.title()
    home = window.open("index.html").evaluate("document.body.textContent")
    assert SITE_NAME in home
    text = window.open("minions/failing.html").evaluate("document.body.textContent")
    assert text.count(IMAGE) >= 5
    assert IMAGE in window.open("minions/breaking.html").evaluate("document.body.textContent")
