"""Which master file ``init`` takes, and where it finds that file's paths."""

from pathlib import Path

import pytest
import yaml
from tests.cli.first_trees import PLAIN, SIGNED, Tree, write
from tests.support.invoked import Printed
from tests.support.repositories import commit_all, git

from pillarbook.cli.main import run

MASTERS: dict[str, tuple[Tree, str, dict[str, str]]] = {
    "as it is on a master": (
        {"etc/salt/master": "pillar_roots:\n  base: [/srv/pillar]\n"},
        "etc/salt/master",
        {"/srv/pillar": "pillar"},
    ),
    "with every line a comment": (
        {"etc/master": "#pillar_roots:\n#  base:\n"},
        "etc/master",
        {"/srv/pillar": "pillar"},
    ),
    "in a master.d": (
        {"etc/master.d/roots.conf": "pillar_roots:\n  base: [/srv/salt/pillar]\n"},
        "pillarbook.master",
        {"/srv/salt/pillar": "pillar"},
    ),
    "in several files of a master.d": (
        {
            "etc/master.d/pillar.conf": "pillar_roots:\n  base: [/srv/pillar/base]\n",
            "etc/master.d/states.conf": "file_roots:\n  base: [/srv/salt/base]\n",
            "salt/base/web.sls": "nginx: {pkg.installed: []}\n",
        },
        "pillarbook.master",
        {"/srv/pillar/base": "pillar", "/srv/salt": "salt"},
    ),
    "with relative roots": (
        {"config/master": "pillar_roots:\n  base: [../pillar]\n"},
        "config/master",
        {},
    ),
    "of salt-ssh": (
        {
            "Saltfile": "salt-ssh:\n  config_dir: ssh\n",
            "ssh/master": "pillar_roots:\n  base: [/home/me/pillar]\n",
        },
        "ssh/master",
        {"/home/me/pillar": "pillar"},
    ),
    "for another pillar": (
        {"salt/files/master": "pillar_roots:\n  base: [/opt/other]\n"},
        "pillarbook.master",
        {},
    ),
    "that is a template": (
        {"etc/master": "pillar_roots:\n  base: [{% if x %}a{% endif %}\n"},
        "pillarbook.master",
        {},
    ),
}


@pytest.mark.sample(1)
@pytest.mark.parametrize(("more", "master", "paths"), MASTERS.values(), ids=MASTERS)
def test_a_master_file_is_found(
    more: Tree, master: str, paths: dict[str, str], folder: Path
) -> None:
    write(folder, {**PLAIN, **more})
    assert run(["init"]) == 0
    section = yaml.safe_load((folder / "mkdocs.yml").read_text())["plugins"][0]["pillarbook"]
    assert (section["master"], section.get("paths", {})) == (master, paths)
    assert run(["build"]) == 0


GROUPS = {
    "pillar/top.sls": "base:\n  web:\n    - match: nodegroup\n    - nginx\n"
    "  'N@db and not N@web':\n    - common\n"
}
SYNCED = """
    v.vm.synced_folder "salt/", "/vg/salt"
    v.vm.synced_folder "pillar/", "/vg/pillar"
    v.vm.synced_folder "secrets/", "/vg/secrets"
"""
FAR: Tree = {"conf/master": "pillar_roots:\n  base: [/srv/pillar]\n"}


@pytest.mark.parametrize("more", [{}, FAR], ids=["none", "a master file without them"])
def test_a_minion_is_guessed_for_a_nodegroup_that_nobody_declares(
    more: Tree, folder: Path, printed: Printed
) -> None:
    write(folder, {**PLAIN, **GROUPS, **more})
    assert "2 nodegroups are guessed to be a minion of the same name: web, db;" in (
        printed(["init"]).out
    )
    assert [*yaml.safe_load((folder / "minions.yml").read_text())["minions"]] == ["web", "db"]
    assert run(["check", "--fail-on", "warning"]) == 0


@pytest.mark.parametrize("shebang", ["", "#!yaml|gpg\n"])
def test_ciphertext_that_no_file_decrypts_is_for_the_renderer_of_the_master(
    shebang: str, folder: Path
) -> None:
    states = {
        "salt/top.sls": "base:\n  '*': [app]\n",
        "salt/app.sls": "app:\n  test.nop:\n    - key: {{ pillar['key'] }}\n",
    }
    write(folder, {**PLAIN, **states, "pillar/common.sls": f"{shebang}key: |\n  {SIGNED}"})
    assert run(["init"]) == 0
    master = yaml.safe_load((folder / "pillarbook.master").read_text())
    assert master.get("renderer") == (None if shebang else "jinja|yaml|gpg")
    assert run(["check"]) == 0


def test_declared_nodegroups_stay_the_only_ones(folder: Path) -> None:
    master = "pillar_roots: {base: [pillar]}\nnodegroups: {web: L@web1}\n"
    write(folder, {**PLAIN, **GROUPS, "master": master})
    assert run(["init"]) == 0
    assert not (folder / "pillarbook.master").exists()


@pytest.mark.parametrize("vagrantfile", ["", SYNCED], ids=["by its name", "by a Vagrantfile"])
def test_a_private_root_is_not_taken_for_the_public_one(
    vagrantfile: str, folder: Path, printed: Printed
) -> None:
    roots = "pillar_roots:\n  base: [/vg/secrets/pillar, /vg/pillar]\n"
    roots += "file_roots:\n  base: [/vg/salt, /vg/secrets/salt]\n"
    tree = {"etc/master": roots, "salt/a.sls": "a: test.nop\n", "Vagrantfile": vagrantfile}
    write(folder, {**PLAIN, **tree})
    told = printed(["init"]).out
    assert "/vg/pillar of etc/master is read from pillar" in told
    assert (
        "/vg/secrets/pillar, /vg/secrets/salt of etc/master are not in this folder: clone them and"
        " map them under `paths:` in mkdocs.yml, or remove them from the master file"
    ) in told
    section = yaml.safe_load((folder / "mkdocs.yml").read_text())["plugins"][0]["pillarbook"]
    assert section["paths"] == {"/vg/pillar": "pillar", "/vg/salt": "salt"}


def test_a_master_file_of_another_stage_is_named(folder: Path, printed: Printed) -> None:
    roots = "pillar_roots:\n  base: [../{}, ../pillar]\n"
    more = {"conf/dev.master": roots.format("dev"), "conf/prod.master": roots.format("prod")}
    more |= {"conf/elsewhere.master": "pillar_roots:\n  base: [/srv/elsewhere]\n"}
    write(folder, {**PLAIN, **more, "prod/a.sls": "a: 1\n", "dev/a.sls": "a: 1\n"})
    told = printed(["init"]).out
    assert "conf/dev.master: found" in told
    assert "conf/prod.master has other pillar_roots and is not used: to compare it" in told
    assert "elsewhere" not in told


@pytest.mark.parametrize(
    ("master", "named"),
    [
        pytest.param("pillar_roots: {base: [../pillar/dev]}\n", ["pillar/prod"], id="unused"),
        pytest.param("pillar_roots: {base: [../pillar/dev, ../pillar/prod]}\n", [], id="all used"),
        pytest.param("pillar_roots: {__env__: [../pillar/__env__]}\n", [], id="a wildcard"),
        pytest.param(
            "pillar_roots: {base: [../pillar/dev]}\next_pillar: [{git: [master https://a.b/c]}]\n",
            [],
            id="perhaps used by git",
        ),
    ],
)
def test_a_top_file_that_the_master_file_does_not_use_is_named(
    master: str, named: list[str], folder: Path, printed: Printed
) -> None:
    tree = {"conf/master": master, "tests/pillar/top.sls": "base: {'*': [a]}\n"}
    for name in ("dev", "prod"):
        tree |= {f"pillar/{name}/top.sls": "base: {'*': [a]}\n", f"pillar/{name}/a.sls": "a: 1\n"}
    write(folder, tree)
    told = printed(["init"]).out
    assert [line.split(" ")[0] for line in told.splitlines() if "is another top file" in line] == [
        f"{one}/top.sls" for one in named
    ]


def test_without_a_repository_a_deep_master_file_is_included(folder: Path) -> None:
    write(folder, {**PLAIN, "etc/master": "pillar_roots:\n  base: [/srv/pillar]\n"}, git=False)
    assert run(["init"]) == 0
    assert "etc/master" in (folder / "pillarbook.master").read_text()
    assert run(["get", "a"]) == 0


def test_a_vagrantfile_says_where_paths_lie(folder: Path) -> None:
    write(
        folder,
        {
            "Vagrantfile": 'm.vm.synced_folder "data/", "/srv/pillar"\n',
            "master": "pillar_roots:\n  base: [/srv/pillar]\n",
            "data/top.sls": "base:\n  '*': [a]\n",
            "data/a.sls": "a: {% import_yaml '/srv/pillar/x.yaml' as x %}{{ x.k }}\n",
            "data/x.yaml": "k: 1\n",
        },
    )
    assert run(["init"]) == 0
    assert run(["check"]) == 0


@pytest.mark.parametrize(
    "url", ["https://git.example.com/ops/pillar.git", "git@git.example.com:ops/pillar"]
)
def test_a_remote_of_git_pillar_that_is_this_repository_is_mapped(
    url: str, folder: Path, printed: Printed
) -> None:
    named = "https://me:Xk3v9QpL2w8Z@git.example.com/ops/pillar"
    other = "https://git.example.com/ops/other.git"
    remotes = f"ext_pillar:\n  - git:\n    - main {named}: [{{root: pillar}}]\n    - main {other}\n"
    write(folder, {**PLAIN, "master": remotes}, git=False)
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "remote", "add", "origin", url)
    commit_all(folder)
    told = printed(["init"]).out
    bare = "https://git.example.com/ops/pillar"
    assert f"{bare} of master is this repository: what is committed" in told
    assert f"the git repository '{other}' is not on this machine" in told
    section = yaml.safe_load((folder / "mkdocs.yml").read_text())["plugins"][0]["pillarbook"]
    assert section["paths"] == {"/srv/pillar": "pillar", bare: "."}
    assert "Xk3v9QpL2w8Z" not in (folder / "mkdocs.yml").read_text() + told
    assert "not" not in printed(["get", "a"]).out
