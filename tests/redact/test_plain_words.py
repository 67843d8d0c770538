"""Texts under names of secrets that are none, and texts that only look like such ones."""

import pytest

from pillarbook.redact import Rules


@pytest.mark.parametrize("text", ["Kr7mZ2q9 of x4Vb8Lw1Np5T to", "a b Z2K9FCFIW1JL"])
def test_a_line_of_words_with_a_drawn_one_is_no_prose_under_a_token(text: str) -> None:
    assert Rules().find_reason(("api_token",), text) == "key names a token"


@pytest.mark.parametrize(
    ("key", "text", "is_secret"),
    [
        ("secretKey", "password", False),
        ("secretKey", "supersecret", True),
        ("password", "password", True),
        ("api_token", "REPLACE_ME", False),
        ("api_key", "your-api-key-here", False),
        ("password", "changeme", True),
    ],
)
def test_names_within_a_secret_and_notes_to_fill_it_in(
    key: str, text: str, is_secret: bool
) -> None:
    assert (Rules().find_reason((key,), text) is not None) is is_secret
