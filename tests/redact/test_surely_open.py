"""No test for a kind of secret finds anything in a text that is called open."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pillarbook.patterns.ciphertexts import find_ciphertext
from pillarbook.patterns.entropy import looks_random
from pillarbook.patterns.token_patterns import tokens_in
from pillarbook.patterns.value_patterns import SURELY_OPEN, find_look, is_surely_open

WORDS = (
    *("age", "akia", "api", "apikey", "at", "aws", "basic", "bearer", "dapi", "dop", "ey", "figd"),
    *("ghp", "glpat", "gsk", "hf", "hvs", "key", "lin", "live", "mfa", "npm", "nrak", "oauth"),
    *("pass", "password", "phc", "pk", "pypi", "rk", "s", "secret", "sk", "sntrys", "sq", "test"),
    *("token", "ts", "tskey", "vault", "whsec", "xapp", "xoxb", "xoxp"),
)
PIECES = st.sampled_from(WORDS) | st.from_regex(
    re.compile(r"[a-z0-9]{1,12}", re.ASCII), fullmatch=True
)
LIKE_TOKENS = st.lists(st.tuples(PIECES, st.sampled_from(".-_")), min_size=1, max_size=8).map(
    lambda pieces: "".join(word + sign for word, sign in pieces)[:-1]
)


@given(st.from_regex(SURELY_OPEN, fullmatch=True) | LIKE_TOKENS.filter(is_surely_open))
def test_nothing_is_found(text: str) -> None:
    assert find_ciphertext(text) is None
    assert find_look(text) is None
    assert not looks_random(text)
    assert not [*tokens_in(text)]


@pytest.mark.parametrize(
    ("text", "is_open"),
    [
        ("db-01.fra.prod.example", True),
        ("10.12.0.53", True),
        ("amd64", True),
        ("xoxb-secret-token", False),
        ("D9E4629E18D5", False),
        ("web01\n", False),
        ("", False),
    ],
)
def test_surely_open(text: str, is_open: bool) -> None:
    assert is_surely_open(text) is is_open
