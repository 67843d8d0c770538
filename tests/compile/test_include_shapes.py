"""An include at which Salt stops is reported with its line and what to write."""

from pathlib import Path

import pytest
from tests.support.findings import find_all
from tests.support.fleets import write_fleet

OPTIONS = (
    "an entry is the name of an SLS, or `NAME: {key: ..., defaults: ...}`, without an environment"
)
NAME = "an entry is the name of an SLS, as a text"
STOPS = "compile-breaks-off"
CASES: dict[str, tuple[str, str]] = {
    "[prod: web]": (STOPS, OPTIONS),
    "[web: ]": (STOPS, OPTIONS),
    "[5]": (STOPS, NAME),
    "[[web]]": (STOPS, NAME),
    "[web: {key: 5}]": (STOPS, "write `key` as a text; a colon separates keys"),
    "web": ("sls-shape", "write a list, also for a single name: `include: [NAME]`"),
    "[none.such]": ("missing-sls", "add the file, or remove it from the include"),
}


@pytest.mark.parametrize("include", CASES)
def test_what_to_write_in_an_include(include: str, tmp_path: Path) -> None:
    files = {"top.sls": "base: {'*': [app]}\n", "web.sls": "w: 1\n"}
    write_fleet(tmp_path, {**files, "app.sls": f"a: 1\ninclude: {include}\n"}, {"m": {}})
    code, remedy = CASES[include]
    (told,) = (one for one in find_all(tmp_path) if one.code == code)
    assert (str(told.position), told.help) == ("pillar/app.sls:2", remedy)


IGNORED = "an entry of the include has the setting '{}', which Salt ignores"
NOT_SALTS = "`{}` means nothing to Salt in pillar, so it is a key with a list of SLS names"
MEANT = "did you mean `include`?"
DOUBTFUL = {
    "include: [web: {kye: x}]": (IGNORED.format("kye"), "did you mean `key`?"),
    "include: [web: {default: {}}]": (IGNORED.format("default"), "did you mean `defaults`?"),
    "include: [web: {env: dev}]": (IGNORED.format("env"), "the settings are `key` and `defaults`"),
    "includes: [web]": (NOT_SALTS.format("includes"), MEANT),
    "inlcude: [none, web]": (NOT_SALTS.format("inlcude"), MEANT),
    "Include: [web]": (NOT_SALTS.format("Include"), MEANT),
    "exclude: [web]": (
        NOT_SALTS.format("exclude"),
        "give the SLS only to minions that need it: in pillar, nothing is excluded",
    ),
    "include: [web: {key: x, defaults: {}}]": None,
    "includes: [none]": None,
    "exclude: /var": None,
}


@pytest.mark.parametrize("line", DOUBTFUL)
def test_an_include_that_is_most_likely_not_as_meant(line: str, tmp_path: Path) -> None:
    files = {"top.sls": "base: {'*': [app, web]}\n", "web.sls": "w: 1\n"}
    write_fleet(tmp_path, {**files, "app.sls": f"a: 1\n{line}\n"}, {"m": {}})
    found = find_all(tmp_path)
    expected = DOUBTFUL[line]
    told = [("pillar/app.sls:2", "warning", *expected)] if expected else []
    assert [(str(one.position), str(one.severity), one.message, one.help) for one in found] == told


def test_an_included_list_is_named(tmp_path: Path) -> None:
    files = {"top.sls": "base: {'*': [app]}\n", "names.sls": "\n- a\n"}
    write_fleet(tmp_path, {**files, "app.sls": "include: [names]\na: 1\n"}, {"m": {}})
    (told,) = (one for one in find_all(tmp_path) if one.code == STOPS)
    assert (str(told.position), told.help) == ("pillar/names.sls:2", "put its data below a key")


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("a:1\nb:2\n", "write a space after each colon"),
        ("just text\n", "put its data below a key"),
        ("salt://a b\n", "put its data below a key"),
    ],
)
def test_what_to_write_in_an_sls_that_is_text(text: str, remedy: str, tmp_path: Path) -> None:
    write_fleet(tmp_path, {"top.sls": "base: {'*': [app]}\n", "app.sls": text}, {"m": {}})
    (told,) = (one for one in find_all(tmp_path) if one.code == "sls-shape")
    assert told.help == remedy
