"""The rules about the keys that values are encrypted to, with keys of all fates and the real gpg."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.support.fleets import write_files
from tests.support.gpg_keys import KeyHome, let_time_pass, make_keys, open_home

from pillarbook.book import RunOptions, open_book
from pillarbook.diagnostics import Diagnostic
from pillarbook.inventory.settings import Settings
from pillarbook.model import format_path
from pillarbook.redact import Redacted

CODES = ("key-missing", "key-expired", "key-revoked")
CLEAR = "kettle-on-the-hob"
TO = {
    "good": ["good"],
    "two": ["good", "other"],
    "colleagues": ["colleague", "good"],
    "missing": ["absent"],
    "missing_two": ["absent", "colleague"],
    "expired": ["expired"],
    "revoked": ["revoked"],
    "all": ["absent", "expired", "good", "revoked"],
}
"""Messages by whom they are for."""


@dataclass(frozen=True, slots=True)
class Made:
    """Keys, and messages to them."""

    home: KeyHome
    ids: Mapping[str, str]
    messages: Mapping[str, str]

    def value(self, name: str) -> str:
        return json.dumps(self.messages[name])


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    with open_home(tmp_path_factory.mktemp("keys") / "h") as home:
        ids = make_keys(home)
        messages = {name: home.encrypt(CLEAR, *names) for name, names in TO.items()}
        messages["hidden"] = home.encrypt(CLEAR, hidden=["absent"])
        let_time_pass(home)
        home.stop()
        yield Made(home, ids, messages)


@pytest.fixture
def tree(made: Made, tmp_path: Path) -> Path:
    write_files(
        tmp_path,
        {
            "master": f"pillar_roots: {{base: [pillar]}}\ngpg_keydir: {made.home.folder}\n",
            "minions.yml": "minions: {m1: {}, m2: {}}\n",
            "pillar/top.sls": "base: {'*': [site]}\n",
        },
    )
    return tmp_path


def find(
    tree: Path, sls: str, *, decrypt: bool = True, memo: bool = True, now: float = 2e9
) -> list[Diagnostic]:
    (tree / "pillar/site.sls").write_text(sls)
    settings = Settings(
        master=tree / "master", inventory=(tree / "minions.yml",), folder=tree, decrypt=decrypt
    )
    with open_book(settings, RunOptions(trust=True, memo=memo, now=lambda: now)) as book:
        for _ in book.compile_all(book.minions):
            pass
        return [one for one in book.diagnostics if one.code in CODES]


def told(found: list[Diagnostic]) -> list[tuple[str, str, str]]:
    return sorted(
        (one.code, str(one.position), "" if one.path is None else format_path(one.path))
        for one in found
    )


RENDERED = {
    "good": [],
    "two": [],
    "colleagues": [],
    "missing": ["key-missing"],
    "missing_two": ["key-missing"],
    "expired": ["key-expired"],
    "revoked": ["key-revoked"],
    "all": ["key-expired", "key-revoked"],
    "hidden": [],
}


@pytest.mark.parametrize("memo", [True, False], ids=["memo", "no memo"])
@pytest.mark.parametrize("shebang", ["#!yaml|gpg", "#!yaml", "#!jinja|yaml|gpg"])
def test_each_fate_is_told_with_its_line_and_key(
    shebang: str, memo: bool, made: Made, tree: Path
) -> None:
    (tree / "pillar/top.sls").write_text(json.dumps({"base": {"*": [*RENDERED]}}))
    for name in RENDERED:
        sls = f"{shebang}\nopen: 1\n{name}: {{pw: [{made.value(name)}]}}\n"
        (tree / f"pillar/{name}.sls").write_text(sls)
    found = find(tree, "", memo=memo)
    wanted = [
        (code, f"pillar/{name}.sls:3", f"{name}:pw:0")
        for name, codes in RENDERED.items()
        for code in codes
    ]
    assert told(found) == sorted(wanted)
    for one in found:
        assert one.minions == ("m1", "m2")
        assert CLEAR not in str(one)
        assert "BEGIN" not in str(one)


@pytest.mark.parametrize(("name", "path"), [("missing", ""), ("expired", "pw"), ("revoked", "pw")])
def test_a_message_in_text_has_the_path_of_the_one_value_it_becomes(
    name: str, path: str, made: Made, tree: Path
) -> None:
    block = made.messages[name].replace("\n", "\n  ")
    found = find(tree, f"#!gpg|yaml\npw: |\n  {block}\nopen: 1\n")
    assert told(found) == [(f"key-{name}", "pillar/site.sls:3", path)]


def test_the_sentences(made: Made, tree: Path) -> None:
    lines = [f"{name}: {made.value(name)}" for name in ("missing_two", "expired", "revoked")]
    found = {one.code: one.message for one in find(tree, "\n".join(["#!yaml", *lines, ""]))}
    key = {name: f"0x{one}" for name, one in made.ids.items()}
    colleague = f"{key['colleague']} (Colleague's Key <colleague@example.com>)"
    missing = "and the keyring has no secret key for it"
    assert found == {
        "key-missing": f"'missing_two' is encrypted to {key['absent']}, {colleague}, {missing}",
        "key-expired": f"'expired' is encrypted to {key['expired']}"
        " (Expired Key <expired@example.com>), a key that expired on 2020-01-02",
        "key-revoked": f"'revoked' is encrypted to {key['revoked']}"
        " (Revoked Key <revoked@example.com>), a key that was revoked",
    }


@pytest.mark.parametrize(("now", "codes"), [(1577923199, []), (1577923200, ["key-expired"])])
def test_the_clock_is_given(now: float, codes: list[str], made: Made, tree: Path) -> None:
    found = find(tree, f"#!yaml\npw: {made.value('expired')}\n", now=now)
    assert [one.code for one in found] == codes


def test_a_value_is_told_of_once_however_often_it_is_given(made: Made, tree: Path) -> None:
    sls = f"#!jinja|yaml\na: &a {{pw: {made.value('expired')}}}\nb: *a\nc: {{{{ grains.id }}}}\n"
    (one,) = find(tree, sls)
    assert (str(one.position), one.path, one.minions) == (
        "pillar/site.sls:2",
        ("a", "pw"),
        ("m1", "m2"),
    )


def test_what_lies_beside_the_files_is_looked_at_too(made: Made, tree: Path) -> None:
    (tree / "minions.yml").write_text(
        f"minions:\n  m1:\n    pillar:\n      pw: {made.value('revoked')}\n"
    )
    assert told(find(tree, "a: 1\n")) == [("key-revoked", "minions.yml:4", "pw")]


def test_nothing_is_said_where_no_key_is_in_reach(made: Made, tree: Path) -> None:
    sls = "".join(f"{name}: {made.value(name)}\n" for name in RENDERED)
    assert find(tree, f"#!yaml|gpg\n{sls}", decrypt=False) == []
    master = tree / "master"
    master.write_text(master.read_text().replace(str(made.home.folder), "no-such-folder"))
    assert find(tree, f"#!yaml\n{sls}") == []


@pytest.mark.parametrize("decrypt", [True, False], ids=["decrypt", "sealed"])
@pytest.mark.parametrize("shebang", ["yaml|gpg", "gpg|yaml", "yaml"])
def test_the_reason_names_keys_and_with_a_keyring_owners(
    shebang: str, decrypt: bool, made: Made, tree: Path
) -> None:
    block = made.messages["good"].replace("\n", "\n  ")
    (tree / "pillar/site.sls").write_text(f"#!{shebang}\nnote: |\n  {block}\n")
    settings = Settings(
        master=tree / "master", inventory=(tree / "minions.yml",), folder=tree, decrypt=decrypt
    )
    with open_book(settings, RunOptions(trust=True)) as book:
        (leaf,) = book.pillar("m1").leaves
    opened = decrypt and "gpg" in shebang
    lead = "gpg renderer, for" if opened else "PGP message for"
    owner = " (Good Key <good@example.com>)" if decrypt else ""
    assert isinstance(leaf.value, Redacted)
    assert leaf.value.reason == f"{lead} 0x{made.ids['good']}{owner}"
