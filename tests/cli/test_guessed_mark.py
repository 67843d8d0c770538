"""What ``init`` invents is marked in the inventory, until somebody deletes the mark."""

import json
from pathlib import Path

import pytest
from tests.cli.first_trees import Tree, write

from pillarbook.cli.main import run
from pillarbook.inventory.settings import load_settings
from pillarbook.session.open_session import open_session
from pillarbook.session.run_options import RunOptions

ROSTER = {"roster": "web1: 10.0.0.1\ndb1: {host: x, minion_opts: {grains: {roles: [db]}}}\n"}
FEW_AND_MANY: dict[str, tuple[str, Tree, int]] = {
    "every minion is invented": ("'web*': [a]\n  'db1': [a]", {}, 2),
    "nobody is asked for": ("'*': [a]", {}, 1),
    "too many for comments": (f"'L@{','.join(f'm{n}' for n in range(210))}': [a]", {}, 210),
    "a roster knows the ids and the grains": ("'*': [a]", ROSTER, 0),
    "a grain for a target": ("'G@os:Rocky': [a]", ROSTER, 1),
    "a usual grain for a template": ("'web1': [b]", ROSTER, 1),
    "a dump knows all": ("'*': [b]", {"d.json": '{"w": {"os": "x", "kernel": "y"}}'}, 0),
}


@pytest.mark.parametrize(("top", "more", "count"), FEW_AND_MANY.values(), ids=FEW_AND_MANY)
def test_what_is_invented_is_marked(top: str, more: Tree, count: int, folder: Path) -> None:
    tree = {
        "pillar/top.sls": f"base:\n  {top}\n",
        "pillar/a.sls": "a: 1\n",
        "pillar/b.sls": "b: {{ grains['host'] }}\n",
    }
    write(folder, {**tree, **more})
    assert run(["init"]) == 0
    assert len(guessed(folder)) == count
    text = (folder / "minions.yml").read_text()
    assert ("Remove the line `guessed: true`" in text) is (count > 0)


def test_a_mark_that_is_deleted_is_gone(folder: Path) -> None:
    write(
        folder, {"pillar/top.sls": "base:\n  'web*': [a]\n  'db1': [a]\n", "pillar/a.sls": "a: 1\n"}
    )
    assert run(["init"]) == 0
    text = (folder / "minions.yml").read_text()
    (folder / "minions.yml").write_text(
        text.replace("web1:   # for 'web*'\n    guessed: true\n", "web1:\n")
    )
    assert guessed(folder) == ["db1"]


def test_a_report_counts_them(folder: Path) -> None:
    write(folder, {"pillar/top.sls": "base:\n  'web*': [a]\n", "pillar/a.sls": "a: 1\n"})
    assert run(["init"]) == 0
    assert run(["build"]) == 0
    assert json.loads((folder / "site/report.json").read_text())["guessed"] == 1
    assert "The minion is guessed" in (folder / "site/index.html").read_text()


def guessed(folder: Path) -> list[str]:
    """Return the minions that a session of the written files says are guessed."""
    settings = load_settings(folder / "mkdocs.yml")
    with open_session(settings, RunOptions()) as session:
        return [*session.fleet.guessed]
