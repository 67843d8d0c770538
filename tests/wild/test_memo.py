"""Whatever tree is drawn, minions share nothing that they should not."""

import random
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.wild import PROFILES, write_wild
from benchmarks.wild_pieces import FOLDERS, piece_names
from hypothesis import given
from hypothesis import strategies as st
from tests.support.fleets import describe, open_fleet
from tests.support.tiers import fewer

from pillarbook.compile.renderers.gpg_decryptor import SealedDecryptor

PIECES = [piece for folder in FOLDERS for piece in piece_names(folder)]


@fewer(4)
@given(
    profile=st.sampled_from(list(PROFILES)),
    seed=st.integers(0, 10_000),
    pieces=st.lists(st.sampled_from(PIECES), max_size=4),
    size=st.integers(0, 6),
    python=st.booleans(),
)
def test_with_the_memo_and_without_it_a_tree_gives_the_same(
    profile: str, seed: int, pieces: Sequence[str], size: int, python: bool
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        write_wild(tree, profile=profile, seed=seed, size=size, pieces=pieces)
        described = []
        for memo in (True, False):
            with open_fleet(tree, memo=memo, python=python, decryptor=SealedDecryptor()) as fleet:
                order = list(fleet.minions)
                random.Random(seed).shuffle(order)  # noqa: S311 (repeatable is what it has to be)
                compiled = fleet.compile_all([*order, *order] if memo else order)
                described.append({minion: describe(compiled[minion]) for minion in fleet.minions})
        assert described[0] == described[1]
