"""``file:line`` leads to the page of an SLS, and to the commit on the site of the repository."""

import re

import pytest
from tests.publish.test_changes import begin_topic
from tests.support.fleets import write_files
from tests.support.leaky import files_of, inventory
from tests.support.repositories import commit_all, git

from pillarbook.cli.main import run

FORGE = "https://forge.example/shop/pillar"
CONFIGURATION = f"""\
site_name: Links
docs_dir: pages
theme: {{name: pillarbook}}
repo_url: {FORGE}
repo_name: Forgejo
plugins:
  - pillarbook:
      master: master
      inventory: minions.yml
      revisions: {{base: main}}
"""
TREE = {
    "mkdocs.yml": CONFIGURATION,
    "master": "pillar_roots: {base: [pillar]}\n",
    "pages/index.md": "# Front\n",
    "pillar/top.sls": "base:\n  '*': [app, 'no*', dirty]\n",
    "pillar/app.sls": "workers: 4\n",
    "pillar/dirty.sls": "motd: hello\n",
    "minions.yml": inventory({"web1": {"pillar": {"own": 1}}, "web2": {"pillar": {"own": 2}}}),
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the pages of a branch that moves a value down by two lines, with an edit."""
    tree = tmp_path_factory.mktemp("links") / "tree"
    with pytest.MonkeyPatch.context() as patch:
        begin_topic(tree, TREE, patch)
        write_files(tree, {"pillar/app.sls": "# Workers.\n\nworkers: 8\n"})
        commit_all(tree)
        write_files(tree, {"pillar/dirty.sls": "# edited\nmotd: hello\n"})
        assert run(["build"]) == 0
        commits = {name: git(tree, "rev-parse", name).strip() for name in ("topic", "main")}
    pages = {name: text.decode() for name, text in files_of(tree / "site").items()}
    return {**pages, **commits}


def links_of(page: str) -> dict[str, str]:
    """Return the addresses of the places on a page, by their words."""
    found = re.findall(r'<a href="([^"]*)"><code[^>]*>([^<]*)</code></a>', page)
    return {words: address for address, words in found}


def test_the_line_of_a_value_is_on_the_page_of_its_file(site: dict[str, str]) -> None:
    assert links_of(site["keys/workers.html"])["pillar/app.sls:3"] == "../sls/base/app.html#L3"


def test_a_line_before_the_change_is_that_of_the_base(site: dict[str, str]) -> None:
    for page in ("changes/index.html", "minions/web1.html"):
        links = links_of(site[page])
        assert links["pillar/app.sls:3"] == "../sls/base/app.html#L3", page
        before = f"{FORGE}/src/commit/{site['main']}/pillar/app.sls#L1"
        assert links["pillar/app.sls:1"] == before, page


def test_a_page_of_a_file_leads_to_the_commit_of_the_report(site: dict[str, str]) -> None:
    there = f"{FORGE}/src/commit/{site['topic']}/pillar/app.sls"
    page = site["sls/base/app.html"]
    assert links_of(page)["pillar/app.sls"] == there
    assert f'<td><a href="{there}#L3">3</a>' in page


def test_a_file_with_uncommitted_changes_leads_nowhere(site: dict[str, str]) -> None:
    assert FORGE not in site["sls/base/dirty.html"].partition("</header>")[2]


def test_a_file_without_a_page_leads_to_the_repository(site: dict[str, str]) -> None:
    links = links_of(site["keys/own.html"])
    assert links["minions.yml:1"] == f"{FORGE}/src/commit/{site['topic']}/minions.yml#L1"


def test_targets_lead_to_what_they_give(site: dict[str, str]) -> None:
    page = site["targets.html"]
    assert links_of(page)["app"] == "sls/base/app.html"
    assert "<code>no*</code>" in page
    assert '<a href="sls/base/top.html#L2">2</a>' in page
