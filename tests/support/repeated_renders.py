"""Compiles a file for some minions with and without the memo, and counts its renders."""

import datetime as dt
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.support.fleets import Fleet, describe, open_fleet, write_fleet

from pillarbook.inventory.declared_clock import Clock

CLOCK = Clock(dt.datetime(2026, 1, 31), "clock")  # noqa: DTZ001 (in UTC)
FILES = {
    "again.jinja": "{% if grains.name == 'web1' %}\nc: 1\n{% endif %}\n{% set inner = 1 %}"
    "{% set grains = {'name': 'web1'} %}{% include 'own.sls' %}",
    "extends.jinja": "{% if grains.name == 'web1' %}\nc: 1\n{% endif %}\n"
    "{% set grains = {'name': 'web1'} %}{% set inner = 1 %}{% extends 'own.sls' %}",
    "top.sls": "base:\n  '*': [own]\n",
    "data.yaml": "b: 1\n",
    "part.txt": "c: {{ grains.name }}",
    "names.jinja": "{% set own = {'name': 'web1'} %}\n{% set seen = x | default('') %}\n",
    "sees.txt": "b: {{ x }}x\n",
    "second.sls": "d: {{ grains.name.split('e')[0] }}\n",
}


def compile_each(fleet: Fleet, grains: Mapping[str, Any]) -> dict[str, Any]:
    timed = Fleet(fleet.minions, replace(fleet.project, clock=CLOCK))
    return {name: describe(one) for name, one in timed.of_minions(grains).compile_all().items()}


@contextmanager
def counted(
    folder: Path, own: str, grains: Mapping[str, Any], rule: str | None = None
) -> Iterator[Counter[str]]:
    """Compile some minions with and without the memo, and count the renders of the former.

    With ``rule``, each minion has a finding of this rule.
    """
    count: Counter[str] = Counter()

    @contextmanager
    def watch(shown: str) -> Iterator[None]:
        count[shown.removeprefix("pillar/")] += 1
        yield

    write_fleet(folder, {**FILES, "own.sls": own}, {"m": {}})
    with open_fleet(folder, memo=False) as fleet:
        expected = compile_each(fleet, grains)
    with open_fleet(folder, watch=watch) as fleet:
        found = compile_each(fleet, grains)
    assert found == expected
    if rule is not None:
        codes = [[one.code for one in described["diagnostics"]] for described in found.values()]
        assert codes == [[rule]] * len(found)
    yield count
