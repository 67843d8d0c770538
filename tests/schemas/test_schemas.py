"""The schemas describe every field, and what is written and declared is as they say."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from tests.docs.pages import GUIDE, ROOT, read_blocks
from tests.support.built_sites import BuiltSite
from tests.support.fleets import CASES
from tests.support.invoked import print_of
from tests.support.schemas import accepts, assert_form, faults_of, validator

from pillarbook.changes.read_acknowledgements import parse_acknowledgements
from pillarbook.inventory.declaration_errors import SettingsError
from pillarbook.inventory.inventory_file import MINION_KEYS
from pillarbook.inventory.settings import OPTIONS, parse_settings
from pillarbook.model import Position, from_tagged, to_tagged
from pillarbook.schemas import SCHEMAS, list_files, write_schema

PACKAGE = ROOT / "generator" / "pillarbook"
WITHOUT_FIELD = {"acks", "compile", "inventory", "lowstate", "minion", "mkdocs"}
"""Schemas of documents that do not name their form."""
NO_JSON = {"pillarbook.minions/2", "pillarbook.search/2", "pillarbook.export/1"}
"""The forms that only the report's own scripts read, and tables."""


def run(*words: str, code: int = 0) -> str:
    return print_of(words, 0, code)


def properties_of(part: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each property of each object of a schema."""
    for name, below in part.items() if isinstance(part, dict) else ():
        if name in {"properties", "$defs"}:
            for one, schema in below.items():
                yield f"{path}/{one}", schema
                yield from properties_of(schema, f"{path}/{one}")
        else:
            yield from properties_of(below, f"{path}/{name}")
    for one in part if isinstance(part, list) else ():
        yield from properties_of(one, path)


def objects_of(part: Any) -> Iterator[Any]:
    if isinstance(part, dict):
        if "properties" in part:
            yield part
        part = list(part.values())
    for one in part if isinstance(part, list) else ():
        yield from objects_of(one)


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_one_and_describes_each_property(name: str) -> None:
    schema = validator(name).schema
    assert schema["$id"] == f"urn:pillarbook:schema:{name}-{SCHEMAS[name].version}"
    assert schema["title"]
    assert schema["description"]
    told = dict(properties_of(schema))
    assert [path for path, one in told.items() if not one.get("description")] == []


@pytest.mark.parametrize("name", [one for one in SCHEMAS if one != "mkdocs"])
def test_objects_of_ours_have_no_other_fields(name: str) -> None:
    for one in objects_of(validator(name).schema):
        assert one["additionalProperties"] is False, one


def test_each_form_has_a_schema_and_each_schema_a_form() -> None:
    made = {
        found
        for file in PACKAGE.rglob("*.py")
        for found in re.findall(r"pillarbook\.[a-z]+/\d", file.read_text())
    }
    described = {f"pillarbook.{name}/{one.version}" for name, one in SCHEMAS.items()}
    assert described - {f"pillarbook.{name}/1" for name in WITHOUT_FIELD} == made - NO_JSON - {
        "pillarbook.result/1"
    }


@pytest.mark.parametrize(
    "text",
    [
        "",
        "- c-aaaaaaaaaaaaaaaa\n- {id: c-bbbbbbbbbbbbbbbb, reason: x}\n- {id: c-cccccccccccccccc}\n",
        "- c-short\n",
        "- {reason: x}\n",
        "- {id: c-aaaaaaaaaaaaaaaa, more: 1}\n",
        "a: 1\n",
    ],
)
def test_acknowledgements_are_read_as_their_schema_says(text: str) -> None:
    ids, faults = parse_acknowledgements(text.encode())
    assert accepts("acks", yaml.safe_load(text)) is not bool(faults)
    assert bool(ids) is (bool(text) and not faults)


def test_a_new_field_is_a_fault() -> None:
    found = json.loads(write_schema("get"))
    assert found["additionalProperties"] is False
    document = {"schema": "pillarbook.get/1", "key": "a", "read_as": "a", "minions": {}}
    assert accepts("get", document)
    assert not accepts("get", {**document, "more": 1})
    assert not accepts("get", {**document, "schema": "pillarbook.get/2"})


def test_a_schema_is_written_once() -> None:
    assert all(write_schema(name) is write_schema(name) for name in SCHEMAS)


# What is written


def test_files_of_the_site_are_as_their_schemas_say(example_site: BuiltSite) -> None:
    site = example_site.folder
    forms = [site / "report.json", site / "secrets.json", *(site / "environments").glob("*.json")]
    assert len(forms) > 2
    for file in forms:
        assert_form(json.loads(file.read_text()))
    minions = list((site / "minions").glob("*.json"))
    assert len(minions) > 10
    for file in minions:
        assert faults_of("minion", json.loads(file.read_text())) == []
    for address, text in list_files():
        assert (site / address).read_text() == text


WITH_FORM = {
    "result": (["compile", "--format", "result"], 0),
    "get": (["get", "app", "--format", "json"], 0),
    "check": (["check", "--format", "json"], 2),
    "diff": (["diff", "--environments", "prod", "staging", "--format", "json"], 2),
}


@pytest.mark.slow
def test_compiled_pillars_of_the_example_are_as_their_schemas_say(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(ROOT)
    assert faults_of("compile", json.loads(run("compile"))) == []
    assert faults_of("lowstate", json.loads(run("compile", "--lowstate"))) == []


# The outputs of conformance cases are compared by default, too.
@pytest.mark.sample(1)
@pytest.mark.parametrize(("words", "code"), WITH_FORM.values(), ids=WITH_FORM)
def test_what_commands_print_of_the_example_is_as_their_schemas_say(
    words: list[str], code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert_form(json.loads(run(*words, code=code)))


CASE_FOLDERS = {
    path.parent.relative_to(CASES).as_posix(): path.parent
    for path in sorted(CASES.rglob("expected*.json"))
    if (path.parent / "minions.yml").exists()
}


@pytest.mark.sample(8)
@pytest.mark.parametrize("folder", CASE_FOLDERS.values(), ids=CASE_FOLDERS)
def test_conformance_cases_are_as_the_schemas_say(folder: Path) -> None:
    declared = ["--master", str(folder / "master"), "--inventory", str(folder / "minions.yml")]
    assert faults_of("inventory", yaml.safe_load((folder / "minions.yml").read_text())) == []
    clear = ["compile", *declared, "--reveal"]
    assert faults_of("compile", json.loads(run(*clear, code=1))) == []
    saved = run("compile", *declared, "--format", "result", code=1)
    assert_form(json.loads(saved))
    assert_form(json.loads(run("check", *declared, "--format", "json", code=2)))


# What is declared


def test_the_example_and_the_guide_are_as_the_schemas_say() -> None:
    assert set(MINION_KEYS) == set(
        validator("inventory").schema["properties"]["defaults"]["properties"]
    )
    assert faults_of("mkdocs", yaml.safe_load((ROOT / "mkdocs.yml").read_text())) == []
    assert faults_of("inventory", yaml.safe_load((ROOT / "example/minions.yml").read_text())) == []
    options = [
        block
        for block in (yaml.safe_load(one.text) for one in read_blocks(GUIDE / "configuration.md"))
        if isinstance(block, dict) and block.keys() <= set(OPTIONS)
    ]
    assert len(options) > 10
    for one in options:
        assert faults_of("mkdocs", as_configuration(one)) == []


def as_configuration(section: dict[str, Any]) -> dict[str, Any]:
    whole = {"master": "m", "inventory": "i.yml", **section}
    return {"plugins": ["search", {"pillarbook": json.loads(json.dumps(whole, default=str))}]}


SMALL: st.SearchStrategy[Any] = st.sampled_from(
    [
        *(None, True, False, 0, 1.5, "x", "off", "error", "auto", "none", "2026-01-31", []),
        *(["x"], [1], ["x", "y"], {}, {"x": 1}, {"x": "y"}, {"base": "main"}, {"source": "none"}),
        *({"keys": ["a"]}, {"keys": "a"}, {"ignore": [{"keys": ["a"]}]}, {"ignore": [{}]}),
        *({"unused-sls": "off"}, {"unused-sls": {"severity": "note"}}, {"/srv": "x"}, {"/srv": 1}),
        *({"a.b": 1}, {"a.b": {"$answer": 1}}, {"a.b": {"$calls": [{"answer": 1}]}}, {"a.b": {}}),
        *({"a.b": {"$calls": [{"args": []}]}}, {"a.b": {"*": {"$else": 1}}}, {"equality": True}),
        *([{"x": {}}], [{"x": None, "y": None}], [{"x": 1}], {"values": ["("]}, {"kinds": ["x"]}),
        *(
            "wempy",
            ["wempy"],
            {"unused-sls": {"ignore": {"files": ["a"]}}},
            {"unused-sls": {"ignore": {"lines": 1}}},
        ),
    ]
)
"""Values of which each is right for some options and wrong for others."""


@given(st.dictionaries(st.sampled_from([*OPTIONS, "mastre"]), SMALL, max_size=3))
@example({"renderers": "x"})
@example({"renderers": "wempy"})
def test_the_schema_accepts_what_the_reader_accepts(section: dict[str, Any]) -> None:
    """Both know the same options and types. That a text is a regular expression, no schema says."""
    whole = {"master": "m", "inventory": "i.yml", **section}
    try:
        parse_settings(whole, position_of=lambda _: Position("mkdocs.yml", 1), folder=Path())
        is_right = True
    except SettingsError as error:
        is_right = False
        if "is not a regular expression" in str(error):
            return
    assert accepts("mkdocs", as_configuration(section)) == is_right, section


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3) | st.dates() | st.binary(),
    lambda below: (
        st.lists(below, max_size=3)
        | st.dictionaries(
            st.text("$ab", max_size=4) | st.integers() | st.dates(), below, max_size=3
        )
    ),
    max_leaves=12,
)


@given(VALUES)
def test_every_value_has_a_form(value: Any) -> None:
    told = to_tagged(value)
    assert faults_of("minion", told) == []
    assert from_tagged(told) == value
