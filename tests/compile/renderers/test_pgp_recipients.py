"""Whom a PGP message is for, read without a key."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.fleets import CASES

from pillarbook.compile.renderers.ciphertext import END, MESSAGE
from pillarbook.compile.renderers.pgp_recipients import (
    ANYBODY,
    MAX_BYTES,
    Recipients,
    find_recipients,
    word_recipients,
)
from pillarbook.patterns.ciphertexts import BEGIN

ONE, TWO = "1A2B3C4D5E6F7081", "AABBCCDDEEFF0011"
OF_V4, OF_V6 = "00" * 12 + ONE, TWO + "00" * 24
REAL = MESSAGE.search((CASES / "pillar/decrypt/list-form/pillar/s.sls").read_text())


def new(tag: int, body: bytes) -> bytes:
    size = len(body)
    if size < 192:
        return bytes([0xC0 | tag, size]) + body
    return bytes([0xC0 | tag, ((size - 192) >> 8) + 192, (size - 192) & 0xFF]) + body


def old(tag: int, body: bytes, octets: int = 1) -> bytes:
    kind = {1: 0, 2: 1, 4: 2}[octets]
    return bytes([0x80 | tag << 2 | kind]) + len(body).to_bytes(octets, "big") + body


def for_key(key: str, size: int = 40) -> bytes:
    return b"\3" + bytes.fromhex(key) + b"\x01" + b"\x55" * size


def for_fingerprint(version: int, fingerprint: str) -> bytes:
    raw = bytes([version]) + bytes.fromhex(fingerprint)
    return b"\6" + bytes([len(raw)]) + raw + b"\x19" + b"\x55" * 32


PASSPHRASE = new(3, b"\4\x09\3\x08saltsalt\x60")
DATA = new(18, b"\1" + b"\x77" * 50)
HIDDEN = new(1, for_key(ANYBODY))

MESSAGES = {
    "new header": (new(1, for_key(ONE)) + DATA, [ONE], False),
    "two octets of length": (new(1, for_key(ONE, 512)) + DATA, [ONE], False),
    "four octets of length": (
        b"\xc1\xff" + (50).to_bytes(4, "big") + for_key(ONE) + DATA,
        [ONE],
        False,
    ),
    "old header": (old(1, for_key(ONE)) + DATA, [ONE], False),
    "old header, two octets": (old(1, for_key(ONE, 512), 2) + DATA, [ONE], False),
    "old header, four octets": (old(1, for_key(ONE), 4) + DATA, [ONE], False),
    "old header, no length": (b"\x87" + for_key(ONE), [ONE], False),
    "two recipients": (new(1, for_key(ONE)) + old(1, for_key(TWO)) + DATA, [ONE, TWO], False),
    "one recipient twice": (new(1, for_key(ONE)) * 2 + DATA, [ONE], False),
    "hidden": (HIDDEN + DATA, [ANYBODY], False),
    "version 6, key of version 4": (new(1, for_fingerprint(4, OF_V4)) + DATA, [ONE], False),
    "version 6, key of version 6": (new(1, for_fingerprint(6, OF_V6)) + DATA, [TWO], False),
    "version 6, hidden": (new(1, b"\6\0\x19" + b"\x55" * 32) + DATA, [ANYBODY], False),
    "version 6, odd fingerprint": (new(1, for_fingerprint(4, OF_V6)) + DATA, [], False),
    "passphrase": (PASSPHRASE + DATA, [], True),
    "key and passphrase": (new(1, for_key(ONE)) + PASSPHRASE + DATA, [ONE], True),
    "marker before": (new(10, b"PGP") + new(1, for_key(ONE)) + DATA, [ONE], False),
    "unknown version": (new(1, b"\x09" + for_key(ONE)[1:]) + DATA, [], False),
    "in parts": (
        b"\xc1\xe4" + for_key(ONE)[:16] + b"\x22" + for_key(ONE)[16:] + DATA,
        [ONE],
        False,
    ),
    "nothing behind the data": (DATA + new(1, for_key(ONE)), [], False),
    "cut off within the packet": (new(1, for_key(ONE))[:20], [ONE], False),
    "cut off within the key": (new(1, for_key(ONE))[:8], [], False),
    "no packet": (b"hello", [], False),
    "empty": (b"", [], False),
}


def armor(data: bytes, head: str = "", end: str = END, width: int = 64) -> str:
    text = base64.b64encode(data).decode()
    lines = [text[at : at + width] for at in range(0, len(text), width)]
    return "\n".join([BEGIN, *([head] if head else []), "", *lines, "=aBcD", end])


@pytest.mark.parametrize(("data", "keys", "passphrase"), MESSAGES.values(), ids=MESSAGES)
def test_a_message(data: bytes, keys: list[str], passphrase: bool) -> None:
    wanted = Recipients(tuple(keys), passphrase)
    assert find_recipients(data) == wanted
    assert find_recipients(armor(data)) == wanted
    assert find_recipients(f"before\n{armor(data)}\nbehind".encode()) == wanted


SIMPLE = new(1, for_key(ONE)) + DATA
ARMORS = {
    "headers": armor(SIMPLE, "Version: GnuPG v2\nComment: =x"),
    "carriage returns": armor(SIMPLE).replace("\n", "\r\n"),
    "written with \\n": armor(SIMPLE).replace("\n", "\\n"),
    "indented": armor(SIMPLE).replace("\n", "\n    "),
    "no blank line": armor(SIMPLE).replace("\n\n", "\n"),
    "no end": armor(SIMPLE, end=""),
    "cut off": armor(SIMPLE)[:80],
    "narrow lines": armor(SIMPLE, width=5),
    "signs that are no base64": armor(SIMPLE).replace("\n", "\n*é"),
}


@pytest.mark.parametrize("text", ARMORS.values(), ids=ARMORS)
def test_armor(text: str) -> None:
    assert find_recipients(text) == Recipients((ONE,))


def test_several_messages_have_the_recipients_of_all() -> None:
    text = armor(SIMPLE) + "\n" + armor(new(1, for_key(TWO)) + PASSPHRASE + DATA)
    assert find_recipients(text) == Recipients((ONE, TWO), passphrase=True)


def test_text_that_is_no_message_has_none() -> None:
    assert not find_recipients("plain")
    assert not find_recipients(SIMPLE.decode("latin-1"))


def test_a_real_message_names_its_key() -> None:
    assert REAL is not None
    assert find_recipients(REAL.group()).keys == ("3A4CEC4D8D8E3C2A",)


@given(st.binary(max_size=300) | st.sampled_from([data for data, _, _ in MESSAGES.values()]))
def test_nothing_makes_it_fail(data: bytes) -> None:
    for length in range(0, len(data), 7):
        find_recipients(data[:length])
        find_recipients(armor(data[:length]))
    find_recipients(f"{BEGIN}\n\n{data.decode('latin-1')}")


@pytest.mark.parametrize(
    "text",
    [BEGIN * 100_000, f"{BEGIN}\n" * 100_000 + END, armor(b"\xc1\x00" * 5_000_000)],
    ids=["no end", "one end", "empty packets"],
)
def test_no_more_is_read_than_a_head(text: str) -> None:
    assert len(find_recipients(text).keys) < MAX_BYTES / 10


@pytest.mark.parametrize(
    ("recipients", "words"),
    [
        (Recipients(), ""),
        (Recipients((ONE,)), f"0x{ONE}"),
        (Recipients((ONE, ANYBODY), passphrase=True), f"0x{ONE}, a hidden recipient, a passphrase"),
        (
            Recipients((ONE, TWO, ANYBODY, "B" * 16), True),
            f"0x{ONE}, 0x{TWO}, a hidden recipient and 2 more",
        ),
    ],
    ids=["none", "one", "three", "five"],
)
def test_words(recipients: Recipients, words: str) -> None:
    assert word_recipients(recipients) == words
