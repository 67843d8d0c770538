"""Laws of a comparison over commits: its atoms say all that changes, and cite what it is due to."""

import random
import tempfile
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from benchmarks.wild import PROFILES, write_wild
from benchmarks.wild_pieces import FOLDERS, piece_names
from hypothesis import given
from hypothesis import strategies as st
from tests.properties.trees import DrawnFleet, fleets
from tests.support.apply_changes import apply_changes
from tests.support.commits import commit_something
from tests.support.fleets import write_drawn
from tests.support.repositories import commit_all
from tests.support.sides import open_both, settings_of, start
from tests.support.tiers import fewer

from pillarbook.changes.attribution.hunks import Hunk, cut
from pillarbook.changes.compare_sides import compare_sides
from pillarbook.compare.atoms import Atom
from pillarbook.compare.change_positions import ChangePositions, Left, is_restored
from pillarbook.compare.diff import Diff
from pillarbook.compare.outcomes import find_result
from pillarbook.compare.pillars import Comparer, comparable_data
from pillarbook.compare.strict import Fingerprints, canonical
from pillarbook.diagnostics import PillarbookError
from pillarbook.redact import RedactedPillar
from pillarbook.session import RunOptions, open_session

PIECES = [piece for folder in FOLDERS for piece in piece_names(folder) if folder != "secret"]
OPTIONS = RunOptions(checks=False, environments=False, reveal=True)
GONE = object()

pytestmark = pytest.mark.filterwarnings("ignore:invalid escape sequence:DeprecationWarning")


def compile_without_recording(folder: Path) -> dict[str, RedactedPillar]:
    """Return what a whole compile without the memo gives to each minion of a working tree."""
    options = RunOptions(checks=False, environments=False, reveal=True, memo=False)
    with open_session(settings_of(folder), options) as session:
        return {
            one.minion: session.shown.redact_with_faults(one)
            for one in session.compiler.compile_all(session.fleet.minions)
        }


def data_of(pillar: RedactedPillar) -> dict[Any, Any]:
    return comparable_data(pillar)


def flatten(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yield what lies below data by key path; a list counts as a whole."""
    if isinstance(data, dict) and data:
        for key, value in data.items():
            yield from flatten(value, (*path, canonical(key)))
    else:
        yield path, data


@dataclass
class Change:
    """A commit as both sides of it are, compiled whole and without the memo."""

    folder: Path
    base: Mapping[str, RedactedPillar]
    head: Mapping[str, RedactedPillar]
    texts: Mapping[Path, tuple[bytes | None, bytes | None]]
    diff: Diff

    def __post_init__(self) -> None:
        shown = {path: str(path.relative_to(self.folder)) for path in self.texts}
        self.files = [cut(path, shown[path], *both) for path, both in self.texts.items()]

    def check_atoms(self) -> None:
        """Hold what the atoms say against both whole compiles."""
        by_id = {atom.id: atom for atom in self.diff.atoms}
        assert self.diff.minions.keys() == {*self.base, *self.head}
        for name, result in self.diff.minions.items():
            base, head = self.base.get(name), self.head.get(name)
            differs = False
            if base and head and base.has_data and head.has_data:
                before, after = data_of(base), data_of(head)
                changes = [by_id[number].change for number in result.atoms]
                assert same(apply_changes(before, changes), after)
                differs = not same(before, after)
            assert bool(result.atoms) == differs
            outcomes = tuple("absent" if one is None else one.outcome for one in (base, head))
            assert (result.base, result.head) == outcomes
            assert result.word == find_result(*outcomes, differs=differs)
        for atom in self.diff.atoms:
            members = [n for n, result in self.diff.minions.items() if atom.id in result.atoms]
            assert sorted(atom.minions) == sorted(members)

    def check_causes(self) -> int:
        """Hold what atoms cite against whole compiles without it; return how many are proven."""
        proven = [atom for atom in self.diff.atoms if atom.proven]
        for atom in proven:
            cited = self.hunks_of(atom)
            assert cited
            # Without them, an edit that the head hides may show.
            assert self.is_restored_without(cited, atom) or self.is_mended_without(cited, atom)
            enough = [self.is_restored_without(cited - {hunk}, atom) for hunk in cited]
            if len(cited) > 1 and any(enough):  # the head needs each of them
                assert all(self.is_restored_without(frozenset((hunk,)), atom) for hunk in cited)
        for idle in self.diff.idle:
            with self.without(self.hunks_at([idle.line])) as trial:
                for name, head in self.head.items():
                    assert dict(flatten(data_of(trial[name]))) == dict(flatten(data_of(head)))
        return len(proven)

    def hunks_of(self, atom: Atom) -> frozenset[Hunk]:
        return self.hunks_at(atom.because)

    def hunks_at(self, lines: Collection[Any]) -> frozenset[Hunk]:
        """Return the hunks that hold some cited lines."""
        return frozenset(
            hunk
            for line in lines
            for file in self.files
            for hunk in file.hunks
            if hunk.shown == line.file and (line.line in hunk.lines_on(line.side) or is_empty(hunk))
        )

    @contextmanager
    def without(self, hunks: frozenset[Hunk]) -> Iterator[Mapping[str, RedactedPillar]]:
        """Give what a whole compile comes to with some hunks taken back in the working tree."""
        try:
            for file in self.files:
                put(file.file, file.without(hunks))
            yield compile_without_recording(self.folder)
        finally:
            for path, (_, head) in self.texts.items():
                put(path, head)

    def is_restored_without(self, hunks: frozenset[Hunk], atom: Atom) -> bool:
        with self.without(hunks) as trial:
            return all(self.is_restored(atom, name, trial) for name in atom.minions)

    def is_mended_without(self, hunks: frozenset[Hunk], atom: Atom) -> bool:
        """Say whether the atom's place is not as in the head, and no minion of it fails anew."""
        path = tuple(map(canonical, atom.change.path))
        with self.without(hunks) as trial:
            return all(
                trial[name].has_data
                and len(trial[name].faults) <= len(self.base[name].faults)
                and (atom.change.positions or not is_at(trial[name], self.head[name], path))
                for name in atom.minions
            )

    def is_restored(self, atom: Atom, name: str, trial: Mapping[str, RedactedPillar]) -> bool:
        """Say whether the atom's place is as in the base; in lists, but for the other atoms."""
        base, now = self.base[name], trial[name]
        if not now.has_data:
            return False
        if atom.change.positions or atom.change.kind in {"moved", "reordered"}:
            own = [one.change for one in self.diff.atoms if name in one.minions]
            places = ChangePositions()
            left = Left(places.all_of(Comparer().compare(base, now)))
            return is_restored(places.of(atom.change), places.all_of(own), left)
        return is_at(now, base, tuple(map(canonical, atom.change.path)))


def is_empty(hunk: Hunk) -> bool:
    """Say whether a hunk is an empty file, which has no lines to cite."""
    return not hunk.lines_on("base") and not hunk.lines_on("head")


def same(one: Any, other: Any) -> bool:
    prints = Fingerprints()
    return prints.of(one) == prints.of(other)


def is_at(one: RedactedPillar, other: RedactedPillar, path: tuple[Any, ...]) -> bool:
    """Say whether two pillars have the same at a path."""
    found, wanted = at(data_of(one), path), at(data_of(other), path)
    return found is wanted if found is GONE or wanted is GONE else same(found, wanted)


def at(data: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        if not isinstance(data, dict):
            return GONE
        data = next((value for own, value in data.items() if canonical(own) == key), GONE)
        if data is GONE:
            return GONE
    return data


def put(path: Path, content: bytes | None) -> None:
    if content is None:
        path.unlink(missing_ok=True)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def read_all(folder: Path) -> dict[Path, bytes]:
    return {
        path: path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".git" not in path.relative_to(folder).parts
    }


def check_commit(folder: Path, seed: int, times: int) -> tuple[int, int]:
    """Make a commit at random and hold its comparison against whole compiles.

    Return how many atoms there are, and how many are proven.
    """
    commit_all(folder)
    before, base = read_all(folder), compile_without_recording(folder)
    commit_something(folder, seed, times)
    after = read_all(folder)
    try:
        head = compile_without_recording(folder)
    except PillarbookError:  # the declarations are broken: there is no head
        return 0, 0
    commit_all(folder)
    paths = sorted(
        path for path in before.keys() | after.keys() if before.get(path) != after.get(path)
    )
    with open_both(folder, "HEAD~1", options=OPTIONS) as sides:
        diff = compare_sides(sides)
    texts = {path: (before.get(path), after.get(path)) for path in paths}
    change = Change(folder, base, head, texts, diff)
    change.check_atoms()
    return len(diff.atoms), change.check_causes()


@fewer(10)
@given(fleet=fleets(), seed=st.integers(0, 10_000), times=st.integers(1, 3))
def test_drawn_trees(fleet: DrawnFleet, seed: int, times: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        start(folder)
        write_drawn(folder, fleet)
        check_commit(folder, seed, times)


@pytest.mark.slow
@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(8))
def test_trees_as_people_write_them(seed: int, tmp_path: Path) -> None:
    check_wild(tmp_path.resolve(), seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8, 208))
def test_many_trees_as_people_write_them(seed: int, tmp_path: Path) -> None:
    check_wild(tmp_path.resolve(), seed)


def check_wild(folder: Path, seed: int) -> None:
    """Write a tree and hold a commit to it against whole compiles."""
    drawn = random.Random(seed)  # noqa: S311 (repeatable is what it has to be)
    start(folder)
    write_wild(
        folder,
        profile=drawn.choice(list(PROFILES)),
        seed=seed,
        size=5,
        pieces=drawn.choices(PIECES, k=drawn.randint(1, 4)),
    )
    check_commit(folder, seed, drawn.randint(1, 4))
