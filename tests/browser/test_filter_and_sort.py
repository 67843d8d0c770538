"""The filter box and the heads of tables."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.chromium import Site
from tests.browser.conftest import Visit

MINION = "minions/app1.hel.teashop.example.html"
FILTERED = (MINION, "minions/index.html", "index.html", "diagnostics.html")
# What a table shows: its rows without section rows, and the section rows of what is left of them.
_SHOWN = """table => {
  const seen = element => element.getClientRects().length > 0;
  const rows = [...table.tBodies].flatMap(body => [...body.rows]).filter(row => !row.classList.contains("list"));
  return {
    texts: rows.filter(row => !row.classList.contains("section") && seen(row)).map(row => row.textContent),
    all: rows.filter(row => !row.classList.contains("section")).map(row => row.textContent),
    lonely: [...table.tBodies].filter(body => [...body.rows].some(row => row.classList.contains("section") && seen(row))
      && ![...body.rows].some(row => !row.classList.contains("section") && seen(row))).length,
  };
}"""


def look(table: Locator) -> dict[str, Any]:
    found: dict[str, Any] = table.evaluate(_SHOWN)
    return found


def boxes(page: Page) -> list[tuple[Locator, Locator, Locator]]:
    """Return each filter box of a page with its table and its output."""
    names: list[str] = page.evaluate(
        "[...document.querySelectorAll('input[data-filter]')].map(box => box.dataset.filter)"
    )
    found = []
    for name in names:
        box = page.locator(f'input[data-filter="{name}"]')
        output = page.locator(".filter", has=page.locator(f'[data-filter="{name}"]'))
        found.append((box, page.locator(f'[id="{name}"]'), output.locator("output")))
    return found


@pytest.mark.sample(1)
@pytest.mark.parametrize("address", FILTERED)
def test_a_filter_shows_the_rows_that_have_every_word(
    address: str, example: Site, visit: Visit
) -> None:
    page = visit(example).open(address)
    page.evaluate("document.querySelectorAll('.list button').forEach(button => button.click())")
    found = boxes(page)
    assert found
    for box, table, output in found:
        before = look(table)
        assert before["texts"] == before["all"]
        first, last = before["all"][0].split()[0].lower(), before["all"][-1].split()[-1].lower()
        for words in (first, last, first[:3].upper(), f"{last} {first[:2]}", "no such thing"):
            box.fill(words)
            shown = look(table)
            fitting = [
                text
                for text in before["all"]
                if all(word in text.lower() for word in words.lower().split())
            ]
            assert shown["texts"] == fitting, words
            assert shown["lonely"] == 0
            expect(output).to_contain_text(re.compile(rf"\b{len(fitting)}\b|[Nn]o"))
        box.press("Escape")
        assert box.input_value() == ""
        assert look(table) == before
        expect(output).to_have_text(re.compile(r"^\D*$|^\D*\b" + str(len(before["all"])) + r"\b.*"))


@pytest.mark.slow
def test_a_second_slash_goes_to_the_filter(example: Site, visit: Visit) -> None:
    page = visit(example).open(MINION)
    page.keyboard.press("/")
    expect(page.get_by_role("combobox", name="Search the report")).to_be_focused()
    page.keyboard.press("/")
    box = page.locator("input[data-filter]").first
    expect(box).to_be_focused()
    page.keyboard.type("a/b")
    assert box.input_value() == "a/b"


def test_a_link_presets_the_filter(example: Site, visit: Visit) -> None:
    page = visit(example).open("minions/index.html?q=db1.ams")
    box, table, _ = boxes(page)[0]
    assert box.input_value() == "db1.ams"
    assert len(look(table)["texts"]) == 1


@pytest.mark.slow
def test_a_minion_is_found_by_what_it_is(example: Site, visit: Visit) -> None:
    page = visit(example).open("minions/index.html")
    box, table, _ = boxes(page)[0]
    for words, count in (("web", 4), ("roles:web", 4), ("partial", 3), ("outcome:partial", 3)):
        box.fill(words)
        assert len(look(table)["texts"]) >= count - 1, words
        assert len(look(table)["texts"]) < len(look(table)["all"]), words


def column(table: Locator, number: int) -> list[str]:
    texts: list[str] = table.evaluate(
        """(table, number) => [...table.tBodies].flatMap(body => [...body.rows])
            .filter(row => row.cells.length > number)
            .map(row => (row.cells[number].dataset.v ?? row.cells[number].textContent).trim())""",
        number,
    )
    return texts


def sort_key(texts: list[str]) -> Any:
    """Return how the values of a column compare: as numbers where all are."""
    numbers = [text.replace(",", "") for text in texts]
    if all(re.fullmatch(r"-?\d+(\.\d+)?", number) for number in numbers):
        return lambda text: float(text.replace(",", ""))
    return None


def test_a_head_sorts_its_column(example: Site, visit: Visit) -> None:
    page = visit(example).open("minions/index.html")
    table = page.locator("table[data-sort]").first
    heads = table.locator("thead th")
    kinds = set()
    for number, head in enumerate(heads.all()):
        button = head.locator("button")
        if not button.count():
            continue
        before = column(table, number)
        button.click()
        first = head.get_attribute("aria-sort")
        once = column(table, number)
        button.click()
        assert {first, head.get_attribute("aria-sort")} == {"ascending", "descending"}
        assert (
            table.locator("thead th[aria-sort=ascending], thead th[aria-sort=descending]").count()
            == 1
        )
        twice = column(table, number)
        assert sorted(once) == sorted(twice) == sorted(before)
        rising, falling = (once, twice) if first == "ascending" else (twice, once)
        key = sort_key(before)
        kinds.add(key is None)
        if key:
            assert list(map(key, rising)) == sorted(map(key, before))
            assert list(map(key, falling)) == sorted(map(key, before), reverse=True)
        elif number == 0:
            assert rising == sorted(before, key=natural)
            assert falling == sorted(before, key=natural, reverse=True)
    assert kinds == {True, False}


def natural(text: str) -> list[Any]:
    """Return a text as people sort it: numbers within it by their value."""
    return [int(part) if part.isdigit() else part.lower() for part in re.split(r"(\d+)", text)]


@pytest.mark.slow
def test_what_is_sorted_stays_filtered(example: Site, visit: Visit) -> None:
    page = visit(example).open("minions/index.html")
    box, table, _ = boxes(page)[0]
    box.fill("web")
    shown = look(table)["texts"]
    table.locator("thead th button").nth(2).click()
    assert sorted(look(table)["texts"]) == sorted(shown)


@pytest.mark.slow
@pytest.mark.parametrize("word", ["web1.hel", "roles:web", "ci1"])
def test_a_pair_of_environments_is_filtered_by_minion_and_grain(
    word: str, example: Site, visit: Visit
) -> None:
    pair = "environments/prod--staging"
    told = json.loads((example.folder / f"{pair}.json").read_text())
    page = visit(example).open(f"{pair}.html")
    table = page.locator("#changes")
    texts = look(table)["all"]
    assert len(texts) == len(told["changes"])
    page.get_by_label("Filter").first.fill(word)
    expect(page.locator(".filter output").first).to_contain_text(f"of {len(texts)}")
    roles = {"web1.hel": "web1.hel", "roles:web": "web", "ci1": "ci1"}
    expected = [
        text
        for text, change in zip(texts, told["changes"], strict=True)
        if word in text.lower()
        or any(one.startswith(roles[word]) for one in told["groups"][change["group"]])
    ]
    assert 0 < len(expected) < len(texts)
    for _ in range(100):  # who is in a group is loaded when somebody filters
        if look(table)["texts"] == expected:
            break
        page.wait_for_timeout(50)
    assert look(table)["texts"] == expected


@pytest.mark.slow
def test_who_comes_back_finds_what_was_typed(example: Site, visit: Visit) -> None:
    page = visit(example).open("minions/index.html?q=os:Debian")
    box = page.locator("input[data-filter]")
    expect(box).to_have_value("os:Debian")
    box.fill("web2")
    page.get_by_role("link", name="web2.ams.teashop.example").click()
    expect(page.locator("h1")).to_have_text("web2.ams.teashop.example")
    page.go_back()
    expect(box).to_have_value("web2")
    expect(page.locator("#table\\.minions tbody tr:visible")).to_have_count(1)
    page.go_forward()
    expect(page.locator("h1")).to_have_text("web2.ams.teashop.example")
