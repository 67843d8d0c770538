"""A top file that Salt cannot use is reported with its line and what to write."""

from pathlib import Path

import pytest
from tests.support.findings import find_all
from tests.support.fleets import write_fleet

# What Salt says of each was read from the real one.
IGNORED = "so Salt ignores every top file"
CHARACTERS = "so Salt takes each of its characters for an SLS"
NO_ITEMS = "AttributeError: 'list' object has no attribute 'items'"
BELOW = "write `- SLS` below it for each SLS, or remove it"
CASES: dict[str, tuple[int, str, str]] = {
    "base:\n  '*': [app]\nprod:\n": (
        3,
        f"the top file has no targets for the environment 'prod', {IGNORED}",
        "write targets below it, or remove it",
    ),
    "base:\n  - '*': [app]\n": (
        1,
        f"the top file has a list in place of targets for the environment 'base', {IGNORED}",
        "remove the dashes before its targets",
    ),
    "base: [app]\n": (
        1,
        f"the top file has a list in place of targets for the environment 'base', {IGNORED}",
        "write a target below it, such as `'*':`, and the list below that",
    ),
    "'*':\n  - app\n": (
        1,
        f"the top file has a list in place of targets for the environment '*', {IGNORED}",
        "if it is a target, write it below an environment, such as `base:`",
    ),
    "base: 5\n": (
        1,
        f"the top file has a number in place of targets for the environment 'base', {IGNORED}",
        "write a target below it, such as `'*':`, and the list below that",
    ),
    "base:\n  '*': [app]\n  web2:\n": (
        3,
        f"the top file has no list of SLS for the target 'web2', {IGNORED}",
        BELOW,
    ),
    "base:\n  '*': true\n": (
        2,
        f"the top file has a truth value in place of a list of SLS for the target '*', {IGNORED}",
        BELOW,
    ),
    "base:\n  '*': [app, {order: []}]\n": (
        1,
        f"the top file has a structure that Salt does not accept, {IGNORED}",
        "correct the values of `order`, or see Salt's documentation",
    ),
    "base:\n  '*': app\n": (
        2,
        f"the top file has a text in place of a list of SLS for the target '*', {CHARACTERS}",
        "write a dash before the name of each SLS",
    ),
    "base:\n  '*':\n    - match:glob\n    - app\n": (
        3,
        "an entry of the target '*' has no space after 'match:', so Salt reads it as an SLS",
        "write `- match: glob`",
    ),
    "base:\n  '*':\n    - mach: glob\n": (
        3,
        "an entry of the target '*' has the setting 'mach', which Salt ignores",
        "did you mean `match`?",
    ),
    "base:\n  '*':\n    - app:\n": (
        3,
        "an entry of the target '*' has the setting 'app', which Salt ignores",
        "write only the name of an SLS, without a colon",
    ),
    "base:\n  '*':\n    - - app\n": (
        3,
        "an entry of the target '*' is a list, which Salt ignores",
        "write one dash before each SLS",
    ),
    "base:\n  '*':\n    - 404\n": (
        3,
        "an entry of the target '*' is a number, which Salt ignores",
        "put the name of an SLS in quotes",
    ),
    "- base: {'*': [app]}\n": (
        1,
        f"the top file has no environments, and Salt stops: {NO_ITEMS}",
        "write its targets below the name of an environment, such as `base:`, without a dash",
    ),
}


@pytest.mark.parametrize("top", CASES)
def test_what_is_wrong_and_what_to_write(top: str, tmp_path: Path) -> None:
    write_fleet(tmp_path, {"top.sls": top, "app.sls": "a: 1\n"}, {"m": {}})
    (told,) = (one for one in find_all(tmp_path) if one.code == "top-shape")
    line, message, remedy = CASES[top]
    assert str(told.position) == f"pillar/top.sls:{line}"
    assert (told.message, told.help) == (message, remedy)


def test_each_wrong_value_is_reported(tmp_path: Path) -> None:
    top = "base:\n  a:\n  b: 1\n  '*': [app]\nprod:\n"
    write_fleet(tmp_path, {"top.sls": top, "app.sls": "a: 1\n"}, {"m": {}})
    found = [one for one in find_all(tmp_path) if one.code == "top-shape"]
    assert [one.position and one.position.line for one in found] == [2, 3, 5]


@pytest.mark.parametrize(
    "top",
    [
        "base:\n  '*': [a, {match: glob, order: 1}]\n",
        "base:\n  '*': a\n",
        "base: []\n",
        "base: ''\n",
        "",
    ],
)
def test_what_salt_accepts_is_not_reported(top: str, tmp_path: Path) -> None:
    write_fleet(tmp_path, {"top.sls": top, "a.sls": "a: 1\n"}, {"m": {}})
    assert [one for one in find_all(tmp_path) if one.code == "top-shape"] == []


def test_the_sls_of_single_characters_follow_from_it(tmp_path: Path) -> None:
    write_fleet(tmp_path, {"top.sls": "base:\n  '*': app\n"}, {"m": {}})
    missing = [one for one in find_all(tmp_path) if one.code == "missing-sls"]
    assert [one.caused_by and one.caused_by.code for one in missing] == ["top-shape"] * 2
