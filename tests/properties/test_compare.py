"""Laws of comparing: what changes say makes the base the head, exactly, and they say no more."""

import random
from collections.abc import Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.compare.pillars import BASE_FILE, as_pillar, describe, describe_change
from tests.support.apply_changes import apply_changes

from pillarbook.compare.atoms import Atoms
from pillarbook.compare.fold import Fold
from pillarbook.compare.pillars import Comparer, comparable_data
from pillarbook.redact import Redacted, RedactedPillar

SECRETS = st.builds(Redacted, st.sampled_from(["gpg renderer", "by rule"]), st.integers(0, 1))
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(0, 2),
    st.sampled_from([0.0, -0.0, 1.0, "", "x", "1", b"x", float("nan")]),
    SECRETS,
)
"""Few, so that they meet; some are equal though they are not the same."""
KEYS = st.sampled_from(["a", "b", "c", "name", "_errors", 0, 1, True, 1.0, None, ("a", 1)])
VALUES = st.recursive(
    SCALARS,
    lambda below: st.one_of(
        st.lists(below, max_size=5),
        st.dictionaries(KEYS, below, max_size=4),
        st.lists(st.dictionaries(st.sampled_from(["name", "v", 1]), below, max_size=2), max_size=4),
    ),
    max_leaves=12,
)
PILLARS = st.dictionaries(KEYS, VALUES, max_size=5)


@st.composite
def variants(draw: st.DrawFn, value: Any) -> Any:
    """Draw a value that is like another: parts dropped, put in, exchanged and moved."""
    if not isinstance(value, dict | list) or draw(st.integers(0, 9)) == 0:
        return draw(st.one_of(st.just(value), st.just(value), VALUES))
    if isinstance(value, dict):
        items = [(key, draw(variants(item))) for key, item in value.items()]
        items = draw(_edited(items, st.tuples(KEYS, VALUES)))
        return dict(items)
    return draw(_edited([draw(variants(item)) for item in value], VALUES))


@st.composite
def _edited(draw: st.DrawFn, members: list[Any], new: st.SearchStrategy[Any]) -> list[Any]:
    for edit in draw(st.lists(st.sampled_from(["drop", "add", "move", "twice"]), max_size=2)):
        at, to = draw(st.integers(0, len(members))), draw(st.integers(0, len(members)))
        if edit == "add":
            members.insert(at, draw(new))
        elif at < len(members):
            member = members[at] if edit == "twice" else members.pop(at)
            if edit != "drop":
                members.insert(to, member)
    return members


@st.composite
def pairs(draw: st.DrawFn) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """Draw two pillars' data, mostly alike."""
    base = draw(PILLARS)
    head = draw(variants(base))
    return base, head if isinstance(head, dict) else draw(PILLARS)


def both(base: dict[Any, Any], head: dict[Any, Any]) -> tuple[RedactedPillar, RedactedPillar]:
    return as_pillar(base, BASE_FILE), as_pillar(head)


@given(PILLARS)
def test_a_pillar_does_not_differ_from_itself(data: dict[Any, Any]) -> None:
    pillar = as_pillar(data)
    assert Comparer().compare(pillar, pillar) == ()
    (rebuilt,) = apply_changes({}, Comparer().compare(*both({}, {"all": data}))).values()
    assert Comparer().compare(as_pillar(rebuilt, BASE_FILE), pillar) == ()


@given(pairs(), st.randoms(use_true_random=False))
def test_changes_make_the_base_the_head(
    pair: tuple[dict[Any, Any], dict[Any, Any]], chance: random.Random
) -> None:
    base, head = both(*pair)
    ours, theirs = comparable_data(base), comparable_data(head)
    told = describe(ours), describe(theirs)
    changes = Comparer().compare(base, head)
    assert describe(apply_changes(ours, changes)) == told[1]
    shuffled = list(changes)
    chance.shuffle(shuffled)
    assert describe(apply_changes(ours, shuffled)) == told[1]
    assert (describe(ours), describe(theirs)) == told
    assert bool(changes) == (told[0] != told[1])


@given(pairs())
def test_changes_say_what_they_must(pair: tuple[dict[Any, Any], dict[Any, Any]]) -> None:
    base, head = both(*pair)
    for change in Comparer().compare(base, head):
        assert change.path[:1] != ("_errors",)
        if change.kind == "changed":
            assert describe(change.before) != describe(change.after)
            assert not (isinstance(change.before, dict) and isinstance(change.after, dict))
            assert not (isinstance(change.before, list) and isinstance(change.after, list))
        has_before = change.kind in {"removed", "changed", "moved"}
        has_after = change.kind in {"added", "changed", "moved"}
        assert (change.before_origin is not None) == has_before
        assert (change.after_origin is not None) == has_after
        is_of_list = len(change.path) - 1 in change.positions
        assert (change.behind is not None) == (change.kind == "added" and not is_of_list)
        if change.kind == "reordered":
            assert all(
                describe(one) != describe(two)
                for one, two in zip(change.before, change.after, strict=True)
            )


@given(pairs())
def test_origins_are_of_the_value_that_stands_there(
    pair: tuple[dict[Any, Any], dict[Any, Any]],
) -> None:
    def first_leaf(data: Any) -> Any:
        while isinstance(data, dict | list) and data:
            data = next(iter(data.values())) if isinstance(data, dict) else data[0]
        return data

    for change in Comparer().compare(*both(*pair)):
        if change.before_origin:
            assert describe(change.before_origin.value) == describe(first_leaf(change.before))
            assert change.before_origin.file == BASE_FILE
        if change.after_origin:
            assert describe(change.after_origin.value) == describe(first_leaf(change.after))
            assert change.after_origin.line


@given(st.lists(SCALARS, max_size=12), st.data())
def test_scalars_in_lists_take_no_more_than_a_common_subsequence(
    base: list[Any], data: st.DataObject
) -> None:
    head = data.draw(st.one_of(_edited(list(base), SCALARS), st.lists(SCALARS, max_size=12)))
    changes = Comparer().compare(*both({"l": base}, {"l": head}))
    stay = _longest(list(map(describe, base)), list(map(describe, head)))
    assert len(changes) <= len(base) + len(head) - 2 * stay
    assert {change.kind for change in changes} <= {"added", "removed", "moved"}


def _longest(base: Sequence[object], head: Sequence[object]) -> int:
    table = [[0] * (len(head) + 1) for _ in range(len(base) + 1)]
    for left in range(len(base)):
        for right in range(len(head)):
            table[left + 1][right + 1] = (
                table[left][right] + 1
                if base[left] == head[right]
                else max(table[left][right + 1], table[left + 1][right])
            )
    return table[-1][-1]


@given(st.lists(pairs(), min_size=1, max_size=4), st.data())
def test_what_is_remembered_changes_nothing(
    drawn: list[tuple[dict[Any, Any], dict[Any, Any]]], data: st.DataObject
) -> None:
    """Whatever was compared before, and however little is kept."""
    pillars = [pillar for pair in drawn for pillar in both(*pair)]
    comparers = [Comparer(), Comparer(most_kept=3)]
    chosen = st.tuples(st.sampled_from(pillars), st.sampled_from(pillars))
    for base, head in data.draw(st.lists(chosen, min_size=1, max_size=8)):
        expected = [describe_change(change) for change in Comparer().compare(base, head)]
        for comparer in comparers:
            assert [describe_change(one) for one in comparer.compare(base, head)] == expected


@given(st.lists(pairs(), max_size=5))
def test_folding_loses_nobody(drawn: list[tuple[dict[Any, Any], dict[Any, Any]]]) -> None:
    comparer, fold = Comparer(), Fold()
    expected = set()
    for number, pair in enumerate(drawn):
        changes = comparer.compare(*both(*pair))
        fold.add(f"m{number}", changes)
        expected |= {(f"m{number}", change.kind, len(change.path)) for change in changes}
    found = fold.finish()
    assert {
        (minion, one.change.kind, len(one.path)) for one in found for minion in one.minions
    } == expected
    numbers = [[int(minion[1:]) for minion in one.minions] for one in found]
    assert all(members == sorted(set(members)) for members in numbers)


@given(st.lists(pairs(), max_size=4), st.data())
def test_atoms_expand_to_what_was_found_for_each_minion(
    drawn: list[tuple[dict[Any, Any], dict[Any, Any]]], data: st.DataObject
) -> None:
    fleet = [data.draw(st.sampled_from(drawn)) for _ in range(5)] if drawn else []
    comparer, collected = Comparer(), Atoms()
    found = {}
    for number, pair in enumerate(fleet):
        base, head = both(*pair)
        found[f"m{number}"] = comparer.compare(base, head)
        collected.add(f"m{number}", found[f"m{number}"])
    atoms, by_minion = collected.finish()
    assert [atom.id for atom in atoms] == list(range(1, len(atoms) + 1))
    by_id = {atom.id: atom for atom in atoms}
    for minion, changes in found.items():
        expanded = [by_id[number].change for number in by_minion[minion]]
        assert [describe_change(one) for one in expanded] == [*map(describe_change, changes)]
    for atom in atoms:
        members = [name for name, ids in by_minion.items() if atom.id in ids]
        assert list(atom.minions) == members
