"""The pictures of docs/images/, taken from the example's report: ``python3 make.py pictures``."""

import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page, sync_playwright
from tests.browser.chromium import launch, on_disk, open_window
from tests.browser.sites import build_example
from tests.support.fleets import ROOT

FOLDER = ROOT / "docs" / "images"
WIDTH = 1280
LARGEST = 150_000
"""Bytes of a picture that everybody who opens the README loads."""

# Where a picture may end: below the last row, heading or paragraph that fits into it as a whole.
_LAST_BOTTOM = """height => Math.max(...[...document.querySelectorAll("main :is(tr, h2, p, dl, li)")]
    .map(one => one.getBoundingClientRect().bottom).filter(bottom => bottom <= height))"""


@dataclass(frozen=True)
class Picture:
    """One picture: a page, what is done on it first, and how much of it is shown."""

    name: str
    """The file's, without its ending."""
    address: str
    """The page's, in the site."""
    height: int
    """The most of it, in pixels."""
    prepare: Callable[[Page], object] = lambda _: None
    """What a reader would have done."""


def show_changed_keys(page: Page) -> None:
    """Go to the keys that differ and leave those that are on both sides."""
    page.locator("input[data-filter=changes]").fill("changed")
    page.locator("#keys").evaluate("heading => heading.scrollIntoView()")
    page.locator("#keys").click()


PICTURES = (
    Picture("home", "index.html", 1080),
    Picture("minion", "minions/app1.hel.teashop.example.html", 1000),
    Picture("environments", "environments/prod--staging.html", 760, show_changed_keys),
    Picture("diagnostics", "diagnostics.html", 960),
    Picture("secrets", "secrets.html", 900),
)


def main() -> int:
    """Take all pictures; return how many of them are too large."""
    too_large = 0
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = on_disk(Path(folder) / "site")
        build_example(site.folder)
        with launch(playwright) as browser:
            for picture in PICTURES:
                page = open_window(browser, site, width=WIDTH).open(picture.address)
                path = FOLDER / f"{picture.name}.png"
                size = take(page, picture, path)
                sys.stdout.write(f"{path.relative_to(ROOT)}: {size:,} bytes\n")
                too_large += size > LARGEST
    return too_large


def take(page: Page, picture: Picture, path: Path) -> int:
    """Take one picture and return its size in bytes."""
    page.set_viewport_size({"width": WIDTH, "height": picture.height})
    picture.prepare(page)
    bottom = int(page.evaluate(_LAST_BOTTOM, picture.height)) + 1
    data = page.screenshot(clip={"x": 0, "y": 0, "width": WIDTH, "height": bottom})
    path.write_bytes(data)
    return len(data)


if __name__ == "__main__":
    sys.exit(main())
