"""A tree that nobody prepared: ``init``, then ``build``, and every missing thing is named."""

import json
import os
import re
from pathlib import Path
from typing import Any

import msgpack
import pytest
import yaml
from tests.cli.first_trees import PLAIN, STATES, Tree, envs, write

from pillarbook.cli.main import run
from pillarbook.inventory.minions import load_inventory

ROOTS = {
    "a folder called pillar": (PLAIN, {"base": ["pillar"]}),
    "below srv, beside states": (
        {**STATES, **{f"srv/{name}": text for name, text in PLAIN.items()}},
        {"base": ["srv/pillar"]},
    ),
    "the repository itself": (
        {"top.sls": "base:\n  '*': [a]\n", "a.sls": "a: 1\n"},
        {"base": ["."]},
    ),
    "a folder for each environment": (
        envs(("dev", "base", "prod")),
        {"base": ["pillar/base"], "prod": ["pillar/prod"], "dev": ["pillar/dev"]},
    ),
    "a templated environment": (
        envs(("dev", "prod"), "{{ saltenv }}"),
        {"prod": ["pillar/prod"], "dev": ["pillar/dev"]},
    ),
    "one top file for several environments": (
        {
            "pillar/top.sls": "base:\n  '*': [a]\ndev:\n  'dev*': [b]\n",
            "pillar/a.sls": "a: 1\n",
            "pillar/dev/b.sls": "b: 1\n",
        },
        {"base": ["pillar"], "dev": ["pillar/dev"]},
    ),
    "another one among the tests": (
        {**PLAIN, "test/pillar/top.sls": "base:\n  '*': [x]\n"},
        {"base": ["pillar"]},
    ),
}


@pytest.mark.sample(3)
@pytest.mark.parametrize(("tree", "roots"), ROOTS.values(), ids=ROOTS)
def test_roots_are_found(
    tree: Tree,
    roots: dict[str, list[str]],
    folder: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    write(folder, tree)
    assert run(["init"]) == 0
    master = yaml.safe_load((folder / "pillarbook.master").read_text())
    assert master["pillar_roots"] == roots
    assert run(["build"]) == 0
    assert (folder / "site" / "index.html").exists()


def test_whole_pillars_beside_each_other_are_compared(folder: Path) -> None:
    write(folder, envs(("dev", "prod"), "base"))
    assert run(["init"]) == 0
    section = yaml.safe_load((folder / "mkdocs.yml").read_text())["plugins"][0]["pillarbook"]
    assert section["environments"] == [
        {"prod": {"pillar_roots": {"base": ["pillar/prod"]}}},
        {"dev": {"pillar_roots": {"base": ["pillar/dev"]}}},
    ]
    assert run(["build"]) == 0
    assert list((folder / "site" / "environments").glob("*--*.html"))


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


@pytest.mark.sample(3)
@pytest.mark.parametrize(("more", "master", "paths"), MASTERS.values(), ids=MASTERS)
def test_a_master_file_is_found(
    more: Tree, master: str, paths: dict[str, str], folder: Path
) -> None:
    write(folder, {**PLAIN, **more})
    assert run(["init"]) == 0
    section = yaml.safe_load((folder / "mkdocs.yml").read_text())["plugins"][0]["pillarbook"]
    assert (section["master"], section.get("paths", {})) == (master, paths)
    assert run(["build"]) == 0


def test_a_private_root_is_not_taken_for_the_public_one(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    roots = "pillar_roots:\n  base: [/vg/secrets/pillar, /vg/pillar]\n"
    write(folder, {**PLAIN, "etc/master": roots})
    assert run(["init"]) == 0
    told = capsys.readouterr().out
    assert "/vg/pillar of etc/master is read from pillar" in told
    assert "/vg/secrets/pillar of etc/master is not in this folder: map it" in told
    section = yaml.safe_load((folder / "mkdocs.yml").read_text())["plugins"][0]["pillarbook"]
    assert section["paths"] == {"/vg/pillar": "pillar"}


def test_a_master_file_of_another_stage_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    roots = "pillar_roots:\n  base: [../{}, ../pillar]\n"
    more = {"conf/dev.master": roots.format("dev"), "conf/prod.master": roots.format("prod")}
    more |= {"conf/elsewhere.master": "pillar_roots:\n  base: [/srv/elsewhere]\n"}
    write(folder, {**PLAIN, **more, "prod/a.sls": "a: 1\n", "dev/a.sls": "a: 1\n"})
    assert run(["init"]) == 0
    told = capsys.readouterr().out
    assert "conf/dev.master: found" in told
    assert "conf/prod.master has other pillar_roots and is not used: to compare it" in told
    assert "elsewhere" not in told


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


DUMPED: dict[str, dict[str, Any]] = {
    "w1": {"os": "Debian", "kernel": "Linux", "roles": ["web"]},
    "w2": {"os": "CentOS", "kernel": "Linux"},
}


SOURCES: dict[str, Tree] = {
    "a dump": {"grains.json": "".join(json.dumps({one: DUMPED[one]}) + "\n" for one in DUMPED)},
    "a static dump": {"etc/grains.json": json.dumps(DUMPED)},
    "a cache": {
        f"cache/minions/{one}/data.p": msgpack.packb(
            {"grains": DUMPED[one], "pillar": {"pw": "s3cret"}}
        )
        for one in DUMPED
    },
    "an Ansible inventory": {
        "ansible.json": json.dumps({"_meta": {"hostvars": DUMPED}, "all": {"children": []}})
    },
    "a table, beside another": {
        "etc/minions.csv": "id,os,kernel,roles\nw1,Debian,Linux,web;\nw2,CentOS,Linux,\n",
        "etc/users.csv": "name,os\nalice,x\n",
        "tests/hosts.csv": "id,os\nnobody,x\n",
    },
}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_minions_are_taken_from_what_knows_them(source: Tree, folder: Path) -> None:
    write(folder, {**PLAIN, **source})
    assert run(["init"]) == 0
    minions = load_inventory([folder / "minions.yml"], shown=str)
    assert [dict(one.grains) for one in minions] == [{**DUMPED[one], "id": one} for one in DUMPED]
    assert "s3cret" not in "".join(file.read_text() for file in folder.glob("minions*"))
    assert run(["build"]) == 0


@pytest.mark.parametrize("name", ["grains.json", "roster"])
def test_private_grains_of_a_source_are_left_out(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    grains = {**DUMPED["w2"], "serialnumber": "VM-1", "ssh_host_key": "x", "db_password": "hunter2"}
    entry = grains if name == "grains.json" else {"host": "x", "minion_opts": {"grains": grains}}
    write(folder, {**PLAIN, name: json.dumps({"w2": entry})})
    assert run(["init"]) == 0
    (minion,) = load_inventory([folder / "minions.yml"], shown=str)
    assert minion.grains == {**DUMPED["w2"], "id": "w2"}
    left_out = "not imported, for privacy: serialnumber, ssh_host_key, db_password;"
    assert left_out in capsys.readouterr().out


def test_an_import_refreshes_what_init_took(folder: Path) -> None:
    write(folder, {**PLAIN, "grains.json": json.dumps(DUMPED)})
    assert run(["init"]) == 0
    before = (folder / "minions.yml").read_text()
    write(folder, {"grains.json": json.dumps({**DUMPED, "w1": {"os": "Rocky"}})})
    assert run(["inventory", "import", "grains.json"]) == 0
    assert (folder / "minions.yml").read_text() == before
    minions = load_inventory([folder / "minions.yml"], shown=str)
    assert [one.grains["os"] for one in minions] == ["Rocky", "CentOS"]


def test_ids_that_salt_refuses_are_left_out(folder: Path) -> None:
    ids = ("", "a/b", "x\x00y", "\u202eevil", "l" * 300, "ok")
    dump = json.dumps({one: {"os": "Debian", "kernel": "Linux"} for one in ids})
    write(folder, {**PLAIN, "grains.json": dump})
    assert run(["init"]) == 0
    assert list(yaml.safe_load((folder / "minions.yml").read_text())["minions"]) == ["ok"]


def test_a_roster_gives_ids_and_no_password(folder: Path) -> None:
    roster = "web1: {host: 1.2.3.4, passwd: hunter2}\ndb1:\n  host: x\n"
    write(folder, {**PLAIN, "etc/roster": roster})
    assert run(["init"]) == 0
    written = (folder / "minions.yml").read_text()
    assert list(yaml.safe_load(written)["minions"]) == ["web1", "db1"]
    assert "hunter2" not in written


SECRET_WORDS = {
    "grain": ("G@token:abc123def456", "compound"),
    "grain, one of two": ("G@role:web or G@api_key:Zebra-77-Kilo", "compound"),
    "grain by match": ("secret_id:Kraken-Kilo-9", "grain"),
    "grain by regex": ("db:password:Yak-[0-9]", "grain_pcre"),
    "another delimiter": ("G|@app|bind_password|Walrus:Nine", "compound"),
    "colons in the value": ("G@auth_token:Tapir:Nine", "compound"),
    "pillar beside an id": ("web1 and I@db:password:hunter2x9", "compound"),
    "id": ("ghp_dtHsMW0vratWW7svXBCj6Cuchc92AGLohs2k", "glob"),
    "id in a list": ("L@web7,ghp_dtHsMW0vratWW7svXBCj6Cuchc92AGLohs2m", "compound"),
    "pattern of ids": ("node-ghp_dtHsMW0vratWW7svXBCj6Cuchc92AGLohs2j*", "glob"),
    "regex of ids": ("E@ghp_dtHsMW0vratWW7svXBCj6Cuchc92AGLohs2i", "compound"),
    "nodegroup": ("vips", "nodegroup"),
}
SECRET_PARTS = re.compile(
    "abc123|zebra|kraken|yak|walrus|tapir|hunter|ghp_|narwhal|quokka|wombat", re.IGNORECASE
)


@pytest.mark.parametrize(("target", "match"), SECRET_WORDS.values(), ids=SECRET_WORDS)
def test_no_secret_of_a_target_is_written(target: str, match: str, folder: Path) -> None:
    top = yaml.safe_dump({"base": {"db*": ["nginx"], target: [{"match": match}, "nginx"]}})
    master = "pillar_roots: {base: [pillar]}\nnodegroups: {vips: 'G@psk:Narwhal-3 or web1'}\n"
    write(folder, {"master": master, "pillar/top.sls": top, "pillar/nginx.sls": "a: 1\n"})
    run(["init", "master"])
    written = (folder / "minions.yml").read_text()
    assert SECRET_PARTS.search(written) is None
    assert "db1" in yaml.safe_load(written)["minions"]


def test_no_secret_that_a_template_holds_a_grain_against_is_written(folder: Path) -> None:
    top = "{% if grains.get('auth_token') == 'Quokka-5' %}base: {'x*': [nginx]}{% else %}"
    top += "base: {'*': [nginx]}{% endif %}\n"
    token = "ghp_dtHsMW0vratWW7svXBCj6Cuchc92AGLohs2n"
    nginx = "a: {{ grains['role'] }}{% if grains['role'] == '" + token + "' %}b{% endif %}\n"
    nginx += "c: {{ grains['rootpw'] }}{% if grains['rootpw'] == 'Wombat-3' %}d{% endif %}\n"
    write(folder, {"pillar/top.sls": top, "pillar/nginx.sls": nginx})
    run(["init"])
    assert SECRET_PARTS.search((folder / "minions.yml").read_text()) is None


def test_what_exists_is_never_written_over(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept: dict[str, str] = {
        "mkdocs.yml": "site_name: ours\n",
        "minions.yml": "yellow: [bob]\n",
        "pages/index.md": "ours\n",
        "site/index.sls": "ours: 1\n",
    }
    write(folder, {**PLAIN, **kept})
    assert run(["init"]) == 0
    told = capsys.readouterr().out
    assert "give each command -f pillarbook.yml" in told
    assert "minions.yml is not an inventory" in told
    for name, text in kept.items():
        assert (folder / name).read_text() == text
    assert run(["build", "-f", "pillarbook.yml"]) == 0


def test_environments_of_the_states_have_roots(folder: Path) -> None:
    tree = {
        "pillar/top.sls": "base: {'*': [site]}\n",
        "pillar/site.sls": "a: 1\n",
        "salt/top.sls": "base: {'*': [web]}\nearly: {'*': [db]}\n",
        "salt/web.sls": "nginx: {pkg.installed: []}\n",
        "salt/db.sls": "mariadb: {pkg.installed: []}\n",
    }
    write(folder, tree)
    assert run(["init"]) == 0
    master = yaml.safe_load((folder / "pillarbook.master").read_text())
    assert master["file_roots"] == {"base": ["salt"], "early": ["salt"]}
    assert run(["check"]) == 0


def test_grains_that_states_read_are_guessed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    states = {
        "salt/top.sls": "base:\n  '*': [web]\n",
        "salt/web.sls": "x{{ grains['os'] }}:\n  pkg.installed:\n"
        "    - name: {{ 'a' if grains['tier'] == 'front' else 'b' }}{{ grains['num_cpus'] }}\n",
    }
    write(folder, {**PLAIN, **states})
    assert run(["init"]) == 0
    (minion,) = load_inventory([folder / "minions.yml"], shown=str)
    assert minion.grains == {"id": "web1", "os": "Debian", "tier": "front", "num_cpus": 2}
    assert "salt/web.sls:3 reads it" in capsys.readouterr().out
    assert run(["check"]) == 0


def test_interfaces_that_the_pillar_names_are_guessed(folder: Path) -> None:
    states = {
        "pillar/common.sls": "nic: eth7\n",
        "salt/top.sls": "base:\n  '*': [web]\n",
        "salt/web.sls": "{{ grains['ip_interfaces'][pillar['nic']][0] }}:\n  pkg.installed: []\n"
        "x{{ grains['ip_interfaces'].get('eth8') | first }}:\n  pkg.installed: []\n",
    }
    write(folder, {**PLAIN, **states})
    for _ in range(2):  # a second run in the same process guesses alike
        assert run(["init"]) == 0
        assert run(["check"]) == 0
        (minion,) = load_inventory([folder / "minions.yml"], shown=str)
        assert [*minion.grains["ip_interfaces"]] == ["eth0", "lo", "eth7", "eth8"]
        for name in ("minions.yml", "mkdocs.yml"):
            (folder / name).unlink()


def test_an_inventory_that_is_there_is_used(folder: Path) -> None:
    write(folder, {**PLAIN, "minions.yml": "minions:\n  mine: {}\n"})
    assert run(["init"]) == 0
    assert run(["explain", "mine"]) == 0


NO_TOPS: dict[str, tuple[Tree, str]] = {
    "a pillar whose top file is private": (
        {"pillar/web/init.sls": "web: {{ grains['host'] }}\n", "pillar/db.sls": "db: 1\n"},
        "pillar/ has no top.sls",
    ),
    "a formula with an example": (
        {
            "FORMULA": "name: web\n",
            "pillar.example": "web: {{ grains['os'] }}\ndb: 1\n",
            "web/init.sls": "web:\n  pkg.installed: []\n",
        },
        "pillar.example is shown as a pillar",
    ),
}


@pytest.mark.parametrize(("tree", "words"), NO_TOPS.values(), ids=NO_TOPS)
def test_without_a_top_file_all_of_it_is_shown(
    tree: Tree, words: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder, tree)
    assert run(["init"]) == 0
    assert words in capsys.readouterr().out
    assert run(["build"]) == 0
    for key in ("web", "db"):
        assert run(["get", key]) == 0
    assert "  -" not in capsys.readouterr().out


def test_a_folder_without_a_pillar_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder, {"README.md": "x"})
    assert run(["init"]) == 1
    assert "no pillar found" in capsys.readouterr().err
    assert not (folder / "mkdocs.yml").exists()


def test_a_master_file_elsewhere_is_not_read(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder, PLAIN)
    (tmp_path / "master").write_text("pillar_roots: {}\n")
    assert run(["init", "../master"]) == 1
    assert "is outside this folder" in capsys.readouterr().err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_is_read_only_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder, PLAIN)
    folder.chmod(0o555)
    try:
        assert run(["init"]) == 1
    finally:
        folder.chmod(0o755)
    assert "cannot be written" in capsys.readouterr().err


def test_nothing_outside_is_read_and_nothing_is_run(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "secret.yaml").write_text("pw: s3cret\n")
    write(
        folder,
        {
            "master": "pillar_roots:\n  base: [/]\n",
            "pillar/top.sls": "base:\n  '*':\n    - a\n    - b\n  'E@(a+)+$':\n    - a\n",
            "pillar/a.sls": f"#!py\nopen('{tmp_path}/run', 'w')\ndef run():\n  return {{}}\n",
            "pillar/b.sls": "{% import_yaml '../../secret.yaml' as s %}\nb: {{ s.pw }}\n",
            "pillar/\x1b[31m.sls": "x: 1\n",
        },
    )
    (folder / "roster").symlink_to(tmp_path / "secret.yaml")
    (folder / "pillar" / "link").symlink_to(tmp_path)
    assert run(["init"]) == 0
    told = capsys.readouterr().out
    assert "s3cret" not in told
    assert "\x1b" not in told
    assert not (tmp_path / "run").exists()
    assert run(["build"]) == 0


def test_names_that_are_no_text_do_no_harm(folder: Path) -> None:
    write(folder, PLAIN)
    (folder / os.fsdecode(b"pillar/caf\xe9.sls")).write_text("a: 1\n")
    (folder / os.fsdecode(b"d\xe9r")).mkdir()
    assert run(["init"]) == 0
    assert run(["build"]) == 0
