"""Includes within includes end at a number of levels, not where Python's stack happens to end."""

from pathlib import Path

import pytest
from tests.support.fleets import open_fleet, write_fleet

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.sls.pstate import MAX_LEVELS
from pillarbook.model import Position, plain

ITSELF = "include: ['.']\nx: 1\n"


def compile_tree(folder: Path, files: dict[str, str], *, memo: bool) -> CompiledPillar:
    files = {"top.sls": "base: {'*': [d, ok]}\n", "ok.sls": "ok: 1\n", **files}
    master = {"pillar_safe_render_error": False}
    with open_fleet(write_fleet(folder, files, {"m": {}}, master), memo=memo) as fleet:
        return fleet.compile("m")


def write_chain(levels: int) -> dict[str, str]:
    """Return as many SLS files as named, each of which includes the next."""
    names = ["init", *(f"d{number}" for number in range(1, levels))]
    following = zip(names, [*names[1:], ""], strict=True)
    return {
        f"d/{name}.sls": f"include: [.{one}]\n{name}: 1\n" if one else f"{name}: 1\n"
        for name, one in following
    }


@pytest.mark.parametrize("memo", [True, False], ids=["memo", "plain"])
def test_an_init_that_includes_itself_loses_the_last_one_only(tmp_path: Path, memo: bool) -> None:
    compiled = compile_tree(tmp_path, {"d/init.sls": ITSELF}, memo=memo)
    (error,) = compiled.errors
    (found,) = compiled.diagnostics
    last = "d" + "." * MAX_LEVELS
    deep = "maximum recursion depth exceeded"
    assert error == f"Rendering SLS '{last}' failed, render error:\n{deep}"
    assert plain(compiled.tree) == {"x": 1, "ok": 1, "_errors": [error]}
    assert (found.code, found.position) == ("limit-exceeded", Position("pillar/d/init.sls", 1))


def test_a_chain_of_all_levels_is_whole(tmp_path: Path) -> None:
    compiled = compile_tree(tmp_path, write_chain(MAX_LEVELS), memo=True)
    assert compiled.outcome == "ok"
    assert len(plain(compiled.tree)) == MAX_LEVELS + 1


def test_a_chain_that_is_longer_loses_its_end(tmp_path: Path) -> None:
    compiled = compile_tree(tmp_path, write_chain(MAX_LEVELS + 1), memo=True)
    assert compiled.outcome == "partial"
    assert f"'d.d{MAX_LEVELS}'" in compiled.errors[0]
    assert len(plain(compiled.tree)) == MAX_LEVELS + 2  # `ok` and `_errors`
