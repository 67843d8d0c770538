"""Whose the keys of a keyring are, and what has become of them."""

import pytest

from pillarbook.compile.renderers.gpg_keyring import MAX_OWNER, Key, name_keys, read_listing

LISTING = r"""tru:o:1:1795188657:1:3:1:5
pub:u:255:22:AAAAAAAAAAAAAAAA:1577836800:1700000000::u:::scESC:::+::ed25519:::0:
fpr:::::::::57A68822C6EDC7250E45A31BAAAAAAAAAAAAAAAA:
uid:r::::1577836800::00::Old Name <old@example.com>::::::::::0:
uid:u::::1577836800::00::Ops\x3a Zo\xc3\xab\x1b[31m <ops@example.com>::::::::::0:
sub:u:255:18:AAAAAAAAAAAAAAA1:1577836800:1600000000:::::e:::+::cv25519::
sub:u:255:18:aaaaaaaaaaaaaaa2:1577836800:1800000000:::::e:::#::cv25519::
sub:r:255:18:AAAAAAAAAAAAAAA3:1577836800::::::e::::::cv25519::
pub:r:255:22:BBBBBBBBBBBBBBBB:1577836800:::-:::sc:::+::ed25519:::0:
uid:r::::1577836800::00::Gone <gone@example.com>::::::::::0:
sub:r:255:18:BBBBBBBBBBBBBBB1:1577836800::::::e:::D2760001240102000006017272800000::cv25519::
pub:-:255:22:CCCCCCCCCCCCCCCC:1577836800:
sub:-:255:18:CCCCCCCCCCCCCCC1
"""
OPS = "Ops: Zoë?[31m <ops@example.com>"
GONE = "Gone <gone@example.com>"

KEYS = {
    "A" * 16: Key(OPS, revoked=False, expires=1_700_000_000, is_secret=True),
    "A" * 15 + "1": Key(OPS, revoked=False, expires=1_600_000_000, is_secret=True),
    "A" * 15 + "2": Key(OPS, revoked=False, expires=1_700_000_000, is_secret=False),
    "A" * 15 + "3": Key(OPS, revoked=True, expires=1_700_000_000, is_secret=False),
    "B" * 16: Key(GONE, revoked=True, expires=None, is_secret=True),
    "B" * 15 + "1": Key(GONE, revoked=True, expires=None, is_secret=True),
    "C" * 16: Key("", revoked=False, expires=None, is_secret=False),
    "C" * 15 + "1": Key("", revoked=False, expires=None, is_secret=False),
}


def test_a_listing() -> None:
    assert read_listing(LISTING.encode()) == KEYS


@pytest.mark.parametrize("listing", [b"", b"\n:::\nsub:\xff", b"uid:u::::::::x:", b"\xff" * 99])
def test_what_is_no_listing_has_no_keys(listing: bytes) -> None:
    assert read_listing(listing) == {}


def test_a_long_name_is_cut() -> None:
    listing = b"pub:u:255:22:AAAAAAAAAAAAAAAA:1::\nuid:u::::1::00::" + b"x" * 10_000
    (key,) = read_listing(listing).values()
    assert key.owner == "x" * MAX_OWNER + "..."


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("for 0xAAAAAAAAAAAAAAA1", f"for 0xAAAAAAAAAAAAAAA1 ({OPS})"),
        ("for 0xCCCCCCCCCCCCCCC1", "for 0xCCCCCCCCCCCCCCC1"),
        (
            "for 0xDDDDDDDDDDDDDDDD, 0xBBBBBBBBBBBBBBBB",
            f"for 0xDDDDDDDDDDDDDDDD, 0xBBBBBBBBBBBBBBBB ({GONE})",
        ),
        ("AAAAAAAAAAAAAAA1, 0xAAAAAAAAAAAAAAA1F", "AAAAAAAAAAAAAAA1, 0xAAAAAAAAAAAAAAA1F"),
    ],
    ids=["owner", "no owner", "stranger and owner", "no key id"],
)
def test_owners_stand_behind_key_ids(text: str, named: str) -> None:
    assert name_keys(text, KEYS) == named
