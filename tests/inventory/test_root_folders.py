"""Folders of pillar_roots: wildcards, mapped paths, links, ``__env__``."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from pillarbook.diagnostics import Diagnostic
from pillarbook.inventory.master import load_master
from pillarbook.inventory.master_options import MasterOptions
from pillarbook.inventory.reach import OutsideReachError, Reach
from pillarbook.inventory.root_folders import resolve_roots


def load(
    folder: Path, text: str, paths: Mapping[str, str] | None = None, *, trusting: bool = False
) -> tuple[MasterOptions, tuple[Diagnostic, ...]]:
    folder.mkdir(exist_ok=True)
    (folder / "master").write_text(text)
    mapped = {there: folder / here for there, here in (paths or {}).items()}
    reach = Reach((folder.resolve(),), trusting=trusting)
    return load_master(folder / "master", reach=reach, paths=mapped)


def resolved(options: MasterOptions, environment: str | None = None) -> dict[str, list[str]]:
    roots = resolve_roots(options, "pillar_roots", environment=environment)
    return {
        env: [str(root.path and options.shown(root.path)) for root in found]
        for env, found in roots.items()
    }


@pytest.mark.parametrize(
    ("roots", "wanted"),
    [
        ("['sites/l?n*', 'none-*', main]", ["sites/london", "main"]),
        ("['sites/*']", ["sites/london", "sites/paris"]),
        ("['s*/l*']", ["sites/london"]),
        ("['/srv/pillar/*', /srv/pillar]", ["sites/london", "sites/paris", "sites"]),
        ("['sites/[lp]*']", ["sites/london", "sites/paris"]),
        ("[gone]", ["gone"]),
        ("['./main/../main']", ["main/../main"]),
    ],
    ids=[
        "what matches nothing disappears",
        "sorted",
        "wildcards at two levels",
        "below a mapped path",
        "a class of characters",
        "a plain folder that is missing stays",
        "a detour",
    ],
)
def test_expands_wildcards(tmp_path: Path, roots: str, wanted: list[str]) -> None:
    for name in ("sites/london", "sites/paris", "sites/.hidden", "main"):
        (tmp_path / name).mkdir(parents=True)
    options, _ = load(tmp_path, f"pillar_roots: {{base: {roots}}}\n", {"/srv/pillar": "sites"})
    assert resolved(options) == {"base": wanted}


@pytest.mark.parametrize(
    ("environment", "wanted"),
    [
        (None, {"base": ["base"], "__env__": ["None", "shared"]}),
        ("base", {"base": ["base"]}),
        ("qa", {"base": ["base"], "qa": ["envs/qa", "shared"]}),
    ],
)
def test_puts_a_name_to_the_dynamic_environment(
    tmp_path: Path, environment: str | None, wanted: dict[str, list[str]]
) -> None:
    options, found = load(
        tmp_path, "pillar_roots:\n  base: [base]\n  __env__: [envs/__env__, shared]\n"
    )
    assert resolved(options, environment) == wanted
    texts = [root.text for root in resolve_roots(options, "pillar_roots").get("__env__", ())]
    assert texts == ["envs/__env__", "shared"]
    assert [one.code for one in found] == ["missing-root", "missing-root"]


def test_any_environment_has_the_dynamic_file_roots(tmp_path: Path) -> None:
    for name in ("envs/qa/of-qa", "envs/dev", "envs/base/of-base", "shared-new", "deep/it/x/it"):
        (tmp_path / name).mkdir(parents=True)
    folders = "['envs/__env__/of-__env__', shared-__env__, 'deep/__env__/x/__env__', common]"
    text = f"file_roots:\n  base: [base]\n  __env__: {folders}\n"
    options, _ = load(tmp_path, text)
    roots = resolve_roots(options, "file_roots", environment="other")
    assert list(roots) == ["base", "__env__", "other", "qa", "new", "it"]
    shown = [str(root.path and options.shown(root.path)) for root in roots["qa"]]
    assert shown == ["envs/qa/of-qa", "shared-qa", "deep/qa/x/qa", "common"]
    (only,) = resolve_roots(options, "file_roots", environment="../../..")["../../.."]
    assert only.text == "common"  # the others would be outside of the repository


def test_leaves_a_pillarenv_no_way_out(tmp_path: Path) -> None:
    options, _ = load(tmp_path, "pillar_roots:\n  __env__: [envs/__env__]\n")
    assert resolved(options, "../../..") == {"../../..": []}
    with pytest.raises(OutsideReachError):
        options.resolve_path("envs/../../..")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("/srv/pillar", "pillar"),
        ("/srv/pillar/base", "pillar/base"),
        ("/srv/pillar/private/x", "elsewhere/x"),
        ("/srv/pillars", None),
        ("/etc", None),
        ("pillar", "pillar"),
        ("../x", None),
        ("/srv/pillar/../../..", None),
        ("pillar\0x", None),
    ],
)
def test_maps_absolute_paths(tmp_path: Path, text: str, wanted: str | None) -> None:
    paths = {"/srv/pillar": "pillar", "/srv/pillar/private": "elsewhere"}
    options, _ = load(tmp_path, "", paths)
    if wanted is None:
        with pytest.raises(OutsideReachError):
            options.resolve_path(text)
    else:
        assert options.shown(options.resolve_path(text)) == wanted


def test_leaves_out_what_is_out_of_reach_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "in/pillar").mkdir()
    (tmp_path / "in/link").symlink_to("../out")
    text = "pillar_roots:\n  base: [pillar]\n  dev: [../out, link, '../o*', pillar]\n"
    options, found = load(tmp_path / "in", text)
    assert resolved(options) == {"base": ["pillar"], "dev": ["pillar"]}
    assert [(one.code, str(one.position)) for one in found] == [("outside-reach", "master:3")] * 3
    trusted, found = load(tmp_path / "in", text, trusting=True)
    assert resolved(trusted)["dev"] == ["../out", "link", "../out", "pillar"]
    assert not found


def test_widens_the_reach_by_a_trusted_folder_only(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    options, _ = load(tmp_path / "in", "pillar_roots: {base: [../out]}\n", trusting=True)
    (root,) = resolve_roots(options, "pillar_roots")["base"]
    assert root.reach.allows(tmp_path / "out/top.sls")
    assert not root.reach.allows(tmp_path / "other")
    assert not options.reach.allows(tmp_path / "out/top.sls")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", [("missing-root", "note", "None")]),
        ("pillar_roots: {base: []}\n", []),
        ("pillar_roots:\n  base: [gone]\n", [("missing-root", "warning", "master:2")]),
        ("pillar_roots:\n  base: [master]\n", [("missing-root", "warning", "master:2")]),
        (
            "pillar_roots:\n  base: [.]\n  dev: [., gone]\n  old: [gone, lost]\n",
            [
                ("missing-root", "note", "master:3"),
                ("missing-root", "warning", "master:4"),
                ("missing-root", "warning", "master:4"),
            ],
        ),
        (
            "pillar_roots: {base: []}\nfile_roots:\n  base: [gone]\n",
            [("missing-root", "note", "master:3")],
        ),
        (
            "pillar_roots: {base: []}\nfile_roots:\n  base: [/srv/x]\n",
            [("outside-reach", "warning", "master:3")],
        ),
    ],
    ids=[
        "none set",
        "no folder",
        "not there",
        "a file",
        "one of two, and all",
        "states not there",
        "states out of reach",
    ],
)
def test_tells_of_folders(tmp_path: Path, text: str, wanted: list[tuple[str, str, str]]) -> None:
    _, found = load(tmp_path, text)
    assert [(one.code, str(one.severity), str(one.position)) for one in found] == wanted
