"""Key paths on a page."""

import datetime as dt
import math
from typing import Any

import pytest

from pillarbook.model import KeyPath
from pillarbook.report.row_ids import list_positions, row_id, write_path_data
from pillarbook.report.value_html import show_path


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (("nginx", "workers"), "k-nginx.workers"),
        (("users", 0, "name"), "k-users.0.name"),
        (("sites", "example.com"), "k-sites.example%2Ecom"),
        (("a b", "c:d", "é"), "k-a%20b.c%3Ad.%C3%A9"),
        (('"><script>',), "k-%22%3E%3Cscript%3E"),
        ((8080, None, ""), "k-8080.None."),
        (("\ud800",), "k-%ED%A0%80"),
    ],
)
def test_row_id_is_the_path_percent_encoded(path: KeyPath, expected: str) -> None:
    assert row_id(path) == expected


@pytest.mark.parametrize(
    ("path", "data", "positions"),
    [
        (("a",), "x", ()),
        (("a", "b"), {"b": 1}, ()),
        (("a", 0), ["x"], (1,)),
        (("a", 0), {0: "x"}, ()),
        (("a", "b", 1, "c", 0), {"b": [{}, {"c": ["x"]}]}, (2, 4)),
        (("a", 0, 0), [[1]], (1, 2)),
        (("a", 0), None, ()),
    ],
)
def test_list_positions_are_told_from_keys(
    path: KeyPath, data: Any, positions: tuple[int, ...]
) -> None:
    assert list_positions(path, data) == positions


def test_a_path_has_a_dim_prefix_and_a_bold_leaf() -> None:
    assert show_path(("a", "<b>")) == "<span>a:</span><b>&lt;b&gt;</b>"
    assert show_path(("a", 0), (1,)) == "<span>a:</span><b><i>0</i></b>"


def test_a_long_path_may_break_behind_its_colons() -> None:
    assert show_path(("a" * 40, "b", "c")).count(":<wbr>") == 2


@pytest.mark.parametrize(
    ("path", "positions", "expected"),
    [
        (("a", "b"), (), ""),
        (("a", 0, "é", 1), (1, 3), ' data-n="1 3"'),
        (("a", 80), (), " data-p='[\"a\", 80]'"),
        (("a", None, True), (), " data-p='[\"a\", null, true]'"),
        (("a", dt.date(2020, 1, 31)), (), ' data-p=\'["a", {"$date": "2020-01-31"}]\''),
        (("a", 0, 80), (1,), ' data-n="1" data-p=\'["a", 0, 80]\''),
        (("\ud800",), (), " data-p='[\"\\ud800\"]'"),
        (("'<&", 1), (), " data-p='[\"&#39;&lt;&amp;\", 1]'"),
        (("a", 1.5), (), " data-p=''"),
        (("a", math.inf), (), " data-p=''"),
        (("a", 2**60), (), " data-p=''"),
        (("a", (1, 2)), (), " data-p=''"),
    ],
)
def test_scripts_are_told_what_the_id_does_not_say(
    path: KeyPath, positions: tuple[int, ...], expected: str
) -> None:
    assert write_path_data(path, positions) == expected


def test_a_row_whose_id_is_not_its_paths_says_its_path() -> None:
    assert write_path_data(("a", "80"), (), is_plain=False) == ' data-p=\'["a", "80"]\''
