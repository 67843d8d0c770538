"""The memo law: with and without the memo every minion gets the same, byte for byte."""

import hashlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from tests.properties.trees import DrawnFleet, fleets
from tests.support.fleets import (
    CASES,
    EXAMPLE,
    ROOT,
    Fleet,
    describe,
    open_fleet,
    write_drawn,
    write_fleet,
)
from tests.support.tiers import is_thorough

from pillarbook.compile.renderers.render_errors import LimitExceeded

HASH_SEEDS = ("0", "4711")
FOLDERS = {
    path.parent.relative_to(CASES).as_posix(): path.parent
    for path in sorted(CASES.rglob("expected.json"))
}
DIGESTS = "from tests.properties.test_memo import print_digests; print_digests()"

pytestmark = pytest.mark.filterwarnings("ignore:invalid escape sequence:DeprecationWarning")


def check_law(folder: Path, order: Sequence[str] | None = None) -> None:
    """Compile plainly, each minion on its own, then with the memo in an order, and compare."""
    with open_fleet(folder, memo=False) as fleet:
        expected = {minion: describe_end(fleet, minion) for minion in fleet.minions}
    with open_fleet(folder) as fleet:
        for minion in order or (*reversed(list(fleet.minions)), *fleet.minions):
            assert describe_end(fleet, minion) == expected[minion]


def describe_end(fleet: Fleet, minion: str) -> Any:
    """Return what a compile says, or the limit that ended it."""
    try:
        return describe(fleet.compile(minion))
    except LimitExceeded as error:
        return str(error), error.place


@pytest.mark.sample(15)
@pytest.mark.parametrize("folder", [*FOLDERS.values(), EXAMPLE], ids=[*FOLDERS, "example"])
def test_case_is_the_same_without_memo(folder: Path) -> None:
    check_law(folder)


@settings(max_examples=10)
@given(fleet=fleets(), data=st.data())
def test_drawn_fleet_is_the_same_without_memo(fleet: DrawnFleet, data: st.DataObject) -> None:
    strangers = data.draw(st.lists(st.sampled_from(list(fleet.minions)), max_size=3))
    order = [*strangers, *data.draw(st.permutations(list(fleet.minions)))]
    with tempfile.TemporaryDirectory() as folder:
        check_law(write_drawn(Path(folder), fleet), order)


@pytest.mark.minutes(11)
@pytest.mark.slow
@settings(max_examples=4000)
@given(fleet=fleets(), data=st.data())
def test_many_drawn_fleets_are_the_same_without_memo(
    fleet: DrawnFleet, data: st.DataObject
) -> None:
    order = data.draw(st.permutations(list(fleet.minions)))
    with tempfile.TemporaryDirectory() as folder:
        check_law(write_drawn(Path(folder), fleet), order)


@pytest.mark.slow
@pytest.mark.grows
def test_hash_seed_changes_nothing(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Sets come out in order of insertion, whatever the seed of the process."""
    drawn: list[DrawnFleet] = []

    @settings(max_examples=5, phases=[Phase.generate])
    @given(fleet=fleets())
    def draw(fleet: DrawnFleet) -> None:
        drawn.append(fleet)

    draw()
    folders = [write_drawn(tmp_path / str(number), fleet) for number, fleet in enumerate(drawn)]
    folders += [CASES / "pillar" / "jinja-context" / "printing-values"]
    folders += [EXAMPLE] if is_thorough(request.config) else []
    first, second = (digest_under(seed, folders) for seed in HASH_SEEDS)
    assert len(first) == len(folders)
    assert first == second


def digest_under(seed: str, folders: Sequence[Path]) -> list[str]:
    """Return the digest of each folder's compile in a process of its own."""
    result = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", DIGESTS, *map(str, folders)],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": f"generator{os.pathsep}."},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.split()


def print_digests() -> None:
    for folder in sys.argv[1:]:
        found = []
        for memo in (True, False):
            with open_fleet(Path(folder), memo=memo) as fleet:
                found.append(repr([describe(one) for one in fleet.compile_all().values()]))
        assert found[0] == found[1]
        sys.stdout.write(hashlib.sha256(found[0].encode()).hexdigest() + "\n")


WAYS_APART = {
    "equal-files-have-their-own-lines": {
        "top.sls": "base:\n  'os:Debian':\n    - match: grain\n    - s1\n  '*':\n    - s2\n",
        "s1.sls": "k: plain\n",
        "s2.sls": "k: plain\n",
    },
    "same-object-each-time": {
        "top.sls": "base:\n  '*': [s1]\n",
        "s1.sls": "a: {{ grains.roles is sameas grains.roles }}\n"
        "b: {{ grains.nest is sameas grains.get('nest') }}\n"
        "c: {{ [grains.roles, grains.roles] | flatten }}\n",
    },
    "errors-name-plain-types": {
        "top.sls": "base:\n  '*': [s1, s2, s3, s4]\n",
        "s1.sls": "a: {{ grains.nest() }}\n",
        "s2.sls": "a: {{ grains.roles + 1 }}\n",
        "s3.sls": "a: {{ grains.roles[9] }}\n",
        "s4.sls": "a: {{ grains.nest.nope }}\n",
    },
    "missing-grain-through-options": {
        "top.sls": "base:\n  '*': [s1, s2]\n",
        "s1.sls": "a: {{ opts['grains']['nope'] }}\n",
        "s2.sls": "a: {{ pillar['grains']['nope'] }}\n",
    },
    "names-of-its-own-hide-no-key": {
        "top.sls": "base:\n  '*': [s1]\n",
        "s1.sls": "a: {{ grains.answers }} {{ grains.note }} {{ grains.path }}\n",
    },
    "sorted-as-salt-sorts": {
        "top.sls": "base:\n  '*': [s1]\n",
        "s1.sls": "a: {{ grains.nest | pprint | yaml_dquote }}\n",
    },
    "includes-without-end-of-no-mapping": {
        "top.sls": "base:\n  '*': [b]\n",
        "b/init.sls": "include: [s1, '.']\nb: {{ grains.note }}\n",
        "s1.sls": "[no, mapping]\n",
    },
    "replaced-container-twice": {
        "top.sls": "base:\n  '*': [s1, s2, s1, s3, s1, s2]\ndev:\n  '*': [s1, s2]\n",
        "s1.sls": "k: {a: 1, b: {c: 1, d: {}}}\n",
        "s2.sls": "k: plain\n",
        "s3.sls": "include: [s1, s2]\nk: {a: 2}\n",
    },
}


@pytest.mark.parametrize("files", WAYS_APART.values(), ids=WAYS_APART)
def test_found_differences_stay_gone(files: dict[str, str], tmp_path: Path) -> None:
    grains = {"os": "Debian", "roles": ["web"], "nest": {"b": 1, "a": {"x": 1}}, "note": "n"}
    other = {"os": "RedHat", "roles": [], "nest": {1: 1}, "answers": 1, "note": 2, "path": "p"}
    minions = {"m1": {"grains": grains}, "m2": {"grains": other}, "m3": {}}
    master = {
        "pillar_roots": {"base": ["pillar"], "dev": ["pillar"]},
        "pillar_safe_render_error": False,
    }
    check_law(write_fleet(tmp_path, files, minions, master), ["m1", "m2", "m3", "m1"])
