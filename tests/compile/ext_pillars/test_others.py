"""nodegroups, file_tree, commands and code as external pillars: origins, limits, and who may run."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.support.fleets import (
    CASES,
    Fleet,
    compile_case,
    describe,
    open_fleet,
    said,
    write_files,
    write_fleet,
)

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.limits import Limits
from pillarbook.inventory.reach import find_top
from pillarbook.model import leaves, plain

SLS = {"top.sls": "base:\n  '*': [p]\n", "p.sls": "p: 1\n"}


def compile_one(
    folder: Path,
    ext_pillar: list[Any],
    *,
    python: bool = False,
    **options: Any,
) -> CompiledPillar:
    minions = {"m": {"grains": {"roles": ["web"]}}}
    write_fleet(folder, SLS, minions, {"ext_pillar": ext_pillar, **options})
    without_recording = describe(compile_case(folder, memo=False, python=python)["m"])
    compiled = compile_case(folder, python=python)["m"]
    assert describe(compiled) == without_recording
    return compiled


def places(compiled: CompiledPillar) -> dict[str, str]:
    return {
        ":".join(map(str, path)): f"{origins[-1].file}:{origins[-1].line}"
        for path, _, origins in leaves(compiled.tree)
    }


GROUPS = {"web": "G@roles:web", "not": "not m", "both": "N@web and m*", "list": ["m", "or", "x"]}


@pytest.mark.parametrize(
    ("config", "name"),
    [({"pillar_name": "in"}, "in"), ({}, "nodegroups"), ("x", "x"), (["y"], "y")],
)
def test_nodegroups_are_those_that_match(tmp_path: Path, config: Any, name: str) -> None:
    compiled = compile_one(tmp_path, [{"nodegroups": config}], nodegroups=GROUPS)
    assert plain(compiled.tree) == {"p": 1, name: ["web", "both", "list"]}
    lines = (tmp_path / "master").read_text().splitlines()
    for at, group in enumerate(("web", "both", "list")):
        file, line = places(compiled)[f"{name}:{at}"].split(":")
        assert file == "master"
        assert lines[int(line) - 1].strip().startswith(group)


def test_file_tree_takes_nodegroups_then_hosts(tmp_path: Path) -> None:
    write_files(
        tmp_path / "tree",
        {
            "nodegroups/web/a": "group\n",
            "nodegroups/web/both": "group\n",
            "nodegroups/not/no": "x",
            "nodegroups/unknown/no": "x",
            "hosts/m/both": "host\n",
            "hosts/m/empty": "",
            "hosts/other/no": "x",
        },
    )
    compiled = compile_one(tmp_path, [{"file_tree": {"root_dir": "tree"}}], nodegroups=GROUPS)
    assert plain(compiled.tree) == {"p": 1, "a": b"group", "both": b"host", "empty": b""}
    assert places(compiled)["a"] == "tree/nodegroups/web/a:1"
    assert places(compiled)["both"] == "tree/hosts/m/both:1"
    assert places(compiled)["empty"] == "tree/hosts/m/empty:1"
    chain = {path: origins for path, _, origins in leaves(compiled.tree)}
    assert [origin.value for origin in chain["both",]] == [b"group", b"host"]


def test_file_tree_takes_what_is_no_text(tmp_path: Path) -> None:
    write_files(tmp_path, {"tree/hosts/m/text": "t"})
    (tmp_path / "tree/hosts/m/bin").write_bytes(b"\xff\x00\n\n")
    compiled = compile_one(tmp_path, [{"file_tree": {"root_dir": "tree"}}])
    assert plain(compiled.tree) == {"p": 1, "bin": b"\xff\x00\n", "text": b"t"}


def test_a_relative_file_tree_lies_below_the_roots_of_the_pillarenv(tmp_path: Path) -> None:
    write_files(tmp_path, {"pillar/files/hosts/m/a": "pillar", "files/hosts/m/a": "master"})
    entry = [{"file_tree": {"root_dir": "files"}}]
    assert plain(compile_one(tmp_path, entry).tree)["a"] == b"master"
    assert plain(compile_one(tmp_path, entry, pillarenv="base").tree)["a"] == b"pillar"


def test_file_tree_reads_nothing_out_of_reach(tmp_path: Path) -> None:
    tree = tmp_path / "in"
    write_files(tmp_path, {"secret/hosts/m/key": "s", "in/tree/hosts/m/a": "a"})
    (tree / "tree/hosts/m/link").symlink_to(tmp_path / "secret/hosts/m/key")
    (tree / "tree/hosts/m/folder").symlink_to(tmp_path / "secret")
    (tree / "tree/hosts/m/loop").symlink_to(tree / "tree/hosts")
    entries: list[Any] = [
        {"file_tree": {"root_dir": "tree", "follow_dir_links": True}},
        {"file_tree": {"root_dir": str(tmp_path / "secret")}},
        {"file_tree": {"root_dir": "../secret"}},
    ]
    compiled = compile_one(tree, entries)
    data = plain(compiled.tree)
    assert data["a"] == b"a"
    assert data["folder"] == {}
    assert "link" not in data
    assert data["loop"] == {"m": {}}
    assert {code for code, _ in said(compiled)} == {"outside-reach"}
    assert "Salt" not in str(compiled.errors)
    assert compiled.outcome == "partial"


def test_what_a_command_prints_is_of_the_line_that_names_it(tmp_path: Path) -> None:
    entries = [{"cmd_yaml": "echo 'a: {b: %s}'"}]
    compiled = compile_one(tmp_path, entries, python=True)
    assert plain(compiled.tree)["a"] == {"b": "m"}
    lines = (tmp_path / "master").read_text().splitlines()
    file, line = places(compiled)["a:b"].split(":")
    assert file == "master"
    assert "cmd_yaml" in lines[int(line) - 1]


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("command", "said_of_it"),
    [
        (
            "cmd_yaml",
            "the external pillar 'cmd_yaml' is not run: it runs a command on this machine",
        ),
        (
            "cmd_json",
            "the external pillar 'cmd_json' is not run: it runs a command on this machine",
        ),
        ("own", "the external pillar 'own' is not run: it is code of the tree"),
        ("vault", "the external pillar 'vault' is not run"),
    ],
)
def test_without_trust_nothing_runs(tmp_path: Path, command: str, said_of_it: str) -> None:
    code = "open('ran', 'w')\n__virtualname__ = 'own'\ndef __virtual__():\n    return 'own'\n"
    write_files(tmp_path, {"ext/pillar/x.py": code})
    compiled = compile_one(tmp_path, [{command: f"touch {tmp_path}/ran"}], extension_modules="ext")
    assert not (tmp_path / "ran").exists()
    assert said(compiled) == [("unavailable-ext-pillar", said_of_it)]
    (one,) = compiled.diagnostics
    assert one.help is not None
    assert f"ext_pillars: {{{command}: answers/{command}.yml}}" in one.help
    assert compiled.errors == ()


@pytest.mark.parametrize(
    ("name", "meant"),
    [("gti", "git"), ("stak", "stack"), ("filetree", "file_tree"), ("vault", None)],
)
def test_a_misspelt_name_is_one(tmp_path: Path, name: str, meant: str | None) -> None:
    (one,) = compile_one(tmp_path, [{name: {}}]).diagnostics
    assert one.help is not None
    assert one.help.startswith(f"did you mean `{meant}`? If not, answer" if meant else "answer")


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("sleep 60", "takes more than 0.2 s"),
        ("sleep 60 & sleep 60", "takes more than 0.2 s"),
        ("exec >&- 2>&-; sleep 60", None),
        ("yes", "prints more than 1,000 characters"),
    ],
)
def test_a_command_has_limits(tmp_path: Path, command: str, reason: str | None) -> None:
    write_fleet(tmp_path, SLS, {"m": {}}, {"ext_pillar": [{"cmd_yaml": command}]})
    with open_fleet(tmp_path, python=True) as fleet:
        project = replace(fleet.project, limits=Limits(seconds=0.2, output=1000))
        compiled = Fleet(fleet.minions, project).compile("m")
    assert plain(compiled.tree) == {"p": 1}
    if reason is not None:
        assert dict(said(compiled)) == {
            "limit-exceeded": f"the external pillar 'cmd_yaml' fails: the command {reason}",
            "opens-files": "the external pillar 'cmd_yaml' starts programs, which may read any file",
        }


def test_code_that_fails_quotes_no_value(tmp_path: Path) -> None:
    code = "def ext_pillar(minion_id, pillar):\n    raise KeyError('hunter2' + minion_id)\n"
    write_files(tmp_path, {"ext/pillar/own.py": code})
    compiled = compile_one(tmp_path, [{"own": {}}], python=True, extension_modules="ext")
    assert said(compiled) == [
        (
            "ext-pillar-error",
            "the external pillar 'own' fails: its code fails: a key is missing (KeyError)",
        )
    ]
    assert str(compiled.diagnostics[0].position) == "ext/pillar/own.py:2"


def test_code_that_changes_grains_is_compiled_alike(tmp_path: Path) -> None:
    code = "def ext_pillar(minion_id, pillar):\n    __grains__['x'] = 1\n    return {'x': __grains__['x']}\n"
    write_files(tmp_path, {"ext/pillar/own.py": code})
    compiled = compile_one(tmp_path, [{"own": {}}], python=True, extension_modules="ext")
    assert plain(compiled.tree) == {"p": 1, "x": 1}
    assert places(compiled)["x"] == "ext/pillar/own.py:1"


def test_every_origin_of_the_cases_is_a_line(tmp_path: Path) -> None:
    for folder in sorted((CASES / "external").iterdir()):
        for compiled in compile_case(folder, python=True).values():
            for path, _, origins in leaves(compiled.tree):
                for origin in origins if path[0] != "_errors" else ():
                    assert origin.line is not None
                    count = len((find_top(folder) / origin.file).read_bytes().split(b"\n"))
                    assert 1 <= origin.line <= count
