"""The forms in which a secret is looked for: each is met as other programs write it."""

import base64
import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.written import KEY, SECRET, WRITERS

from pillarbook.redact.search import SecretSearch


@pytest.mark.parametrize("secret", [SECRET, "hunter2hunter2", KEY], ids=["odd", "plain", "key"])
@pytest.mark.parametrize("writer", WRITERS)
def test_each_form_is_found(writer: str, secret: str) -> None:
    search = SecretSearch([(7, secret)])
    written = WRITERS[writer](secret)
    assert search.places_in(f"before {written} after".encode()) == {7}


def test_each_longer_line_is_found() -> None:
    search = SecretSearch([(0, KEY)])
    for line in ("MIIEpAIBAAKCAQEA1c7", "AbCdEf0123456789"):
        assert search.places_in(f"    {line}\n".encode()) == {0}
    for line in ("-----BEGIN KEY-----", "w9/k+QzX=="):
        assert search.places_in(line.encode()) == frozenset()


@pytest.mark.parametrize("value", [True, 5, "admin", "password", "", None, 1.5], ids=repr)
def test_what_stands_by_chance_is_not_looked_for(value: object) -> None:
    assert not SecretSearch([(0, value)])


def test_bytes_are_found_raw_and_encoded() -> None:
    secret = bytes(range(128, 160))
    search = SecretSearch([(3, secret)])
    for written in (base64.b64encode(secret), secret.hex().encode()):
        assert search.places_in(written) == {3}


def test_secrets_within_each_other_are_all_found() -> None:
    search = SecretSearch([(0, "hunter2hunter2"), (1, "hunter2hunter2-longer")])
    assert search.places_in(b"x hunter2hunter2-longer") == {0, 1}
    assert search.replace("x hunter2hunter2-longer y", str) == "x 1 y"


def test_a_long_secret_is_replaced_as_a_whole() -> None:
    secret = "".join(hashlib.sha512(bytes([n])).hexdigest() for n in range(4))
    search = SecretSearch([(0, secret)])
    assert search.replace(f"<{secret}>", lambda _: "T") == "<T>"


def test_a_search_shows_nothing_of_what_it_looks_for() -> None:
    assert "hunter" not in repr(SecretSearch([(0, "hunter2hunter2")]))


@given(st.text(min_size=10, max_size=80), st.sampled_from(sorted(WRITERS)))
def test_drawn_secrets_are_found_in_each_form(secret: str, writer: str) -> None:
    secret = f"k7{secret}Zq"
    try:
        written = WRITERS[writer](secret)
    except UnicodeEncodeError:
        return
    assert SecretSearch([(0, secret)]).places_in(written.encode()) == {0}
