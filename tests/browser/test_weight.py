"""What large pages weigh, and what they cost the browser.

Costs are the processor time of the page's main thread, as Chromium counts it: a busy machine makes
a page late, but not much dearer. What a slow machine adds is taken out by a measure of the same run:
a plain table of 500 rows, whose layout takes a frame (16 ms) where Chromium has a machine of its own.
"""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import CDPSession, Page, expect
from tests.browser.chromium import Site, on_disk
from tests.browser.conftest import Visit
from tests.browser.heavy import write_full_tree, write_wide_tree
from tests.support.built_sites import build_tree, built_once

KEYS = 500
MINIONS = 10_000


@pytest.fixture(scope="session")
def full(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Return the report of a minion that gets 500 keys."""

    def build(folder: Path) -> None:
        build_tree(write_full_tree(folder))

    return on_disk(built_once("full", tmp_path_factory, build) / "site")


@pytest.fixture(scope="session")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Return the report of a fleet whose table of minions is split."""

    def build(folder: Path) -> None:
        build_tree(write_wide_tree(folder, MINIONS))

    return on_disk(built_once("wide", tmp_path_factory, build) / "site")


FRAME = 16.0
PLAIN_TABLE = """rows => {
    const table = document.createElement("table");
    for (let row = 0; row < rows; row += 1) {
        const line = table.insertRow();
        for (let cell = 0; cell < 3; cell += 1) {
            line.insertCell().textContent = `row ${row} cell ${cell}`;
        }
    }
    document.body.replaceChildren(table);
}"""


class Meter:
    """What a page costs until it is laid out, in milliseconds of a machine of its own."""

    PARTS = ("ScriptDuration", "RecalcStyleDuration", "LayoutDuration")

    def __init__(self, page: Page) -> None:
        self.page = page
        self._session: CDPSession = page.context.new_cdp_session(page)
        self._session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def slowness(self) -> float:
        """Return how many times longer than a frame the plain table takes now; 1 at least."""
        with self.page.context.new_page() as plain:
            plain.set_content("<!doctype html><title>Plain</title>")
            meter = Meter(plain)
            costs = [meter.cost(PLAIN_TABLE, KEYS) for _ in range(3)]
        return max(1.0, sorted(costs)[1] / FRAME)

    def spent(self, *parts: str) -> float:
        """Return the time spent so far on some of Chromium's metrics, in milliseconds."""
        metrics = self._session.send("Performance.getMetrics")["metrics"]
        return 1000 * sum(float(one["value"]) for one in metrics if one["name"] in parts)

    def cost(self, script: str, argument: object = None) -> float:
        """Return what a script costs, with the layout that it makes the page do."""
        before = self.spent(*self.PARTS)
        self.page.evaluate(
            f"argument => {{ ({script})(argument); document.documentElement.offsetHeight; }}",
            argument,
        )
        return self.spent(*self.PARTS) - before


def find_cost(measure: Callable[[], float], *, tries: int, limit: float) -> float:
    """Return the lowest cost of some tries; one below the limit ends them, as others only disturb."""
    lowest = measure()
    for _ in range(tries - 1):
        if lowest >= limit:
            lowest = min(lowest, measure())
    return lowest


def test_a_page_of_500_keys_is_light(full: Site) -> None:
    data = (full.folder / "minions/full.html").read_bytes()
    assert data.count(b" id=k-") >= KEYS
    assert len(data) < 105_000
    assert len(gzip.compress(data)) < 20_000


@pytest.mark.slow
def test_a_page_of_500_keys_is_laid_out_in_time(full: Site, visit: Visit) -> None:
    def load() -> float:
        # Chromium may take another process for a later page of a tab, and count anew: a tab a load.
        window = visit(full)
        meter = Meter(window.open("index.html"))
        # All of the main thread's work: parsing counts, too.
        before = meter.spent("TaskDuration")
        window.open("minions/full.html").evaluate("document.documentElement.offsetHeight")
        cost = meter.spent("TaskDuration") - before
        assert cost > 0
        return cost / meter.slowness()

    assert find_cost(load, tries=3, limit=300) < 300


TYPE = """text => {
    const input = document.querySelector("input[data-filter]");
    input.value = text;
    input.dispatchEvent(new Event("input", {bubbles: true}));
}"""


@pytest.mark.slow
def test_a_page_of_500_keys_filters_in_a_frame(full: Site, visit: Visit) -> None:
    page = visit(full).open("minions/full.html")
    page.get_by_role("searchbox", name="Filter the pillar").focus()
    meter = Meter(page)
    texts = ["n", "ng", "ngi", "nginx", "nginx p", "nginx po", "nginx por", "zzz", "zz", "z", "1"]
    best = dict.fromkeys(texts, float("inf"))

    def type_all() -> float:
        slowness = meter.slowness()
        for text in texts:
            best[text] = min(best[text], meter.cost(TYPE, text) / slowness)
        meter.cost(TYPE, "")
        return max(best.values())

    assert find_cost(type_all, tries=4, limit=FRAME) < FRAME, best


@pytest.mark.slow
def test_500_keys_come_back_at_once(full: Site, visit: Visit) -> None:
    # All rows anew are what the page cost at first; nobody types into that.
    meter = Meter(visit(full).open("minions/full.html"))

    def come_back() -> float:
        meter.cost(TYPE, "zzz")
        return meter.cost(TYPE, "") / meter.slowness()

    assert find_cost(come_back, tries=4, limit=100) < 100


@pytest.mark.minutes(2)
@pytest.mark.slow
def test_pages_of_ten_thousand_minions_are_light(wide: Site) -> None:
    def size(page: str) -> int:
        return len((wide.folder / page).read_bytes())

    lists = sorted(wide.folder.glob("minions/index*.html"))
    assert len(lists) == MINIONS / 1_000
    assert size("index.html") < 100_000
    assert size("diagnostics.html") < 100_000
    assert max(path.stat().st_size for path in lists) < 500_000


@pytest.mark.minutes(2)
@pytest.mark.slow
def test_a_minion_is_found_on_another_page_of_the_list(wide: Site, visit: Visit) -> None:
    page = visit(wide).open("minions/index.html")
    box = page.locator("input[data-filter]")
    box.fill("web08765")
    elsewhere = page.locator("#elsewhere")
    expect(elsewhere.get_by_role("link")).to_have_text(["web08765.ams.teashop.example"])
    elsewhere.get_by_role("link").click()
    expect(page.locator("h1")).to_have_text("web08765.ams.teashop.example")
    page.go_back()
    box.fill("")
    expect(elsewhere).to_be_hidden()


@pytest.mark.minutes(2)
@pytest.mark.slow
def test_a_list_of_a_thousand_minions_filters_and_sorts(wide: Site, visit: Visit) -> None:
    meter = Meter(visit(wide).open("minions/index.html"))
    typed = min(
        max(meter.cost(TYPE, text) for text in ("web00", "web004", "web0042")) / meter.slowness()
        for _ in range(3)
    )
    assert typed < 100
    sorting = (
        "() => document.querySelector('table[data-sort] thead th:nth-child(5) button').click()"
    )
    assert min(meter.cost(sorting) / meter.slowness() for _ in range(3)) < 500
