"""Which secrets are looked for wherever they may stand."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pillarbook.patterns.distinctive import is_distinctive


@pytest.mark.parametrize(
    "text",
    [
        "s3cr3t",
        "s3cret",
        "abc!de",
        "Tr0ub4dor&3",
        "xkqzvbnm",
        "qwERtyUI",
        "teapot418",
        "Blue-Fjord-81",
        "earl-grey-42",
        "correct-horse",
        "correct_horse_staple",
        "my_very_own_admin_password",
        "correct horse battery staple",
        "supersecretpassword",
        "hunter2hunter2",
        "bytes-0123",
        "83920174",
        "ümläut9",
        "9f86d081884c7d659a2feaa0c55ad015",
        "550e8400-e29b-41d4-a716-446655440000",
        "https://hooks.example.org/T0/B1x",
        "/b64+like/0123==",
        "-----BEGIN KEY-----\nabc\n",
        "a" * 5000,
    ],
)
def test_what_nobody_writes_by_chance(text: str) -> None:
    assert is_distinctive(text)
    assert is_distinctive(f"  {text}\n")


def test_what_may_stand_anywhere() -> None:
    for text in [
        *("", " ", "x", "true", "admin", "no", "none", "prompt"),
        *("1234", "0000", "1234567", "12345678", "00000000", "11112222", "20240131"),
        *("password", "Password", "changeme", "CHANGEME", "letmein", "postgres", "P@ssw0rd"),
        *("oolong", "production", "Administrator", "two words"),
        *("hunter2", "web01", "web-01", "debian12", "Server2", "node_3", "pass123"),
        *("db1.example.com", "db1.example.com:5432", "ops@example.com", "10.0.0.1", "10.0.0.0/8"),
        *("2001:db8::1", "52:54:00:12:34:56", "1.2.3", "v1.2.3-4ubuntu5", "2:1.24"),
        *("2024-01-31", "2024-01-31T10:00:00Z", "/etc/ssl/private/site.key", "./secret.txt"),
        *("https://example.com/login", "http://localhost:8080", "${DB_PASSWORD}", "********"),
        *("aaaaaaaaaaaaaaaa", "abcdefgh"),
        *("admin_password", "SHOP_DB_PASSWORD", "FILL_THIS_IN", "please-change-me"),
    ]:
        assert not is_distinctive(text), text


def test_the_name_of_its_own_key_is_not_telling() -> None:
    assert is_distinctive("replication-user")
    assert not is_distinctive("replication-user", ("db", "Replication-User"))
    assert not is_distinctive("production-7-eu", ("production-7-eu", "password"))


@given(st.text(alphabet=string.ascii_letters + string.digits, min_size=16, max_size=40))
def test_long_drawn_texts_are_telling(text: str) -> None:
    assert is_distinctive(text) or text.isdigit() or len(set(text)) == 1 or _counts_up(text)


@given(st.text(max_size=300))
def test_any_text_is_judged(text: str) -> None:
    assert is_distinctive(text) in (True, False)


def _counts_up(text: str) -> bool:
    return text.lower().startswith(("12345678", "abcdefgh"))


@pytest.mark.parametrize("text", ["k7Zq9:xYw,1", "aB3:xY9-kk", "Qx7-Lm2.9Z"])
def test_short_parts_that_mingle_letters_and_digits_tell(text: str) -> None:
    assert is_distinctive(text)
