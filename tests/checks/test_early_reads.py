"""``pillar-in-pillar``: a template of the pillar reads what another SLS sets."""

from pathlib import Path

import pytest
from tests.support.findings import find_all
from tests.support.fleets import write_fleet

SETS = "x: 1\nq: {r: 2}\n"
READS = {
    "with a default": ("y: {{ salt['pillar.get']('x', 'd') }}\n", ["pillar/b.sls:1"]),
    "without a default": ("k: 1\ny: {{ pillar.get('x') }}\n", ["pillar/b.sls:2"]),
    "a path": ("y: {{ salt['pillar.get']('q:r', 'd') }}\n", ["pillar/b.sls:1"]),
    "a test": ("{% if pillar.x is defined %}\ny: 1\n{% endif %}\n", ["pillar/b.sls:1"]),
    "a key that nobody sets": ("y: {{ salt['pillar.get']('other', 'd') }}\n", []),
    "a part that nobody sets": ("y: {{ salt['pillar.get']('q:other', 'd') }}\n", []),
    "its own key": ("y: {{ salt['pillar.get']('y', 'd') }}\n", []),
    "a key that it sets as well": ("x: {{ salt['pillar.get']('x', 'd') }}\n", []),
    "a key of the command line": ("y: {{ salt['pillar.get']('given', 'd') }}\n", []),
    "a grain": ("y: {{ salt['grains.get']('x', 'd') }}\n", []),
    "an error": ("y: {{ pillar['x'] }}\n", []),
}


@pytest.mark.parametrize(("text", "wanted"), READS.values(), ids=READS)
def test_reads_of_the_pillar(text: str, wanted: list[str], tmp_path: Path) -> None:
    files = {"top.sls": "base: {'*': [a, b]}\n", "a.sls": SETS, "b.sls": text}
    write_fleet(tmp_path, files, {"m": {"pillar": {"given": 1}}, "n": {"pillar": {"given": 1}}})
    found = [one for one in find_all(tmp_path) if one.code == "pillar-in-pillar"]
    assert [str(one.position) for one in found] == wanted
    assert all(one.minions == ("m", "n") for one in found)
    assert all("SLS 'b' reads" in one.message and "SLS 'a' sets" in one.message for one in found)


def test_what_only_some_minions_have_is_of_no_other(tmp_path: Path) -> None:
    files = {
        "top.sls": "base: {'*': [b], 'm': [a]}\n",
        "a.sls": SETS,
        "b.sls": READS["with a default"][0],
    }
    write_fleet(tmp_path, files, {"m": {}, "n": {}})
    found = [one for one in find_all(tmp_path) if one.code == "pillar-in-pillar"]
    assert [one.minions for one in found] == [("m",)]
