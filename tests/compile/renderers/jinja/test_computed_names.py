"""An error about a missing name that a template computed shows the expression, and no secret."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.fleets import Fleet, open_fleet, write_fleet

from pillarbook.diagnostics import Diagnostic
from pillarbook.redact.redaction_rules import Rules

PEERS = "{% set peers = {'a': {'b': 1}} %}{% set n = [1] %}"
LEAD = "SLS 's' does not render: Jinja variable "
SUCH = "'dict object' has no such attribute"
READS = {
    "the id": ("{{ peers[grains['id']].type }}", f"{SUCH}: peers[grains['id']]"),
    "the id in a variable": ("{% set i = grains.id %}{{ peers[i].type }}", f"{SUCH}: peers[i]"),
    "a grain": (
        "{{ peers[grains.role].x }}",
        "'dict object' has no attribute 'web': peers[grains.role]",
    ),
    "a grain of a function": (
        "{{ peers[salt['grains.get']('role')].x }}",
        "'dict object' has no attribute 'web': peers[salt['grains.get']('role')]",
    ),
    "a secret grain": ("{{ peers[grains.password].x }}", f"{SUCH}: peers[grains.password]"),
    "a grain that looks secret": ("{{ peers[grains.odd].x }}", f"{SUCH}: peers[grains.odd]"),
    "no grain": (
        "{% set grains = {'role': 'teapot'} %}{{ peers[grains.role].x }}",
        f"{SUCH}: peers[grains.role]",
    ),
    "a literal": (
        "{% set k = 'gone' %}{{ peers[k].x }}",
        "'dict object' has no attribute 'gone': peers[k]",
    ),
    "a secret literal": ("{% set k = 'Vq7sKw2p' %}{{ peers[k].x }}", f"{SUCH}: peers[k]"),
    "of two literals": (
        "{% set k = 'gone' %}{% set k = 'tea' ~ 'pot' %}{{ peers[k].x }}",
        f"{SUCH}: peers[k]",
    ),
    "a loop": ("{% for k in ['gone'] %}{{ peers[k].x }}{% endfor %}", f"{SUCH}: peers[k]"),
    "a filter": ("{{ peers['Vq7sKw2p' | lower].x }}", f"{SUCH}: peers[... | lower]"),
    "a call": (
        "{{ peers[salt['pillar.get']('x', 'Vq7sKw2p')].x }}",
        f"{SUCH}: peers[salt['pillar.get'](...)]",
    ),
    "a place": ("{{ n[grains.number] + 1 }}", "list has no such element: n[grains.number]"),
    "two on a line": ("{{ peers['a'][n[0] ~ 'x'] }}{{ peers[n[0]] }}", SUCH),
}
GRAINS = {"role": "web", "password": "teapot", "odd": "Vq7sKw2p", "number": 12345}
ADD_ID = "add the minion's id to `peers`, or read it with a default: `peers.get(grains.id, ...)`"
ADD_KEY = "add this key to `peers`, or read it with a default: `peers.get(grains.role, ...)`"


@pytest.mark.parametrize(("text", "words"), READS.values(), ids=READS)
def test_the_expression_is_shown(text: str, words: str, tmp_path: Path) -> None:
    found = find(tmp_path, PEERS + text, GRAINS)
    assert found.message == LEAD + words


def test_a_remedy_names_the_mapping(tmp_path: Path) -> None:
    assert find(tmp_path, PEERS + "{{ peers[grains.id].x }}", GRAINS).help == ADD_ID
    assert find(tmp_path, PEERS + "{{ peers[grains.role].x }}", GRAINS).help == ADD_KEY
    assert find(tmp_path, PEERS + "{{ n[grains.number] + 1 }}", GRAINS).help is None


def test_the_name_is_shown_if_everything_is_revealed(tmp_path: Path) -> None:
    found = find(tmp_path, PEERS + "{{ peers[grains['id']].x }}", GRAINS, reveals=True)
    assert found.message == f"{LEAD}'dict object' has no attribute 'm': peers[grains['id']]"
    found = find(tmp_path, PEERS + "{{ peers['Vq' ~ '7s'].x }}", GRAINS, reveals=True)
    assert found.message == f"{LEAD}'dict object' has no attribute 'Vq7s': peers[...]"


def find(
    folder: Path, text: str, grains: Mapping[str, object], *, reveals: bool = False
) -> Diagnostic:
    """Return the diagnostic about the one SLS of a minion."""
    files = {"top.sls": "base: {'*': [s]}\n", "s.sls": f"a: {text}\n"}
    with open_fleet(write_fleet(folder, files, {"m": {"grains": dict(grains)}})) as fleet:
        opened = Fleet(fleet.minions, replace(fleet.project, reveals=reveals, rules=Rules()))
        (found,) = opened.compile("m").diagnostics
    return found
