"""A pillar SLS that reads a grain which is not declared names its whole path."""

from pathlib import Path

import pytest
from tests.support.fleets import open_fleet, write_fleet

READS = {
    "items": ("{{ grains['tags']['Name'] }}", "tags:Name"),
    "attributes": ("{{ grains.tags.Name.lower() }}", "tags:Name"),
    "at the top": ("{{ grains.rack }}", "rack"),
    "a variable": ("{% set t = grains.tags %}\n{{ t.Name }}", "tags:Name"),
    "of the options": ("{{ opts.grains.tags.Name }}", "tags:Name"),
    "in a loop": (
        "{% for _, own in grains.disks.items() %}{{ own.size }}{% endfor %}",
        "disks:*:size",
    ),
    "changed grains": ("{% do grains.update(x=1) %}{{ grains['tags']['Name'] }}", "tags:Name"),
}


@pytest.mark.parametrize(("text", "path"), READS.values(), ids=READS)
def test_a_grain_that_is_missing_is_named(tmp_path: Path, text: str, path: str) -> None:
    files = {"top.sls": "base: {'*': [s]}\n", "s.sls": f"a: {text}\n"}
    grains = {"tags": {"Env": "x"}, "disks": {"sda": {}}}
    with open_fleet(write_fleet(tmp_path, files, {"m": {"grains": grains}})) as fleet:
        found = [one for one in fleet.compile("m").diagnostics if one.code == "missing-grain"]
    assert [one.message for one in found] == [
        f"SLS 's' reads the grain '{path}', which is not declared"
    ]
