"""An export says what the report says, for any number of processes, and in both formats."""

import json
import sqlite3
import subprocess
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.docs.pages import GUIDE, read_blocks, read_codes, read_first_cells, read_sections
from tests.support.built_sites import BuiltSite, built_once
from tests.support.exports import ALL, as_csv, read_csv, read_sqlite
from tests.support.fleets import ROOT, write_files
from tests.support.forked.commands import forked
from tests.support.repositories import commit_all, git

from pillarbook.export.tables import AS_DECLARED, SCHEMA, VIEWS
from pillarbook.model import format_path, from_tagged

PAGE = GUIDE / "export.md"
KEY = {"PILLARBOOK_TOKEN_KEY": "the key of these tests"}
Tables = dict[str, list[dict[str, Any]]]


def run(folder: Path, *words: str, code: int = 0) -> str:
    ended = subprocess.run(
        [forked(), *words], cwd=folder, env=KEY, capture_output=True, text=True, check=False
    )
    assert ended.returncode == code, ended.stderr
    return ended.stdout


@pytest.fixture(scope="module")
def exports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the example's export."""

    def build(folder: Path) -> None:
        folder.mkdir()
        run(ROOT, "export", "--output", str(folder / "fleet.sqlite"))

    return built_once("exports", tmp_path_factory, build)


@pytest.fixture(scope="module")
def tables(exports: Path) -> Tables:
    return read_sqlite(exports / "fleet.sqlite")


TREE = {
    "mkdocs.yml": "site_name: x\nplugins: [{pillarbook: {master: master, inventory: minions.yml, "
    "revisions: {base: HEAD}}}]\n",
    "master": "pillar_roots: {base: [pillar]}\n",
    "minions.yml": "minions: {a: {}, b: {grains: {risk: '=1'}}}\n",
    "pillar/top.sls": "base: {'*': [s], a: [t]}\n",
    "pillar/s.sls": "gone: 1\npassword: old-Kq7mPz2x\nlist: [1, 2]\n",
    "pillar/t.sls": "only: a\n",
}


def write_changed_tree(folder: Path) -> None:
    """Write a tree that is compared with its commit."""
    write_files(folder, TREE)
    git(folder, "init", "--quiet")
    commit_all(folder)
    changed = "password: new-Kq7mPz2x\nlist: [2, 1]\nmore: {x: 1}\n"
    write_files(folder, {"pillar/s.sls": changed})


@pytest.mark.parametrize(
    "words",
    [(), pytest.param(("--format", "csv"), marks=pytest.mark.slow)],
    ids=["sqlite", "csv"],
)
def test_the_same_input_gives_the_same_bytes(words: tuple[str, ...], tmp_path: Path) -> None:
    for jobs in ("1", "2"):
        run(ROOT, "export", *words, "--jobs", jobs, "--output", str(tmp_path / jobs))
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()


def test_both_formats_have_the_same_rows(tmp_path: Path) -> None:
    odd = "more: {x: 2}\nlist: [1.5, null, 'true', \"a\\nb\", {}]\ninclude: [missing]\n"
    write_changed_tree(tmp_path)
    write_files(tmp_path, {"pillar/t.sls": odd})
    run(tmp_path, "export", "--output", "x.sqlite")
    tables = read_sqlite(tmp_path / "x.sqlite")
    assert_csv_has_rows(tmp_path, tables, tmp_path)
    assert [name for name, rows in tables.items() if not rows] == []


@pytest.mark.slow
def test_both_formats_have_the_same_rows_of_the_example(tmp_path: Path, tables: Tables) -> None:
    assert_csv_has_rows(ROOT, tables, tmp_path)


def assert_csv_has_rows(folder: Path, tables: Tables, output: Path) -> None:
    """Export a tree with two processes, and compare."""
    file = output / "fleet.zip"
    run(folder, "export", "--output", str(file), "--format", "csv", "--jobs", "2")
    archive = read_csv(file)
    assert archive.keys() == tables.keys()
    for table, rows in tables.items():
        told = [as_csv(row) for row in rows]
        if table in VIEWS:  # SQL orders no rows
            told.sort(key=str)
            archive[table].sort(key=str)
        assert archive[table] == told, table
    with zipfile.ZipFile(file) as opened:
        assert {one.date_time for one in opened.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_values_are_those_that_explain_gives(tables: Tables) -> None:
    """Every value of a minion with its line, and each one that it overrides."""
    minion = "app1.hel.teashop.example"
    told = json.loads(run(ROOT, "explain", minion, "--format", "json"))["values"]
    told.sort(key=lambda one: format_path(tuple(map(from_tagged, one["path"]))))

    def mine(table: str) -> list[dict[str, Any]]:
        rows = (row for row in tables[table] if row["minion"] == minion)
        found = [row for row in rows if row["environment"] == AS_DECLARED]
        return sorted(found, key=lambda row: str(row["key"]))  # SQL orders no rows

    values = mine("values")
    assert [row["key"] for row in values] == [
        format_path(tuple(map(from_tagged, one["path"]))) for one in told
    ]
    for row, one in zip(values, told, strict=True):
        assert_value(row, one["value"])
        last = one["origins"][-1]
        assert all(row[name] == last[name] for name in ("file", "line", "sls", "saltenv"))
        assert row["overridden"] == len(one["origins"]) - 1
    overridden = [
        (format_path(tuple(map(from_tagged, one["path"]))), origin)
        for one in told
        for origin in reversed(one["origins"][:-1])
    ]
    assert overridden
    for row, (key, origin) in zip(mine("overridden_values"), overridden, strict=True):
        assert (row["key"], row["file"], row["line"]) == (key, origin["file"], origin["line"])
        assert_value(row, origin["value"])


def assert_value(row: dict[str, Any], value: Any) -> None:
    if isinstance(value, dict) and "redacted" in value:
        found = (row["value"], row["type"], row["reason"], row["token"])
        assert found == (None, "secret", value["redacted"], value["token"])
    elif isinstance(value, str):
        assert (row["value"], row["type"]) == (value, "text")
    elif value is None:
        assert (row["value"], row["type"]) == (None, "null")
    else:
        assert json.loads(row["value"]) == value


@pytest.mark.slow
@pytest.mark.parametrize("environment", ["prod", "staging"])
def test_environments_are_those_of_compile(environment: str, tables: Tables) -> None:
    pillars = json.loads(run(ROOT, "compile", "--pillarenv", environment))
    for minion, pillar in pillars.items():
        found = {
            row["key"]: row["value"]
            for row in tables["values"]
            if (row["minion"], row["environment"]) == (minion, environment)
            and row["type"] == "text"
        }
        pillar.pop("_errors", None)
        assert found.items() <= dict(leaves_of(pillar)).items()
        assert len(found) > 3 or not pillar


def leaves_of(data: Any, path: tuple[str, ...] = ()) -> list[tuple[str, Any]]:
    below = data.items() if isinstance(data, dict) else enumerate(data)
    found: list[tuple[str, Any]] = []
    for key, item in below:
        here = (*path, str(key))
        is_container = isinstance(item, dict | list) and item
        found += leaves_of(item, here) if is_container else [(":".join(here), item)]
    return found


def test_secrets_and_readers_are_those_of_the_report(
    tables: Tables, example_site: BuiltSite
) -> None:
    told = json.loads((example_site.folder / "secrets.json").read_text())
    read = {
        (format_path(tuple(told["secrets"][number]["path"])), minion)
        for group in told["readers"]
        for minion in group["minions"]
        for number in group["secrets"]
    }
    keys = {row["secret_id"]: row["key"] for row in tables["secrets"]}
    assert {(keys[row["secret_id"]], row["minion"]) for row in tables["readers"]} == read
    for row in tables["secrets"]:
        sources = told["secrets"][row["secret_id"]]["sources"]
        assert (row["file"], row["line"]) in {(one["file"], one["line"]) for one in sources}
    hidden = {row["token"] for row in tables["values"] if row["token"]}
    assert {row["token"] for row in tables["secrets"]} <= hidden


@pytest.mark.slow
def test_findings_targets_and_minions_are_all_there(tables: Tables) -> None:
    told = json.loads(run(ROOT, "check", "--format", "json", code=2))["diagnostics"]
    assert [(row["code"], row["line"], row["minions"]) for row in tables["diagnostics"]] == [
        (one["code"], one["line"], len(one["minions"])) for one in told
    ]
    affected = [(row["diagnostic_id"], row["minion"]) for row in tables["affected"]]
    assert affected == [(at, one) for at, each in enumerate(told) for one in each["minions"]]
    outcomes = {row["outcome"] for row in tables["minions"]}
    assert {"ok", "partial"} <= outcomes
    failed = [row for row in tables["outcomes"] if row["outcome"] in {"partial", "failed"}]
    assert failed
    assert all(row["error"] for row in failed)
    for row in tables["targets"]:
        minions = [one for one in tables["matches"] if one["target_id"] == row["target_id"]]
        assert len(minions) == row["minions"]
    assert dict(tables["about"][0].items()) == {"name": "schema", "value": SCHEMA}


def test_changes_since_the_revision_are_those_of_diff(tmp_path: Path) -> None:
    write_changed_tree(tmp_path)
    run(tmp_path, "export", "--output", "x.sqlite")
    found = read_sqlite(tmp_path / "x.sqlite")
    told = json.loads(run(tmp_path, "diff", "--format", "json"))["atoms"]
    assert [(row["kind"], row["key"], row["minions"]) for row in found["changes"]] == [
        (one["kind"], ":".join(map(str, one["path"])), len(one["minions"])) for one in told
    ]
    password = next(row for row in found["changes"] if row["key"] == "password")
    assert (password["before"], password["after"]) == (None, None)
    assert password["before_token"] != password["after_token"]
    assert all(password[side] for side in ("before_token", "after_token"))
    first = [row["minion"] for row in found["changed_minions"] if row["change_id"] == 0]
    assert first == ["a", "b"]
    about = {row["name"]: row["value"] for row in found["about"]}
    assert (about["uncommitted_changes"], bool(about["compared_with"])) == ("yes", True)
    assert {row["changed_in"] for row in found["secrets"]} == {None}


RISKY = ["=1+1", "+1", "-1+1", "@SUM(1)", "\t=1", "'quoted", "a\nb", 'say "x", y', "plain", "ä"]


def test_no_cell_of_a_csv_file_is_a_formula(tmp_path: Path) -> None:
    values = {**{f"k{at}": text for at, text in enumerate(RISKY)}, "number": -5, "=key": "x"}
    write_files(tmp_path, TREE | {"pillar/s.sls": json.dumps(values)})
    declared = ("--master", "master", "--inventory", "minions.yml")
    run(tmp_path, "export", *declared, "--format", "csv", "--output", "x.zip")
    rows = read_csv(tmp_path / "x.zip")["values"]
    found = {row["key"]: row["value"] for row in rows if row["minion"] == "a"}
    assert found["number"] == "-5"
    assert "'=key" in found
    for at, text in enumerate(RISKY):
        cell = found[f"k{at}"]
        assert not cell.startswith(("=", "+", "-", "@", "\t"))
        assert cell.removeprefix("'") == text or cell == f"'{text}"


# The guide


def test_the_page_names_every_table_and_column() -> None:
    sections = read_sections(PAGE)
    for table, columns in ALL.items():
        text = sections[f"`{table}`"]
        named = [code for cell in read_first_cells(text) for code in read_codes(cell)]
        assert named == list(columns), table


QUERIES = [block.text for block in read_blocks(PAGE) if block.language == "sql"]


@pytest.mark.parametrize("query", QUERIES)
def test_the_queries_of_the_page_find_something(query: str, exports: Path) -> None:
    with closing(sqlite3.connect(exports / "fleet.sqlite")) as connection:
        assert connection.execute(query).fetchall()


def test_there_are_five_queries() -> None:
    assert len(QUERIES) >= 5
