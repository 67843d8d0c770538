"""The command line's pillar with ``pillar_enc``: marks, places, and what is said where it fails."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from tests.support.fleets import CASES, open_fleet, write_files
from tests.support.gpg_keys import KeyHome, open_test_home

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.renderers.gpg_decryptor import SealedDecryptor
from pillarbook.inventory.settings import Settings
from pillarbook.model import Leaf, leaves
from pillarbook.redact import Redacted, RedactedPillar
from pillarbook.session import RunOptions, open_session

CASE = CASES / "renderers/pillar-enc"
REFUSED = CASES / "renderers/pillar-enc-refused"
KEY = "0x3A4CEC4D8D8E3C2A"


def marks(pillar: CompiledPillar) -> dict[str, str | None]:
    own = [key for key in pillar.tree.items if key not in ("site", "nodegroups")]
    return {
        ":".join(map(str, path)): leaf.secret
        for path, leaf, _ in leaves(pillar.tree)
        if isinstance(leaf, Leaf) and path[0] in own
    }


def test_all_text_of_it_is_secret() -> None:
    with open_fleet(CASE) as fleet:
        pillar = fleet.compile("leaves")
    opened = f"pillar_enc, for {KEY}"
    assert marks(pillar) == {
        "db:password": opened,
        "db:port": None,
        "db:hosts:0": "pillar_enc",
        "db:hosts:1": opened,
        "written": opened,
        "around": opened,
        "open": "pillar_enc",
        "block": "pillar_enc",
        "again": f"decrypt_pillar, for {KEY}",
        "none": None,
        "yes": None,
    }


def test_without_keys_it_stays_sealed_and_marked() -> None:
    with open_fleet(CASE, decryptor=SealedDecryptor()) as fleet:
        pillar = fleet.compile("overrides")
    (leaf,) = [leaf for path, leaf, _ in leaves(pillar.tree) if path == ("site", "name")]
    assert isinstance(leaf, Leaf)
    assert leaf.value.startswith("-----BEGIN PGP MESSAGE-----\n\n")
    assert leaf.secret == "pillar_enc"
    assert pillar.outcome == "ok"


def test_a_value_stands_where_the_inventory_has_it() -> None:
    with open_fleet(CASE) as fleet:
        pillar = fleet.compile("leaves")
    lines = (CASE / "minions.yml").read_text().splitlines()
    for path, _, origins in leaves(pillar.tree):
        if path in {("db", "password"), ("written",), ("open",)}:
            assert origins[-1].line is not None
            assert f"{path[-1]}:" in lines[origins[-1].line - 1]


@pytest.mark.parametrize(
    ("minion", "says", "line"),
    [
        (
            "unknown",
            "'no-such-renderer' is not a valid decryption renderer. Valid choices are: gpg",
            2,
        ),
        ("allowed-and-unknown", "Decryption renderer 'no-such-renderer' is not available", 5),
        ("nacl", "'nacl.dec'", 12),
        ("yaml", "'dict' object has no attribute 'read'", 13),
        ("jinja-text", "the value is taken for the name of a template", 21),
        ("damaged", "a PGP message cannot be decrypted: it is damaged", 27),
    ],
)
def test_what_is_said_where_it_fails(minion: str, says: str, line: int) -> None:
    with open_fleet(REFUSED) as fleet:
        pillar = fleet.compile(minion)
    (one,) = pillar.diagnostics
    assert one.code == "undecryptable"
    assert one.message == f"Failed to decrypt pillar override: {says}"
    assert str(one.position).endswith(f"pillar-enc-refused/minions.yml:{line}")


@pytest.fixture
def home(tmp_path: Path) -> Iterator[KeyHome]:
    with open_test_home(tmp_path / "gpgkeys") as home:
        yield home


def run(tree: Path, pillar: Mapping[str, str] | None = None, *, trust: bool) -> RedactedPillar:
    settings = Settings(
        master=tree / "master", inventory=(tree / "minions.yml",), folder=tree, decrypt=trust
    )
    with open_session(settings, RunOptions(trust=trust, pillar=pillar)) as session:
        return session.report.pillar("m1")


def test_the_command_lines_pillar_and_the_declared_one_are_one(
    home: KeyHome, tmp_path: Path
) -> None:
    command = ["--trust-model", "always", "--armor", "--encrypt", "-r", "pillarbook test key"]
    message = home.run(*command, given=b"earl grey").decode()
    write_files(
        tmp_path,
        {
            "master": "pillar_roots: {base: [pillar]}\n",
            "minions.yml": "minions: {m1: {pillar_enc: gpg, pillar: {own: "
            f"{json.dumps(message)}}}}}}}\n",
            "pillar/top.sls": "base: {'*': []}\n",
        },
    )
    opened = run(tmp_path, {"own": "plain", "given": message}, trust=True)
    reasons = {leaf.path[0]: leaf.value.reason for leaf in opened.leaves}
    owner = "pillarbook test key <test-only@pillarbook.invalid>"
    assert reasons == {"own": "pillar_enc", "given": f"pillar_enc, for {KEY} ({owner})"}
    sealed = run(tmp_path, {"given": message}, trust=False)
    for leaf in sealed.leaves:
        assert isinstance(leaf.value, Redacted)
        assert leaf.value.reason == f"PGP message for {KEY}"
