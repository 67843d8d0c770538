"""The pages of groups of minions: what these have in common, and what differs among them."""

from pathlib import Path
from typing import Any

import pytest
from tests.report.environment import page_environment
from tests.report.reader import Reader
from tests.support.derived import opened, write_tree

from pillarbook.report import group_links
from pillarbook.report.addresses import group_address
from pillarbook.report.report import Report

MASTER = {"pillar_roots": {"base": ["pillar"], "test": ["test"]}}
WEB = {
    f"web{number}.example": {"grains": {"roles": ["web"]}, "pillarenv": "base"}
    for number in range(1, 5)
}
MINIONS: dict[str, Any] = {**WEB, "db1.example": {"grains": {"roles": ["db"]}, "pillarenv": "base"}}
TREE = {
    "pillar/top.sls": "base: {'*': [all], 'web*': [web], 'web[34].example': [late]}\n",
    "pillar/all.sls": "motd: hello\nname: {{ grains.id }}\n",
    "pillar/web.sls": "nginx:\n  workers: 4\n  sites: [shop, blog]\n  password: s3cret-Tea-42\n",
    "pillar/late.sls": "nginx:\n  workers: 8\n  beta: true\n",
    "test/top.sls": "test: {'*': [all], 'web*': [web]}\n",
    "test/all.sls": "motd: hello\nname: {{ grains.id }}\n",
    "test/web.sls": "nginx: {workers: 2, sites: [shop, blog], password: s3cret-Tea-42}\n",
}


def pages_of(
    folder: Path, tree: dict[str, str] = TREE, minions: dict[str, Any] | None = None
) -> dict[str, str]:
    write_tree(folder, tree, master=MASTER, minions=minions or MINIONS)
    with opened(folder) as session:
        session.compile_fleet(lambda _: None)
        report = Report(session.report, page_environment())
        pages = list(report.pages)
        found: dict[str, str] = {}
        for page in pages:
            assert page.uri not in found
            found[page.uri] = report.write(page)
            pages += report.further(page)
        return found


def test_a_group_that_is_named_leads_to_its_page(tmp_path: Path) -> None:
    pages = pages_of(tmp_path)
    address = group_address("roles:web")
    assert address in Reader(pages["targets.html"]).links
    assert f"../{address}" in Reader(pages["keys/nginx.html"]).links
    assert f"../../{address}" in Reader(pages["sls/base/web.html"]).links
    everywhere = "".join(page for uri, page in pages.items() if not uri.startswith("groups/"))
    named = [uri for uri in pages if uri.startswith("groups/")]
    assert all(uri in everywhere for uri in named)


def test_it_says_what_its_minions_have_in_common_and_what_differs(tmp_path: Path) -> None:
    page = Reader(pages_of(tmp_path)[group_address("roles:web")])
    assert "Keys in common3 2 that only these minions have" in page.text
    assert page.row("nginx:workers|") == "|nginx:workers|4 on 2, 8 on 2"
    assert page.row("nginx:beta|") == "|nginx:beta|true on 2, not set on 2"
    assert page.row("nginx:sites:*") == "|nginx:sites:* only these minions|shop, blog"
    assert page.row("motd|") == "|motd|hello"
    assert "../keys/nginx~workers.html" in page.links
    assert "../minions/web1.example.html" in page.links
    assert "../minions/db1.example.html" not in page.links
    assert "s3cret-Tea-42" not in page.text


def test_it_says_how_other_environments_differ_for_them(tmp_path: Path) -> None:
    page = Reader(pages_of(tmp_path)[group_address("roles:web")])
    # All get 2 there in place of 4 or 8, and two of them lack `beta`.
    assert page.row("base and test") == "|base and test|2|nginx:workers 4, nginx:beta 2"


@pytest.mark.slow
def test_its_size_does_not_grow_with_the_fleet(tmp_path: Path) -> None:
    sizes = []
    for count in (100, 400):
        minions = {
            f"web{number:04}.example": {"grains": {"roles": ["web"]}} for number in range(count)
        }
        minions["db1.example"] = {"grains": {"roles": ["db"]}}
        pages = pages_of(tmp_path / str(count), TREE, minions)
        sizes.append(len(pages[group_address("roles:web")]))
    assert sizes[1] < sizes[0] * 1.05


def test_the_number_of_pages_has_a_limit(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(group_links, "MAX_PAGES", 0)
    pages = pages_of(tmp_path)
    assert not [uri for uri in pages if uri.startswith("groups/")]
    assert "groups/" not in "".join(pages.values())
