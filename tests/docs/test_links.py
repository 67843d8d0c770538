"""Every relative link of a page leads to a file, and to a heading in it."""

from pathlib import Path

from tests.docs.pages import SITE, all_pages, read_anchors, read_links


def test_links_lead_somewhere() -> None:
    for page in all_pages():
        for link in read_links(page):
            if "://" not in link and not link.startswith("mailto:"):
                assert leads_somewhere(page, link), f"{page}: {link}"


def leads_somewhere(page: Path, link: str) -> bool:
    path, _, fragment = link.partition("#")
    target = (page.parent / path).resolve() if path else page
    if not target.exists():
        return False
    return not fragment or target.suffix != ".md" or fragment in read_anchors(target)


def test_pages_of_the_site_link_within_it() -> None:
    """What lies outside of the site's folder is not published."""
    for page in sorted(SITE.rglob("*.md")):
        for link in read_links(page):
            if "://" not in link and link.partition("#")[0]:
                target = (page.parent / link.partition("#")[0]).resolve()
                assert target.is_relative_to(SITE), f"{page}: {link}"
