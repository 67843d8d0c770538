"""What is copied from a row is what the minion gets: compared with the JSON beside the page."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from playwright.sync_api import Page, expect
from tests.browser.chromium import Site
from tests.browser.conftest import Visit

from pillarbook.model import to_tagged

MINION = "minions/app1.hel.teashop.example"
# Focus each row's link as a keyboard does, press the buttons that come to it, read the clipboard.
_COPY_ALL = """async () => {
  const found = [];
  for (const button of document.querySelectorAll("#pillar-table .list button")) button.click();
  for (const row of document.querySelectorAll("#pillar-table tr[id]")) {
    row.querySelector("th a").focus();
    const copied = {id: row.id, section: row.classList.contains("section")};
    for (const button of row.querySelectorAll(".actions button:not([hidden])")) {
      await navigator.clipboard.writeText("nothing");
      button.click();
      for (let tries = 0; tries < 20; tries++) {
        copied[button.textContent] = await navigator.clipboard.readText();
        if (copied[button.textContent] !== "nothing") break;
        await new Promise(resolve => setTimeout(resolve, 5));
      }
    }
    found.push(copied);
  }
  return found;
}"""


def leaves(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yield what has a row of its own: scalars, secrets, empty containers, what JSON has no form for."""
    if isinstance(data, list) and data:
        for position, item in enumerate(data):
            yield from leaves(item, (*path, position))
    elif isinstance(data, dict) and set(data) == {"$map"}:
        for key, item in data["$map"]:
            yield from leaves(item, (*path, json.dumps(key) if isinstance(key, dict) else key))
    elif isinstance(data, dict) and data and not is_whole(data):
        for key, item in data.items():
            yield from leaves(item, (*path, key))
    else:
        yield path, data


def is_whole(data: dict[str, Any]) -> bool:
    return set(data) == {"redacted", "token"} or next(iter(data)).startswith("$")


def top_level(pillar: Any) -> list[tuple[Any, Any]]:
    return pillar["$map"] if set(pillar) == {"$map"} else list(pillar.items())


def as_map(key: Any, value: Any) -> Any:
    return {key: value} if isinstance(key, str) else {"$map": [[key, value]]}


@pytest.mark.slow
@pytest.mark.sample(1)
@pytest.mark.parametrize("site", ["example", "odd"])
def test_each_row_copies_its_value(site: str, request: pytest.FixtureRequest, visit: Visit) -> None:
    window = visit(request.getfixturevalue(site), permissions=["clipboard-read", "clipboard-write"])
    stem = "minions/cache1.ams.teashop.example" if site == "example" else "minions/web1"
    page = window.open(f"{stem}.html")
    page.bring_to_front()
    pillar = json.loads((window.site.folder / f"{stem}.json").read_text())
    copied = page.evaluate(_COPY_ALL)
    rows = [row for row in copied if not row["section"]]
    for row, (path, value) in zip(rows, leaves(without_errors(pillar)), strict=True):
        assert row["link"] == f"{window.site / stem}.html#{row['id']}"
        assert row["path"] == ":".join(
            key if isinstance(key, str) else json.dumps(key) for key in path
        )
        assert json.loads(row["JSON"]) == value, row
        assert to_tagged(yaml.safe_load(row["YAML"])) == value, row
    sections = [row for row in copied if row["section"]]
    expected = [
        (key, value)
        for key, value in top_level(without_errors(pillar))
        if isinstance(value, dict | list)
        and value
        and not (isinstance(value, dict) and is_whole(value))
    ]
    assert len(sections) == len(expected)
    for row, (key, value) in zip(sections, expected, strict=True):
        assert row["path"] == (key if isinstance(key, str) else json.dumps(key))
        assert json.loads(row["JSON"]) == as_map(key, value)
        assert to_tagged(yaml.safe_load(row["YAML"])) == as_map(key, value)


def without_errors(pillar: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in pillar.items() if key != "_errors"}


def copy_by_hand(page: Page, what: str) -> None:
    row = page.locator('[id="k-app.workers"]')
    row.hover()
    button = row.get_by_role("button", name=f"Copy {what} of")
    expect(button).to_be_visible()
    button.click()
    expect(page.get_by_role("status").filter(has_text="Copied")).to_contain_text(what)


@pytest.mark.slow
def test_a_link_that_is_copied_leads_back(served: Site, visit: Visit) -> None:
    window = visit(served, permissions=["clipboard-read", "clipboard-write"])
    page = window.open(f"{MINION}.html")
    copy_by_hand(page, "link")
    link = page.evaluate("navigator.clipboard.readText()")
    page.goto("about:blank")
    page.goto(link)
    assert page.evaluate("document.querySelector(':target').id") == "k-app.workers"


@pytest.mark.sample(1)
@pytest.mark.parametrize("where", ["example", "served"])
def test_copying_needs_no_permission(
    where: str, request: pytest.FixtureRequest, visit: Visit
) -> None:
    page = visit(request.getfixturevalue(where)).open(f"{MINION}.html")
    copy_by_hand(page, "JSON")
    box = page.locator("input[data-filter]").first
    box.focus()
    page.keyboard.press("ControlOrMeta+V")
    expect(box).to_have_value("4")


@pytest.mark.slow
def test_the_buttons_are_reached_by_keyboard(example: Site, visit: Visit) -> None:
    page = visit(example).open(f"{MINION}.html")
    page.locator('[id="k-app.workers"] th a').focus()
    names = []
    for _ in range(4):
        page.keyboard.press("Tab")
        names.append(page.evaluate("document.activeElement.textContent"))
    assert names == ["link", "path", "YAML", "JSON"]
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="Copied")).to_be_visible()
