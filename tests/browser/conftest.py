"""A browser, and the sites it visits."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, Protocol

import pytest
from playwright.sync_api import expect, sync_playwright
from tests.browser.chromium import PATIENCE, Site, Tabs, Window, launch, on_disk
from tests.browser.earlier import commit_earlier
from tests.browser.kinds import pages_by_kind
from tests.browser.odd import UNBROKEN, write_odd_tree
from tests.browser.planted import IMAGE, write_planted_tree
from tests.support.built_sites import BuiltSite, build_tree, built_once

FAILED = pytest.StashKey[bool]()


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves files without a line for each on standard error."""

    def log_message(self, *_: object) -> None: ...


class Visit(Protocol):
    """Opens a window on a site."""

    def __call__(self, site: Site, **options: Any) -> Window: ...


@pytest.fixture(scope="session")
def tabs() -> Iterator[Tabs]:
    # What is expected comes when the machine has time for it; only what never comes takes so long.
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright, launch(playwright) as browser:
        yield Tabs(browser)


@pytest.fixture(scope="session")
def example(example_site: BuiltSite) -> Site:
    """Return the example's report, opened from disk."""
    return on_disk(example_site.folder)


@pytest.fixture(scope="session")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Return the report of a fleet with what is rare, long, broken or empty."""

    def build(folder: Path) -> None:
        words = {
            "line 7 ": "line seven ",
            "name: n3": "name: n33",
            "integer: 12": "integer: twelve",
            "only: here": f"once: {UNBROKEN}",
            "db_password: Kq7x": "db_password: Zr4t",
            "  README:": "  CHANGELOG:",
            "wants: missing": "wants: ''",
            "again: of_": "again: from_",
        }
        build_tree(commit_earlier(write_odd_tree(folder), words))

    return on_disk(built_once("odd", tmp_path_factory, build) / "site")


@pytest.fixture(scope="session")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Return the report of a fleet with markup in everything that gets onto a page."""

    def build(folder: Path) -> None:
        words = {"overrides ": "overrode ", "  failing:": "  failed:", "hidden:": f"old {IMAGE}:"}
        build_tree(commit_earlier(write_planted_tree(folder), words))

    return on_disk(built_once("planted", tmp_path_factory, build) / "site")


@pytest.fixture(scope="session")
def kinds(example: Site, odd: Site) -> Mapping[str, Sequence[tuple[Site, str]]]:
    """Return pages by kind: the largest of the example's, then the largest of the odd ones."""
    found: dict[str, list[tuple[Site, str]]] = {}
    for site in (example, odd):
        for kind, pages in pages_by_kind(site.folder).items():
            found.setdefault(kind, []).append((site, pages[0]))
    return found


@pytest.fixture
def served(example: Site) -> Iterator[Site]:
    """Return the example's report behind a web server."""
    with ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(QuietHandler, directory=str(example.folder))
    ) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield Site(example.folder, f"http://127.0.0.1:{server.server_port}/")
        server.shutdown()
        thread.join()


@pytest.fixture
def pages(kind: str, request: pytest.FixtureRequest) -> Sequence[tuple[Site, str]]:
    """Return the pages of a kind that a test is run for."""
    if kind == "not-found":  # its links begin at the server's root: nobody opens it from a disk
        return [(request.getfixturevalue("served"), "404.html")]
    kinds: Mapping[str, Sequence[tuple[Site, str]]] = request.getfixturevalue("kinds")
    return kinds[kind]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


@pytest.fixture
def visit(tabs: Tabs, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """Return a function that opens windows.

    At the end of the test, nothing must have gone wrong in them. A failed test leaves pictures of
    what they showed in its temporary folder.
    """
    windows: list[Window] = []

    def visit(site: Site, **options: Any) -> Window:
        windows.append(tabs.open(site, **options))
        return windows[-1]

    yield visit
    faults = [fault for window in windows for fault in window.faults]
    is_bad = bool(faults) or request.node.stash.get(FAILED, False)
    for number, window in enumerate(windows):
        if is_bad:
            path = tmp_path / f"window-{number}-{window.label}.png"
            window.take_picture(path)
        tabs.close(window, reuse=not is_bad)
    assert not faults, faults
