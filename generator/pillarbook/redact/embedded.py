"""Secrets within longer texts: URLs, connection texts, headers, commands, lines of a file."""

import base64
import re
from collections.abc import Iterator

from pillarbook.redact.key_names import kind_of_name
from pillarbook.redact.plain_words import is_placeholder, is_plain_word

URL_PASSWORD = "URL with a password"  # noqa: S105 (reasons, not passwords)
URL_TOKEN = "URL with a token"  # noqa: S105
CONNECTION = "connection text with a password"
HEADER = "authorization header"
COMMAND = "command with a password"
SETTING = "text that sets a secret"
SHORTEST = 8
SHORTEST_SET = 4
"""Characters of what a line of a config file sets."""

_URL = re.compile(r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]*://[^\s/:@\"'<>]*:([^\s/@]+)@")
_ORACLE = re.compile(r"jdbc:oracle:\w+:[^/\s@]+/([^@\s]+)@")
_URL_USER = re.compile(r"://(?=[A-Za-z_-]*\d)([\w-]{20,})@")
_URL_QUERY = re.compile(
    r"[?&](?:access_token|auth_token|api[_-]?key|apikey|token|sig|signature|secret|client_secret"
    r"|password|passwd|pwd|X-Amz-Signature)=([^&#\s\"']{6,})",
    re.IGNORECASE,
)
_HEADER = re.compile(
    r"(?:\b(?:proxy-)?authorization\b[\"']?\s*[:=]\s*[\"']?|\A\s*)"
    r"(?:(?:bearer|token|apikey)\s+((?=[\w.~+/=-]*\d)[\w.~+/=-]{12,})"
    r"|basic\s+(?P<pair>[A-Za-z0-9+/]{6,}={0,2}))",
    re.IGNORECASE,
)
_KEY_HEADER = re.compile(
    r"\bx-(?:[a-z]{1,20}-){0,4}(?:token|api-?key|key|secret)\b[\"']?\s*:\s*[\"']?([\w.~+/=-]{8,})",
    re.IGNORECASE,
)
_PAIR_START = r"(?:\A|[;\s,&?(\"'])"
_PASSWORD_PAIR = re.compile(
    _PAIR_START
    + r"(?:password|passwd|pwd|pass)\s*=\s*(\"[^\"]+\"|'[^']+'|\{[^}]{0,200}\}|[^;\s,&\"'})]+)",
    re.IGNORECASE,
)
_OTHER_PAIR = re.compile(
    _PAIR_START + r"(?:host|hostname|hostaddr|server|data source|addr|address|user|username|uid"
    r"|user id|dbname|database|initial catalog|port|driver|endpoint|dsn)\s*=",
    re.IGNORECASE,
)
_COMMANDS = (
    re.compile(r"--([a-z][a-z-]*)=(\"[^\"]+\"|'[^']+'|[^\s\"']+)"),
    re.compile(r"--([a-z][a-z-]*) +(?=\S*[^\sa-z])(\"[^\"]+\"|'[^']+'|[^\s\"']+)(?=\s|\Z)"),
    re.compile(
        r"\b(curl|wget|http)\b[^\n|;]{0,300}?\s(?:-u|--user)[= ]?[\"']?[^\s:\"']+:([^\s\"']+)"
    ),
    re.compile(r"\b(mysql\w*|mariadb\w*)\b[^\n|;]{0,300}?\s-p([^\s\"'-][^\s\"']*)"),
    re.compile(r"\b(sshpass)\s+-p\s*(\S+)"),
    re.compile(r"\b(redis-cli)\b[^\n|;]{0,300}?\s-a\s+(\S+)"),
)
_PROGRAMS = frozenset(("curl", "wget", "http", "sshpass", "redis-cli"))
_SET = re.compile(
    r"""(?m)^[ \t]*(?:(?:export|set|env|Environment=|-e)[ \t]*)?["']?([A-Za-z_][\w.-]*)["']?"""
    r"""[ \t]*(?:=>[ \t]*|=[ \t]*|:[ \t]+)("[^"\n]*"|'[^'\n]*'|[^\s"']+)[ \t]*[,;]?[ \t]*\r?$"""
)
"""A line that gives a name a value of one word."""
_JSON = re.compile(r"""["']([A-Za-z_][\w.-]*)["']\s*(?::|=>)\s*["']([^"'\n]+)["']""")
_DIRECTIVE = re.compile(
    r"(?m)^[ \t]*(?:bindpw|rootpw|requirepass|masterauth|r[ow]community6?)[ \t]+(\S+)"
    r"|\bmachine\s+\S+\s+login\s+\S+\s+password\s+(\S+)|\bsecret\s+\"([A-Za-z0-9+/=]{12,})\"\s*;"
)
"""Lines of OpenLDAP, redis, net-snmp, .netrc and bind, which write no sign between the two."""
_WORDS = re.compile(
    r"pass|pwd|pw\b|secret|token|key|cred|psk|auth|bearer|basic|community|sig=|mysql|mariadb|curl"
    r"|wget|http |redis-cli"
)
"""One of these is, in small letters, in every text of which more is asked than the URLs in it."""
_BETWEEN = re.compile(r"[=: ]")


def find_embedded(text: str) -> str | None:
    """Return what secret a text holds among other things, None for none."""
    if len(text) < SHORTEST:
        return None
    if "://" in text or "jdbc:" in text:
        if any(_is_given(word) for word in _groups(text, _URL, _ORACLE)):
            return URL_PASSWORD
        if any(_is_given(word) for word in _groups(text, _URL_USER, _URL_QUERY)):
            return URL_TOKEN
    if _BETWEEN.search(text) is None or _WORDS.search(text.lower()) is None:
        return None
    return _find_in_words(text)


def _find_in_words(text: str) -> str | None:
    if _has_header(text):
        return HEADER
    if _OTHER_PAIR.search(text) and any(_is_given(word) for word in _groups(text, _PASSWORD_PAIR)):
        return CONNECTION
    if _has_command(text):
        return COMMAND
    if any(_is_given(word) for word in _groups(text, _DIRECTIVE)):
        return SETTING
    for name, value in (*_SET.findall(text), *_JSON.findall(text)):
        if kind_of_name(name) is not None and _is_set(value):
            return SETTING
    return None


def _has_header(text: str) -> bool:
    for match in _HEADER.finditer(text):
        if match["pair"] is None or ":" in _decode(match["pair"]):
            return True
    return any(_is_given(word) for word in _groups(text, _KEY_HEADER))


def _decode(pair: str) -> str:
    """Return what ``Basic`` is followed by in plain text: a user, a colon and a password."""
    bare = pair.rstrip("=")
    whole = bare[: len(bare) // 4 * 4]
    return base64.b64decode(whole).decode("latin-1")


def _has_command(text: str) -> bool:
    for pattern in _COMMANDS:
        for name, value in pattern.findall(text):
            names_secret = (
                name in _PROGRAMS
                or name.startswith(("mysql", "mariadb"))
                or kind_of_name(name) is not None
            )
            if names_secret and _is_given(value):
                return True
    return False


def _groups(text: str, *patterns: "re.Pattern[str]") -> Iterator[str]:
    for pattern in patterns:
        for match in pattern.finditer(text):
            yield next((group for group in match.groups() if group), "")


def _is_given(word: str) -> bool:
    """Say whether a word is a secret itself, not a name that something fills in."""
    bare = word.strip("\"'{}")
    return bool(bare) and not is_placeholder(word) and not bare.startswith(("$", "<", "%(", "{{"))


def _is_set(word: str) -> bool:
    """Say whether a word that a line sets is a secret: no flag, no path, no expression."""
    bare = word.strip("\"'")
    return (
        len(bare) >= SHORTEST_SET
        and _is_given(word)
        and not is_plain_word(bare)
        and ("(" not in bare)
    )
