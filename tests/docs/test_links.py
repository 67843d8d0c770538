"""Every relative link of a page leads to a file, and to a heading in it."""

from pathlib import Path

import pytest
from tests.docs.pages import SITE, all_pages, page_id, read_anchors, read_links


@pytest.mark.parametrize("page", all_pages(), ids=page_id)
def test_links_lead_somewhere(page: Path) -> None:
    for link in read_links(page):
        if "://" not in link and not link.startswith("mailto:"):
            assert leads_somewhere(page, link), link


def leads_somewhere(page: Path, link: str) -> bool:
    path, _, fragment = link.partition("#")
    target = (page.parent / path).resolve() if path else page
    if not target.exists():
        return False
    return not fragment or target.suffix != ".md" or fragment in read_anchors(target)


@pytest.mark.parametrize("page", sorted(SITE.rglob("*.md")), ids=page_id)
def test_pages_of_the_site_link_within_it(page: Path) -> None:
    """What lies outside of the site's folder is not published."""
    for link in read_links(page):
        if "://" not in link and link.partition("#")[0]:
            assert (page.parent / link.partition("#")[0]).resolve().is_relative_to(SITE), link
