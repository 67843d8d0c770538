"""git_pillar: what Salt answered, origins, what is not on this machine, and what may not be read."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.support.fleets import (
    CASES,
    answer_of,
    compile_case,
    describe,
    open_fleet,
    said,
    write_files,
    write_fleet,
)
from tests.support.repositories import build_repositories, build_repository, git

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.model import leaves, plain

GIT = CASES / "git"
FOLDERS = {path.parent.name: path.parent for path in sorted(GIT.glob("*/expected.json"))}


@pytest.fixture(scope="session")
def repositories(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_repositories(GIT / "repositories", tmp_path_factory.mktemp("git"))


@pytest.mark.sample(3)
@pytest.mark.parametrize("memo", [True, False], ids=["memo", "plain"])
@pytest.mark.parametrize("folder", FOLDERS.values(), ids=FOLDERS)
def test_case_gives_what_salt_gives(folder: Path, memo: bool, repositories: Path) -> None:
    expected = json.loads((folder / "expected.json").read_text())
    compiled = compile_case(folder, memo=memo, paths={"/srv/git": repositories})
    assert json.dumps({name: answer_of(one) for name, one in compiled.items()}) == json.dumps(
        expected
    )


@pytest.mark.sample(1)
@pytest.mark.parametrize("folder", FOLDERS.values(), ids=FOLDERS)
def test_memo_changes_nothing(folder: Path, repositories: Path) -> None:
    with open_fleet(folder, memo=False, paths={"/srv/git": repositories}) as fleet:
        alone = {name: describe(one) for name, one in fleet.compile_all().items()}
    for order in (list(alone), list(alone)[::-1]):
        with open_fleet(folder, paths={"/srv/git": repositories}) as fleet:
            together = {name: describe(fleet.compile(name)) for name in order}
        assert together == alone


def test_every_origin_is_a_line_of_the_repository(repositories: Path) -> None:
    with open_fleet(GIT / "environments", paths={"/srv/git": repositories}) as fleet:
        compiled = fleet.compile_all()
        shown = fleet.project.shown(repositories)
    checked = 0
    for pillar in compiled.values():
        for path, _, origins in leaves(pillar.tree):
            for origin in origins if path[0] != "_errors" else ():
                assert origin.line is not None
                if origin.file.startswith(shown):
                    name, branch, file = origin.file.removeprefix(f"{shown}/").split(":")
                    text = git(repositories / name, "show", f"{branch}:{_real(file)}")
                    assert 1 <= origin.line <= len(text.splitlines())
                    checked += 1
    assert checked > 20


def _real(file: str) -> str:
    return {"pillar/link.sls": "outside.sls", "pillar/lsub/other.sls": "folder/other.sls"}.get(
        file, file
    )


TREE = {"top.sls": "base:\n  '*': [a]\n", "a.sls": "a: 1\nb:\n  c: {{ grains.id }}\n"}


def compile_one(
    folder: Path,
    remotes: list[Any],
    *,
    paths: Mapping[str, str] | None = None,
    files: Mapping[str, str] | None = None,
) -> CompiledPillar:
    """Compile the minion ``m`` with the repository ``clone``, which has one branch."""
    write_files(folder / "branches" / "master", TREE if files is None else files)
    if not (folder / "clone").exists():
        build_repository(folder / "branches", folder / "clone")
    write_fleet(
        folder,
        {"top.sls": "base:\n  '*': [p]\n", "p.sls": "p: 1\na: 0\n"},
        {"m": {}},
        {"ext_pillar": [{"git": remotes}]},
    )
    mapped = {there: folder / here for there, here in (paths or {}).items()}
    return compile_case(folder, paths=mapped)["m"]


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("https://git.example.com/infra/pillar.git", "https://git.example.com/infra/pillar.git"),
        ("https://git.example.com/clone", "https://git.example.com"),
        ("https://git.example.com/clone", "https://git.example.com/"),
        ("https://me:hunter2@git.example.com/clone", "https://git.example.com/clone"),
        ("git@git.example.com:infra/pillar.git", "git@git.example.com:infra/pillar.git"),
        ("git@git.example.com:clone", "git@git.example.com:"),
        ("ssh://git@git.example.com/x", "ssh://git@git.example.com/x"),
        ("file:///srv/git/x.git", "/srv/git/x.git"),
        ("file:///srv/git/x.git", "file:///srv/git/x.git"),
    ],
)
def test_paths_lead_a_url_to_a_clone(tmp_path: Path, url: str, key: str) -> None:
    whole = key in {url, "https://git.example.com/clone", "/srv/git/x.git"}
    compiled = compile_one(tmp_path, [f"master {url}"], paths={key: "clone" if whole else "."})
    assert plain(compiled.tree) == {"p": 1, "a": 1, "b": {"c": "m"}}
    assert compiled.outcome == "ok"
    places = {
        path: [f"{o.file}:{o.line}" for o in origins] for path, _, origins in leaves(compiled.tree)
    }
    assert places["a",] == ["pillar/p.sls:2", "clone:master:a.sls:1"]
    assert places["b", "c"] == ["clone:master:a.sls:3"]


@pytest.mark.parametrize(
    ("url", "named"),
    [
        ("https://git.example.com/a.git", "https://git.example.com/a.git"),
        ("https://me:hunter2@git.example.com/a.git", "https://git.example.com/a.git"),
        ("git@git.example.com:a.git", "git@git.example.com:a.git"),
        ("file://host/srv/a.git", "file://host/srv/a.git"),
    ],
)
def test_a_url_that_nothing_maps_is_not_asked(tmp_path: Path, url: str, named: str) -> None:
    compiled = compile_one(tmp_path, [f"master {url}"])
    assert plain(compiled.tree) == {"p": 1, "a": 0}
    assert compiled.outcome == "partial"
    assert compiled.errors == ()
    (one,) = compiled.diagnostics
    assert one.code == "missing-repository"
    assert one.message == f"the git repository '{named}' is not on this machine"
    assert one.help is not None
    assert f"paths: {{{named}: " in one.help
    assert one.position is not None
    assert str(one.position).startswith("master:")


def test_branches_of_a_clone_are_those_of_its_origin(tmp_path: Path) -> None:
    write_files(tmp_path / "branches" / "dev", {**TREE, "top.sls": "dev:\n  '*': [a]\n"})
    compile_one(tmp_path, ["https://h/x"])
    git(tmp_path, "clone", "--quiet", "clone", "copy")
    compiled = compile_one(tmp_path, ["dev https://h/x"], paths={"https://h/x": "copy"})
    assert plain(compiled.tree)["b"] == {"c": "m"}


@pytest.mark.parametrize(
    ("remote", "code", "message", "outcome"),
    [
        ("no https://h/x", "missing-branch", "'https://h/x' has no branch or tag 'no', so Salt skips it", "ok"),
        (
            {"master https://h/x": [{"root": "nowhere"}]},
            "missing-repository",
            "'https://h/x' has no folder 'nowhere', so Salt skips it",
            "ok",
        ),
        (
            {"master https://h/x": [{"root": "../.."}]},
            "missing-repository",
            "'https://h/x' has no folder '../..', so Salt skips it",
            "ok",
        ),
        (
            "master https://h/folder",
            "missing-repository",
            "the git repository 'https://h/folder' is not read: pillar is no git repository",
            "partial",
        ),
        (
            "clone",
            "malformed-option",
            "git_pillar ignores 'clone', which is not a URL",
            "ok",
        ),
    ],
    ids=["branch", "root", "outer root", "no repository", "no url"],
)  # fmt: skip
def test_what_is_not_there_is_told(
    tmp_path: Path, remote: Any, code: str, message: str, outcome: str
) -> None:
    paths = {"https://h/x": "clone", "https://h/folder": "pillar"}
    compiled = compile_one(tmp_path, [remote], paths=paths)
    assert said(compiled) == [(code, message)]
    assert compiled.outcome == outcome
    assert compiled.errors == ()


def test_a_repository_out_of_reach_is_not_read(tmp_path: Path) -> None:
    write_files(tmp_path / "private/branches/master", TREE)
    outside = build_repository(tmp_path / "private/branches", tmp_path / "private/clone")
    compiled = compile_one(tmp_path / "tree", [f"file://{outside}"])
    assert plain(compiled.tree) == {"p": 1, "a": 0}
    assert [code for code, _ in said(compiled)] == ["outside-reach"]
    assert compiled.outcome == "partial"


def test_its_errors_make_the_minion_partial(tmp_path: Path) -> None:
    files = {"top.sls": "base:\n  '*': [a, gone]\n", "a.sls": "a: {{ 1 / 0 }}\n"}
    compiled = compile_one(tmp_path, ["https://h/x"], paths={"https://h/x": "clone"}, files=files)
    assert (
        plain(compiled.tree)["_errors"]
        == list(compiled.errors)
        == [
            "Rendering SLS 'a' failed. Please see master log for details.",
            "Specified SLS 'gone' in environment 'base' is not available on the salt master",
        ]
    )
    assert compiled.outcome == "partial"
    assert {str(one.position) for one in compiled.diagnostics} == {
        "clone:master:a.sls:1",
        "clone:master:top.sls:2",
    }
    assert {(one.file, one.line) for one in compiled.targets} == {
        ("pillar/top.sls", 2),
        ("clone:master:top.sls", 2),
    }


def test_a_template_that_writes_is_compiled_alike_with_and_without_memo(tmp_path: Path) -> None:
    files = {
        "top.sls": "base:\n  '*': [a, b]\n",
        "a.sls": "{% do grains.update({'x': 1}) %}{% do pillar.update({'q': 2}) %}\na: 1\n",
        "b.sls": "b: {{ grains.get('x') }}\n",
    }
    compiled = compile_one(tmp_path, ["https://h/x"], paths={"https://h/x": "clone"}, files=files)
    assert plain(compiled.tree) == {"p": 1, "a": 1, "q": 2, "b": 1}


def test_trees_are_shared_and_files_rendered_once(tmp_path: Path) -> None:
    files = {"top.sls": "base:\n  '*': [a]\n", "a.sls": "a: [1, 2]\nos: {{ grains.os }}\n"}
    compile_one(tmp_path, ["https://h/x"], paths={"https://h/x": "clone"}, files=files)
    rendered: list[str] = []

    class Guard:
        def __init__(self, shown: str) -> None:
            rendered.append(shown)

        def __enter__(self) -> None:
            pass

        def __exit__(self, *_: object) -> None:
            pass

    with open_fleet(tmp_path, watch=Guard, paths={"https://h/x": tmp_path / "clone"}) as fleet:
        minions = {f"m{n}": {"os": "Debian"} for n in range(30)}
        compiled = fleet.of_minions(minions).compile_all()
    assert rendered.count("clone:master:a.sls") == 1
    assert len({id(one.tree.items["a"]) for one in compiled.values()}) == 1


@pytest.mark.parametrize("options", [{}, {"pillarenv": "__env__"}], ids=["saltenv", "pillarenv"])
def test_an_environment_named_as_the_variable_has_no_files(
    tmp_path: Path, options: dict[str, str]
) -> None:
    files = {"top.sls": "__env__: {'*': [a]}\nbase: {'*': [a]}\n", "a.sls": "a: 1"}
    build_repository(
        write_files(tmp_path / "branches" / "master", files).parent, tmp_path / "clone"
    )
    remote = {"__env__ file:///srv/git/clone": [{"all_saltenvs": "master"}]}
    write_fleet(
        tmp_path,
        {"top.sls": "base: {'*': [p]}", "p.sls": "p: 1"},
        {"m": {"saltenv": "__env__", **options}, "other": {}},
        {"ext_pillar": [{"git": [remote]}]},
    )
    compiled = compile_case(tmp_path, paths={"/srv/git": tmp_path})
    assert plain(compiled["other"].tree)["a"] == 1
    assert "a" not in plain(compiled["m"].tree)
    assert "_errors" not in plain(compiled["m"].tree)
