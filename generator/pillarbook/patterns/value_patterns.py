"""Recognizes secrets by their form: keys, tokens, hashes, texts with secrets inside."""

import re

from pillarbook.patterns.base64_values import look_inside
from pillarbook.patterns.ciphertexts import find_ciphertext
from pillarbook.patterns.embedded import find_embedded
from pillarbook.patterns.password_hashes import PASSWORD_HASH, is_password_hash
from pillarbook.patterns.public_values import is_public_key
from pillarbook.patterns.token_patterns import find_private_key, find_token

SHORTEST = 8
_LABEL = "(?:[a-z]{1,12}(?:-?[0-9]{1,5})?|[0-9]{1,5})"
SURELY_OPEN = re.compile(rf"(?:{_LABEL}(?:\.{_LABEL}){{0,7}}|\w{{1,7}})\Z", re.ASCII)
"""A form in which no test finds ciphertext, a secret or randomness."""


def is_surely_open(text: str) -> bool:
    """Say whether a text surely is no secret unless its key says so; False is not certain.

    This takes much less time than the tests for each kind of secret. Most texts that only one
    minion has are names of hosts, addresses and short words.
    """
    return SURELY_OPEN.match(text) is not None


def find_look(text: str) -> str | None:
    """Return the kind of secret in a text (``private key``); None for none."""
    if len(text) < SHORTEST:
        return None
    return _find_plain(text) or _find_encoded(text)


def _find_plain(text: str) -> str | None:
    reason = find_private_key(text)
    if reason is None and is_public_key(text):
        return None
    return (
        reason
        or find_token(text)
        or (PASSWORD_HASH if is_password_hash(text) else None)
        or find_embedded(text)
    )


def _find_encoded(text: str) -> str | None:
    """Return the kind of secret in base64."""
    inside = look_inside(text)
    if inside is None:
        return None
    if inside.text is None:
        return inside.secret
    return find_ciphertext(inside.text) or _find_plain(inside.text)
