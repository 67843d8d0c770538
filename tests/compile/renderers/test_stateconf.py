"""``stateconf``: what it makes of an SLS, and which line a value keeps."""

from pathlib import Path
from typing import Any

import pytest
from tests.support.fleets import compile_case, write_fleet

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.model import leaves, plain


def compiled(folder: Path, text: str, sls: str = "app") -> CompiledPillar:
    files = {"top.sls": f"base: {{'*': [{sls}]}}", f"{sls.replace('.', '/')}.sls": text}
    master = {"pillar_safe_render_error": False}
    return compile_case(write_fleet(folder, files, {"web1": {}}, master))["web1"]


@pytest.mark.parametrize(
    ("text", "data"),
    [
        pytest.param("#!stateconf -G\na: {b: [1]}", {"a": {"b": [1]}}, id="no-goal"),
        pytest.param("#!stateconf -G\na: cmd.run", {"a": {"cmd.run": []}}, id="short-state"),
        pytest.param(
            "#!stateconf -G\n.a: {cmd.run: []}",
            {"x.app::a": {"cmd.run": [{"name": "a"}]}},
            id="name-of-the-sls",
        ),
        pytest.param(
            "#!stateconf -G\n.p:\n  stateconf.set:\n    - port: 80\n# -- end of state config --\n"
            "a: {port: [{{ p.port }}], dir: {{ sls_dir }}}",
            {
                "a": {"port": [80], "dir": "x"},
                "x.app::p": {"stateconf.set": [{"port": 80}]},
            },
            id="configuration",
        ),
        pytest.param(
            "#!stateconf -G -s -o\na: {cmd.run: []}\nb: {cmd.run: []}",
            {
                "a": {"cmd.run": []},
                "b": {"cmd.run": [{"require": [{"cmd": "a"}]}]},
                "x.app::start": {"stateconf.set": [{"require_in": [{"cmd": "a"}]}]},
            },
            id="ordered",
        ),
        pytest.param("#!jinja|yaml|stateconf -pG\na: {b: c}", {"a": {"b": "c"}}, id="piped"),
    ],
)
def test_sls_is_rewritten(text: str, data: Any, tmp_path: Path) -> None:
    pillar = compiled(tmp_path, text, "x.app")
    assert pillar.errors == ()
    assert plain(pillar.tree) == data


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("#!stateconf -z\na: {}", "option -z not recognized", id="option"),
        pytest.param("#!stateconf no . jinja\na: {}", "Renderer: 'no' is not available!", id="no"),
        pytest.param(
            "#!stateconf -o json . jinja\n{}",
            "Implicit ordering is only supported if the yaml renderer is used!",
            id="order-of-json",
        ),
        pytest.param(
            "#!stateconf\n.goal: {cmd.run: []}",
            "Can't generate goal state(.goal)! The same state id already exists!",
            id="goal-twice",
        ),
        pytest.param(
            "#!stateconf\ninclude: [...x]",
            "Attempted relative include goes beyond top level package",
            id="beyond-the-top",
        ),
    ],
)
def test_fault_is_worded_as_salt_does(text: str, message: str, tmp_path: Path) -> None:
    assert compiled(tmp_path, text).errors == (
        f"Rendering SLS 'app' failed, render error:\n{message}",
    )


@pytest.mark.parametrize(
    "asked", ["p.no", "p['no']", "p.no | default('x')", "1 if p.no is defined else 0"]
)
def test_a_value_that_is_not_set_has_no_default_in_salt(asked: str, tmp_path: Path) -> None:
    text = (
        "#!stateconf -G\n.p:\n  stateconf.set:\n    - port: 80\n# -- end of state config --\n"
        f'a: {{{{ {asked} }}}}\nb: {{{{ p.get("no", 1) }}}}\n'
    )
    (error,) = compiled(tmp_path, text).errors
    assert "Jinja error: 'no'" in error


def test_data_of_another_shape_is_not_taken(tmp_path: Path) -> None:
    (error,) = compiled(tmp_path, "#!stateconf\na: 1").errors
    assert error.endswith("sls preprocessing/rendering failed!")


def test_values_keep_their_lines(tmp_path: Path) -> None:
    pillar = compiled(tmp_path, "#!stateconf\n.a:\n  cmd.run:\n    - user: u\nb:\n  c: d\n")
    lines = {path: origins[-1].line for path, _, origins in leaves(pillar.tree)}
    assert lines["b", "c"] == 6
    assert lines["app::goal", "stateconf.set", 0, "require", 1, "c"] == 1
