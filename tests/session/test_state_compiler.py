"""The states of a minion show no secret: none that they carry, and nothing computed of one."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.support.derived import PASSWORD, opened, write_tree

from pillarbook.redact import RedactedPillar

STATES = {"file_roots": {"base": ["states"]}}
DERIVED = "derived from db:password"
TREE = {
    "pillar/top.sls": "base: {'*': [db]}",
    "pillar/db.sls": f"db: {{user: shop, password: '{PASSWORD}', pin_token: 4711}}\n",
    "states/top.sls": "base: {'*': [app]}",
}


def look(folder: Path, minion: str = "a", **options: Any) -> RedactedPillar:
    """Return the lowstate of a minion, as others may see it."""
    with opened(folder, **options) as session:
        compiled = session.compiler.compile(minion)
        states = session.compiler.compile_states(compiled)
        session.freeze_fleet_secrets([compiled, states])
        return session.shown.redact_with_faults(states)


def write(folder: Path, app: str, more: Mapping[str, str] | None = None) -> Path:
    """Write the tree with a state SLS ``app``."""
    return write_tree(folder, {**TREE, "states/app.sls": app, **(more or {})}, master=STATES)


def shown(states: RedactedPillar) -> str:
    """Return all that is shown of states, places of secrets as numbers."""
    return json.dumps([states.data, states.errors, states.faults], default=str)


EXPRESSIONS = {
    "itself": "pw",
    "within-a-text": "'postgres=' ~ pw",
    "length": "pw | length",
    "half": "pillar.db.pin_token // 2",
    "upper": "pw | upper",
    "digest": "pw | md5",
    "by-function": "salt['hashutil.base64_b64encode'](salt['pillar.get']('db:password'))",
    "by-options": "opts.pillar.db.password[:4]",
    "by-config": "salt['config.get']('db:password')[1:]",
    "all-of-it": "pillar.db | tojson",
    "by-items": "salt['pillar.items']()['db']['password'][2:]",
    "branch": "'y' if pw.startswith('s3') else 'n'",
}


@pytest.mark.sample(12)
@pytest.mark.parametrize("memo", [True, False], ids=["memo", "plain"])
@pytest.mark.parametrize("expression", EXPRESSIONS.values(), ids=EXPRESSIONS)
def test_what_is_computed_of_a_secret_is_hidden(
    expression: str, memo: bool, tmp_path: Path
) -> None:
    app = (
        "{% set pw = pillar.db.password %}\n"
        "open:\n  test.nop:\n"
        f"    - made: {{{{ ({expression}) | string | tojson }}}}\n"
        "    - user: {{ pillar.db.user }}\n"
    )
    states = look(write(tmp_path, app), memo=memo)
    (chunk,) = states.data["chunks"]
    assert chunk["user"] == "shop"
    assert chunk["__id__"] == chunk["name"] == "open"
    assert chunk["made"].reason


def test_ids_and_errors_are_hidden(tmp_path: Path) -> None:
    app = (
        "{% set made = pillar.db.password | md5 %}\n"
        "user-{{ made }}:\n  test.nop:\n    - require: [{pkg: '{{ made }}'}]\n"
    )
    states = look(write(tmp_path, app))
    (chunk,) = states.data["chunks"]
    assert chunk["__id__"].reason == chunk["name"].reason == DERIVED
    assert states.data["errors"][0].reason == DERIVED


def test_states_that_do_not_take_another_text_are_hidden_whole(tmp_path: Path) -> None:
    app = "open:\n  test.nop:\n    - made: {{ {'" + PASSWORD + "': 5}[pillar.db.password] }}\n"
    other = "other:\n  test.nop:\n    - made: {{ pillar.db.password | md5 }}\n"
    more = {"states/top.sls": "base: {'*': [app, other]}", "states/other.sls": other}
    states = look(write(tmp_path, app, more))
    text = shown(states)
    assert PASSWORD not in text
    for chunk in states.data["chunks"]:
        assert chunk["made"].reason


def test_secrets_of_states_are_their_own(tmp_path: Path) -> None:
    app = "open:\n  test.nop:\n    - password: own-S3cret-9\n    - again: own-S3cret-9\n"
    states = look(write(tmp_path, app))
    (chunk,) = states.data["chunks"]
    assert chunk["password"].reason == "key names a password"
    assert chunk["again"].reason
    assert "own-S3cret-9" not in shown(states)


def test_texts_of_other_minions_secrets_are_hidden(tmp_path: Path) -> None:
    top = "base: {'a': [db], 'b': [none]}"
    app = f"open:\n  test.nop:\n    - made: {PASSWORD}\n"
    files = {**TREE, "pillar/top.sls": top, "pillar/none.sls": "x: 1", "states/app.sls": app}
    folder = write_tree(tmp_path, files, master=STATES, minions={"a": {}, "b": {}})
    assert PASSWORD not in shown(look(folder, "b"))


def test_revealed_states_are_as_salt_has_them(tmp_path: Path) -> None:
    app = "open:\n  test.nop:\n    - made: {{ pillar.db.password }}\n"
    states = look(write(tmp_path, app), reveal=True)
    assert states.data["chunks"][0]["made"] == PASSWORD


@pytest.mark.parametrize(
    "app",
    ["- '" + PASSWORD + "'", "x: '" + PASSWORD + "'\n", "x: {test.nop: ['a " + PASSWORD + "']}"],
    ids=["no-mapping", "no-state", "no-argument"],
)
def test_errors_quote_no_value(app: str, tmp_path: Path) -> None:
    states = look(write(tmp_path, app))
    assert states.data["errors"]
    assert PASSWORD not in shown(states)
