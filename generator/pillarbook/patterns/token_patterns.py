"""Finds tokens and keys with a known format in any text."""

import re
from collections.abc import Iterator
from functools import lru_cache

from pillarbook.patterns.ciphertexts import CiphertextForm, one_of
from pillarbook.patterns.token_forms import PRIVATE_KEY, PRIVATE_KEYS, TOKENS

SHORTEST_KEY = 20
KEY_SIGNS = one_of(PRIVATE_KEYS)
SIGNS = one_of(TOKENS)
BY_SIGN = {
    sign: tuple(form for form in TOKENS if any(own in sign for own in form.signs))
    for form in TOKENS
    for sign in form.signs
}
"""The formats to test for each sign; a sign may contain another one."""
LONG_WORD = re.compile(r"[\w.~/+=:-]{16}")
"""Each text with a token contains such a run."""


def find_private_key(text: str) -> str | None:
    """Return the kind of private key in a text (``private key``); None for none."""
    if len(text) < SHORTEST_KEY or KEY_SIGNS.search(text) is None:
        return None
    return next((form.reason for form in PRIVATE_KEYS if form.is_in(text)), None)


def find_token(text: str) -> str | None:
    """Return the kind of token in a text (``GitHub token``); None for none."""
    for form in _forms_in(text):
        if form.pattern is None or form.pattern.search(text) is not None:
            return form.reason
    return None


def tokens_in(text: str) -> Iterator[str]:
    """Yield the tokens with a known format in a text; one may contain another."""
    for form in _forms_in(text):
        if form.pattern is not None:
            yield from (match.group() for match in form.pattern.finditer(text))


def _forms_in(text: str) -> tuple[CiphertextForm, ...]:
    """Return the formats of which a text has a sign."""
    if LONG_WORD.search(text) is None:
        return ()
    signs = SIGNS.findall(text)
    return _forms_of(tuple(dict.fromkeys(signs))) if signs else ()


# By the signs, which determine the result. Most texts have dots and dashes only. The oldest entry
# is dropped first.
@lru_cache(maxsize=1024)
def _forms_of(signs: tuple[str, ...]) -> tuple[CiphertextForm, ...]:
    return tuple(dict.fromkeys(form for sign in signs for form in BY_SIGN[sign]))


def find_in_source(source: str) -> Iterator[tuple[str, int, str]]:
    """Yield each private key and token in a source text.

    Yields:
        The reason, the offset, and a text that identifies the secret, which is itself secret.
    """
    for form in (*PRIVATE_KEYS, *TOKENS):
        if form.pattern is not None and any(sign in source for sign in form.signs):
            for match in form.pattern.finditer(source):
                is_headline = form.reason == PRIVATE_KEY
                after = _line_after(source, match.end()) if is_headline else ""
                yield form.reason, match.start(), after or match.group()


def _line_after(source: str, offset: int) -> str:
    """Return the next line of a source: the first line of a key does not identify it."""
    start = source.find("\n", offset) + 1
    return source[start : source.find("\n", start)].strip() if start else ""
