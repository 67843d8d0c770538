"""What a minion's page says about other environments."""

from dataclasses import replace
from typing import Any

import pytest
from tests.report.reader import Reader
from tests.report.sample import filled, sides_of
from tests.support.redacted import make_pillar

from pillarbook.redact.redacted_pillar import Redacted, RedactedPillar
from pillarbook.report.environment_differences import MAX_ROWS, DifferenceRows, Differences
from pillarbook.report.source import EnvironmentSide

BASE, STAGING, PROD = (
    EnvironmentSide(name, is_pillarenv=True, has_top=True) for name in ("base", "staging", "prod")
)
BARE = EnvironmentSide("bare", is_pillarenv=True, has_top=False)


def token(place: int) -> str:
    return f"t{place}"


def compare(*pillars: RedactedPillar, environments: Any = (BASE, STAGING, PROD)) -> Differences:
    sides = sides_of(environments[: len(pillars)], *pillars)
    return DifferenceRows(token).write(sides)


def rows(*data: Any) -> list[str]:
    found = compare(*(filled("m", one) for one in data))
    return [row.strip("\n") for row in Reader(f"<table>{found.part.html}</table>").rows]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (({"a": 1}, {"a": 1}), []),
        (({"a": 1}, {"a": 2}), ["|a|1|2"]),
        (({"a": 1}, {"a": 2}, {"a": 1}), ["|a|1|2|same"]),
        (({"a": 1}, {"a": 2}, {"a": "2"}), ['|a|1|2|"2"']),
        (({"a": 1}, {}, {"a": 3}), ["|a|1||3"]),
        (({}, {"a": 1}, {}), ["|a||1|"]),
        (({}, {"a": {"b": [1, 2]}}, {"a": {}}), ["|a||2 values|{}"]),
        (({"a": {"b": {"c": 1}}}, {"a": {"b": {}}}), ["|a:b:c|1|"]),
        (({"a": ["x", "y"]}, {"a": ["y"]}), ["|a:[]|x|"]),
        (({"a": {"b": 1}}, {"a": "x"}), ["|a|1 value|x"]),
        (
            ({"a": {"b": 1, "c": 2}}, {"a": {"b": 3, "c": 2}}, {}),
            ["|a:b|1|3|", "|a|2 values|partly different|"],
        ),
        (
            ({"a": {"b": 1}}, {"a": {"b": 2}}, {"a": 7}),
            ["|a:b|1|2|", "|a|1 value|partly different|7"],
        ),
        (
            ({"a": {"b": 1}}, {"a": {"b": 2}}, {"a": {"b": 1, "d": 4}}),
            ["|a:b|1|2|same", "|a:d|||4"],
        ),
        (
            ({"a": ["x", "y"]}, {"a": ["y"]}, {"a": ["x"]}),
            ["|a:[]|x||same", "|a:[]|y|same|"],
        ),
        (
            ({"a": ["x", "y"]}, {"a": ["y"]}, {"a": 1}),
            ["|a:[]|x||", "|a|2 values|partly different|1"],
        ),
        (
            ({"a": [{"n": 1, "o": 0}, 5]}, {"a": [5]}, {"a": [{"n": 2, "o": 0}, 5]}),
            ["|a:[]|2 values||list differs", "|a:[]:n|1|list differs|2"],
        ),
        (
            ({"a": 1, "b": {"c": 1, "d": 1}}, {"b": {"c": 1, "d": 1}, "a": 1}, {"a": 1}),
            [
                "|top-level keys|in this order a, b|in this order b, a|same",
                "|b|2 values|same|",
            ],
        ),
        (({"a": "one\ntwo\n"}, {"a": "x" * 200}), [f"|a|one… 2 lines|{'x' * 120}… 200 characters"]),
        (
            ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
            ["|top-level keys|in this order a, b|in this order b, a"],
        ),
    ],
)
def test_a_row_for_each_key_that_differs(data: tuple[Any, ...], expected: list[str]) -> None:
    assert rows(*data) == expected


def test_a_secret_is_told_by_reason_and_token() -> None:
    first, second = Redacted("gpg renderer", 1), Redacted("gpg renderer", 2)
    assert rows({"a": first}, {"a": second}) == [
        "|a|redacted: gpg renderer t1|redacted: gpg renderer t2"
    ]


def test_the_page_has_so_many_rows_and_counts_the_others() -> None:
    found = compare(filled("m", {}), filled("m", {f"k{number}": 1 for number in range(250)}))
    assert (found.shown, found.count) == (MAX_ROWS, 250)
    assert found.part.html.count("<tr>") == MAX_ROWS


@pytest.mark.parametrize(
    ("there", "environments", "columns", "left_out"),
    [
        (make_pillar("m", outcome="empty"), (BASE, BARE), [], ["base", "bare"]),
        (filled("m", {"a": 2}), (BASE, BARE), ["ok", "ok"], []),
        (make_pillar("m", outcome="failed", raises="x"), (BASE, PROD), [], ["base", "prod"]),
        (make_pillar("m", outcome="empty"), (BASE, PROD), [], ["base", "prod"]),
        (filled("m", {"a": 2}, outcome="partial"), (BASE, PROD), ["ok", "partial"], []),
    ],
    ids=["no top file", "no top file and yet data", "failed", "empty", "partial"],
)
def test_what_cannot_be_compared_is_left_out(
    there: RedactedPillar, environments: Any, columns: list[str], left_out: list[str]
) -> None:
    found = compare(filled("m", {"a": 1}), there, environments=environments)
    assert [column.outcome for column in found.columns] == columns
    assert [side.name for side, _ in found.left_out] == left_out


def test_the_others_are_compared_where_one_cannot_be() -> None:
    found = compare(filled("m", {"a": 1}), make_pillar("m", outcome="empty"), filled("m", {"a": 2}))
    assert [column.side.name for column in found.columns] == ["base", "prod"]
    assert [side.name for side, _ in found.left_out] == ["staging"]


def test_cells_of_missing_keys_are_empty_for_the_style_sheet() -> None:
    found = compare(filled("m", {}), filled("m", {"a": 1}), filled("m", {}))
    assert found.part.html == "<tr><th><b>a</b><td><td><i>1</i><td></td>\n"


def test_minions_that_differ_alike_share_their_rows() -> None:
    base, head = filled("m", {"a": {"x": 1}}), filled("m", {"a": {"x": 2}})
    sides = sides_of((BASE, STAGING), base, head)
    writer = DifferenceRows(token)
    first = writer.write(sides)
    again = writer.write(replace(sides, declared=replace(base, minion="n")))
    assert first.part.html == again.part.html
    assert len(writer._kept._kept) == len(writer._groups._kept) == 1
