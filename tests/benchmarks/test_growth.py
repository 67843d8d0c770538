"""The series of the bench: their trees compile, and growth is told as it is."""

import subprocess
from pathlib import Path

import pytest
from benchmarks.measure import (
    FAILURE,
    WARNING,
    Measurement,
    compare_sizes,
    with_children,
)
from benchmarks.series import FLEETS
from benchmarks.shapes import SHAPES

from pillarbook.diagnostics import Severity
from pillarbook.inventory.settings import Settings
from pillarbook.session import open_session

EMPTY = Measurement(0.3, 0.3, 30 * 2**20, 0.0, 10)
FACTOR = 20
PAGE = Path(__file__).parents[2] / "docs" / "performance.md"
SMALL_SIZE = {"files": 30, "targets": 40, "environments": 3, "includes": 10}


def run_of(times: float) -> Measurement:
    """Return a measurement of so many times what a small tree takes."""
    memory = EMPTY.memory + int(times * 4 * 2**20)
    return Measurement(1.0, EMPTY.processor + times * 0.1, memory, 1.0, int(times * 1000))


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_compiles_without_a_fault(name: str, tmp_path: Path) -> None:
    SHAPES[name].write(tmp_path, SMALL_SIZE.get(name, 20))
    settings = Settings(
        master=tmp_path / "master", inventory=(tmp_path / "minions.yml",), folder=tmp_path
    )
    with open_session(settings) as session:
        compiled = list(session.compiler.compile_all(session.fleet.minions))
        found = session.shown.diagnostics
    assert not [one for one in found if one.severity is Severity.ERROR]
    assert {one.outcome for one in compiled} == {"ok"}


@pytest.mark.parametrize("name", SHAPES)
def test_a_larger_tree_has_more_of_what_it_is_named_after(name: str, tmp_path: Path) -> None:
    sizes = []
    for size in (20, 200):
        SHAPES[name].write(tmp_path / str(size), size)
        files = (tmp_path / str(size)).rglob("*")
        sizes.append(sum(len(file.read_text().split("\n")) for file in files if file.is_file()))
    assert sizes[1] - sizes[0] >= 180


@pytest.mark.parametrize("name", SHAPES)
def test_sizes_are_those_that_the_page_names(name: str) -> None:
    smaller, larger = SHAPES[name].sizes
    assert f"| {smaller:,} | {larger:,} |" in PAGE.read_text()


@pytest.mark.parametrize(
    ("times", "told"),
    [
        (FACTOR, "time 1.00"),
        (FACTOR**1.1, f"time 1.10 (warning, at most {WARNING})"),
        (FACTOR**2, f"time 2.00 (FAILED, at most {WARNING})"),
    ],
    ids=["linear", "a little more", "quadratic"],
)
def test_growth_is_told_with_what_is_too_much(times: float, told: str) -> None:
    grown = compare_sizes((50, 50 * FACTOR), (run_of(1), run_of(times)), EMPTY)
    assert [one.what for one in grown] == ["time", "memory", "bytes"]
    assert str(grown[0]) == told
    assert [one.has_failed for one in grown] == [times > FACTOR**FAILURE] * 3


def test_what_is_as_small_as_the_start_tells_nothing() -> None:
    grown = compare_sizes((1, FACTOR), (EMPTY, EMPTY), EMPTY)
    assert [str(one) for one in grown] == [
        "time too small to tell",
        "memory too small to tell",
        "bytes 0.00",
    ]


def test_a_part_is_a_fleet_or_a_shape() -> None:
    assert not FLEETS.keys() & SHAPES.keys()


def test_a_process_that_has_ended_is_left_out() -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    assert list(with_children(ended.pid)) == [ended.pid]
