"""``nacl``: what opens, and what stays sealed and is marked as secret."""

import base64
from pathlib import Path

import pytest
from nacl.public import PrivateKey, SealedBox
from nacl.secret import SecretBox
from tests.support.fleets import compile_case, write_fleet

from pillarbook.inventory.settings import Settings
from pillarbook.model import leaves, plain
from pillarbook.session import RunOptions, open_session


def test_messages_stay_sealed_in_their_places(tmp_path: Path) -> None:
    files = {
        "top.sls": "base: {'*': [app]}",
        "app.sls": "#!yaml|nacl\na: NACL[abc=]\nb: ['not NACL[abc=]', 'NACL[x]']\n",
    }
    pillar = compile_case(write_fleet(tmp_path, files, {"web1": {}}))["web1"]
    assert plain(pillar.tree) == {"a": "NACL[abc=]", "b": ["not NACL[abc=]", "NACL[x]"]}
    marks = {path: getattr(node, "secret", None) for path, node, _ in leaves(pillar.tree)}
    assert marks == {("a",): "nacl renderer", ("b", 0): None, ("b", 1): "nacl renderer"}


def test_an_sls_that_is_one_message_is_sealed(tmp_path: Path) -> None:
    files = {"top.sls": "#!yaml\nbase: {'*': [app]}", "app.sls": "NACL[abc=]\n"}
    master = {"renderer": "nacl|yaml"}
    pillar = compile_case(write_fleet(tmp_path, files, {"web1": {}}, master))["web1"]
    assert pillar.outcome == "partial"
    assert [one.code for one in pillar.diagnostics] == ["sealed-sls"]


KEY = bytes(range(32))


def settings(folder: Path, text: str, **config: str) -> Settings:
    files = {"top.sls": "base: {'*': [app]}", "app.sls": text}
    write_fleet(folder, files, {"web1": {}}, {"nacl.config": config} if config else {})
    inventory = (folder / "minions.yml",)
    return Settings(master=folder / "master", inventory=inventory, folder=folder)


@pytest.mark.sample(1)
@pytest.mark.parametrize("kind", ["sealedbox", "secretbox"])
@pytest.mark.parametrize("where", ["sk", "sk_file"])
def test_messages_open_with_the_key(kind: str, where: str, tmp_path: Path) -> None:
    box = SecretBox(KEY) if kind == "secretbox" else SealedBox(PrivateKey(KEY).public_key)
    message = base64.b64encode(box.encrypt(b"hunter2")).decode()
    key = base64.b64encode(KEY).decode()
    (tmp_path / "key").write_text(f"{key}\n")
    config = {"box_type": kind, where: key if where == "sk" else "key"}
    declared = settings(tmp_path, f"#!yaml|nacl\na: NACL[{message}]\n", **config)
    for reveal in (True, False):
        with open_session(declared, RunOptions(reveal=reveal)) as session:
            (compiled,) = session.compiler.compile_all(["web1"])
            shown = plain(compiled.tree)["a"]
            assert shown == (b"hunter2" if reveal else f"NACL[{message}]")


def test_a_message_of_another_key_is_an_error(tmp_path: Path) -> None:
    key = base64.b64encode(KEY).decode()
    declared = settings(tmp_path, "#!yaml|nacl\na: NACL[YWJj]\n", sk=key)
    with open_session(declared, RunOptions(reveal=True)) as session:
        (compiled,) = session.compiler.compile_all(["web1"])
    assert [one.code for one in compiled.diagnostics] == ["undecryptable"]
