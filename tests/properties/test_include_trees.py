"""SLS files that include each other and themselves give what they give in Salt, key order included.

``python -m tests.properties.test_include_trees`` records what the real Salt gives.
"""

import json
import random
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from benchmarks.real_salt import find_salt
from tests.properties.include_trees import IncludeTree, draw_tree
from tests.support.fleets import answer_of, compile_case, write_drawn
from tests.support.tiers import is_thorough
from tests.wild.trees import ORACLE

from pillarbook.compile.renderers.render_errors import LimitExceeded

RECORDED = Path(__file__).parents[1] / "data" / "include-trees.json"
"""What Salt gives, ``{seed: {minion: pillar}}``."""
SEEDS = range(100)
FEW = (*range(8), 28, 35, 59, 97)
"""Compared by default; the last ones differ if an include is not changed in place as in Salt."""
FRESH = 200


@pytest.mark.sample(1)
@pytest.mark.grows
@pytest.mark.parametrize("memo", [True, False], ids=["memo", "plain"])
def test_recorded_trees_give_what_salt_gives(memo: bool, pytestconfig: pytest.Config) -> None:
    recorded = json.loads(RECORDED.read_text())
    assert len(recorded) > len(SEEDS) * 0.9
    for seed in map(int, recorded) if is_thorough(pytestconfig) else FEW:
        ours = compile_tree(draw_tree(seed), memo=memo)
        assert ours is not None
        assert settle(ours) == settle(recorded[str(seed)]), f"seed {seed}"


@pytest.mark.salt_oracle
def test_fresh_trees_give_what_salt_gives() -> None:
    start = random.randrange(1_000_000)  # noqa: S311 (no secret)
    compared = 0
    for seed, salts in ask_salt(range(start, start + FRESH)).items():
        for memo in (True, False):
            ours = compile_tree(draw_tree(seed), memo=memo)
            assert ours is not None
            assert settle(ours) == settle(salts), f"seed {seed}"
        compared += 1
    assert compared > FRESH * 0.9


def compile_tree(tree: IncludeTree, *, memo: bool) -> dict[str, Any] | None:
    """Return the pillars of a tree; None if its errors are too many, for Salt as well."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            compiled = compile_case(write_drawn(Path(folder), tree), memo=memo)
        except LimitExceeded:
            return None
    return {minion: answer_of(pillar) for minion, pillar in compiled.items()}


def settle(pillars: Mapping[str, Any]) -> list[Any]:
    """Return pillars in a form that compares with the order of keys; why Salt raises is its own."""
    return [(name, "$raises" in one or json.dumps(one)) for name, one in sorted(pillars.items())]


def ask_salt(seeds: Iterable[int]) -> dict[int, dict[str, Any]]:
    """Return what Salt gives for the trees of some seeds; one process compiles them all."""
    drawn = {seed: draw_tree(seed) for seed in seeds}
    kept = {seed: tree for seed, tree in drawn.items() if compile_tree(tree, memo=True)}
    with tempfile.TemporaryDirectory() as scratch:
        folders = [write_drawn(Path(scratch, str(seed)), tree) for seed, tree in kept.items()]
        words = [str(one) for one in (find_salt(), ORACLE, *folders, "--pillars")]
        done = subprocess.run(words, capture_output=True, check=True)
    return dict(zip(kept, map(json.loads, done.stdout.splitlines()), strict=True))


if __name__ == "__main__":
    lines = (f'"{seed}": {json.dumps(pillars)}' for seed, pillars in ask_salt(SEEDS).items())
    RECORDED.write_text("{\n" + ",\n".join(lines) + "\n}\n")
