"""What a report is made from, as far as it is watched."""

import os
from pathlib import Path

import pytest

from pillarbook.inventory.reach import Trust
from pillarbook.inventory.settings import Environment, Settings
from pillarbook.publish.sources import find_sources

ALWAYS = {"master", "master.d", "minions.yml"}
SALT = {"/srv/salt", "/srv/pillar", "/srv/spm/pillar", "/srv/spm/salt"}
MASTERS = {
    "roots": (
        "pillar_roots: {base: [pillar/base, pillar/all], dev: [pillar/dev]}\nfile_roots: {base: [s]}",
        {"pillar/base", "pillar/all", "pillar/dev", "s"},
    ),
    "every environment": ("pillar_roots: {__env__: [envs/__env__/pillar]}", {"envs"}),
    "includes": (
        "pillar_roots: {base: [p]}\ninclude: [more/*.conf, one.conf]",
        {"p", "more", "one.conf", "more/x.conf", "from_include"},
    ),
    "a stack": (
        "pillar_roots: {base: [p]}\next_pillar: [{stack: [stack/a.cfg, {opts: {x: y}}]}]",
        {"p", "stack"},
    ),
    "a hierarchy": (
        (
            "pillar_roots: {base: [p]}\next_pillar:\n"
            "- hierarchy_pillar: {hierarchy_pillar.data_path: g, hierarchy_pillar.keys: [_up]}"
        ),
        {"p", "g"},
    ),
    "a hierarchy named in an option of its own": (
        (
            "pillar_roots: {base: [p]}\next_pillar: [{hierarchy_pillar: null}]\n"
            "hierarchy_pillar.data_path: g"
        ),
        {"p", "g"},
    ),
}
INVENTORIES = {
    "grains of its own": ("minions: {a: {grains: {os: Debian}}}", set()),
    "grains in a file": ("minions: {a: {grains: a.json}}", {"a.json"}),
    "grains in a file, quoted": ("minions:\n  a:\n    'grains': \"g/a.json\"\n", {"g/a.json"}),
    "missing grains": ("minions: {a: {grains: no.json}}", {"no.json"}),
    "roots of its own": (
        "minions: {a: {opts: {pillar_roots: {base: [own]}}}}",
        {"own"},
    ),
    "a fault": ("minions: {a: {grains: a.json}, b: 3}", {"a.json"}),
    "no YAML": ("minions: {", set()),
}


def found(tree: Path, **changes: object) -> set[str]:
    """Return the sources relative to the tree, without those of Salt's defaults."""
    fields: dict[str, object] = {
        "master": tree / "master",
        "inventory": (tree / "minions.yml",),
        "folder": tree,
    }
    sources = find_sources(Settings(**(fields | changes)), Trust())  # type: ignore[arg-type]
    return {os.path.relpath(path, tree) for path in sources if path.is_relative_to(tree)}


def test_branches_count_where_a_revision_is_compared_with(tree: Path) -> None:
    (tree / ".git").mkdir()
    branches = {".git/HEAD", ".git/packed-refs", ".git/refs"}
    assert not branches & found(tree)
    assert branches <= found(tree, revisions={"base": "main"})


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in ("more/x.conf", "stack/a.cfg", "a.json", "g/a.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("{}")
    (tmp_path / "more/x.conf").write_text("file_roots: {base: [from_include]}\n")
    (tmp_path / "master").write_text("pillar_roots: {base: [p]}\n")
    (tmp_path / "minions.yml").write_text("minions: {}\n")
    return tmp_path


@pytest.mark.parametrize(("master", "expected"), MASTERS.values(), ids=MASTERS)
def test_the_master_file_names_sources(master: str, expected: set[str], tree: Path) -> None:
    (tree / "master").write_text(master)
    assert found(tree) == ALWAYS | expected


@pytest.mark.parametrize(("inventory", "expected"), INVENTORIES.values(), ids=INVENTORIES)
def test_the_inventory_names_sources(inventory: str, expected: set[str], tree: Path) -> None:
    (tree / "minions.yml").write_text(inventory)
    assert found(tree) == ALWAYS | {"p"} | expected


def test_environments_name_sources(tree: Path) -> None:
    options = {"pillar_roots": {"base": ["prod"]}}
    environments = (Environment(name="base"), Environment(name="prod", options=options))
    assert found(tree, environments=environments) == ALWAYS | {"p", "prod"}


def test_what_is_missing_is_watched_for(tree: Path) -> None:
    (tree / "master").unlink()
    (tree / "minions.yml").unlink()
    assert found(tree) == ALWAYS


def test_what_may_not_be_read_is_not_watched(tree: Path) -> None:
    (tree / "master").write_text(f"pillar_roots: {{base: [{tree.parent}/other, p]}}\n")
    settings = Settings(master=tree / "master", inventory=(tree / "minions.yml",), folder=tree)
    assert tree.parent / "other" not in find_sources(settings, Trust())
    assert tree.parent / "other" in find_sources(settings, Trust(given=True))
    assert tree.parent / "other" in find_sources(settings, Trust(), (tree.parent / "other",))
