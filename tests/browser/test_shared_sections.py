"""Sections that many minions share: from a minion's page to the value, and back to who has it."""

from pathlib import Path

import pytest
from playwright.sync_api import expect
from tests.browser.chromium import Site, on_disk
from tests.browser.conftest import Visit
from tests.publish.test_shared_sections import SHARED, TREE
from tests.support.fleets import write_files

from pillarbook.cli.main import run


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    configuration = SHARED.format("fleet").replace("  - search\n", "")
    monkeypatch.chdir(write_files(tmp_path, {**TREE, "mkdocs.yml": configuration}))
    assert run(["build"]) == 0
    return on_disk(tmp_path / "site")


@pytest.mark.slow
def test_a_link_to_a_value_leads_to_it_over_the_section(site: Site, visit: Visit) -> None:
    page = visit(site).open("minions/web1.html#k-users.user7.uid")
    row = page.locator("#k-users")
    expect(row).to_contain_text("18 values, the same for 6 minions")
    assert page.url.endswith("#k-users")
    row.get_by_role("link", name="18 values").click()
    expect(page.locator("h1")).to_have_text("users")
    assert page.url.endswith("#k-users.user7.uid")
    expect(page.locator(":target")).to_contain_text("7")
    page.get_by_role("link", name="web*").click()
    expect(page.locator("h1")).to_have_text("web*")


@pytest.mark.slow
def test_without_a_script_the_row_leads_to_the_section(site: Site, visit: Visit) -> None:
    page = visit(site, java_script_enabled=False).open("minions/web1.html")
    page.locator("#k-users").get_by_role("link", name="18 values").click()
    expect(page.locator("#k-users\\.user8\\.uid")).to_contain_text("8")
