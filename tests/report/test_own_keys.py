"""Keys that belong to each minion, or to a few."""

import pytest
from tests.compare.pillars import as_pillar

from pillarbook.compare.diff import DiffBuilder
from pillarbook.report.diff_wording import show_path
from pillarbook.report.own_keys import are_few
from pillarbook.report.told_changes import describe_changes


def tell(keys: dict[str, str]) -> list[str]:
    """Return the paths that a reader sees where each minion has another value below its key."""
    builder = DiffBuilder()
    for minion, key in keys.items():
        base, head = ({"a": {key: {"b": value}}} for value in (1, 2))
        builder.add(as_pillar(base, minion=minion), as_pillar(head, minion=minion))
    diff = builder.finish("base", "head", [])
    return [show_path(one) for group in describe_changes(diff) for one in group.told]


def clusters(number: int) -> dict[str, str]:
    return {f"m{one}-{at}": f"c{one}" for one in range(number) for at in range(3)}


@pytest.mark.parametrize(
    ("keys", "paths"),
    [
        ({f"m{at}": f"m{at}" for at in range(4)}, ["a:*:b"]),
        ({f"m{at}": f"the_m{at}.x" for at in range(4)}, ["a:the_*.x:b"]),
        ({f"m{at}.lan": f"m{at}_x" for at in range(4)}, ["a:*_x:b"]),
        ({f"m{at}": f"them{at}" for at in range(4)}, ["a:the*:b"]),
        ({f"m{at}": f"m{at}x" for at in range(4)}, ["a:*:b"]),
        ({f"m{at}": f"m{at}-" + "ab"[at % 2] for at in range(4)}, ["a:*:b"]),
        (clusters(12), ["a:*:b"]),
        (clusters(11), [f"a:c{number}:b" for number in range(11)]),
    ],
    ids=[
        "names",
        "around",
        "short",
        "at the end",
        "in a word",
        "different",
        "many clusters",
        "clusters",
    ],
)
def test_keys_of_few_minions(keys: dict[str, str], paths: list[str]) -> None:
    assert tell(keys) == paths


@pytest.mark.parametrize(
    ("sizes", "few"),
    [([1] * 9, True), ([2, 2, 3], False), ([4, 1, 1], True), ([5, *[1] * 9], False)],
    ids=["own", "clusters", "uneven", "a role"],
)
def test_a_name_of_many_minions_has_a_meaning(sizes: list[int], *, few: bool) -> None:
    assert are_few(sizes) == few
