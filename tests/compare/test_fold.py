"""Changes of a fleet, equal ones told once."""

from typing import Any

from tests.compare.pillars import BASE_FILE, as_pillar

from pillarbook.compare.change import Change
from pillarbook.compare.fold import ANY_POSITION, Fold, FoldedChange
from pillarbook.compare.pillars import Comparer
from pillarbook.redact import RedactedOrigin


def fold(fleet: dict[str, tuple[dict[str, Any], dict[str, Any]]]) -> tuple[FoldedChange, ...]:
    comparer, folded = Comparer(), Fold()
    for minion, (base, head) in fleet.items():
        changes = comparer.compare(as_pillar(base, BASE_FILE), as_pillar(head))
        folded.add(minion, changes)
    return folded.finish()


def test_equal_changes_are_one() -> None:
    found = fold(
        {
            "m2": ({"a": 1}, {"a": 2}),
            "m1": ({"a": 1}, {"a": 2}),
            "m3": ({"a": 1}, {"a": 3}),
            "m4": ({"a": 1}, {"a": 1}),
        }
    )
    assert [(one.path, one.change.after, one.minions) for one in found] == [
        (("a",), 2, ("m2", "m1")),
        (("a",), 3, ("m3",)),
    ]


def test_types_and_places_count() -> None:
    def change(after: Any, line: int) -> Change:
        origin = RedactedOrigin("a.sls", line, "a", "base", after)
        return Change(path=("a",), kind="changed", before=0, after=after, after_origin=origin)

    collected = Fold()
    for minion, one in {"m1": (1, 1), "m2": (True, 1), "m3": (1, 2), "m4": (1, 1)}.items():
        collected.add(minion, (change(*one),))
    assert [one.minions for one in collected.finish()] == [("m1", "m4"), ("m2",), ("m3",)]


def test_list_positions_are_folded() -> None:
    def members(*names: str, value: str) -> dict[str, Any]:
        return {"users": [{"name": name, "shell": value} for name in names]}

    collected = Fold()
    origin = RedactedOrigin("a.sls", 1, "a", "base", "zsh")
    comparer = Comparer()
    for minion, names in {"m1": ("a", "b"), "m2": ("c",)}.items():
        changes = comparer.compare(
            as_pillar(members(*names, value="sh")), as_pillar(members(*names, value="zsh"))
        )
        placed = [
            Change(
                path=change.path,
                kind=change.kind,
                before=change.before,
                after=change.after,
                after_origin=origin,
                positions=change.positions,
            )
            for change in changes
        ]
        collected.add(minion, placed)
    (found,) = collected.finish()
    assert found.path == ("users", ANY_POSITION, "shell")
    assert ".".join(map(str, found.path)) == "users.[].shell"
    assert found.minions == ("m1", "m2")


def test_number_keys_stay() -> None:
    found = fold({"m1": ({"p": {80: 1, 81: 1}}, {"p": {80: 2, 81: 2}})})
    assert [one.path for one in found] == [("p", 80), ("p", 81)]


def test_where_a_member_moved_to_is_not_told_apart() -> None:
    found = fold({"m1": ({"l": [1, 2, 3]}, {"l": [3, 1, 2]})})
    assert [(one.path, one.change.kind) for one in found] == [(("l",), "moved")]


def test_changes_come_by_path() -> None:
    found = fold(
        {
            "m1": ({"b": {"x": 1}, "a": {"y": 1}}, {"b": {"x": 2}, "a": {"y": 2}}),
            "m2": (
                {"b": {"w": 1, "x": 1}, "a": {"y": 1}},
                {"b": {"w": 2, "x": 2, "z": 1}, "a": {"y": 3}},
            ),
            "m3": ({"b": {"x": 1}}, {"b": 0, "new": 1}),
        }
    )
    told = [":".join(map(str, one.path)) for one in found]
    assert told == ["b", "b:x", "b:x", "b:z", "b:w", "a:y", "a:y", "new"]


def test_nothing_is_folded_to_nothing() -> None:
    collected = Fold()
    collected.add("m1", ())
    assert collected.finish() == ()


def test_results_that_minions_share_are_kept_once() -> None:
    collected = Fold()
    changes = Comparer().compare(as_pillar({"a": 1}), as_pillar({"a": 2}))
    for number in range(1_000):
        collected.add(f"m{number}", changes)
    assert len(collected._groups) == 1
    (found,) = collected.finish()
    assert len(found.minions) == 1_000
