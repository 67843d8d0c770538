"""What the page of changes says of states, in sites that are built from real repositories."""

import json
from html import unescape
from pathlib import Path

import pytest
from tests.publish.test_changes import CONFIGURATION, MINIONS, SECRET, begin_topic
from tests.support.fleets import write_files
from tests.support.leaky import inventory
from tests.support.repositories import commit_all, git

from pillarbook.cli.main import run

TREE = {
    "mkdocs.yml": CONFIGURATION,
    "master": "pillar_roots: {base: [pillar]}\nfile_roots: {base: [states]}\n",
    "pages/index.md": "# Front\n",
    "pillar/top.sls": "base: {'*': [web]}\n",
    "pillar/web.sls": f"workers: 4\npassword: {SECRET}\n",
    "minions.yml": inventory(MINIONS),
    "states/top.sls": "base: {'*': [nginx], 'db*': [db]}\n",
    "states/nginx.sls": "'<b>nginx':\n  file.managed:\n    - context: {{ pillar.workers }}\n",
    "states/db.sls": "db:\n  test.nop:\n    - key: {{ pillar.password }}\n",
}


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return begin_topic(tmp_path / "tree", TREE, monkeypatch)


def test_states_stand_under_the_change_and_by_themselves(tree: Path) -> None:
    password = "aQ8zWx4eDc7rFv"
    write_files(
        tree,
        {
            "pillar/web.sls": f"workers: 8\npassword: {password}\n",
            "states/db.sls": "db:\n  test.nop:\n    - key: {{ pillar.password }}\n    - x: 1\n",
        },
    )
    assert run(["build"]) == 0
    page = (tree / "site/changes/index.html").read_text()
    assert "changes 1 state (<code>&lt;b&gt;nginx</code>)" in page
    assert "2 states changed on 42 minions." in page
    assert (
        "<code>file.managed &lt;b&gt;nginx</code>: <code>context</code> "
        "<code>4</code> → <code>8</code>"
    ) in page
    assert "<code>x</code> added: <code>1</code>" in page
    told = json.loads((tree / "site/changes/index.json").read_text())
    changed = {one["state_id"]: one for one in told["states"]}
    assert changed["db"]["minions"] == ["db1", "db2"]
    assert changed["db"]["files"] == ["states/db.sls"]
    for file in (tree / "site").rglob("*.*"):
        content = file.read_bytes()
        assert SECRET.encode() not in content
        assert password.encode() not in content


def test_findings_of_states_that_fail_on_both_sides_are_there_once(tree: Path) -> None:
    write_files(tree, {"pillar/web.sls": f"password: {SECRET}\n"})
    commit_all(tree)
    git(tree, "branch", "--force", "main")
    write_files(tree, {"pillar/web.sls": f"password: {SECRET}\nx: 1\n"})
    assert run(["build"]) == 0
    told = json.loads((tree / "site/changes/index.json").read_text())["diagnostics"]
    found = [(one["side"], one["message"]) for one in told if "nginx" in one["file"]]
    assert sorted(side for side, _ in found) == ["base", "head"]


@pytest.mark.slow
def test_states_alone(tree: Path) -> None:
    write_files(tree, {"states/db.sls": "db:\n  test.nop:\n    - require: [{test: nowhere}]\n"})
    assert run(["build"]) == 0
    page = (tree / "site/changes/index.html").read_text()
    assert "Other changes of states" in page
    fault = (
        "states/db.sls:3</code> requisite not found: [require: (test: nowhere)] of the state 'db'"
    )
    assert f"newly failing</span><br><code>{fault}" in unescape(page)


@pytest.mark.slow
def test_a_minion_whose_id_is_a_secret_of_the_base_alone(tree: Path) -> None:
    write_files(
        tree,
        {
            "minions.yml": inventory({**MINIONS, SECRET: {}}),
            "pillar/web.sls": "workers: 4\npassword: aQ8zWx4eDc7rFv\n",
        },
    )
    assert run(["build"]) == 0
    told = json.loads((tree / "site/changes/index.json").read_text())
    new = [name for name, one in told["minions"].items() if one["outcome"] == "new"]
    assert len(new) == 1
    assert SECRET not in new
    assert (tree / f"site/minions/{new[0]}.html").is_file()
