"""The best common ancestor, against the one that libgit2 finds."""

import random
from pathlib import Path

import pygit2
import pytest

from pillarbook.roots.merge_base import History, find_merge_base

SIGNED = ("a", "a@example.com")


def draw_graph(folder: Path, seed: int) -> tuple[pygit2.Repository, list[str]]:
    """Draw commits of which most have a parent, some two, and a few none."""
    drawn = random.Random(seed)  # noqa: S311 (a graph, no secret)
    repository = pygit2.init_repository(str(folder), bare=True)
    tree = repository.TreeBuilder().write()
    commits: list[str] = []
    for number in range(25):
        count = min(len(commits), drawn.choice([0, 1, 1, 1, 1, 2, 2]))
        parents = drawn.sample(commits[-6:], min(count, len(commits[-6:])))
        who = pygit2.Signature(*SIGNED, 1_600_000_000 + number, 0)
        made = repository.create_commit(None, who, who, str(number), tree, list(parents))
        commits.append(str(made))
    return repository, commits


@pytest.mark.sample(6)
@pytest.mark.parametrize("seed", range(20))
def test_it_is_one_that_no_other_descends_from(tmp_path: Path, seed: int) -> None:
    repository, commits = draw_graph(tmp_path, seed)

    def history_of(commit: str) -> History:
        loaded = repository[commit]
        assert isinstance(loaded, pygit2.Commit)
        return History(tuple(map(str, loaded.parent_ids)), loaded.commit_time)

    for one in commits[::2]:
        for other in commits:
            found = find_merge_base(one, other, history_of)
            expected = repository.merge_base(one, other)
            if not expected:
                assert found is None
                continue
            assert found is not None
            # Where there are several, either will do: none of them comes from the other.
            if found != str(expected):
                assert not repository.descendant_of(str(expected), found)
                assert not repository.descendant_of(found, str(expected))
                assert repository.merge_base(found, one) == pygit2.Oid(hex=found)
                assert repository.merge_base(found, other) == pygit2.Oid(hex=found)
