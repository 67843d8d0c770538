"""``check`` looks at states where the tree has any, in every format, and shows no secret of them."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.cli.test_check_forms import FORMS, READERS
from tests.support.derived import PASSWORD, opened, write_tree

from pillarbook.cli.main import run

ROOTS = {"file_roots": {"base": ["states"]}}
TREE = {
    "pillar/top.sls": "base: {'*': [db]}",
    "pillar/db.sls": f"db: {{user: shop, password: '{PASSWORD}'}}\n",
    "states/top.sls": "base: {shape: [shape], twice: [one, two], lost: [lost], ring: [ring]}",
    "states/shape.sls": "app:\n  pkg.installed:\n    refresh: true\n",
    "states/one.sls": "app:\n  pkg.installed: []\n",
    "states/two.sls": "\n\napp:\n  pkg.removed: []\n",
    "states/lost.sls": "app:\n  pkg.installed:\n    - require:\n      - pkg: nowhere\n",
    "states/ring.sls": "a: {test.nop: [{require: [{test: b}]}]}\nb: {test.nop: [require: [test: a]]}",
}
FOUND = {
    ("state-shape", "states/shape.sls", 2, "shape"),
    ("conflicting-id", "states/two.sls", 3, "twice"),
    ("missing-state", "states/lost.sls", 4, "lost"),
    ("requisite-cycle", "states/ring.sls", 1, "ring"),
}
MINIONS: dict[str, Any] = {name: {} for name in ("shape", "twice", "lost", "ring", "other")}


def write(folder: Path, **files: str) -> Path:
    """Write the tree, with some files otherwise."""
    return write_tree(folder, {**TREE, **files}, minions=MINIONS, master=ROOTS)


def check(folder: Path, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Return what ``check`` prints of a folder."""
    run(["check", "-f", str(folder / "mkdocs.yml"), *words])
    return capsys.readouterr().out


def test_each_rule_has_file_line_and_minion(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = json.loads(check(write(tmp_path), capsys, "--format", "json"))
    found = [one for one in printed["diagnostics"] if one["file"].startswith("states/")]
    assert {(one["code"], one["file"], one["line"], *one["minions"]) for one in found} == FOUND


@pytest.mark.parametrize("form", FORMS)
def test_every_format_has_them(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = check(write(tmp_path), capsys, "--format", form)
    READERS[form](printed)
    for code, file, _, minion in FOUND:
        assert code in printed
        assert Path(file).name in printed
        assert minion in printed


def test_they_make_the_exit_code(tmp_path: Path) -> None:
    words = ["check", "-f", str(write(tmp_path) / "mkdocs.yml"), "--rule", "requisite-cycle"]
    assert run(words) == 2
    (tmp_path / "states/ring.sls").write_text("a: {test.nop: []}")
    assert run(words) == 0


def test_a_state_file_that_does_not_render_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lost = "\napp: {{ pillar.db.passwort.upper() }}\n"
    printed = check(write(tmp_path, **{"states/lost.sls": lost}), capsys, "--format", "json")
    assert [
        (one["code"], one["line"], one["minions"])
        for one in json.loads(printed)["diagnostics"]
        if one["file"] == "states/lost.sls"
    ] == [("jinja-error", 2, ["lost"])]


EXPRESSIONS = {
    "itself": "pillar.db.password",
    "upper": "pillar.db.password | upper",
    "digest": "pillar.db.password | md5",
    "encoded": "salt['hashutil.base64_b64encode'](pillar.db.password)",
}


@pytest.mark.sample(4)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("expression", EXPRESSIONS.values(), ids=EXPRESSIONS)
def test_no_secret_is_in_what_is_said(
    expression: str, form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = f"{{{{ ({expression}) | yaml_dquote }}}}"
    files = {
        "states/one.sls": f"{name}:\n  pkg.installed: []\n",
        "states/two.sls": f"{name}:\n  pkg.removed: []\n",
        "states/lost.sls": f"app:\n  pkg.installed:\n    - require:\n      - pkg: {name}\n",
    }
    words = ["compile", "-f", str(write(tmp_path, **files) / "mkdocs.yml"), "--reveal"]
    run([*words, "--lowstate", "--minion", "lost"])
    (chunk,) = json.loads(capsys.readouterr().out)["lost"]["chunks"]
    secret = chunk["require"][0]["pkg"]
    assert len(secret) >= len(PASSWORD)
    printed = check(tmp_path, capsys, "--format", form)
    assert "missing-state" in printed
    assert "conflicting-id" in printed
    assert secret not in printed


@pytest.mark.parametrize(
    ("master", "files"),
    [
        ({}, {}),
        (ROOTS, {}),
        (ROOTS, {"states/app.sls": "{{ 1 / 0 }}"}),
        ({"file_roots": {"base": ["gone"]}}, {"states/top.sls": "base: {'*': [x]}"}),
    ],
    ids=["no file_roots", "no folder", "no top file", "another folder"],
)
def test_nothing_is_compiled_without_a_top_file(
    master: dict[str, Any], files: dict[str, str], tmp_path: Path
) -> None:
    kept = {name: text for name, text in TREE.items() if not name.startswith("states/")}
    with opened(write_tree(tmp_path, {**kept, **files}, master=master)) as session:
        assert session.compiler.states_of(session.compiler.compile("a")) is None
        session.look_at_all()
        assert not [one for one in session.shown.diagnostics if one.code == "missing-sls"]


def test_a_top_file_of_another_name_counts(tmp_path: Path) -> None:
    master = {"file_roots": {"dev": ["states"]}, "state_top": "salt://main.sls"}
    files = {"states/main.sls": "dev: {'*': [app]}", "states/app.sls": "app: {test.nop: []}"}
    with opened(write_tree(tmp_path, {**TREE, **files}, master=master)) as session:
        states = session.compiler.states_of(session.compiler.compile("a"))
    assert states is not None
    assert len(states.chunks) == 1


def test_what_was_compiled_twice_is_said_once(tmp_path: Path) -> None:
    with opened(write(tmp_path)) as session:
        pillar = session.compiler.compile("lost")
        assert session.compiler.states_of(pillar) is not None
        session.look_at_all()
        assert (
            len(
                [one for one in session.shown.diagnostics_of("lost") if one.code == "missing-state"]
            )
            == 1
        )
