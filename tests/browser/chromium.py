"""Debian's Chromium, driven by Playwright, and windows that note what must not happen in them."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Error,
    FloatRect,
    Page,
    Playwright,
    Request,
)

Scheme = Literal["light", "dark"]
WIDTHS = (360, 768, 1280, 1920)
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
PATIENCE = 30_000
"""Milliseconds in which a busy machine shows what is waited for."""
HEIGHTS = {360: 740, 768: 1024, 1280: 800, 1920: 1080}

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox",
    "--headless=new",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A new frame for each page would take a third of the time that a page takes.
    "--disable-features=RenderDocument,PaintHolding,Translate,HttpsUpgrades,MediaRouter",
)


def launch(playwright: Playwright) -> Browser:
    """Start the Chromium that lies on PATH."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    assert found, f"none of {', '.join(NAMES)} is on PATH; `python3 make.py test` installs one"
    return playwright.chromium.launch(executable_path=found, args=list(FLAGS))


@dataclass(frozen=True)
class Site:
    """A finished site and where the browser finds it."""

    folder: Path
    """Its files."""
    address: str
    """What the address of each of its pages begins with, up to a slash."""

    def __truediv__(self, page: str) -> str:
        """Return a page's address."""
        return self.address + page


def on_disk(folder: Path) -> Site:
    """Return a site as a reader opens it from a disk or out of a zip."""
    return Site(folder, folder.resolve().as_uri() + "/")


@dataclass
class Window:
    """A browser's window on a site."""

    site: Site
    page: Page
    label: str
    """Its width and colours."""
    options: Mapping[str, Any]
    """Of its browser context."""
    faults: list[str] = field(default_factory=list)
    """Messages of the console, errors of scripts and requests to elsewhere."""

    def open(self, page: str) -> Page:
        """Go to a page of the site and wait until it stands."""
        self.page.goto(self.site / page, wait_until="load")
        return self.page

    def take_picture(self, path: Path, *, tallest: int = 4000) -> None:
        """Write the page as it is, from its top down to a height in pixels."""
        width, height = self.page.evaluate(
            "[document.documentElement.clientWidth, document.documentElement.scrollHeight]"
        )
        clip: FloatRect = {"x": 0, "y": 0, "width": width, "height": min(height, tallest)}
        self.page.screenshot(path=path, full_page=True, clip=clip)

    def watch(self) -> None:
        """Note what goes wrong until the window is left."""
        self.page.on("request", self._check_request)
        self.page.on("requestfailed", self._check_failure)
        self.page.on("console", self._check_message)
        self.page.on("pageerror", self._note_error)

    def leave(self) -> None:
        """Take back what a reader has chosen, so that the tab is as good as new."""
        self.page.remove_listener("request", self._check_request)
        self.page.remove_listener("requestfailed", self._check_failure)
        self.page.remove_listener("console", self._check_message)
        self.page.remove_listener("pageerror", self._note_error)
        self.page.evaluate(
            "() => { try { localStorage.clear(); } catch { /* no page is open */ } }"
        )
        self.page.goto("about:blank")

    def _note_error(self, error: Error) -> None:
        self.faults.append(f"script: {error}")

    def _check_request(self, request: Request) -> None:
        if not request.url.startswith(self.site.address):
            self.faults.append(f"request: {request.url}")

    def _check_failure(self, request: Request) -> None:
        # A page that is left stops loading what it still waits for.
        if request.failure != "net::ERR_ABORTED":
            self.faults.append(f"failed: {request.url} {request.failure}")

    def _check_message(self, message: ConsoleMessage) -> None:
        # Chromium reports what a content security policy refuses here, too.
        if message.type in ("error", "warning"):
            self.faults.append(f"console: {message.text}")


class Tabs:
    """Tabs of a browser, for one window after another: a new one costs more than a page in it."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._idle: dict[str, list[Page]] = {}

    def open(
        self, site: Site, *, width: int = 1280, scheme: Scheme = "light", **options: Any
    ) -> Window:
        """Open a window on a site.

        Requests to anywhere else are faults. ``options`` are those of Playwright's browser context,
        such as ``java_script_enabled``.
        """
        idle = self._idle.setdefault(repr(options), [])
        page = idle.pop() if idle else self._new(options)
        page.set_viewport_size({"width": width, "height": HEIGHTS.get(width, 800)})
        page.emulate_media(media="screen", color_scheme=scheme)
        window = Window(site, page, f"{width}-{scheme}", options)
        window.watch()
        return window

    def _new(self, options: Mapping[str, Any]) -> Page:
        context = self._browser.new_context(**options)
        context.set_default_timeout(PATIENCE)
        return context.new_page()

    def close(self, window: Window, *, reuse: bool) -> None:
        """Close a window; its tab is kept if nothing went wrong in it."""
        if reuse:
            window.leave()
            self._idle[repr(window.options)].append(window.page)
        else:
            window.page.context.close()
