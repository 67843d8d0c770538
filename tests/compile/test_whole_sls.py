"""SLS files recalled with all their includes: how often, and that they are what each file gives."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.support.fleets import describe, open_fleet, write_fleet

MINIONS = 18
GRAINS = {
    f"m{number}": {"kind": number % 2, "third": number % 3, "name": f"web{number}"}
    for number in range(MINIONS)
}
FILES = {
    "top.sls": "base:\n  'kind:1': [{match: grain}, leaf, deep]\n  '*': [whole]\n"
    "  'third:2': [{match: grain}, leaf]\n",
    "whole.sls": "include: [deep, leaf: {key: under}]\nwhole: {{ grains.kind }}\n",
    "deep.sls": "include: [leaf]\ndeep: {% if grains.third %}1{% endif %}\n",
    "leaf.sls": "leaf: 1\n{% if grains.third == 1 %}more: [1, 2]\n{% endif %}\n",
}
OWN = {"leaf.sls": "leaf: {{ grains.name | pprint }}\n"}
PRINTED = {"leaf.sls": "leaf: {{ grains.name }}\n"}
FAILING = {"leaf.sls": "{% if grains.third %}leaf: [1{% else %}leaf: 1{% endif %}\n"}
MISSING = {"whole.sls": "include: [deep, none.*, leaf: {key: under}]\n"}
BREAKING = {"deep.sls": "{% if grains.kind %}include: [1]{% else %}include: [leaf]{% endif %}\n"}
DEFAULTS = {"whole.sls": "include: [leaf, deep: {defaults: {n: {{ grains.third }}}}]\n"}
CHANGED: Mapping[str, Mapping[str, str]] = {
    "as-it-is": {},
    "own": OWN,
    "printed": PRINTED,
    "failing": FAILING,
    "missing": MISSING,
    "breaking": BREAKING,
    "defaults": DEFAULTS,
}
STRATEGIES = ("smart", "overwrite")


def compile_all(folder: Path, **how: Any) -> tuple[dict[str, Any], int]:
    """Return what is compiled, without its order of sets, and how many SLS files were recalled."""
    with open_fleet(folder, **how) as fleet:
        compiled = fleet.of_minions(GRAINS).compile_all()
        return (
            {name: (describe(one), one.looks, one.includes) for name, one in compiled.items()},
            fleet.remembered.whole_sls.hits,
        )


@pytest.mark.sample(3)
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("files", CHANGED.values(), ids=CHANGED)
def test_recalled_files_give_what_each_file_gives(
    files: Mapping[str, str], strategy: str, tmp_path: Path
) -> None:
    master = {"pillar_source_merging_strategy": strategy}
    write_fleet(tmp_path, {**FILES, **files}, {"m": {}}, master=master)
    plain, _ = compile_all(tmp_path, memo=False)
    recalled, hits = compile_all(tmp_path)
    assert recalled == plain
    # A merge of `overwrite` may change what an earlier SLS has stored.
    assert (hits == 0) is (strategy == "overwrite" or files in (OWN, PRINTED))
    if not files:
        assert hits == (18 if strategy == "smart" else 0)


def test_what_one_minion_has_is_not_kept(tmp_path: Path) -> None:
    top = {"top.sls": "base: {'*': [leaf, whole, leaf]}\n"}
    write_fleet(tmp_path, {**FILES, **top, **OWN}, {"m": {}})
    with open_fleet(tmp_path) as fleet:
        fleet.of_minions(GRAINS).compile_all()
        assert not fleet.remembered.ripe_sls
