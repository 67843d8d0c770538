"""The gpg renderer, its decryptors and ``decrypt_pillar``, with the real gpg and a test key."""

import json
import os
import shutil
import stat
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.support.messages import encrypting

from pillarbook.compile.limits import Limits
from pillarbook.compile.renderers import gpg
from pillarbook.compile.renderers.decrypt_pillar import DecryptFailure, decrypt_pillar
from pillarbook.compile.renderers.decryption_renderers import DecryptionRenderers
from pillarbook.compile.renderers.gpg import SealedError
from pillarbook.compile.renderers.gpg_decryptor import DecryptError, GpgDecryptor, SealedDecryptor
from pillarbook.compile.renderers.pipe import builtin_renderers
from pillarbook.compile.renderers.render_context import Decryptor, RenderContext
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.compile.renderers.source_text import SourceText
from pillarbook.compile.renderers.yaml import render as render_yaml
from pillarbook.model import Leaf, MapNode, Node, leaves, plain, to_tagged

CASES = Path(__file__).parents[2] / "cases"
DECRYPT = CASES / "pillar" / "decrypt"
KEYS = CASES / "gpgkeys"
DECRYPTED = "gpg renderer, for 0x3A4CEC4D8D8E3C2A"
BLOCK = "-----BEGIN PGP MESSAGE-----\n\nbm90IHJlYWxseSBhIG1lc3NhZ2U=\n-----END PGP MESSAGE-----"


@pytest.fixture(scope="module")
def opener() -> Iterator[GpgDecryptor]:
    with GpgDecryptor(KEYS, must_succeed=True) as decryptor:
        yield decryptor


@pytest.fixture(scope="module")
def encrypt() -> Iterator[Callable[[bytes], str]]:
    with encrypting() as run:
        yield run


def context(decryptor: Decryptor, shown: str = "pillar/s.sls") -> RenderContext:
    return RenderContext(shown, f"/srv/{shown}", "s", "base", {}, Limits(), decryptor)


def read(text: str) -> MapNode:
    node = render_yaml(context(SealedDecryptor()), SourceText.of_file(text, "pillar/s.sls"), "")
    assert isinstance(node, MapNode)
    return node


def decrypt_with(
    tree: MapNode, options: Mapping[str, Any], decryptor: Decryptor
) -> tuple[MapNode, list[DecryptFailure]]:
    renderers = DecryptionRenderers(builtin_renderers(), options, decryptor, Limits())
    return decrypt_pillar(tree, options, renderers)


def leaf_at(tree: Node, *keys: Any) -> Leaf:
    for key in keys:
        assert not isinstance(tree, Leaf)
        tree = tree.items[key]
    assert isinstance(tree, Leaf)
    return tree


def expected(case: str) -> Any:
    return json.loads((DECRYPT / case / "expected.json").read_text())["d1"]


@pytest.mark.parametrize(
    "case",
    [
        "broken-kept",
        "containers",
        "default-renderer",
        "delimiter",
        "dict-form",
        "list-form",
        "list-form-renderer",
        "malformed-option",
        "paths-through-lists",
        "shared-and-repeated",
        "text-around",
        "wrong-renderer",
    ],
)
def test_decrypt_pillar_gives_what_salt_gives(case: str) -> None:
    options = yaml.safe_load((DECRYPT / case / "master").read_text())
    tree = read((DECRYPT / case / "pillar" / "s.sls").read_text())
    with GpgDecryptor(KEYS, options.get("gpg_decrypt_must_succeed", True)) as decryptor:
        decrypted, failures = decrypt_with(tree, options, decryptor)
    wanted = expected(case)
    errors = [text for text in wanted.pop("_errors", ()) if "decrypt" in text]
    assert json.dumps(to_tagged(plain(decrypted))) == json.dumps(wanted)
    assert failures == errors


@pytest.mark.parametrize(
    ("case", "key", "value"),
    [("yaml-gpg", "pw", "12345"), ("included", "a", "included")],
)
def test_data_is_decrypted_after_yaml(
    case: str, key: str, value: str, opener: GpgDecryptor
) -> None:
    name = "secret.sls" if case == "included" else "s.sls"
    tree = read((DECRYPT / case / "pillar" / name).read_text())
    rendered = gpg.render(context(opener), tree, "")
    assert isinstance(rendered, MapNode)
    leaf = leaf_at(rendered, key)
    assert (leaf.value, leaf.secret, leaf.origins[-1].value) == (value, DECRYPTED, value)
    if case == "yaml-gpg":
        assert plain(rendered) == {k: v for k, v in expected(case).items() if k != "untouched"}
        assert rendered.items["braces"] is tree.items["braces"]


@pytest.mark.parametrize(
    ("name", "secrets"),
    [
        ("whole", {("whole", "port"), ("whole", "on"), ("list", 0), ("list", 1)}),
        ("part", {("hidden",)}),
    ],
)
def test_text_is_decrypted_before_yaml_and_marked(
    name: str, secrets: set[tuple[Any, ...]], opener: GpgDecryptor
) -> None:
    text = (
        (DECRYPT / "gpg-first" / "pillar" / f"{name}.sls").read_text().replace("{{ 2 * 2 }}", "4")
    )
    shown = f"pillar/{name}.sls"
    rendered = gpg.render(context(opener), SourceText.of_file(text, shown), "")
    tree = render_yaml(context(opener, shown), rendered, "")
    assert plain(tree).items() <= expected("gpg-first").items()
    found = {path for path, leaf, _ in leaves(tree) if isinstance(leaf, Leaf) and leaf.secret}
    assert found == secrets
    for path, _, origins in leaves(tree):
        marker = "-----BEGIN" if path in secrets else f"{path[0]}:"
        numbers = [at for at, line in enumerate(text.splitlines(), 1) if line.startswith(marker)]
        assert [origins[-1].line] == numbers


def test_lines_after_a_message_are_their_own(
    encrypt: Callable[[bytes], str], opener: GpgDecryptor
) -> None:
    one, two = encrypt(b"b: 2"), encrypt(b"d: 4\ne: 5\n")
    text = f"a: 1\n{one}\nc: 3\n{two}\nf: 6\n"
    rendered = gpg.render(context(opener), SourceText.of_file(text, "pillar/s.sls"), "")
    tree = render_yaml(context(opener), rendered, "")
    lines = {path[0]: origins[-1].line for path, _, origins in leaves(tree)}
    numbers = {line.partition(":")[0]: at for at, line in enumerate(text.splitlines(), 1)}
    assert (lines["a"], lines["c"], lines["f"]) == (numbers["a"], numbers["c"], numbers["f"])
    assert lines["b"] == 2
    assert lines["d"] == lines["e"] == numbers["c"] + 1


@pytest.mark.parametrize(
    ("clear", "value"),
    [
        (b"text", "text"),
        (b"two\nlines\n\n", "two\nlines"),
        (b"\xff\x00", b"\xff\x00"),
        ("käse".encode(), "käse"),
    ],
    ids=["text", "line feeds at the end", "not UTF-8", "UTF-8"],
)
def test_clear_text_of_a_leaf(
    clear: bytes, value: object, encrypt: Callable[[bytes], str], opener: GpgDecryptor
) -> None:
    tree = MapNode({"k": Leaf(encrypt(clear) + "\n", ())}, ())
    assert plain(gpg.decrypt_tree(tree, opener, "gpg renderer")) == {"k": value}


@pytest.mark.parametrize(
    ("value", "given"),
    [("open\n", "open\n"), (b"bytes", "bytes"), (b"\xff", b"\xff"), (4, 4), (None, None)],
    ids=["text keeps its line feed", "bytes become text", "other bytes stay", "number", "null"],
)
def test_what_holds_no_message(value: object, given: object, opener: GpgDecryptor) -> None:
    leaf = gpg.decrypt_tree(Leaf(value, ()), opener, "gpg renderer")
    assert isinstance(leaf, Leaf)
    assert (leaf.value, leaf.secret) == (given, None)


def test_two_characters_stand_for_a_line_feed(
    encrypt: Callable[[bytes], str], opener: GpgDecryptor
) -> None:
    assert opener.decrypt_text(encrypt(b"x").replace("\n", r"\n")) == ("x", True)


def test_an_error_has_salts_words_and_clean_ones(opener: GpgDecryptor) -> None:
    with pytest.raises(DecryptError) as caught:
        opener.decrypt_text(f"a {BLOCK} b")
    assert str(caught.value).startswith("Could not decrypt cipher b'-----BEGIN PGP MESSAGE-----")
    assert caught.value.clean == "a PGP message cannot be decrypted: it is damaged"
    assert "/" not in str(caught.value).partition("received:")[2]


def test_a_strangers_message_names_the_key(opener: GpgDecryptor, tmp_path: Path) -> None:
    text = (DECRYPT / "broken-kept" / "pillar" / "s.sls").read_text()
    tree = read(text)
    options = {"decrypt_pillar": ["box:stranger"]}
    kept, failures = decrypt_with(tree, options, opener)
    assert leaf_at(kept, "box", "stranger").value.startswith("-----BEGIN PGP MESSAGE-----")
    (failure,) = failures
    assert failure.startswith("Failed to decrypt pillar key 'box:stranger': Could not")
    assert failure.clean == (
        "Failed to decrypt pillar key 'box:stranger':"
        " a PGP message cannot be decrypted: no secret key 563320636247CD2C"
    )
    with GpgDecryptor(tmp_path / "none", must_succeed=True) as keyless:
        _, (failure,) = decrypt_with(tree, options, keyless)
    assert failure.clean.endswith("and the key folder does not exist")


def test_a_message_of_gigabytes_is_stopped(
    encrypt: Callable[[bytes], str], opener: GpgDecryptor
) -> None:
    with pytest.raises(DecryptError) as caught:
        opener.decrypt_text(encrypt(bytes(17 * 1024 * 1024)))
    assert str(caught.value.clean).endswith("it has more than 16,777,216 bytes")


def test_aliases_change_together_and_stay_shared(
    encrypt: Callable[[bytes], str], opener: GpgDecryptor
) -> None:
    cipher = json.dumps(encrypt(b"same"))
    tree = read(f"a: &one {{k: {cipher}, n: {{m: 1}}}}\nb: [*one, 2]\nc: {{k: {cipher}}}\n")
    by_container, _ = decrypt_with(tree, {"decrypt_pillar": ["a"]}, opener)
    by_scalar, _ = decrypt_with(tree, {"decrypt_pillar": ["a:k"]}, opener)
    for made in (by_container, by_scalar):
        data = plain(made)
        assert (data["a"]["k"], data["b"][0]["k"]) == ("same", "same")
        assert data["c"]["k"].startswith("-----BEGIN")
        assert [made.items["a"].alias, made.items["b"].items[0].alias] == [1, 1]  # type: ignore[union-attr]
        assert made.items["c"] is tree.items["c"]


def test_an_alias_within_a_renewed_container_is_renewed(
    encrypt: Callable[[bytes], str], opener: GpgDecryptor
) -> None:
    cipher = json.dumps(encrypt(b"same"))
    tree = read(f"top: &t\n  x: &one {{k: {cipher}}}\n  y: *one\nagain: *t\n")
    made, _ = decrypt_with(tree, {"decrypt_pillar": ["top:x:k"]}, opener)
    below = {"x": {"k": "same"}, "y": {"k": "same"}}
    assert plain(made) == {"top": below, "again": below}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"decrypt_pillar": [5]}, "'int' object has no attribute 'split'"),
        ({"decrypt_pillar": {True: "gpg"}}, "'bool' object has no attribute 'split'"),
    ],
    ids=["number in a list", "boolean as a key"],
)
def test_options_that_break_the_compile_off(options: Mapping[str, Any], message: str) -> None:
    with pytest.raises(RenderError, match=message):
        decrypt_with(read("a: 1"), options, SealedDecryptor())


@pytest.mark.parametrize(
    ("option", "works"),
    [
        ("[a]", True),
        ("a", False),
        ([{"a": None}], True),
        ([{"a": None, "b": None}], False),
        ([["a"]], False),
        ([None], False),
        (7, False),
        ({"a": None}, True),
    ],
    ids=str,
)
def test_forms_of_the_option(option: Any, works: bool) -> None:
    made, failures = decrypt_with(read("a: text"), {"decrypt_pillar": option}, SealedDecryptor())
    assert leaf_at(made, "a").secret == ("decrypt_pillar" if works else None)
    clean = [failure.clean for failure in failures]
    assert clean == ([] if works else ["decrypt_pillar config option is malformed"])


def test_without_keys_values_stay_sealed_in_their_place() -> None:
    text = f"pw: {json.dumps(BLOCK)}\nopen: x\n"
    rendered = gpg.render(context(SealedDecryptor()), read(text), "")
    assert isinstance(rendered, MapNode)
    assert leaf_at(rendered, "pw").value == BLOCK
    assert leaf_at(rendered, "pw").secret == "gpg renderer"
    assert leaf_at(rendered, "open").secret is None
    made, _ = decrypt_with(read("a: {b: [x], n: 1}"), {"decrypt_pillar": ["a"]}, SealedDecryptor())
    assert leaf_at(made, "a", "b", 0).secret == "decrypt_pillar"
    assert leaf_at(made, "a", "n").secret is None


@pytest.mark.parametrize(
    "text",
    [BLOCK, f"open: 1\n{BLOCK}\n", f"open: 1\nkey: {BLOCK}\n"],
    ids=["whole", "part", "plain scalar"],
)
def test_without_keys_text_that_is_ciphertext_is_sealed_as_one(text: str) -> None:
    with pytest.raises(SealedError) as caught:
        gpg.render(context(SealedDecryptor()), SourceText.of_file(text, "pillar/s.sls"), "")
    assert caught.value.rule == "sealed-sls"
    at = next(n for n, line in enumerate(text.splitlines(), 1) if "BEGIN" in line)
    assert caught.value.place == ("pillar/s.sls", at)


@pytest.mark.parametrize(
    "value",
    ["|\n  " + BLOCK.replace("\n", "\n  "), json.dumps(BLOCK), f"'{BLOCK}'"],
    ids=["block scalar", "double quotes", "single quotes"],
)
def test_without_keys_a_value_in_text_stays_in_its_place(value: str) -> None:
    source = SourceText.of_file(f"a: 1\npw: {value}\nb: 2\n", "pillar/s.sls")
    sealed = gpg.render(context(SealedDecryptor()), source, "")
    tree = render_yaml(context(SealedDecryptor()), sealed, "")
    assert leaf_at(tree, "pw").value.startswith("-----BEGIN PGP MESSAGE-----")
    marks = {path: leaf.secret for path, leaf, _ in leaves(tree) if isinstance(leaf, Leaf)}
    assert marks == {("a",): None, ("pw",): "gpg renderer", ("b",): None}
    last = source.text.count("\n")
    assert leaf_at(tree, "b").origins[-1].line == last


def test_the_copy_of_the_keys_is_private_and_goes(tmp_path: Path) -> None:
    keys = tmp_path / "keys"
    shutil.copytree(KEYS, keys)
    (keys / "gpg-agent.conf").write_text("pinentry-program /bin/false\n")
    (keys / "S.gpg-agent").touch()
    before = sorted(keys.rglob("*"))
    for folder in (keys, keys / "private-keys-v1.d"):
        folder.chmod(0o500)
    decryptor = GpgDecryptor(keys, must_succeed=True)
    home = decryptor.prepare()
    text = (DECRYPT / "list-form" / "pillar" / "s.sls").read_text()
    made, failures = decrypt_with(read(text), {"decrypt_pillar": ["api_key"]}, decryptor)
    assert (leaf_at(made, "api_key").value, failures) == ("key-0042", [])
    copied = {path.relative_to(home).as_posix(): path for path in home.rglob("*.*")}
    assert "gpg-agent.conf" not in copied
    for path in home.rglob("*.key"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    decryptor.close()
    assert not home.exists()
    assert sorted(keys.rglob("*")) == before
    folder_mode = 0o700
    for folder in (keys, keys / "private-keys-v1.d"):
        folder.chmod(folder_mode)


def test_a_forked_process_leaves_the_copy_alone() -> None:
    with GpgDecryptor(KEYS, must_succeed=True) as decryptor:
        home = decryptor.prepare()
        child = os.fork()
        if not child:
            decryptor.close()
            os._exit(0)
        os.waitpid(child, 0)
        assert home.is_dir()


def test_each_message_is_opened_once(opener: GpgDecryptor, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (DECRYPT / "text-around" / "pillar" / "s.sls").read_text()
    opener.prefetch([text])
    tree = read(text)
    first, _ = decrypt_with(tree, {"decrypt_pillar": ["conf"]}, opener)
    monkeypatch.setenv("PATH", os.devnull)
    again, failures = decrypt_with(tree, {"decrypt_pillar": ["conf"]}, opener)
    assert (plain(again), failures) == (plain(first), [])


def test_without_the_program_a_message_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with GpgDecryptor(KEYS, must_succeed=False) as decryptor:
        assert decryptor.decrypt_text("none here") == ("none here", False)
        with pytest.raises(DecryptError, match="GPG unavailable"):
            decryptor.decrypt_text(BLOCK)
