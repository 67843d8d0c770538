"""What ``init`` makes up is taken from the tree: ids of files, operating systems, grains, paths."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.cli.first_trees import Tree, write

from pillarbook.cli.main import run
from pillarbook.inventory.minions import load_inventory

OWN = (
    "{% set own = salt['slsutil.renderer']('/srv/pillar/id/' ~ grains.id.replace('.', '_') ~ '.sls') %}"
    "\n{{ saltenv }}:\n  '*': [common]\n  '{{ grains.id }}':\n    - id.{{ grains.id.replace('.', '_') }}\n"
    "{% for role in own.get('roles', []) %}\n    - role.{{ role }}\n{% endfor %}\n"
)
BY_FILE: Tree = {
    "pillar/top.sls": OWN,
    "pillar/common.sls": "a: 1\n",
    "pillar/id/web1_example_org.sls": "roles: [web]\n",
    "pillar/id/db1_example_org.sls": "roles: []\n",
    "pillar/role/web.sls": "web: 1\n",
    "pillar/README.md": "no SLS\n",
}


def fleet(folder: Path) -> Mapping[str, Mapping[str, Any]]:
    return {one.id: one.grains for one in load_inventory([folder / "minions.yml"], shown=str)}


def test_files_of_minions_give_their_ids_and_the_path_of_the_pillar(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder, BY_FILE)
    assert run(["init"]) == 0
    assert [*fleet(folder)] == ["db1.example.org", "web1.example.org"]
    section = yaml.safe_load((folder / "mkdocs.yml").read_text())["plugins"][0]["pillarbook"]
    assert section["paths"] == {"/srv/pillar": "pillar"}
    capsys.readouterr()
    assert run(["get", "web", "--format", "text"]) == 0
    assert "web1.example.org" in capsys.readouterr().out
    assert run(["check", "--fail-on", "note"]) == 0


FROM_TREE: Mapping[str, tuple[Tree, str, Mapping[str, Any]]] = {
    "the system that the tree names": (
        {"pillar/all.sls": "{% if grains['os'] == 'Ubuntu' %}\na: 1\n{% endif %}\n"},
        "minion1",
        {"os": "Ubuntu"},
    ),
    "the usual system if the tree names it, too": (
        {"pillar/all.sls": "a: {{ {'Ubuntu': 1, 'Debian': 2}[grains['os']] }}\n"},
        "minion1",
        {"os": "Debian"},
    ),
    "a value that there is a file for": (
        {
            "pillar/top.sls": "base:\n  '*':\n    - system.{{ grains['osfullname'].replace(' ', '_') }}\n",
            "pillar/system/Leap.sls": "a: 1\n",
        },
        "minion1",
        {"osfullname": "Leap"},
    ),
    "a grain whose default does no good": (
        {"pillar/all.sls": "a: {{ salt['grains.get']('ec2:ip', '-') }} {{ grains['os'] }}\n"},
        "minion1",
        {"os": "Debian", "ec2": {"ip": "example"}},
    ),
    "a domain that templates take apart": (
        {"pillar/all.sls": "a: {{ grains['id'].split('.')[1] }}\n"},
        "minion1.example.com",
        {},
    ),
    "a grain behind a call without an answer": (
        {"pillar/all.sls": "a: {{ salt['vault.read_secret']('x') }}\nb: {{ grains['rack'] }}\n"},
        "minion1",
        {"rack": "example"},
    ),
}


@pytest.mark.parametrize(("tree", "minion", "grains"), FROM_TREE.values(), ids=FROM_TREE)
def test_a_guess_is_what_the_tree_is_made_for(
    tree: Tree, minion: str, grains: Mapping[str, Any], folder: Path
) -> None:
    write(folder, {"pillar/top.sls": "base:\n  '*': [all]\n", **tree})
    assert run(["init"]) == 0
    assert fleet(folder) == {minion: {"id": minion, **grains}}


def test_a_guess_that_helps_nothing_is_dropped(folder: Path) -> None:
    broken = "a: {{ grains.get('rack', '-') }}\nb: [\n"
    write(folder, {"pillar/top.sls": "base:\n  '*': [all]\n", "pillar/all.sls": broken})
    assert run(["init"]) == 0
    assert fleet(folder) == {"minion1": {"id": "minion1"}}
