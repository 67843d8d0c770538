"""Each argument of a chunk knows its lines, and each state SLS what it read of the pillar."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.fleets import Fleet, open_fleet, write_files, write_fleet

from pillarbook.model import Leaf, ListNode, MapNode, Node
from pillarbook.taint.pillar_questions import pillar_path_of

STATES = {
    "states/top.sls": "base: {'*': [site]}",
    "states/site.sls": (
        "include: [web]\n"
        "extend:\n"
        "  nginx:\n"
        "    service:\n"
        "      - enable: false\n"
        "      - require:\n"
        "        - pkg: curl\n"
        "curl:\n"
        "  pkg.installed:\n"
        "    - require_in:\n"
        "      - file: conf\n"
        "    - order: 3\n"
    ),
    "states/web.sls": (
        "nginx:\n"
        "  service.running:\n"
        "    - enable: true\n"
        "    - require: []\n"
        "conf:\n"
        "  file.managed:\n"
        "    - names:\n"
        "      - /a:\n"
        "        - mode: '0600'\n"
        "      - /b\n"
        "    - mode: '0644'\n"
        "    - contents: {{ pillar.app.name }}\n"
        "    - user: {{ salt['pillar.get']('app:user', 'root') }}\n"
    ),
}
PILLAR = {"top.sls": "base: {'*': [app]}", "app.sls": "app: {name: shop, port: 80}"}


@pytest.fixture
def fleet(tmp_path: Path) -> Iterator[Fleet]:
    master = {"file_roots": {"base": ["states"]}}
    minions = {"a": {}, "b": {}, "c": {"pillar": {"app": {"name": "other"}}}}
    write_files(write_fleet(tmp_path, PILLAR, minions, master), STATES)
    with open_fleet(tmp_path) as opened:
        yield opened


def places(node: Node) -> list[str]:
    """Return where a value was given, oldest first."""
    return [f"{one.file.removeprefix('states/')}:{one.line}" for one in node.origins]


def find(fleet: Fleet, name: str) -> MapNode:
    chunks = fleet.compile_states("a").chunks
    return next(one for one in chunks if _value(one.items["name"]) == name)


def _value(node: Node) -> object:
    assert isinstance(node, Leaf)
    return node.value


def test_arguments_know_their_lines(fleet: Fleet) -> None:
    chunk = find(fleet, "/b")
    assert {key: places(item) for key, item in chunk.items.items() if not key.startswith("__")} == {
        "state": ["web.sls:6"],
        "name": ["web.sls:10"],
        "mode": ["web.sls:11"],
        "contents": ["web.sls:12"],
        "user": ["web.sls:13"],
        "order": ["web.sls:6"],
        "fun": ["web.sls:6"],
        "require": ["site.sls:11"],
    }


def test_names_override_arguments(fleet: Fleet) -> None:
    assert places(find(fleet, "/a").items["mode"]) == ["web.sls:11", "web.sls:9"]


def test_extended_arguments_know_what_they_override(fleet: Fleet) -> None:
    chunk = find(fleet, "nginx")
    assert places(chunk.items["enable"]) == ["web.sls:3", "site.sls:5"]
    require = chunk.items["require"]
    assert isinstance(require, ListNode)
    assert [places(one) for one in require.items] == [["site.sls:7"]]


def test_each_sls_says_what_it_read(fleet: Fleet) -> None:
    states = fleet.compile_states("a")
    read = {
        sls: {path for path in map(pillar_path_of, result.questions) if path}
        for (_, sls), result in states.sls.items()
    }
    assert read == {
        "site": set(),
        "web": {("app",), ("app", "name"), ("app", "user")},
    }


def test_alike_minions_share_their_lowstate(fleet: Fleet) -> None:
    one, other, third = (fleet.compile_states(minion) for minion in fleet.minions)
    assert one.tree is other.tree
    assert one.tree is not third.tree
    assert one.sls["base", "site"] is third.sls["base", "site"]


def test_nothing_of_one_minion_is_left_to_another(fleet: Fleet) -> None:
    """Requisites that are added to one minion's lists are not in those of the next."""
    for minion in ("c", "a", "b", "c"):
        chunks = fleet.compile_states(minion).chunks
        assert [len(one.items) for one in chunks] == [8, 10, 12, 12]
