"""The values of keys over a fleet, gathered from sections that minions share."""

import pickle
from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from tests.report.sample import leaf, origin

from pillarbook.redact.redacted_pillar import Redacted, RedactedLeaf
from pillarbook.report.key_fleet import (
    MAX_PENDING,
    MAX_SPOTS,
    KeyEntry,
    KeyFleet,
    places_of,
    type_of,
)
from pillarbook.report.key_patterns import KeyPatterns
from pillarbook.report.rows import Rows, RowSection


def sections_of(*leaves: RedactedLeaf, data: Any = None) -> list[RowSection]:
    return Rows(str, KeyPatterns(())).sections(leaves, data or {})


def gather(fleet: Iterable[tuple[int, Sequence[RowSection]]]) -> KeyFleet:
    keys = KeyFleet(KeyPatterns(()))
    for number, sections in fleet:
        keys.add_sections(number, sections)
    return keys


def told(entries: Iterable[KeyEntry]) -> dict[str, list[tuple[Any, str]]]:
    """Return values with their minions, as bits from the first on."""
    return {
        ":".join(map(str, one.pattern.path)): [
            (value.value, f"{value.minions:b}"[::-1]) for value in one.values
        ]
        for one in entries
    }


def test_equal_values_are_one_and_the_most_frequent_comes_first() -> None:
    shared = sections_of(leaf(("app", "port"), 80), leaf(("app", "name"), "x"))
    own = sections_of(leaf(("app", "port"), 80), leaf(("app", "name"), "y"))
    keys = gather([(0, own), (1, shared), (2, shared)])
    assert told(keys.finish()) == {
        "app:name": [("x", "011"), ("y", "1")],
        "app:port": [(80, "111")],
    }


@pytest.mark.parametrize("values", [(1, True, 1.0, "1"), (0, False, None, ""), ([], {}, "{}")])
def test_values_of_other_types_are_other_values(values: tuple[Any, ...]) -> None:
    keys = gather((at, sections_of(leaf(("a", "x"), one))) for at, one in enumerate(values))
    (entry,) = keys.finish()
    assert len(entry.values) == len(values)
    assert set(entry.types) == {type_of(one) for one in values}


def test_secrets_are_told_apart_by_their_source() -> None:
    secrets = [Redacted("gpg renderer", place) for place in (7, 7, 8)]
    keys = gather((at, sections_of(leaf(("a", "x"), one))) for at, one in enumerate(secrets))
    assert told(keys.finish()) == {"a:x": [(secrets[0], "11"), (secrets[2], "001")]}


def test_members_of_a_list_are_one_key() -> None:
    sections = sections_of(leaf(("a", 0), "x"), leaf(("a", 1), "y"), data={"a": ["x", "y"]})
    assert told(gather([(0, sections)]).finish()) == {"a:*": [("x", "1"), ("y", "1")]}


def test_places_that_set_a_value_are_told_apart_by_line_and_by_what_they_override() -> None:
    plain = leaf(("a", "x"), 1)
    over = leaf(("a", "x"), 1, origin(2, line=9))
    keys = gather([(0, sections_of(plain)), (1, sections_of(over)), (2, sections_of(over))])
    (entry,) = keys.finish()
    (value,) = entry.values
    places = places_of(value)
    assert [(place.minions, len(place.overridden)) for place in places] == [(6, 1), (1, 0)]


def test_sets_with_another_order_are_equal() -> None:
    one, other = {0, 8}, {8, 0}
    assert list(one) != list(other)
    keys = gather(
        (at, sections_of(leaf(("a", "x"), 1, origin([{"y": value}])), leaf(("a", "z"), value)))
        for at, value in enumerate((one, other))
    )
    assert [len(entry.values) for entry in keys.finish()] == [1, 1]
    assert len(places_of(keys.finish()[0].values[0])) == 1


def test_a_line_that_several_environments_read_is_one_place() -> None:
    one, other = origin(1), origin(1)
    other.saltenv = "prod"
    keys = gather(
        (at, sections_of(RedactedLeaf(("a", "x"), 1, (set_in,))))
        for at, set_in in enumerate((one, other))
    )
    (place,) = places_of(keys.finish()[0].values[0])
    assert [set_in.saltenv for set_in in place.origins] == ["base", "prod"]
    assert place.minions == 3


def test_a_key_with_very_many_values_is_told_by_the_lines_that_set_it() -> None:
    def own(number: int) -> RedactedLeaf:
        set_in = origin(number, line=3 if number % 2 else 4)
        return RedactedLeaf(("a", "x"), f"value {number}", (set_in,))

    fleet = [(at, sections_of(own(at))) for at in range(MAX_SPOTS + 1)]
    (entry,) = gather(fleet).finish()
    assert entry.is_crowded
    assert [value.minions.bit_count() for value in entry.values] == [501, 500]
    assert entry.minions == (1 << MAX_SPOTS + 1) - 1
    (entry,) = gather(fleet[:-1]).finish()
    assert not entry.is_crowded
    assert len(entry.values) == MAX_SPOTS


def test_what_is_kept_grows_with_the_values_not_with_the_minions() -> None:
    keys = KeyFleet(KeyPatterns(()))
    minions = MAX_PENDING + 500
    common = leaf(("a", "x"), 1)
    for number in range(minions):
        keys.add_sections(number, sections_of(common, leaf(("a", "id"), number)))
    given = keys.give()
    assert sum(len(one.spots) for one in given.keys.values()) == 2
    # A search finds each value of the crowded key still: its text and a minion.
    assert len(pickle.dumps(given)) < 10_000 + 20 * minions


def test_values_of_few_minions_of_a_large_fleet_are_handed_over_in_little_room() -> None:
    keys = KeyFleet(KeyPatterns(()))
    for number in range(500):
        one = leaf(("a", "id"), number)
        keys.add_sections(90_000 + number, sections_of(one, leaf(("b", "id"), number)))
    assert len(pickle.dumps(keys.give())) < 200_000  # as bits, each of the 500 sets takes 11 KB


def test_equal_sets_of_minions_are_one_object() -> None:
    (entry,) = gather((at, sections_of(leaf(("a", "x"), 1))) for at in range(9_000)).finish()
    assert entry.minions is entry.values[0].minions is entry.values[0].spots[0].minions


def test_what_was_gathered_apart_is_joined_in_any_order() -> None:
    def own(number: int) -> list[RowSection]:
        list_of = [number % 3, number % 5]
        leaves = [leaf(("l", at), one) for at, one in enumerate(list_of)]
        value = number if number < 1_200 else number % 7
        many = RedactedLeaf(("a", "x"), value, (origin(value, line=number % 4),))
        return sections_of(many, *leaves, data={"a": {"x": value}, "l": list_of})

    fleet = [(at, own(at)) for at in range(1_500)]
    whole = gather(fleet).finish()
    assert whole[0].is_crowded
    parts = [gather(fleet[first::3]) for first in range(3)]
    for order in ((0, 1, 2), (2, 0, 1), (1, 2, 0)):
        joined = KeyFleet(KeyPatterns(()))
        for part in order:
            joined.take(pickle.loads(pickle.dumps(parts[part].give())))  # noqa: S301 (our own)
        assert joined.finish() == whole
