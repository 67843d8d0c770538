"""The law of sides: what is shared, and what is left out, changes nothing."""

import random
import shutil
import tempfile
from pathlib import Path

import pytest
from benchmarks.wild import PROFILES, write_wild
from benchmarks.wild_pieces import FOLDERS, piece_names
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.properties.trees import DrawnFleet, fleets
from tests.support.fleets import CASES, write_drawn
from tests.support.sides import check_sides, empty, start
from tests.support.tiers import fewer

PIECES = [piece for folder in FOLDERS for piece in piece_names(folder)]
AREAS = ("external", "functions", "git", "hierarchy", "stack")
MORE_AREAS = ("jinja", "pillar")
CASE_FOLDERS = [
    pytest.param(
        path.parent,
        id=path.parent.relative_to(CASES).as_posix(),
        marks=[pytest.mark.slow] if area in MORE_AREAS else [],
    )
    for area in (*AREAS, *MORE_AREAS)
    for path in sorted((CASES / area).rglob("expected.json"))
]
KEPT = ("expected.json", "about.txt")

pytestmark = pytest.mark.filterwarnings("ignore:invalid escape sequence:DeprecationWarning")


@st.composite
def changed(draw: st.DrawFn, fleet: DrawnFleet) -> DrawnFleet:
    """Draw what becomes of a fleet: files of another one, files that are gone or were edited."""
    other = draw(fleets())
    files: dict[str, str] = {}
    for path in dict.fromkeys([*fleet.files, *other.files]):
        old, new = fleet.files.get(path), other.files.get(path)
        kind = draw(st.sampled_from(["same", "same", "same", "other", "gone", "line", "end"]))
        text = {"same": old, "other": new, "gone": None}.get(kind, old)
        if kind == "line" and text is not None:
            text = f"# a line\n{text}" if not text.startswith("#!") else text
        if kind == "end" and text is not None:
            text += "\nadded: value\n"
        if text is not None:
            files[path] = text
    minions = dict(fleet.minions)
    for name in list(minions):
        if draw(st.integers(0, 9)) == 9:
            minions[name] = next(iter(other.minions.values()))
    if draw(st.integers(0, 4)) == 4:
        minions = {**other.minions, **minions}
    master = other.master if draw(st.integers(0, 6)) == 6 else fleet.master
    return DrawnFleet(master, minions, files)


def check_drawn(fleet: DrawnFleet, after: DrawnFleet, *, committed: bool) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        start(folder)
        write_drawn(folder, fleet)

        def change() -> None:
            empty(folder)
            write_drawn(folder, after)

        check_sides(folder, change, committed=committed)


@settings(max_examples=4)
@given(fleet=fleets(), data=st.data(), committed=st.booleans())
def test_both_sides_are_what_whole_compiles_give(
    fleet: DrawnFleet, data: st.DataObject, committed: bool
) -> None:
    check_drawn(fleet, data.draw(changed(fleet)), committed=committed)


@pytest.mark.minutes(7)
@pytest.mark.slow
@settings(max_examples=1500)
@given(fleet=fleets(), data=st.data(), committed=st.booleans())
def test_many_sides_are_what_whole_compiles_give(
    fleet: DrawnFleet, data: st.DataObject, committed: bool
) -> None:
    check_drawn(fleet, data.draw(changed(fleet)), committed=committed)


@fewer(10)
@given(
    profile=st.sampled_from(list(PROFILES)),
    seeds=st.tuples(st.integers(0, 10_000), st.integers(0, 3)),
    pieces=st.lists(st.sampled_from(PIECES), min_size=1, max_size=4),
    committed=st.booleans(),
)
def test_trees_as_people_write_them(
    profile: str, seeds: tuple[int, int], pieces: list[str], committed: bool
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        start(folder)
        write_wild(folder, profile=profile, seed=seeds[0], size=4, pieces=pieces)

        def change() -> None:
            edit(folder, seeds[1], times=3)

        check_sides(folder, change, committed=committed)


def edit(folder: Path, seed: int, times: int = 1) -> None:
    """Change some files of a tree: new first lines, other contents, renames, removals."""
    drawn = random.Random(seed)  # noqa: S311 (repeatable is what it has to be)
    for _ in range(times):
        files = sorted(
            path
            for path in folder.rglob("*")
            if path.is_file()
            and not path.is_symlink()
            and ".git" not in path.relative_to(folder).parts
            and path.name not in {"master", "minions.yml", "mkdocs.yml"}
        )
        if not files:
            return
        file, other = drawn.choice(files), drawn.choice(files)
        kind = drawn.choice(["line", "end", "swap", "gone", "renamed", "copied"])
        content = file.read_bytes()
        if kind == "line":
            file.write_bytes(b"\n" + content)
        elif kind == "end":
            file.write_bytes(content + b"\nadded: value\n")
        elif kind == "swap":
            file.write_bytes(other.read_bytes())
            other.write_bytes(content)
        elif kind == "gone":
            file.unlink()
        elif kind == "renamed":
            file.rename(file.with_name("x" + file.name))
        else:
            file.with_name("x" + file.name).write_bytes(content)


@pytest.mark.sample(4)
@pytest.mark.parametrize("case", CASE_FOLDERS)
def test_cases_that_salt_answered(case: Path, tmp_path: Path) -> None:
    """Each case folder with some of its files changed: external pillars, functions and all."""
    folder = tmp_path.resolve() / "r"
    shutil.copytree(case, folder, symlinks=True, ignore=shutil.ignore_patterns(*KEPT))
    start(folder)
    seed = sum(case.name.encode())

    def change() -> None:
        edit(folder, seed, times=1 + seed % 3)

    check_sides(folder, change, committed=bool(seed % 2))
