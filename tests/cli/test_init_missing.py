"""What ``init`` says is missing, what it guesses, and what is gone once it is there."""

from pathlib import Path

import pytest
from tests.cli.first_trees import PLAIN, SIGNED, Tree, write
from tests.support.invoked import Printed

from pillarbook.cli.main import run

MISSING: dict[str, tuple[Tree, str]] = {
    "a grain": (
        {"pillar/nginx.sls": "a: {{ grains['rack'] }}\n"},
        "the grain 'rack' is guessed to be example on web1 (no hint found; pillar/nginx.sls:1 reads",
    ),
    "keys below a grain": (
        {"pillar/nginx.sls": "a: {{ grains['ec2']['tags']['Name'] }}\nb: {{ grains.ec2.zone }}\n"},
        "'ec2' is guessed to be {tags: {Name: example}, zone: example} on web1 (no hint found;",
    ),
    "a key below a grain that a target gives": (
        {
            "pillar/top.sls": "base:\n  'ec2:tags:role:db': [{match: grain}, nginx]\n",
            "pillar/nginx.sls": "a: {{ grains['ec2']['place']['zone'] }}\n",
        },
        "'ec2' is guessed to be {tags: {role: db}, place: {zone: example}} on ",
    ),
    "a grain that the top file reads": (
        {
            "pillar/top.sls": "base:\n  'host:{{ grains['dc'] }}-x':\n    - match: grain\n    - nginx\n"
        },
        "(no hint found; pillar/top.sls:2 reads it)",
    ),
    "a grain, seen from the folder": (
        {
            "conf/master": "pillar_roots: {base: [../pillar]}\n",
            "pillar/nginx.sls": "a: {{ grains['rack'] }}\n",
        },
        "is guessed to be example on web1 (no hint found; pillar/nginx.sls:1 reads it)",
    ),
    "a grain with a default": (
        {"pillar/nginx.sls": "a: 1\nb: {{ salt['grains.get']('rack', 'none') }}\n"},
        "pillar/nginx.sls:2: the grain 'rack' is not declared; add `rack: ...` to the grains of the minions",
    ),
    "a grain that templates know values of": (
        {"pillar/nginx.sls": "{% if grains.get('dc') == 'ams' %}\na: 1\n{% endif %}\n"},
        "(values in templates: ams); add `dc: ams`",
    ),
    "a grain behind another fault": (
        {"pillar/nginx.sls": "a: {{ grains['rack'] }}\nb: {{ grains['row'] }}\n"},
        "the grain 'row' is guessed to be example on web1 (no hint found; pillar/nginx.sls:2 reads",
    ),
    "a function": (
        {"pillar/nginx.sls": "a: {{ salt['boto_rds.get_endpoint']('x') }}\n"},
        "pillar/nginx.sls:1: 'boto_rds.get_endpoint' is called; add `boto_rds.get_endpoint: ",
    ),
    "a function spelled otherwise": (
        {"pillar/nginx.sls": "a: {{ salt['vault'].read_secret('x') }}\n"},
        "add `vault.read_secret: {$calls: [{args: [x], answer: ...}]}`",
    ),
    "a function of the tree's own": (
        {
            "pillar/nginx.sls": "a: {{ salt['ours.name']() }}\n",
            "salt/_modules/ours.py": "def name():\n    return 1\n",
            "master": "pillar_roots: {base: [pillar]}\nfile_roots: {base: [salt]}\n",
        },
        "needs trust; to run it, use `python: true` with --trust, or --python; or add ",
    ),
    "mine data": (
        {"pillar/nginx.sls": "a: {{ salt.saltutil.runner('mine.get', tgt='*', fun='id') }}\n"},
        "is called for mine data, but the inventory has none (`mine:`); declare mine data",
    ),
    "a second function": (
        {"pillar/nginx.sls": "a: {{ salt.a.b() }}\nb: {{ salt.c.d() }}\n"},
        "pillar/nginx.sls:2: 'c.d' is called, if the render gets that far; add `c.d: ",
    ),
    "an SLS": (
        {"pillar/nginx.sls": "include:\n  - private.keys\n"},
        "pillar/nginx.sls:2: the SLS 'private.keys' does not exist",
    ),
    "an SLS behind another fault": (
        {"pillar/nginx.sls": "include:\n  - private.keys\na: {{ salt['x.y']() }}\n"},
        "pillar/nginx.sls:2: the SLS 'private.keys', which is included, does not exist",
    ),
    "an import": (
        {"pillar/nginx.sls": "{% import_yaml 'secret.yaml' as s %}\na: 1\n"},
        "pillar/nginx.sls:1: SLS 'nginx' asks for the file 'secret.yaml', which does not exist",
    ),
    "an external pillar": (
        {"master": "pillar_roots:\n  base: [pillar]\next_pillar:\n  - consul: my\n"},
        "master:4: the external pillar 'consul' is not run",
    ),
    "a git repository": (
        {
            "master": "pillar_roots: {base: [pillar]}\next_pillar:\n  - git:\n"
            "    - main git@git.example.com:ops/pillar.git\n"
        },
        "is not on this machine; clone it, and set its path: paths: {git@git.example.com:ops",
    ),
    "a root": (
        {"master": "pillar_roots:\n  base: [pillar, /srv/private]\n"},
        "/srv/private of master is not in this folder",
    ),
    "a root of several environments": (
        {"master": "pillar_roots: {base: [pillar, /srv/private], dev: [/srv/private]}\n"},
        "\n/srv/private of master is not in this folder",
    ),
    "keys": (
        {"pillar/nginx.sls": f"#!yaml|gpg\na: |\n  {SIGNED}"},
        "pillar/nginx.sls:3: 1 value encrypted with PGP",
    ),
    "git-crypt": (
        {"pillar/nginx.sls": b"\0GITCRYPT\0\xff"},
        "unlock the repository with git-crypt",
    ),
    "trust": (
        {"pillar/nginx.sls": "#!py\ndef run():\n  return {}\n"},
        "use `python: true` with --trust",
    ),
    "a date that counts from today": (
        {"pillar/nginx.sls": "a: {{ None | strftime('%Y') }}\nb: {{ '1 day ago' | strftime }}\n"},
        "reads the clock, and no time is declared; Salt uses the current time",
    ),
    "a renderer that nobody knows": (
        {"pillar/nginx.sls": "#!yamll\na: 1\n"},
        "pillar/nginx.sls:1: Salt does not know the renderer 'yamll'",
    ),
    "YAML": ({"pillar/nginx.sls": "a: [\n"}, ": SLS 'nginx' does not render: did not find"),
    "UTF-8": ({"pillar/nginx.sls": b"a: caf\xe9\n"}, "pillar/nginx.sls:1: SLS 'nginx' does not"),
    "a top file that renders": (
        {"pillar/top.sls": "base:\n  'web*'\n    - nginx\n  '*':\n    - common\n"},
        ": the top file does not render",
    ),
}


@pytest.mark.sample(2)
@pytest.mark.parametrize(("more", "words"), MISSING.values(), ids=MISSING)
def test_what_is_missing_is_named(more: Tree, words: str, folder: Path, printed: Printed) -> None:
    write(folder, {**PLAIN, **more})
    told = printed(["init"]).out
    assert words in told
    assert run(["build"]) == 0


GUESSED: dict[str, tuple[Tree, str]] = {
    "a comparison": ({"pillar/nginx.sls": "a: {{ grains['x'] == 'ams' }}\n"}, "ams"),
    "a file called after it": (
        {
            "pillar/nginx.sls": "include:\n  - site.{{ grains['x'] }}\n",
            "pillar/site/fra.sls": "a: 1\n",
        },
        "fra",
    ),
    "data with a key for it": (
        {
            "pillar/nginx.sls": "{% import_yaml 'm.yaml' as m %}\na: {{ m.at[grains['x']] }}\n",
            "pillar/m.yaml": "at: {hel: 1}\n",
        },
        "hel",
    ),
}


@pytest.mark.parametrize(("more", "value"), GUESSED.values(), ids=GUESSED)
def test_a_grain_is_guessed_from_what_the_tree_knows(
    more: Tree, value: str, folder: Path, printed: Printed
) -> None:
    write(folder, {**PLAIN, **more})
    assert f"the grain 'x' is guessed to be {value} on web1" in printed(["init"]).out
    assert run(["check"]) == 0


def test_what_was_missing_is_gone_once_it_is_there(folder: Path, printed: Printed) -> None:
    write(folder, {**PLAIN, "pillar/nginx.sls": "a: {{ grains['rack'] }}\n"})
    assert "'rack'" in printed(["init"]).out
    (folder / "minions.yml").write_text("minions:\n  web1: {grains: {rack: r1}}\n")
    before = {file: file.read_bytes() for file in folder.glob("*") if file.is_file()}
    told = printed(["init"]).out
    assert "mkdocs.yml exists; nothing is written" in told
    assert "Nothing is missing." in told
    assert {file: file.read_bytes() for file in folder.glob("*") if file.is_file()} == before


def test_what_trust_would_answer_is_said_to_stay(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder, {**PLAIN, "pillar/nginx.sls": "#!py\ndef run():\n    return {}\n"})
    assert run(["init"]) == 0
    configuration = folder / "mkdocs.yml"
    configuration.write_text(configuration.read_text() + "      python: true\n")
    monkeypatch.setenv("PILLARBOOK_TRUST", "1")
    capsys.readouterr()
    assert run(["init"]) == 0
    assert "`init` itself never runs code of the tree" in capsys.readouterr().out
    assert run(["check"]) == 0


def test_parts_of_one_kind_share_their_remedy(folder: Path, printed: Printed) -> None:
    names = "".join(f"    - secret.{name}\n" for name in "abc")
    write(folder, {**PLAIN, "pillar/top.sls": f"base:\n  '*':\n    - nginx\n{names}"})
    lines = printed(["init"]).out.splitlines()
    at = next(at for at, line in enumerate(lines) if "3 SLS do not exist" in line)
    assert "; add the file, or" in lines[at]
    assert lines[at + 1 : at + 4] == [
        f"     pillar/top.sls:{line}: secret.{name}" for line, name in enumerate("abc", 4)
    ]


def test_one_state_sls_that_is_missing_is_in_the_singular(folder: Path, printed: Printed) -> None:
    write(folder, {**PLAIN, "states/top.sls": "base: {'*': [ours, a]}\n", "states/ours.sls": ""})
    assert "1 of 2 state SLS is not in this repository" in printed(["init"]).out


def test_states_of_formulas_are_named_with_where_they_usually_are(
    folder: Path, printed: Printed
) -> None:
    named = "".join(f"    - {name}\n" for name in ("openssh", "ours.x", "nginx.ng", "ntp", "users"))
    write(folder, {**PLAIN, "states/top.sls": f"base:\n  '*':\n{named}"})
    out = printed(["init"]).out
    assert "5 of 5 state SLS are not in this repository (formulas, gitfs?)" in out
    formulas = "openssh-formula, nginx-formula, ntp-formula, users-formula"
    assert f"look for formulas in https://github.com/saltstack-formulas: {formulas}\n" in out
