"""axe-core, Deque's checker of accessibility, run in a page."""

import functools
from importlib import resources

from playwright.sync_api import Page

# WCAG 2.2 at levels A and AA, by axe-core's own tags.
_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
# Without preload axe-core asks for no style sheet: the pages' policy forbids requests by scripts.
_SCRIPT = "tags => axe.run(document, {runOnly: tags, resultTypes: ['violations'], preload: false})"


@functools.cache
def _source() -> str:
    return (resources.files("axe_playwright_python") / "axe.min.js").read_text()


# Eight rows are enough for each kind of section and of value.
_SHORTEN = """() => document.querySelectorAll("table").forEach(table =>
    [...table.rows].slice(8).forEach(row => row.remove()))"""


def find_violations(page: Page, *, whole: bool = True) -> list[str]:
    """Return a line for each element that breaks a rule.

    It loses the later rows of its tables unless the ``whole`` of it is looked at, which takes ten
    times as long for a page of some hundred.
    """
    if not whole:
        page.evaluate(_SHORTEN)
    page.evaluate(_source())
    result = page.evaluate(_SCRIPT, _TAGS)
    return [
        f"{rule['id']}: {node['html'][:200]} ({node.get('failureSummary', '')[:300]})"
        for rule in result["violations"]
        for node in rule["nodes"]
    ]
