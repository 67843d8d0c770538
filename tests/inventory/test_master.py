"""Salt's master file; what stands here as a fact was asked of ``salt.config.master_config``."""

import copy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.support.fleets import write_files

from pillarbook.diagnostics import Diagnostic
from pillarbook.inventory.declaration_errors import SettingsError
from pillarbook.inventory.master import find_gpg_keydir, load_master, with_overlay
from pillarbook.inventory.master_options import MasterOptions
from pillarbook.inventory.reach import Reach, Trust
from pillarbook.model import Position


def load(
    folder: Path, files: Mapping[str, str], *, trusting: bool = False
) -> tuple[MasterOptions, tuple[Diagnostic, ...]]:
    write_files(folder, files)
    return load_master(folder / "master", reach=Reach((folder.resolve(),), trusting))


def faults_of(folder: Path, files: Mapping[str, str]) -> list[str]:
    with pytest.raises(SettingsError) as caught:
        load(folder, files)
    return [line.removeprefix(f"{folder}/") for line in str(caught.value).splitlines()]


INCLUDES: dict[str, tuple[dict[str, str], dict[str, Any]]] = {
    "master.d in sorted order, later wins, lists and mappings merge": (
        {
            "master": "a: main\nz: main\n",
            "master.d/b.conf": "a: b\nlist: [2, 1]\n",
            "master.d/a.conf": "a: a\nlist: [1]\nmap: {x: 1}\n",
            "master.d/c.conf": "map: {y: 2}\n",
            "master.d/n.yml": "a: never\n",
        },
        {"a": "b", "z": "main", "list": [1, 2], "map": {"x": 1, "y": 2}},
    ),
    "master.d replaces whole options of the master file": (
        {"master": "map: {m: 0}\nlist: [0]\n", "master.d/a.conf": "map: {x: 1}\nlist: [1]\n"},
        {"map": {"x": 1}, "list": [1]},
    ),
    "include wins over master.d": (
        {
            "master": "a: main\ninclude: inc/*.conf\n",
            "master.d/a.conf": "a: d\nb: d\n",
            "inc/1.conf": "a: i1\n",
            "inc/2.conf": "a: i2\n",
        },
        {"a": "i2", "b": "d", "include": "inc/*.conf"},
    ),
    "a list of includes in its own order": (
        {
            "master": "include: [z.conf, a.conf]\n",
            "z.conf": "a: z\nl: [z]\n",
            "a.conf": "a: a\nl: [a]\n",
        },
        {"a": "a", "l": ["z", "a"]},
    ),
    "includes of includes win, from their own folder": (
        {
            "master": "include: one.conf\n",
            "one.conf": "include: sub/two.conf\na: one\nb: one\nm: {x: 1}\n",
            "sub/two.conf": "a: two\nm: {y: 2}\ninclude: three.conf\n",
            "sub/three.conf": "c: three\n",
        },
        {"a": "two", "b": "one", "c": "three", "m": {"y": 2}, "include": "three.conf"},
    ),
    "default_include of the master file": (
        {
            "master": "default_include: conf/*.x\n",
            "conf/a.x": "a: x\n",
            "master.d/a.conf": "b: no\n",
        },
        {"a": "x", "b": None},
    ),
    "no default_include": (
        {"master": "default_include:\n", "master.d/a.conf": "b: no\n"},
        {"b": None},
    ),
    "an include inside master.d": (
        {
            "master": "",
            "master.d/a.conf": "include: sub.conf\na: 1\n",
            "master.d/sub.conf": "a: 2\nonly: sub\n",
        },
        {"a": 2, "only": "sub"},
    ),
    "hidden files are not included": ({"master": "", "master.d/.h.conf": "a: 1\n"}, {"a": None}),
    "values are read by Salt's rules": (
        {"master": "d: 2020-01-01\no: 0755\ny: yes\nx: 0x10\nz: 0\n"},
        {"d": "2020-01-01", "o": 755, "y": True, "x": 16, "z": 0},
    ),
    "own keys win over merged ones": (
        {"master": "x: &x {a: 1, b: 2}\ny: {c: 3, <<: *x, b: 4}\n"},
        {"y": {"a": 1, "c": 3, "b": 4}},
    ),
}


@pytest.mark.parametrize(("files", "wanted"), INCLUDES.values(), ids=INCLUDES.keys())
def test_merges_included_files_as_salt_does(
    tmp_path: Path, files: dict[str, str], wanted: dict[str, Any]
) -> None:
    options, _ = load(tmp_path, files)
    assert {key: options.values.get(key) for key in wanted} == wanted


SHAPES: dict[str, tuple[str, dict[str, Any]]] = {
    "empty file": ("", {"pillar_roots": {"base": ["/srv/pillar", "/srv/spm/pillar"]}}),
    "unknown options stay": ("netbox.token: x\nstack: {a: 1}\n", {"stack": {"a": 1}}),
    "roots as text": (
        "pillar_roots: {base: base, dev: [dev]}\n",
        {"pillar_roots": {"base": [], "dev": ["dev"]}},
    ),
    "empty roots": (
        "pillar_roots: {base: [base], bare: [], none: }\n",
        {"pillar_roots": {"base": ["base"], "bare": [], "none": []}},
    ),
    "roots not filled in": (
        "pillar_roots:\nfile_roots: {base: }\n",
        {"pillar_roots": {"base": ["/srv/salt"]}, "file_roots": {"base": []}},
    ),
    "nodegroups as a list": (
        "nodegroups: [{a: x}, {b: y}]\n",
        {"nodegroups": {"a": "x", "b": "y"}},
    ),
    "nodegroups not filled in": ("nodegroups:\n", {"nodegroups": {}}),
    "environment is saltenv": ("environment: dev\n", {"saltenv": "dev", "environment": "dev"}),
    "saltenv beats environment": (
        "environment: a\nsaltenv: b\n",
        {"saltenv": "b", "environment": "b"},
    ),
    "id a number": ("id: 7\n", {"id": "7"}),
    "ignored files": (
        "file_ignore_regex: 'a('\nfile_ignore_glob: x\n",
        {"file_ignore_regex": [], "file_ignore_glob": ["x"]},
    ),
    "hash_type": ("hash_type: SHA512\n", {"hash_type": "sha512"}),
    "malformed ext_pillar": ("ext_pillar: word\n", {"ext_pillar": "word"}),
    "ext_pillar not filled in": ("ext_pillar:\n", {"ext_pillar": None}),
    "malformed decrypt_pillar": ("decrypt_pillar: word\n", {"decrypt_pillar": "word"}),
}


@pytest.mark.parametrize(("text", "wanted"), SHAPES.values(), ids=SHAPES.keys())
def test_gives_options_the_shape_that_salt_gives_them(
    tmp_path: Path, text: str, wanted: dict[str, Any]
) -> None:
    options, _ = load(tmp_path, {"master": text})
    assert {key: options.values[key] for key in wanted} == wanted


DEFAULTS: dict[str, Any] = {
    "state_top": "top.sls",
    "renderer": "jinja|yaml",
    "renderer_blacklist": [],
    "renderer_whitelist": [],
    "nodegroups": {},
    "pillarenv": None,
    "saltenv": None,
    "env_order": [],
    "default_top": "base",
    "top_file_merging_strategy": "merge",
    "pillar_source_merging_strategy": "smart",
    "pillar_merge_lists": False,
    "pillar_includes_override_sls": False,
    "pillar_safe_render_error": True,
    "pillar_opts": False,
    "ext_pillar": [],
    "decrypt_pillar": [],
    "decrypt_pillar_delimiter": ":",
    "decrypt_pillar_default": "gpg",
    "decrypt_pillar_renderers": ["gpg"],
    "gpg_decrypt_must_succeed": True,
    "jinja_env": {},
    "jinja_sls_env": {},
    "jinja_trim_blocks": False,
    "jinja_lstrip_blocks": False,
    "state_auto_order": True,
    "file_client": "local",
    "file_roots": {"base": ["/srv/salt", "/srv/spm/salt"]},
    "fileserver_backend": ["roots"],
    "hash_type": "sha256",
    "cachedir": "/var/cache/salt/master",
    "extension_modules": "/var/cache/salt/master/extmods",
    "root_dir": "/",
    "pki_dir": "/etc/salt/pki/master",
    "interface": "0.0.0.0",  # noqa: S104 - as Salt has it
    "publish_port": 4505,
    "ssh_port": "22",
    "default_include": "master.d/*.conf",
    "pillar_version": 2,
    "on_demand_ext_pillar": ["libvirt", "virtkey"],
    "__role": "master",
}


@pytest.mark.parametrize(("name", "wanted"), DEFAULTS.items(), ids=DEFAULTS.keys())
def test_has_salts_own_defaults(tmp_path: Path, name: str, wanted: Any) -> None:
    options, _ = load(tmp_path, {"master": "# all of it commented out\n"})
    assert options.values[name] == wanted
    assert name not in options.positions


def test_takes_absence_of_some_options_as_salt_does(tmp_path: Path) -> None:
    options, _ = load(tmp_path, {"master": ""})
    names = ("pillarenv_from_saltenv", "ext_pillar_first", "exclude_ext_pillar", "allow_undefined")
    assert not any(options.values[name] for name in names)
    assert options.values["id"] == "master"
    assert options.values["conf_file"] == str(tmp_path / "master")


def test_knows_where_each_option_stands(tmp_path: Path) -> None:
    files = {
        "master": "renderer: yaml\nnodegroups:\n  web: x\n  db: y\n",
        "master.d/a.conf": "\nnodegroups:\n  web: z\n",
        "master.d/b.conf": "nodegroups:\n  lb: u\n",
    }
    options, _ = load(tmp_path, files)
    assert options.positions == {
        "renderer": Position("master", 1),
        "nodegroups": Position("master.d/b.conf", 1),
    }
    assert options.place_of("nodegroups", "web") == Position("master.d/a.conf", 3)
    assert options.place_of("nodegroups", "gone") == Position("master.d/b.conf", 1)
    assert options.place_of("state_top") is None
    assert options.declared == {"renderer": "yaml", "nodegroups": {"web": "z", "lb": "u"}}


FAULTS: dict[str, tuple[dict[str, str], list[str]]] = {
    "missing": ({}, ["master: the master file does not exist"]),
    "a list": ({"master": "- a\n"}, ["master:1: the master file is a list, where a mapping"]),
    "text": ({"master": "word\n"}, ["master:1: the master file is text, where a mapping"]),
    "a tab": ({"master": "a:\n\tb: 1\n"}, ["master:2:1: the master file is not YAML: found char"]),
    "a key twice": ({"master": "a: 1\nb: 2\na: 3\n"}, ["master:3:1: the master file is not YAML"]),
    "pillar_roots a list": (
        {"master": "x: 1\npillar_roots: [a]\n"},
        ["master:2: 'pillar_roots' is a list (it must be a mapping of environments to lists"],
    ),
    "an environment's name a number": (
        {"master": "pillar_roots:\n  2024: [a]\n"},
        ["master:2: an environment's name in 'pillar_roots' is a number, where text is needed"],
    ),
    "a folder that is no text": (
        {"master": "pillar_roots:\n  base: [5]\n"},
        ["master:2: a folder in 'pillar_roots: base' is a number (write each folder as text)"],
    ),
    "renderer a number": ({"master": "renderer: 5\n"}, ["master:1: 'renderer' is a number"]),
    "state_top empty": ({"master": "state_top:\n"}, ["master:1: 'state_top' is empty"]),
    "env_order a word": ({"master": "env_order: x\n"}, ["master:1: 'env_order' is text"]),
    "nodegroups a word": ({"master": "nodegroups: x\n"}, ["master:1: 'nodegroups' is text"]),
    "too deep": (
        {"master": "a: " + "[" * 100_000 + "]" * 100_000},
        ["master: the master file is nested too deeply"],
    ),
    "in an included file": (
        {"master": "", "master.d/a.conf": "renderer: []\n", "master.d/b.conf": "a: [\n"},
        ["master.d/b.conf:1: the included master file is not YAML", "master.d/a.conf:1: 'rend"],
    ),
    "include of a folder": (
        {"master": "include: inc/*\n", "inc/a/x": ""},
        ["inc/a: the included master file is a folder, where a file is needed"],
    ),
    "include in a cycle": (
        {"master": "include: master\n"},
        ["master: the master file includes 'master' in a cycle"],
    ),
    "include a number": ({"master": "include: [5]\n"}, ["master: 'include' must be a path, or"]),
    "all in one go": (
        {"master": "renderer: 5\nfile_roots: x\npillar_roots: {base: [1], 3: [a]}\n"},
        ["master:2: 'file_roots'", "master:1: 'renderer'", "master:3: a fol", "master:3: an env"],
    ),
}


@pytest.mark.parametrize(("files", "wanted"), FAULTS.values(), ids=FAULTS.keys())
def test_tells_every_fault(tmp_path: Path, files: dict[str, str], wanted: list[str]) -> None:
    found = faults_of(tmp_path, files)
    assert len(found) == len(wanted), found
    for line, beginning in zip(found, wanted, strict=True):
        assert line.startswith(beginning)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("pillar_merge_lists: 'yes'\n", "pillar_merge_lists"),
        ("pillarenv: 2024\n", "pillarenv"),
        ("jinja_env: []\n", "jinja_env"),
        ("renderer_blacklist: json\n", "renderer_blacklist"),
    ],
)
def test_warns_of_a_type_that_salt_takes_as_it_is(tmp_path: Path, text: str, name: str) -> None:
    options, found = load(tmp_path, {"master": f"pillar_roots: {{base: []}}\n{text}"})
    assert [(one.code, one.path, str(one.position)) for one in found] == [
        ("option-type", (name,), "master:2")
    ]
    assert options.values[name] is not None


def test_notes_an_include_that_matches_nothing(tmp_path: Path) -> None:
    _, found = load(tmp_path, {"master": "pillar_roots: {base: []}\ninclude: [gone.conf]\n"})
    assert [(one.code, str(one.severity)) for one in found] == [("missing-include", "note")]


@pytest.mark.parametrize("pattern", ["../outside/*.conf", "../outside/a.conf", "link.conf"])
def test_reads_no_included_file_out_of_reach(tmp_path: Path, pattern: str) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/a.conf").write_text("a: 1\n")
    (tmp_path / "in").mkdir()
    (tmp_path / "in/link.conf").symlink_to("../outside/a.conf")
    files = {"master": f"pillar_roots: {{base: []}}\ninclude: {pattern}\n"}
    options, found = load(tmp_path / "in", files)
    assert "a" not in options.values
    assert [one.code for one in found] == ["outside-reach"]
    trusted, found = load(tmp_path / "in", files, trusting=True)
    assert trusted.values["a"] == 1
    assert not found


def test_refuses_a_master_file_that_links_out_of_reach(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("a: 1\n")
    (tmp_path / "in").mkdir()
    (tmp_path / "in/master").symlink_to("../secret")
    with pytest.raises(SettingsError, match="leads out of the repository"):
        load(tmp_path / "in", {})


def test_lays_options_over_others(tmp_path: Path) -> None:
    options, _ = load(tmp_path, {"master": "pillar_roots: {base: [a]}\nnodegroups: {x: y}\n"})
    before = copy.deepcopy(options.values)
    overlay = {"pillar_roots": {"base": ["b*", "c"], "dev": "text"}, "pillar_merge_lists": True}
    (tmp_path / "b1").mkdir()
    changed = with_overlay(options, overlay, position=Position("mkdocs.yml", 7))
    assert changed.values["pillar_roots"] == {"base": ["b1", "c"], "dev": []}
    assert changed.values["pillar_merge_lists"] is True
    assert changed.values["nodegroups"] == {"x": "y"}
    assert changed.place_of("pillar_roots", "base") == Position("mkdocs.yml", 7)
    assert options.values == before
    assert with_overlay(options, {}) is options


def test_refuses_an_overlay_that_cannot_be_used(tmp_path: Path) -> None:
    options, _ = load(tmp_path, {"master": ""})
    with pytest.raises(SettingsError, match=r"^minions.yml:3: 'pillar_roots' is a list"):
        with_overlay(options, {"pillar_roots": ["a"]}, position=Position("minions.yml", 3))


@pytest.mark.parametrize(
    ("trust", "text", "wanted"),
    [
        (Trust(), "gpg_keydir: keys\n", None),
        (Trust(reveal=True), "gpg_keydir: keys\n", "in/keys"),
        (Trust(python=True), "gpg_keydir: keys\n", "in/keys"),
        (Trust(given=True), "", "in/gpgkeys"),
        (Trust(reveal=True), "gpg_keydir: ../../keys\n", "in/../../keys"),
    ],
    ids=["nobody trusts", "--reveal", "--python", "beside the master file", "wherever it lies"],
)
def test_finds_the_gpg_home_where_the_tree_is_trusted(
    tmp_path: Path, trust: Trust, text: str, wanted: str | None
) -> None:
    options, _ = load(tmp_path / "in", {"master": text})
    assert find_gpg_keydir(options, trust) == (wanted and tmp_path / wanted)


def test_can_be_copied(tmp_path: Path) -> None:
    options, _ = load(tmp_path, {"master": "pillar_roots: {base: [a]}\n"})
    assert copy.deepcopy(options).values == options.values
