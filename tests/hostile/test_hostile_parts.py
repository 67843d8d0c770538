"""Parts of a report, earlier reports and devices in a hostile repository, watched by the system.

A pipe that the command itself names is read or written: a shell gives one for ``<(command)``.
"""

import os

import pytest
from tests.hostile.test_hostile_repository import place as bare
from tests.hostile.test_hostile_repository import run
from tests.hostile.tree import Place
from tests.support.fleets import write_files

__all__ = ["bare"]

SHARD = ("build", "--shard", "1/1", "--output")


@pytest.fixture
def place(bare: Place, monkeypatch: pytest.MonkeyPatch) -> Place:
    monkeypatch.setenv("PILLARBOOK_TOKEN_KEY", "a key for the tests of parts, 0123456789")
    write_files(bare.outside, {"report/report.json": (bare.outside / "precious").read_text()})
    for name, target in {"out": "precious", "old": "report", "part": "precious"}.items():
        (bare.folder / name).symlink_to(bare.outside / target)
    os.mkfifo(bare.folder / "pipe")
    return bare


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "words",
    [
        (*SHARD, "out"),
        (*SHARD, "linked/new"),
        ("merge", "part"),
        ("merge", "linked/precious"),
        ("diff", "--since-report", "old"),
        ("diff", "--since-report", "pipe"),
        ("build", "--since-report", "old"),
        ("diff", "part", "part"),
        ("diff", "pipe", "pipe"),
        ("verify", "part"),
        ("inventory", "import", "part"),
        ("inventory", "import", "minions.yml", "--output", "out"),
    ],
    ids=" ".join,
)
def test_what_a_command_is_given_leads_nowhere(place: Place, words: tuple[str, ...]) -> None:
    assert run(place, *words).code == 1


@pytest.mark.slow
def test_a_part_replaces_a_hard_link(place: Place) -> None:
    assert run(place, *SHARD, "hard.json").code == 0
    assert run(place, "merge", "hard.json").code == 0


DEVICES = {
    "a page": "docs/zero.txt",
    "a page of Markdown": "docs/zero.md",
    "an SLS": "pillar/a.sls",
    "a top file": "pillar/top.sls",
    "a state": "states/a.sls",
    "an inventory": "minions.yml",
    "a master file": "master",
    "a configuration": "mkdocs.yml",
    "acknowledgements": ".pillarbook-acks.yml",
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", DEVICES.values(), ids=DEVICES)
@pytest.mark.parametrize("words", [("build",), ("check",), ("diff", "HEAD~1")], ids=" ".join)
def test_a_link_to_a_device_ends(place: Place, words: tuple[str, ...], name: str) -> None:
    (place.folder / name).unlink(missing_ok=True)
    (place.folder / name).symlink_to("/dev/zero")
    watched = run(place, *words)
    assert watched.code in {0, 1, 2}
    assert "internal error" not in watched.said
