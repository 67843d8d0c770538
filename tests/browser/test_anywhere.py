"""The site stands wherever it is put: unpacked from an archive, behind a web server."""

import shutil
import zipfile
from pathlib import Path

import pytest
from tests.browser.chromium import Site, on_disk
from tests.browser.conftest import Visit


def walk_by_links(site: Site, visit: Visit) -> None:
    """Go from page to page by the site's own links, filter once, follow a key and its minion."""
    page = visit(site).open("index.html")
    for name in ("Minions", "Environments", "Diagnostics", "Guide", "Home"):
        page.locator("header nav").get_by_role("link", name=name, exact=True).click()
        assert page.url.startswith(site.address)
        assert page.title()
    page.locator("main").get_by_role("link", name="app1.hel.teashop.example").first.click()
    page.locator("input[data-filter=pillar-table]").fill("workers")
    page.locator('[id="k-app.workers"] th a').click()
    assert page.url.endswith("keys/app.html#k-app.workers")
    page.locator('[id="k-app.workers"]').wait_for()  # the link was only just followed
    page.locator("#key-table td:nth-child(2) a", has_text="app1.hel").first.click()
    assert "app1.hel.teashop.example.html#k-app." in page.url


@pytest.mark.slow
def test_out_of_a_zip(example: Site, tmp_path: Path, visit: Visit) -> None:
    archive = shutil.make_archive(str(tmp_path / "report"), "zip", example.folder)
    with zipfile.ZipFile(archive) as opened:
        opened.extractall(tmp_path / "a folder #1 with 100% odd & 'quoted' name")
    walk_by_links(on_disk(tmp_path / "a folder #1 with 100% odd & 'quoted' name"), visit)


@pytest.mark.slow
def test_behind_a_web_server(served: Site, visit: Visit) -> None:
    walk_by_links(served, visit)
