"""What a comparison says of values that are unknown on both sides."""

from collections.abc import Mapping

import pytest
from tests.support.redacted import make_pillar

from pillarbook.compare.unknown_values import UnknownValues
from pillarbook.model.unknown import Unknown
from pillarbook.redact.redacted_pillar import RedactedLeaf, RedactedPillar

Sources = Mapping[str, tuple[str, ...]]


def pillar_of(minion: str, sources: Sources) -> RedactedPillar:
    leaves = [RedactedLeaf((key,), Unknown(names), ()) for key, names in sources.items()]
    return make_pillar(minion, *leaves)


SIDES: Mapping[str, tuple[Sources, Sources, list[str]]] = {
    "one source": ({"a": ("x",)}, {"a": ("x",)}, []),
    "another source": ({"a": ("x",)}, {"a": ("y",)}, ["a comes from y, before from x"]),
    "another source of several values, in any order": (
        {"a": ("x", "z"), "b": ("z", "x")},
        {"a": ("y",), "b": ("y",)},
        ["a, b come from y, before from x, z"],
    ),
    "beside a source of both": (
        {"a": ("x",), "b": ("vault", "x")},
        {"a": ("y",), "b": ("vault", "y")},
        ["a, b come from y, before from x"],
    ),
    "a source less": ({"a": ("x", "y")}, {"a": ("y",)}, ["a comes from y, before from x, y"]),
    "many values": (
        dict.fromkeys("abcdefg", ("x",)),
        dict.fromkeys("abcdefg", ("y",)),
        ["a, b, c, d, e and 2 more come from y, before from x"],
    ),
    "many sources": (
        {key: (key,) for key in "abcdef"},
        dict.fromkeys("abcdef", ("y",)),
        [f"{key} comes from y, before from {key}" for key in "abcde"]
        + ["1 more value may have changed in the same way"],
    ),
}


@pytest.mark.parametrize(("base", "head", "notes"), SIDES.values(), ids=SIDES)
def test_values_that_may_have_changed(base: Sources, head: Sources, notes: list[str]) -> None:
    values = UnknownValues()
    for minion in ("m1", "m2"):
        values.add(pillar_of(minion, base), pillar_of(minion, head), ())
    told = [note.removeprefix("may have changed, on 2 minions: ") for note in values.describe()]
    assert told[1:] == notes


def test_minions_of_one_cause_are_counted_once() -> None:
    values = UnknownValues()
    for minion, keys in {"m1": "ab", "m2": "a", "m3": "b"}.items():
        sides = (pillar_of(minion, dict.fromkeys(keys, (source,))) for source in "xy")
        values.add(next(sides), next(sides), ())
    assert list(values.describe()) == [
        "4 unknown values are not compared, on 3 minions",
        "may have changed, on 3 minions: a, b come from y, before from x",
    ]
