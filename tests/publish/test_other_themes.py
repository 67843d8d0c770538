"""The report in themes of others, and in one that overrides parts of its own."""

import json
import re
from pathlib import Path

import pytest
from tests.publish.built import CONFIGURATION, run, site_of
from tests.report.sample import make_session

from pillarbook.publish.links import check_links
from pillarbook.publish.other_themes import SCRIPTS, STYLES

OTHERS = ("mkdocs", "readthedocs")


def use(tree: Path, theme: str) -> None:
    (tree / "mkdocs.yml").write_text(CONFIGURATION.replace("name: pillarbook", theme))


@pytest.mark.sample(1)
@pytest.mark.parametrize("theme", OTHERS)
def test_the_pages_stand_in_another_theme(theme: str, tree: Path) -> None:
    use(tree, f"name: {theme}")
    assert run(tree) == 0
    site = site_of(tree)
    page = site["minions/web1.example.com.html"].decode()
    assert "id=k-nginx.workers" in page
    assert 'class="pillarbook' in page
    loaded = [
        name for name in re.findall(r'(?:href|src)="([^"]*)"', page) if "assets/pillarbook" in name
    ]
    assert loaded == [
        f"../assets/pillarbook/{name.rpartition('/')[2]}" for name in (*STYLES, *SCRIPTS)
    ]
    assert site["assets/pillarbook/rows.js"]
    assert not any("theme." in name for name in site if name.startswith("assets/pillarbook"))
    assert site["minions/web1.example.com.json"]
    assert check_links(tree / "site") == ()


@pytest.mark.sample(1)
@pytest.mark.parametrize("theme", OTHERS)
def test_the_search_of_another_theme_finds_minions_keys_and_files(
    theme: str, tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    use(tree, f"name: {theme}")
    with (tree / "mkdocs.yml").open("a") as file:
        file.write("  - search\n")
    assert run(tree) == 0
    found = {
        one["location"]: set(one["text"].split())
        for one in json.loads(site_of(tree)["search/search_index.json"])["docs"]
    }
    assert {"web1.example.com", "web1"} <= found["minions/web1.example.com.html"]
    assert {"nginx:workers", "workers"} <= found["keys/nginx.html"]
    assert all(len(" ".join(words)) < 500 for words in found.values())
    assert "By" in found["index.html"]
    assert capsys.readouterr().out == ""


@pytest.mark.sample(1)
@pytest.mark.parametrize("theme", OTHERS)
def test_what_the_user_adds_to_another_theme_stays(theme: str, tree: Path) -> None:
    (tree / "pages/mine.css").touch()
    (tree / "pages/mine.js").touch()
    use(tree, f"name: {theme}")
    with (tree / "mkdocs.yml").open("a") as file:
        file.write("extra_css: [mine.css]\nextra_javascript: [{path: mine.js, defer: true}]\n")
    assert run(tree) == 0
    page = site_of(tree)["index.html"].decode()
    assert page.index("mine.css") < page.index("assets/pillarbook/")
    assert 'src="mine.js" defer' in page


def test_the_own_theme_loads_the_same_files(tree: Path) -> None:
    assert run(tree) == 0
    page = site_of(tree)["index.html"].decode()
    of_the_frame = {"js/theme.js", "css/theme.css", "js/search.js"}
    loaded = re.findall(r'<(?:script src|link rel="stylesheet" href)="([^"]*)"', page)
    # Its header stays in place, and no table has to know how high it is.
    expected = [name for name in (*STYLES, *SCRIPTS) if name != "js/top.js"]
    assert [name for name in loaded if name not in of_the_frame] == expected
    assert not any(name.startswith("assets/pillarbook") for name in site_of(tree))


def test_the_search_index_is_that_of_the_own_theme(tree: Path) -> None:
    assert run(tree) == 0
    names = set(site_of(tree))
    assert {"assets/search/index.js", "assets/search/0.js", "js/search.js"} <= names
    use(tree, "name: mkdocs")
    assert run(tree) == 0
    assert not any("search/index.js" in name or "search.js" in name for name in site_of(tree))


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("block", "place"),
    [
        ("extrahead", "</head>"),
        ("site_nav", "<main"),
        ("content", "</main>"),
        ("footer", "</body>"),
        ("scripts", "</body>"),
    ],
)
def test_a_custom_folder_overrides_a_block(block: str, place: str, tree: Path) -> None:
    (tree / "mine").mkdir()
    template = f'{{% extends "base.html" %}}{{% block {block} %}}<!-- mine -->{{% endblock %}}'
    (tree / "mine/main.html").write_text(template)
    use(tree, "name: pillarbook, custom_dir: mine")
    assert run(tree, trusted=True) == 0
    for name, data in site_of(tree).items():
        if name.endswith(".html") and name != "404.html":
            page = data.decode()
            assert page.index("<!-- mine -->") < page.index(place)
    assert check_links(tree / "site") == ()


def test_a_custom_folder_needs_trust(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tree / "mine").mkdir()
    use(tree, "name: pillarbook, custom_dir: mine")
    assert run(tree) == 1
    assert "--trust" in capsys.readouterr().err


def test_a_custom_folder_replaces_a_file(tree: Path) -> None:
    (tree / "mine/css").mkdir(parents=True)
    (tree / "mine/css/fragments.css").write_text("/* mine */")
    use(tree, "name: pillarbook, custom_dir: mine")
    assert run(tree, make_session(), trusted=True) == 0
    assert site_of(tree)["css/fragments.css"] == b"/* mine */"
