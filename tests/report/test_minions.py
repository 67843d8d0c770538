"""The list of all minions, and the tags that tell them apart."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from tests.report.environment import page_environment
from tests.report.reader import PLANTED, Reader, is_safe
from tests.report.sample import fill_fleet, filled, sides_of

from pillarbook.model.unknown import Unknown
from pillarbook.redact.redacted_pillar import Redacted
from pillarbook.report.fleet_summary import FleetSummary
from pillarbook.report.minion_list import write_index, write_list
from pillarbook.report.tags import GrainTags

ONE = filled("m", {"a": 1})


def make_fleet(count: int) -> FleetSummary:
    return fill_fleet(
        (sides_of((), replace(ONE, minion=f"m{number}", pillarenv="prod")), {"os": "Debian"})
        for number in range(count)
    )


def list_page(fleet: FleetSummary, number: int = 0) -> Reader:
    page = Reader(write_list(fleet, number, page_environment()))
    assert is_safe(page)
    return page


def read_index(fleet: FleetSummary) -> dict[str, Any]:
    text = write_index(fleet)
    start, end = "globalThis.pillarbookMinions = ", ";\n"
    assert text.startswith(start)
    assert text.isascii()
    data: dict[str, Any] = json.loads(text.removeprefix(start).removesuffix(end))
    return data


def tags(*grains: Mapping[str, Any]) -> list[tuple[str, ...]]:
    gathered = GrainTags()
    for number, one in enumerate(grains):
        gathered.add(str(number), one)
    return list(gathered.finish().values())


def test_a_minion_is_a_row() -> None:
    page = list_page(make_fleet(3))
    assert page.row("m2") == "|m2|outcome:ok|pillarenv:prod|os:Debian |1|0|0|0"
    assert "m2.html" in page.links
    assert "3 minions: 3 ok." in page.text.replace("\n", "")
    assert page.scripts == []


def test_unknown_values_have_a_column_if_there_are_any() -> None:
    fleet = fill_fleet(
        (sides_of((), filled(name, {"a": value})), {})
        for name, value in {"m0": 1, "m1": Unknown(("clock",))}.items()
    )
    page = list_page(fleet)
    assert page.row("Minion|").endswith("|Diagnostics|Unknown")
    assert page.row("m0").endswith("|0|0")
    assert page.row("m1").endswith("|0|unknown:1")  # what the link of the home page filters by
    assert [one[8] for one in read_index(fleet)["minions"]] == [0, 1]
    assert "Unknown" not in "".join(list_page(make_fleet(3)).rows)


def test_one_minion_and_none() -> None:
    assert "1 minion: 1 ok." in list_page(make_fleet(1)).text
    assert "The inventory has no minions" in list_page(fill_fleet([])).text


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("number", "first", "last"),
    [(0, "m0", "m999"), (1, "m1000", "m1999"), (2, "m2000", "m2499")],
)
def test_a_long_list_is_split(number: int, first: str, last: str) -> None:
    page = list_page(make_fleet(2500), number)
    rows = [row for row in page.rows if row.startswith("|m")]
    assert rows[0].startswith(f"|{first}|")
    assert rows[-1].startswith(f"|{last}|")
    assert {"index.html", "index~2.html", "index~3.html"} <= set(page.links)
    assert f"{number * 1000 + 1:,} to {min(2500, number * 1000 + 1000):,}" in page.text
    assert page.scripts == ["../assets/minions.js"]


def test_a_thousand_minions_are_one_page() -> None:
    assert list_page(make_fleet(1000)).scripts == []


def test_the_index_has_what_the_filter_box_asks_for() -> None:
    data = read_index(make_fleet(1001))
    identity, slug, outcome, pillarenv, *counts, tag = data["minions"][1000]
    assert (identity, slug) == ("m1000", 0)
    assert data["words"][outcome] == "ok"
    assert data["words"][pillarenv] == "prod"
    assert counts == [1, 0, 0, 0, 0]
    assert data["words"][tag] == "os:Debian"


def test_planted_markup_stays_text() -> None:
    ids = [PLANTED, f"2{PLANTED}", "</script><script>alert(1)</script>", "\u2028line"]
    fleet = fill_fleet(
        (sides_of((), replace(ONE, minion=name, pillarenv=PLANTED)), {"os": PLANTED[:40]})
        for name in ids
    )
    page = list_page(fleet)
    assert page.text.count("<script>alert(1)</script>") >= 10
    assert page.text.count("\\u2028line") == 1
    assert read_index(fleet)["minions"][0][0] == PLANTED


@pytest.mark.parametrize(
    ("grains", "expected"),
    [
        ([{"os": "Debian"}], [("os:Debian",)]),
        ([{"roles": ["web", "db"]}], [("roles:web", "roles:db")]),
        ([{"kernel": "Linux"}] * 4, [()] * 4),
        ([{"id": str(number)} for number in range(9)], [()] * 9),
        (
            [{"site": "ams", "os": "Debian"}] * 2 + [{"site": "ber", "os": "Alma"}] * 2,
            [("os:Debian", "site:ams")] * 2 + [("os:Alma", "site:ber")] * 2,
        ),
        (
            [{"virtual": True}] * 2 + [{"virtual": False}] * 2,
            [("virtual:true",)] * 2 + [("virtual:false",)] * 2,
        ),
        (
            [{"osrelease": 12.5}] * 2 + [{"osrelease": 13}] * 2,
            [("osrelease:12.5",)] * 2 + [("osrelease:13",)] * 2,
        ),
        (
            [
                {"os": "x" * 41},
                {"os": Redacted("secret", 1)},
                {"os": {"a": 1}},
                {"os": [["a"]]},
                {"os": ""},
            ],
            [()] * 5,
        ),
        ([{"os": None}], [()]),
    ],
    ids=[
        "os",
        "roles",
        "all the same",
        "all different",
        "groups",
        "flags",
        "numbers",
        "no short text",
        "null",
    ],
)
def test_tags_group_the_fleet(
    grains: Sequence[Mapping[str, Any]], expected: list[tuple[str, ...]]
) -> None:
    assert tags(*grains) == expected


def test_few_grains_are_shown_and_well_known_ones_first() -> None:
    fleet = [
        {
            **{f"grain{place}": number >> place & 1 for place in range(6)},
            "site": number % 3,
            "roles": ["web"],
        }
        for number in range(64)
    ]
    assert tags(*fleet)[0] == ("roles:web", "site:0", "grain0:0", "grain1:0", "grain2:0")


def test_a_grain_that_follows_from_another_is_not_shown() -> None:
    fleet = [
        {"os": name, "os_family": family}
        for name, family in (("Debian", "Debian"), ("Ubuntu", "Debian"), ("Rocky", "RedHat"))
    ] * 2
    assert tags(*fleet)[:3] == [("os:Debian",), ("os:Ubuntu",), ("os:Rocky",)]


def test_a_grain_with_too_many_values_is_let_go() -> None:
    fleet = [{"rack": number // 3, "row": number % 2} for number in range(3000)]
    assert tags(*fleet)[0] == ("row:0",)


def test_of_grains_that_say_the_same_the_known_one_is_shown() -> None:
    names = ("focal", "jammy") * 2
    found = tags(*({"lsb_distrib_codename": one, "oscodename": one} for one in names))
    assert found == [(f"oscodename:{one}",) for one in names]
