"""The pages about states: of a minion, of the fleet, of one SLS, and of all keys."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.report.environment import page_environment
from tests.report.reader import Reader
from tests.support.derived import PASSWORD, opened, write_tree

from pillarbook.report.pictures import MAX_STATES, Graph, draw_requisites
from pillarbook.report.report import Report
from pillarbook.report.requisites import find_requisites

MASTER = {"file_roots": {"base": ["states"]}}
MARK = "<img src=x onerror=alert(1)>'\"&amp;"
TREE = {
    "pillar/top.sls": "base: {'*': [all], a: [db]}",
    "pillar/all.sls": "nginx: {port: 80, workers: 4}\nusers: [{n: x}, {n: y}]\nmotd: hi\n",
    "pillar/db.sls": f"db: {{password: '{PASSWORD}', name: shop}}\n",
    "states/top.sls": "base: {'*': [web], a: [db]}",
    "states/web.sls": (
        "nginx:\n  pkg.installed: []\n  service.running:\n    - watch: [{file: /conf}]\n"
        "/conf:\n  file.managed:\n    - contents: {{ pillar.nginx.port }}\n"
        "    - users: {{ pillar.users | tojson }}\n    - require: [{pkg: nginx}]\n"
        "    - mode: {{ salt['pillar.get']('nginx:mode', '0644') }}\n"
        "    - owner: {{ pillar.get('owner') }}\n"
    ),
    "states/db.sls": (
        "{{ pillar.db.password }}:\n  test.nop:\n    - password: {{ pillar.db.password }}\n"
        "    - half: {{ pillar.db.password[:6] }}\n    - name: {{ pillar.db.name }}\n"
    ),
}


def pages_of(
    folder: Path,
    options: Mapping[str, Any] = MASTER,
    minions: Mapping[str, Any] | None = None,
    /,
    **more: str,
) -> dict[str, str]:
    """Return all pages of a tree by address."""
    files = {**TREE, **more}
    folder = write_tree(folder, files, master=options, minions=minions or {"a": {}, "b": {}})
    with opened(folder) as session:
        report = Report(session.report, page_environment())
        pages = list(report.pages)
        found = {}
        for page in pages:
            found[page.uri] = report.write(page)
            pages += report.further(page)
        return found


def test_a_minions_states_say_what_they_are_given_and_from_where(tmp_path: Path) -> None:
    pages = pages_of(tmp_path)
    page = Reader(pages["minions/b~states.html"])
    row = page.row("|2 file.managed")
    assert "contents 80from nginx:port pillar/all.sls:1" in row
    assert "require pkg: nginx" in row
    assert "required by service.running nginx" in row
    assert "states/web.sls:6" in row
    assert {"b.html#k-nginx.port", "#s-1", "#s-2", "../states/base/web.html"} <= set(page.links)
    assert {link[1:] for link in page.links if link.startswith("#")} <= set(page.ids)
    rows = {link.partition("#")[2] for link in page.links if link.startswith("b.html#")}
    assert rows <= set(Reader(pages["minions/b.html"]).ids)


def test_a_minions_page_counts_its_states_and_leads_to_their_page(tmp_path: Path) -> None:
    pages = pages_of(tmp_path)
    page = Reader(pages["minions/b.html"])
    counts = "3 states in run order; 2 keys of the pillar used, 2 missing, 2 values not used."
    assert counts in " ".join(page.text.split())
    below = {link.partition("#")[2] for link in page.links if link.startswith("b~states.html#")}
    assert below == {"reads", "missing", "unread"}
    assert below <= set(Reader(pages["minions/b~states.html"]).ids)
    assert "file.managed" not in page.text


def test_a_minions_page_says_that_no_state_runs(tmp_path: Path) -> None:
    pages = pages_of(tmp_path, **{"states/web.sls": "x: {test.nop: [{require: [{pkg: y}]}]}\n"})
    assert "No state runs because of 1 error" in Reader(pages["minions/b.html"]).text
    assert "[require: (pkg: y)]" in Reader(pages["minions/b~states.html"]).text


@pytest.mark.parametrize(("count", "is_open"), [(12, True), (13, False)])
def test_a_large_picture_is_folded_and_the_states_never(
    count: int, is_open: bool, tmp_path: Path
) -> None:
    chain = "".join(
        f"s{number}:\n  test.nop:\n    - require: [{{test: s{number - 1}}}]\n"
        for number in range(1, count)
    )
    web = f"s0:\n  test.nop: []\n{chain}"
    html = pages_of(tmp_path, **{"states/web.sls": web})["minions/b~states.html"]
    (folded,) = re.findall(r"<details.*?</details>", html, re.DOTALL)
    assert folded.startswith('<details class="picture" open>') == is_open
    assert "<svg" in folded
    assert "<table" not in folded


def test_a_minions_page_says_who_reads_what(tmp_path: Path) -> None:
    html = pages_of(tmp_path)["minions/b~states.html"]
    begin = html.index('<table id="read-table"')
    reads = Reader(html[begin : html.index("</ul>", begin) + 5])
    assert "|nginx:port|web" in reads.rows[1]
    assert "|users|web" in reads.rows[2]
    assert [row for row in reads.rows if "default" in row] == [
        "|nginx:mode|web with a default",
        "|owner|web without a default",
    ]
    assert re.findall(r"nginx:workers|motd", reads.text) == ["nginx:workers", "motd"]


def test_the_page_of_a_state_sls_counts_its_reads(tmp_path: Path) -> None:
    page = Reader(pages_of(tmp_path)["states/base/web.html"])
    assert page.row("nginx:port") == "|nginx:port|2|0|0"
    assert page.row("owner") == "|owner|0|2|0"
    assert page.row("nginx:mode") == "|nginx:mode|0|0|2"
    assert page.row("pkg.installed") == "|nginx|pkg.installed|2"


def test_the_page_of_a_state_sls_says_where_no_state_runs(tmp_path: Path) -> None:
    said = "The states have errors on {}: no state runs there."
    pages = pages_of(tmp_path, **{"states/db.sls": "{{ pillar.gone }}"})
    assert said.format("a") in Reader(pages["states/base/web.html"]).text
    assert "have errors" not in Reader(pages_of(tmp_path)["states/base/web.html"]).text


def test_the_page_of_states_tells_who_gets_what(tmp_path: Path) -> None:
    page = Reader(pages_of(tmp_path)["states/index.html"])
    assert page.row("SLS|").startswith("|SLS|Environment|Minions|Who|")
    assert page.row("|web|") == "|web|base|2|both minions|3|4|2"
    assert page.row("|db|") == "|db|base|1|a|1|2|0"
    assert "|nginx:workers|2|1" in page.rows
    assert page.row("nginx:mode") == "|nginx:mode|web base|0|2|0"
    assert "base/web.html" in page.links


def test_the_page_of_keys_has_each_key_and_its_readers(tmp_path: Path) -> None:
    page = Reader(pages_of(tmp_path)["keys/index.html"])
    assert page.row("users:") == "|users:*:n|text|2|2|minions for each value: 2, 2|web on 2"
    assert page.row("db:password") == "|db:password|secret|1|1||db on 1"
    assert page.row("motd") == "|motd|text|2|1||"


def test_readers_of_several_environments_are_told_apart(tmp_path: Path) -> None:
    states = {
        "states/top.sls": "base: {'*': [web]}\nprod: {a: [web]}\n",
        "prod/web.sls": "x:\n  test.nop:\n    - motd: {{ pillar.motd }}\n",
    }
    master = {"file_roots": {"base": ["states"], "prod": ["prod", "states"]}}
    pages = pages_of(tmp_path, master, **states)
    page = Reader(pages["keys/index.html"])
    assert page.row("motd") == "|motd|text|2|1||web (prod) on 1"
    assert page.row("nginx:port") == "|nginx:port|integer|2|1||web (base) on 2"


def test_the_page_of_a_state_sls_names_the_file_with_its_root(tmp_path: Path) -> None:
    assert "File states/web.sls" in " ".join(
        Reader(pages_of(tmp_path)["states/base/web.html"]).text.replace("File", "File ").split()
    )


def test_no_page_holds_a_secret(tmp_path: Path) -> None:
    for uri, html in pages_of(tmp_path).items():
        assert PASSWORD not in html, uri
        assert PASSWORD[:6] not in html, uri


def test_errors_that_quote_a_secret_do_not(tmp_path: Path) -> None:
    app = "x:\n  test.nop:\n    - require: [{pkg: '{{ pillar.db.password }}'}]\n"
    html = pages_of(tmp_path, **{"states/db.sls": app})["minions/a~states.html"]
    assert "No state runs because of" in html
    assert PASSWORD not in html


@pytest.mark.parametrize("recorded", [True, False], ids=["recorded", "plainly"])
def test_markup_is_escaped_everywhere(recorded: bool, tmp_path: Path) -> None:
    name = MARK.replace("'", "''")
    writes = "" if recorded else "{% do grains.update({'z': 1}) %}\n"
    app = (
        f"{writes}'{name}':\n  test.nop:\n    - '{name}': '{name}'\n    - name: 'n {name}'\n"
        f"    - v: {{{{ pillar['{MARK[:28]}'] | tojson }}}}\n"
        f"    - w: {{{{ pillar.get('{MARK[:28]}no') | tojson }}}}\n"
        f"other:\n  test.nop:\n    - require: [{{test: '{name}'}}]\n"
    )
    pillar = f"'{MARK[:28]}': '{name}'\nrest: 1\n"
    for uri, html in pages_of(
        tmp_path, **{"states/web.sls": app, "pillar/all.sls": pillar}
    ).items():
        assert "<img" not in html, uri


def test_a_minion_that_is_compiled_plainly_says_that_nothing_is_recorded(tmp_path: Path) -> None:
    app = "{% do grains.update({'z': 1}) %}\nx: {test.nop: [{v: {{ pillar.nginx.port }}}]}\n"
    pages = pages_of(tmp_path, **{"states/web.sls": app})
    page = Reader(pages["minions/b~states.html"])
    assert "Not known" in page.text
    assert "Keys not used" not in page.text
    assert "Not known for both minions" in Reader(pages["keys/index.html"]).text


def test_a_fleet_without_states_has_no_such_pages(tmp_path: Path) -> None:
    pages = pages_of(
        tmp_path, **{"states/top.sls": "", "master": "pillar_roots: {base: [pillar]}\n"}
    )
    assert not [uri for uri in pages if uri.startswith("states/")]
    assert "States" not in pages["minions/a.html"]
    assert not [uri for uri in pages if uri.endswith("~states.html")]


def test_a_long_name_is_among_the_arguments(tmp_path: Path) -> None:
    below_id = "<small>name</small>"  # the state of db.sls has a short one, too
    for name, count in (("word " * 30 + "end", 1), ("short", 2)):
        state = f"key:\n  ssh_auth.present:\n    - name: {name}\n    - user: root\n"
        html = pages_of(tmp_path, **{"states/web.sls": state})["minions/a~states.html"]
        assert html.count(below_id) == count
        assert f"name {name}" in Reader(html).text


def test_requisites_are_found_by_id_name_sls_and_glob() -> None:
    chunks: list[dict[str, object]] = [
        {"state": "pkg", "__id__": "a", "name": "b", "__sls__": "x"},
        {"state": "file", "__id__": "c", "name": "c", "__sls__": "x"},
        {
            "state": "test",
            "__id__": "t",
            "name": "t",
            "__sls__": "y",
            "require": [
                {"pkg": "a"},
                {"pkg": "b"},
                {"sls": "x"},
                {"file": "?"},
                "c",
                {"pkg": "no"},
            ],
        },
    ]
    assert [one.meant for one in find_requisites(chunks)] == [(0,), (0,), (0, 1), (1,), (1,), ()]


def test_a_picture_is_drawn_up_to_some_dozens_of_states() -> None:
    for count in (3, MAX_STATES, MAX_STATES + 1):
        chunks = [
            {"state": "s", "__id__": str(one), "require": [{"s": str(one - 1)}] if one else []}
            for one in range(count)
        ]
        drawn = draw_requisites(
            [("s.f", str(one)) for one in range(count)], find_requisites(chunks)
        )
        assert (drawn is None) == (count > MAX_STATES)
        assert drawn is None or len(drawn.boxes) == count
    assert draw_requisites([("s.f", "a")], ()) == Graph()
