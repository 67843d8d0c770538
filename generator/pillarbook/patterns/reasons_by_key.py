"""Why the keys of a value make it secret."""

import re
from typing import Any

from pillarbook.patterns.distinctive import SHORTEST_ODD, is_mingled
from pillarbook.patterns.key_names import is_name_of_field, kind_of_name
from pillarbook.patterns.key_paths import PathFacts
from pillarbook.patterns.logins import is_chosen, is_login_pair, is_user_with_password
from pillarbook.patterns.plain_words import (
    FUNCTION,
    GRANTED,
    LISTED,
    NAME_OF_PAIR,
    NAMES_WITHIN,
    is_plain_word,
    is_prose,
    is_public_shape,
    is_small,
    is_to_fill_in,
)
from pillarbook.patterns.public_values import is_fingerprint, is_public_key

BY_LOGIN = "key names a login"
BY_PIN = "key names a PIN"
BY_STATE = "a state uses it as a secret"
PIN = re.compile(r"[*#]?\d{4,8}[*#]?\Z")
ALNUM = re.compile(r"[A-Za-z0-9]+")
SECRET = "a secret"  # noqa: S105 (a kind)
TOKEN = "a token"  # noqa: S105 (a kind)
API_KEY = "an API key"
PRIVATE_KEY = "a private key"
DRAWN = frozenset((SECRET, TOKEN, API_KEY, PRIVATE_KEY))
"""Kinds that programs generate; in a list of them, plain words are names."""
SMALLEST_TOKEN = 10_000_000
"""A smaller number under ``token`` is a limit or a time."""


def reason_by_key(facts: PathFacts, value: Any) -> str | None:
    """Return the reason if the keys of a value name a secret; None if they do not."""
    if isinstance(value, str) and _is_login(facts, value):
        return BY_LOGIN
    if facts.is_pin and isinstance(value, str | int) and PIN.match(str(value)):
        return BY_PIN
    if facts.kind is None or isinstance(value, bool | float):
        return None
    if isinstance(value, int):
        return _by_key_of_number(facts, value)
    if isinstance(value, str) and _is_harmless(facts, value):
        return None
    return BY_STATE if facts.is_used else f"key names {facts.kind}"


def _is_login(facts: PathFacts, text: str) -> bool:
    """Say whether a text is a user with a password, or a password below the name of a user."""
    if (facts.is_login and is_login_pair(text)) or (
        facts.is_account and is_user_with_password(text)
    ):
        return True
    return facts.is_user and is_chosen(text) and not is_plain_word(text)


def _by_key_of_number(facts: PathFacts, number: int) -> str | None:
    kind = facts.kind_of_number
    is_limit = kind == TOKEN and abs(number) < SMALLEST_TOKEN
    if kind is None or is_limit or (is_small(number) and not facts.is_byte):
        return None
    return f"key names {kind}"


def _is_harmless(facts: PathFacts, text: str) -> bool:
    """Say whether a text is not secret, although its key names a secret."""
    if is_plain_word(text) or is_public_key(text):
        return True
    if facts.kind in DRAWN and _is_no_drawn(facts, text):
        return True
    bare = text.strip()
    is_name_of_pair = NAME_OF_PAIR.match(bare) is not None
    if (facts.is_below and is_public_shape(text)) or (facts.is_pair and is_name_of_pair):
        return True
    if facts.is_below and is_name_of_pair and kind_of_name(text) is not None:
        return True
    is_granted = facts.is_listed and GRANTED.match(bare) is not None
    is_called = facts.is_called and FUNCTION.match(bare) is not None
    return is_granted or is_called or (facts.is_signer and is_fingerprint(text))


def _is_no_drawn(facts: PathFacts, text: str) -> bool:
    """Say whether a text is not a generated token or key, but a name, a note or a sentence."""
    if facts.kind in (TOKEN, API_KEY) and (_is_sentence(text) or is_to_fill_in(text)):
        return True
    bare = text.strip()
    if facts.kind == PRIVATE_KEY and bare in NAMES_WITHIN:
        return True
    is_field = facts.kind in (API_KEY, PRIVATE_KEY) and is_name_of_field(text)
    return is_field or (facts.is_listed and LISTED.match(bare) is not None)


def _is_sentence(text: str) -> bool:
    """Say whether a text has several words, and no long word has both letters and digits."""
    words = (one for one in ALNUM.findall(text) if len(one) >= SHORTEST_ODD)
    return is_prose(text) and not any(map(is_mingled, words))
