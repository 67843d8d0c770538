"""File names for ids."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pillarbook.report.slug import slug

SAFE = re.compile(r"[a-z0-9][a-z0-9._~-]*")


@pytest.mark.parametrize("name", ["web1", "web1.example.com", "0", "a_b-c", "readme.example.com"])
def test_a_safe_name_stays(name: str) -> None:
    assert slug(name) == name


@pytest.mark.parametrize(
    ("name", "readable"),
    [
        ("README", "readme"),
        ("readme", "readme"),
        ("index", "index"),
        ("Web1", "web1"),
        ("..", "id"),
        (".", "id"),
        ("", "id"),
        (".hidden", "hidden"),
        ("a..b", "a-b"),
        ("a.", "a"),
        ("../../etc/passwd", "etc-passwd"),
        ("a/b", "a-b"),
        ("a\\b", "a-b"),
        ("con", "con"),
        ("nul.example.com", "nul-example-com"),
        ("web\n", "web"),
        ("<b>", "b"),
        ("größe", "gr-e"),
        ("\ud800", "id"),
        ("x" * 101, "x" * 60),
    ],
)
def test_any_other_name_gets_a_digest(name: str, readable: str) -> None:
    assert re.fullmatch(re.escape(readable) + "~[0-9a-f]{12}", slug(name))


def test_a_name_cannot_be_another_one_with_its_digest() -> None:
    assert slug(slug("Web1")) != slug("Web1")


@given(st.text(), st.text())
def test_names_are_safe_and_differ_whatever_the_file_system_makes_of_case(a: str, b: str) -> None:
    assert SAFE.fullmatch(slug(a))
    assert len(slug(a)) <= 100
    assert (slug(a).lower() == slug(b).lower()) == (a == b)
