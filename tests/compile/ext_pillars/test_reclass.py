"""reclass through its package: data, lines, and what it may read."""

import builtins
from pathlib import Path
from typing import Any

import pytest
from tests.support.fleets import compile_case, describe, said, write_files, write_fleet

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.model import leaves, plain

FILES = {
    "rc/nodes/sub/m.yml": """\
classes: [app, app.web]
environment: base
applications: [x]
parameters:
  role: '${app:name}'
  l: [3]
""",
    "rc/classes/app/init.yml": "parameters:\n  app:\n    name: base\n  l: [1]\n",
    "rc/classes/app/web.yml": "parameters:\n  app:\n    name: web\n  ~l: [2]\n",
}


def compile_one(folder: Path, config: Any) -> CompiledPillar:
    write_files(folder, FILES)
    write_fleet(folder, {"top.sls": "base: {}\n"}, {"m": {}}, {"ext_pillar": [{"reclass": config}]})
    compiled = compile_case(folder)["m"]
    assert describe(compiled) == describe(compile_case(folder, memo=False)["m"])
    return compiled


def test_values_name_the_lines_that_give_them(tmp_path: Path) -> None:
    compiled = compile_one(tmp_path, {"inventory_base_uri": "rc"})
    data = plain(compiled.tree)
    assert (data["app"], data["role"], data["l"]) == ({"name": "web"}, "web", [2, 3])
    assert data["__reclass__"]["classes"] == ["app", "app.web"]
    places = {
        path: [f"{at.file}:{at.line}" for at in origins]
        for path, _, origins in leaves(compiled.tree)
    }
    assert places["app", "name"] == ["rc/classes/app/init.yml:3", "rc/classes/app/web.yml:3"]
    assert places["role",] == ["rc/nodes/sub/m.yml:5"]
    assert places["l", 0] == ["rc/classes/app/web.yml:4"]
    assert places["l", 1] == ["rc/nodes/sub/m.yml:6"]
    assert all(line.rpartition(":")[2].isdigit() for chain in places.values() for line in chain)
    assert compiled.outcome == "ok"


@pytest.mark.parametrize(
    ("config", "error"),
    [
        ({"inventory_base_uri": "nowhere"}, "No such directory"),
        ("rc", "ext_pillar() takes 2 positional arguments but 3 were given"),
    ],
)
def test_errors_are_salts(tmp_path: Path, config: Any, error: str) -> None:
    compiled = compile_one(tmp_path, config)
    assert error in compiled.errors[0]
    assert compiled.errors[0].startswith("Failed to load ext_pillar reclass: ")


def test_other_storages_are_not_asked(tmp_path: Path) -> None:
    compiled = compile_one(tmp_path, {"storage_type": "yaml_git"})
    assert said(compiled) == [
        (
            "unavailable-ext-pillar",
            "the external pillar 'reclass' is not run: its storage 'yaml_git' is not read",
        )
    ]


def test_without_the_package_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = builtins.__import__

    def refuse(name: str, *rest: Any, **more: Any) -> Any:
        if name.startswith("reclass."):
            raise ImportError(name)
        return original(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", refuse)
    compiled = compile_one(tmp_path, {"inventory_base_uri": "rc"})
    (one,) = compiled.diagnostics
    assert one.code == "unavailable-ext-pillar"
    assert one.help == "install pillarbook[reclass]"


@pytest.mark.parametrize("way", ["folder", "file", "ring", "root"])
def test_it_reads_nothing_out_of_reach(tmp_path: Path, way: str) -> None:
    tree = tmp_path / "in"
    write_files(tmp_path, {"secret/s.yml": "parameters: {secret: x}\n"})
    write_files(tree, FILES)
    config = {"inventory_base_uri": "../secret" if way == "root" else "rc"}
    link = tree / "rc/classes/out"
    if way == "folder":
        link.symlink_to(tmp_path / "secret")
    elif way == "file":
        link.with_suffix(".yml").symlink_to(tmp_path / "secret/s.yml")
    elif way == "ring":
        link.symlink_to("..")
    compiled = compile_one(tree, config)
    assert plain(compiled.tree) == {}
    assert [code for code, _ in said(compiled)] == ["outside-reach"]
