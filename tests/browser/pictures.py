"""The pictures of docs/images/, taken from the example's report: ``python3 make.py pictures``."""

import shutil
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page, sync_playwright
from tests.browser.chromium import Tabs, launch, on_disk
from tests.browser.earlier import commit_earlier
from tests.browser.test_seven_questions import WALKS
from tests.browser.test_walks import Walk
from tests.support.fleets import ROOT

from pillarbook.publish.mkdocs_run import build_site

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
    is_of_change: bool = False
    """Whether it is of the report of a change of the example."""


def show_changed_keys(page: Page) -> None:
    """Go to the keys that differ and leave those that are on both sides."""
    page.locator("input[data-filter=changes]").fill("changed")
    page.locator("#keys").evaluate("heading => heading.scrollIntoView()")
    page.locator("#keys").click()


def show_states(page: Page) -> None:
    """Go to the states of the minion."""
    page.locator("#states").evaluate("heading => heading.scrollIntoView()")
    page.locator("#states").click()


def what_has_changed(page: Page) -> None:
    """Go to the changes, and leave those of a key."""
    walk = Walk(page)
    walk.page.locator("#fleet\\.changes a").click()
    walk.filter("changes", "session_timeout")


def at_the_end_of(walk: Callable[[Walk], None]) -> Callable[[Page], None]:
    """Return what a reader does who walks to an answer."""
    return lambda page: walk(Walk(page))


PICTURES = (
    Picture("home", "index.html", 960),
    Picture("minion", "minions/app1.hel.teashop.example.html", 1000),
    Picture("environments", "environments/prod--staging.html", 760, show_changed_keys),
    Picture("diagnostics", "diagnostics.html", 960),
    Picture("secrets", "secrets.html", 900),
    Picture("states", "minions/web1.ams.teashop.example~states.html", 900, show_states),
    Picture("changes", "changes/index.html", 900, is_of_change=True),
    *(
        Picture(f"question-{number}", "index.html", 720, at_the_end_of(walk))
        for number, walk in enumerate(WALKS, 1)
    ),
    Picture("question-7", "index.html", 720, what_has_changed, is_of_change=True),
)
EARLIER = {
    "worker_connections: 1024": "worker_connections: 512",
    "session_timeout: 1d": "session_timeout: 10m",
    "server_tokens: 'off'": "server_tokens: 'on'",
    "protocols: [TLSv1.2, TLSv1.3]": "protocols: [TLSv1.1, TLSv1.2, TLSv1.3]",
}
"""What stood in the example before, by what stands there now."""


def main() -> int:
    """Take all pictures; return how many of them are too large."""
    too_large = 0
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        now, changed = (on_disk(Path(folder) / name) for name in ("site", "changed"))
        build_site(ROOT / "mkdocs.yml", site_dir=now.folder)
        build_changed(Path(folder) / "tree", changed.folder)
        with launch(playwright) as browser:
            tabs = Tabs(browser)
            for picture in PICTURES:
                site = changed if picture.is_of_change else now
                page = tabs.open(site, width=WIDTH).open(picture.address)
                path = FOLDER / f"{picture.name}.png"
                size = take(page, picture, path)
                sys.stdout.write(f"{path.relative_to(ROOT)}: {size:,} bytes\n")
                too_large += size > LARGEST
    return too_large


def build_changed(tree: Path, site: Path) -> None:
    """Write the report of the example as it is after a change."""
    shutil.copytree(ROOT / "example", tree / "example")
    shutil.copytree(ROOT / "site_src", tree / "site_src")
    configuration = (ROOT / "mkdocs.yml").read_text()
    key = "      master: example/master\n"
    text = configuration.replace(key, f"{key}      revisions: {{base: HEAD}}\n")
    (tree / "mkdocs.yml").write_text(text)
    commit_earlier(tree, EARLIER)
    build_site(tree / "mkdocs.yml", site_dir=site)


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
