"""What is no error of the tree, but follows from what is not known here."""

import json
from pathlib import Path

import pytest
from tests.support.derived import write_tree

from pillarbook.cli.main import run

TREE = {
    "pillar/top.sls": "base: {'*': [common, asks, knows]}\n",
    "pillar/common.sls": "include: [headers]\na: {{ grains['rack'] }}\n",
    "pillar/asks.sls": "db: {{ salt['vault.read_secret']('db') }}\n",
    "pillar/knows.sls": "db: {port: 1}\n",
    "pillar/headers.sls": "header: by Salt\n",
    "states/top.sls": "base: {'*': [encodes]}\n",
    "states/encodes.sls": "two:\n  test.nop:\n    - text: {{ pillar['header'] | yaml_encode }}\n",
}


@pytest.fixture
def found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, dict[str, object]]:
    roots = {"file_roots": {"base": ["states"]}}
    write_tree(tmp_path, TREE, minions={"web1": {}}, master=roots)
    run(["check", "-f", str(tmp_path / "mkdocs.yml"), "--format", "json"])
    printed = json.loads(capsys.readouterr().out)["diagnostics"]
    return {one["file"]: {**one, "at": at} for at, one in enumerate(printed)}


def test_a_key_of_an_include_follows_from_the_file_that_includes(
    found: dict[str, dict[str, object]],
) -> None:
    one = found["states/encodes.sls"]
    assert str(one["message"]).endswith("the pillar has no key 'header'")
    assert one["caused_by"] == found["pillar/common.sls"]["at"]


@pytest.mark.parametrize(("value", "follows"), [("made.rack", True), ("made.", False)])
def test_a_key_that_a_function_merges_follows_from_the_file_that_sets_it(
    value: str, *, follows: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    merges = (
        "{% set made = salt['grains.filter_by']({'x': {'y': 1}}, grain='id', default='x',\n"
        "  merge=salt['pillar.get']('a')) %}\n"
        f"two:\n  test.nop:\n    - text: {{{{ {value} }}}}\n"
    )
    tree = {**TREE, "states/encodes.sls": merges}
    write_tree(tmp_path, tree, minions={"web1": {}}, master={"file_roots": {"base": ["states"]}})
    run(["check", "-f", str(tmp_path / "mkdocs.yml"), "--format", "json"])
    printed = json.loads(capsys.readouterr().out)["diagnostics"]
    causes = {one["file"]: one.get("caused_by") for one in printed if one["severity"] == "error"}
    common = next(at for at, one in enumerate(printed) if one["file"] == "pillar/common.sls")
    assert causes["states/encodes.sls"] == (common if follows else None)


def test_an_unknown_value_is_of_no_type(found: dict[str, dict[str, object]]) -> None:
    assert "type-clash" not in {one["code"] for one in found.values()}


def test_states_that_depend_on_ciphertext_need_keys(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    armor = "-----BEGIN PGP MESSAGE-----\n\n    hQ==\n    -----END PGP MESSAGE-----\n"
    tree = {
        "pillar/top.sls": "base: {'*': [keys]}\n",
        "pillar/keys.sls": f"#!yaml|gpg\nkey: |\n    {armor}",
        "states/top.sls": "base: {'*': [chooses]}\n",
        "states/chooses.sls": "include: ['{{ pillar['key'] }}']\none: {test.nop: []}\n",
    }
    write_tree(tmp_path, tree, minions={"a": {}}, master={"file_roots": {"base": ["states"]}})
    run(["check", "-f", str(tmp_path / "mkdocs.yml")])
    printed = capsys.readouterr().out
    assert "[unknown-state]" in printed
    assert "decrypt the pillar" in printed
    assert "declare answers" not in printed


SECRET = "Xk29-vvQ7-lmP3"
IN_NAMES = {
    "of the pillar": (f"db: {{password: {SECRET}}}\n", "warning"),
    "of a template": (f"{{% set db = {{'password': '{SECRET}'}} %}}\n", "note"),
}


@pytest.mark.parametrize(("text", "severity"), IN_NAMES.values(), ids=IN_NAMES)
def test_a_name_with_a_secret(
    text: str, severity: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tree = {"pillar/top.sls": "base: {'*': [a]}\n", "pillar/a.sls": f"{text}x-{SECRET}: {{y: 1}}\n"}
    write_tree(tmp_path, tree, minions={"a": {}})
    run(["check", "-f", str(tmp_path / "mkdocs.yml")])
    printed = capsys.readouterr().out.splitlines()
    (found,) = (line for line in printed if line.endswith("[secret-in-name]"))
    assert f": {severity}: a key contains the secret of" in found


def test_an_error_names_the_grains_that_its_template_misses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tree = {
        "pillar/top.sls": "base: {'*': [a]}\n",
        "pillar/a.sls": "a: {{ salt['grains.get']('ec2:ip', '-') }} {{ grains['os'] }}\n",
    }
    write_tree(tmp_path, tree, minions={"x": {"grains": {"os": "Debian"}}})
    run(["check", "-f", str(tmp_path / "mkdocs.yml")])
    printed = capsys.readouterr().out
    assert "[yaml-error]" in printed
    assert "it reads grains that are not declared: 'ec2'; declare them if it needs" in printed
