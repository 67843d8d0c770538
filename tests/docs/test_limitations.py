"""What is not there of Salt, by name: each has its reason, and nothing that is there is listed."""

import json
import re
from typing import Any

import pytest
from tests.docs.pages import ROOT

from pillarbook.compile.ext_pillars import load_ext_pillars
from pillarbook.compile.renderers.jinja.environment import SaltEnvironment
from pillarbook.compile.renderers.jinja.functions.loader import list_functions
from pillarbook.compile.renderers.jinja.salt_names import UNANSWERED_FILTERS, UNANSWERED_GLOBALS
from pillarbook.compile.renderers.pipe import builtin_renderers

NAMES: dict[str, Any] = json.loads((ROOT / "tests" / "data" / "salt-names.json").read_text())
SECTION = re.compile(r"^## (.*?)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
LISTED = dict(SECTION.findall((ROOT / "docs" / "limitations.md").read_text()))
CODE = re.compile(r"`([^`\s]+)`")


def environment() -> SaltEnvironment:
    return SaltEnvironment({}, allow_undefined=False)


def there(kind: str) -> set[str]:
    if kind == "renderers":
        return set(builtin_renderers())
    if kind == "ext_pillars":
        known = load_ext_pillars(python=True)
        return {name for name in NAMES[kind] if known.find(name) is not None}
    return set(getattr(environment(), kind)) - {*UNANSWERED_FILTERS, *UNANSWERED_GLOBALS}


@pytest.mark.parametrize(
    ("kind", "section"),
    [
        ("filters", "Filters of Jinja"),
        ("tests", "Tests of Jinja"),
        ("globals", "Globals of Jinja"),
        ("ext_pillars", "External pillars"),
    ],
)
def test_what_is_missing_is_listed(kind: str, section: str) -> None:
    missing = set(NAMES[kind]) - there(kind)
    assert set(CODE.findall(LISTED[section])) == missing


def test_no_renderer_is_missing() -> None:
    assert set(NAMES["renderers"]) <= there("renderers")
    assert set(CODE.findall(LISTED["Renderers"])) == set(NAMES["renderers"])


def test_functions_that_are_missing_are_listed_once() -> None:
    known = list_functions()
    modules = {name.partition(".")[0] for name in known}
    missing = {
        f"{module}.{name}" if module in modules else f"{module}.*"
        for module, names in NAMES["functions"].items()
        for name in names
        if f"{module}.{name}" not in known
    }
    listed = [name for name in CODE.findall(LISTED["Functions"]) if "." in name]
    assert sorted(listed) == sorted(missing)
