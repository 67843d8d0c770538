"""Finds secrets inside longer texts: URLs, connection texts, headers, commands, lines of a file."""

import re
from collections.abc import Iterable, Iterator

from pillarbook.patterns.command_secrets import passwords_of_commands
from pillarbook.patterns.key_names import kind_of_name
from pillarbook.patterns.late_pattern import compile_late
from pillarbook.patterns.logins import decode_pair
from pillarbook.patterns.plain_words import is_given, is_to_fill_in, is_value
from pillarbook.patterns.set_texts import (
    values_of_directives,
    values_of_login_lines,
    values_of_names,
)

URL_PASSWORD = "URL with a password"  # noqa: S105 (reasons, not passwords)
URL_TOKEN = "URL with a token"  # noqa: S105
CONNECTION = "connection text with a password"
HEADER = "authorization header"
COMMAND = "command with a password"
SETTING = "text that sets a secret"
SHORTEST = 8

_URL = compile_late(r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]*://[^\s/:@\"'<>]*:([^\s/@]+)@")
_ORACLE = compile_late(r"jdbc:oracle:\w+:[^/\s@]+/([^@\s]+)@")
_GO = compile_late(
    r"(?<![\w/])[\w.-]{1,64}:([^\s@/:]+)@(?:(?:tcp|unix)?\(|/[\w-]*(?:\?[\w=&%./-]*)?(?=[\s\"';]|\Z))"
)
"""A database as Go names it: ``ann:x@tcp(db1:3306)/shop``, ``ann:x@/shop``."""
_BARE_URL = compile_late(r"\b(?:sips?|turns?|xmpp):[^\s/:@\"'<>]+:([^\s/@]+)@")
_URL_USER = compile_late(r"://(?=[A-Za-z_-]*\d)([\w-]{20,})@")
_ORACLE_BARE = compile_late(r"\A[\w$]{1,64}/([^\s/@]+)@(?://)?[\w.-]+(?::\d+)?/\w+\Z")
_URL_QUERY = compile_late(r"[?&]([A-Za-z][\w.-]{0,80})=([^&#\s\"']{6,})")
_SIGNED = frozenset(("sig", "signature", "x-amz-signature", "auth"))
"""Parameters of a URL with a signature or password that gives access."""
_HEADER = compile_late(
    r"(?:\b(?:proxy-)?authorization\b[\"']?(?:\s*[:=]\s*[\"']?|\s+[\"'])|\A\s*)"
    r"(?:(?:bearer|token|apikey)\s+((?=[\w.~+/=-]*\d)[\w.~+/=-]{12,})"
    r"|basic\s+(?P<pair>[A-Za-z0-9+/]{6,}={0,2}))",
    re.IGNORECASE,
)
_KEY_HEADER = compile_late(
    r"\bx-(?:[a-z]{1,20}-){0,4}(?:token|api-?key|key|secret)\b[\"']?(?:\s*:\s*|\s+(?=\S*\d))[\"']?([\w.~+/=-]{8,})",
    re.IGNORECASE,
)
_OTHER_HEADER = compile_late(
    r"\bauthorization:\s*[A-Za-z]+\s+(?:[^\n]*\bresponse=\")?((?=[\w.~+/=-]*\d)[\w.~+/=-]{12,})"
    r"|\b(?:[a-z]{1,20}-){0,4}(?:token|api-?key|secret):[ \t]+((?=[\w.~+/=-]*\d)[\w.~+/=-]{8,})"
    r"|\bx-(?:[a-z]{1,20}-){0,4}(?:token|key|secret)\)\s+-m\s+str\s+((?=\S*\d)\S{8,})",
    re.IGNORECASE,
)
_COOKIE = compile_late(
    r"(?:\A|[\s;\"'])[\w.-]{0,40}(?:sess|sid|auth|token|jwt)[\w.-]{0,40}="
    r"((?=[^;\s]*\d)[\w%.~+/-]{16,}=*)(?=;|[\"']|\Z)",
    re.IGNORECASE,
)
"""A cookie that identifies a browser."""
_PAIR_START = r"(?:\A|[;\s,&?(\"'])"
_PASSWORD_PAIR = compile_late(
    _PAIR_START + r"(?:password|passwd|pwd|pass)\s*=(?!>)\s*"
    r"(\"[^\"]+\"|'[^']+'|\{[^}]{0,200}\}|[^;\s,&\"'})]+)",
    re.IGNORECASE,
)
_OTHER_PAIR = compile_late(
    _PAIR_START + r"(?:host|hostname|hostaddr|server|data source|addr|address|user|username|uid"
    r"|user id|dbname|database|initial catalog|port|driver|endpoint|dsn)\s*=",
    re.IGNORECASE,
)
_NAMES = compile_late(
    r"pass|pasw|sess|sid|jwt|_hash|connect|paswd|pwd|pw\b|pw[\d_]|secret|token|key|cred|psk|auth|bearer|basic|community|sig=|cookie|salt|otp|pwhash|nt_hash|lm_hash|preshared"
    r"|phrase|code|kek|dek|loginpas|secure_link"
    r"|kennwort|contrasena|senha|haslo|heslo|wachtwoord|losenord|salasana|parola"
)
"""Each text with a secret after a name or in a header contains one of these, in lower case."""
_BETWEEN = compile_late(r"[=: >,(]")


def find_embedded(text: str) -> str | None:
    """Return the kind of secret inside a text; None for none."""
    if len(text) < SHORTEST:
        return None
    if "://" in text or "jdbc:" in text:
        if any(map(_is_known, _groups(text, _URL, _ORACLE))):
            return URL_PASSWORD
        if any(map(is_given, _groups(text, _URL_USER))) or _has_token(text):
            return URL_TOKEN
    if "@" in text and any(map(is_given, _groups(text, _GO, _BARE_URL, _ORACLE_BARE))):
        return URL_PASSWORD
    if _has(values_of_login_lines(text)):
        return SETTING
    return _find_in_words(text) if _BETWEEN.search(text) else None


def _find_in_words(text: str) -> str | None:
    lowered = text.lower()
    is_named = _NAMES.search(lowered) is not None
    if is_named and _has_header(text):
        return HEADER
    if is_named and _has(_passwords_of_connections(text)):
        return CONNECTION
    if _has(passwords_of_commands(text)):
        return COMMAND
    is_set = _has(values_of_directives(text, lowered)) or (is_named and _has(values_of_names(text)))
    return SETTING if is_set else None


def passwords_in(text: str) -> Iterator[str]:
    """Yield the passwords in a text, because they may also occur without it."""
    found = (
        values_of_login_lines(text),
        values_of_directives(text, text.lower()),
        values_of_names(text),
        passwords_of_commands(text),
        _passwords_of_connections(text),
    )
    for values in found:
        yield from (value.strip("\"'") for value in values)


def _passwords_of_connections(text: str) -> Iterator[str]:
    if _OTHER_PAIR.search(text) is not None:
        yield from filter(is_value, _groups(text, _PASSWORD_PAIR))


def _has(values: Iterable[str]) -> bool:
    return any(True for _ in values)


def _has_header(text: str) -> bool:
    for match in _HEADER.finditer(text):
        if match["pair"] is None or ":" in decode_pair(match["pair"]):
            return True
    return any(map(is_given, _groups(text, _KEY_HEADER, _OTHER_HEADER, _COOKIE)))


def _has_token(url: str) -> bool:
    """Say whether the query of a URL contains a token or a signature."""
    return any(
        _is_known(value) and (name.lower() in _SIGNED or kind_of_name(name) is not None)
        for name, value in _URL_QUERY.findall(url)
    )


def _is_known(word: str) -> bool:
    """Say whether a word of a URL is a secret, and not a note such as ``API_KEY``."""
    is_note = (word.isupper() and kind_of_name(word) is not None) or is_to_fill_in(word)
    return is_given(word) and not is_note


def _groups(text: str, *patterns: "re.Pattern[str]") -> Iterator[str]:
    for pattern in patterns:
        for match in pattern.finditer(text):
            yield next((group for group in match.groups() if group), "")
