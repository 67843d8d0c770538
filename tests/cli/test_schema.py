"""``pillarbook schema`` lists the schemas, and prints one."""

import json
import subprocess

import pytest
from tests.support.forked.commands import forked

from pillarbook.schemas import SCHEMAS


def ask(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([forked(), "schema", *words], capture_output=True, text=True, check=False)


def test_schemas_are_listed_and_printed() -> None:
    listed = ask()
    assert [line.split()[0] for line in listed.stdout.splitlines()] == list(SCHEMAS)
    assert json.loads(ask("inventory").stdout)["title"] == "The inventory: minions.yml"


@pytest.mark.parametrize(
    ("name", "hint"),
    [("checks", "did you mean 'check'?"), ("zzz", "`pillarbook schema` lists all schemas")],
)
def test_an_unknown_schema_is_named(name: str, hint: str) -> None:
    ended = ask(name)
    assert ended.returncode == 1
    assert f"there is no schema '{name}'; {hint}" in ended.stderr
