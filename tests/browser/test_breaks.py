"""Where names may go on in the next line."""

import re

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
