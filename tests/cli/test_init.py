"""A tree that nobody prepared: ``init``, then ``build``, and every missing thing is named."""

import os
import re
from pathlib import Path

import pytest
import yaml
from tests.cli.first_trees import PLAIN, STATES, Tree, envs, write
from tests.support.invoked import Printed

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
    "other top files beside it": (
        {
            "boot/top.sls": "base:\n  '*': [x]\n",
            "boot/x.sls": "a: 1\n",
            **{name.replace("pillar", "pillars"): text for name, text in PLAIN.items()},
        },
        {"base": ["pillars"]},
    ),
    "another one among the tests": (
        {**PLAIN, "test/pillar/top.sls": "base:\n  '*': [x]\n"},
        {"base": ["pillar"]},
    ),
}


@pytest.mark.sample(1)
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


@pytest.mark.sample(4)
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


def test_what_exists_is_never_written_over(folder: Path, printed: Printed) -> None:
    kept: dict[str, str] = {
        "mkdocs.yml": "site_name: ours\n",
        "minions.yml": "yellow: [bob]\n",
        "pages/index.md": "ours\n",
        "site/index.sls": "ours: 1\n",
    }
    write(folder, {**PLAIN, **kept})
    told = printed(["init"]).out
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


@pytest.mark.sample(1)
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


def test_a_folder_without_a_pillar_is_told(folder: Path, printed: Printed) -> None:
    write(folder, {"README.md": "x"})
    assert "no pillar found" in printed(["init"], 1).err
    assert not (folder / "mkdocs.yml").exists()


STATES = {
    "short": "nginx:\n  pkg.installed: []\n",
    "with arguments": "nginx:\n  service.running:\n    - enable: true\n",
    "in two parts": "nginx:\n  pkg:\n    - installed\n",
}


@pytest.mark.parametrize("text", STATES.values(), ids=STATES)
def test_states_are_not_taken_for_a_pillar(text: str, folder: Path, printed: Printed) -> None:
    write(folder, {"top.sls": "base: {'*': [nginx]}\n", "nginx.sls": text})
    assert "no pillar found" in printed(["init"], 1).err


def test_a_master_file_elsewhere_is_not_read(
    folder: Path, tmp_path: Path, printed: Printed
) -> None:
    write(folder, PLAIN)
    (tmp_path / "master").write_text("pillar_roots: {}\n")
    assert "is outside this folder" in printed(["init", "../master"], 1).err


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
    folder: Path, tmp_path: Path, printed: Printed
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
    told = printed(["init"]).out
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
