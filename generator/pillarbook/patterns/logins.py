"""Recognizes users with passwords in one text: ``ann:example``, also in base64."""

import base64
import re

from pillarbook.patterns.key_names import split_words
from pillarbook.patterns.plain_words import is_given, is_plain_word
from pillarbook.patterns.word_sets import word_set

IPV6 = re.compile(r"[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?:/\d{1,3})?\Z")
"""An address, in part of the form of a user and a password."""
PAIR = re.compile(
    r"([0-9a-f]{8,}(?=:[0-9a-f]{8,}\Z)|[A-Za-z_][^\s:/@]{0,63}(?:@[\w.-]+)?):([^\s/]\S{2,})\Z"
)
CODED = re.compile(r"[A-Za-z0-9+/]{8,}={0,2}\Z")
SCHEME = re.compile(r"[A-Za-z][\w-]*\s+(?=\S*\d)[\w.~+/=-]{12,}\Z")
"""A scheme with its credentials, as in the header ``Authorization``."""
TWO_LINES = re.compile(r"\S+\n\S{3,}\n?\Z")
"""A user and a password on two lines, as in the file of OpenVPN's ``auth-user-pass``."""
HOST = re.compile(r"localhost\Z|.*\.")

CHOSEN = re.compile(r"(?=[^a-z]*[a-z]\S*[A-Z])[A-Za-z0-9!#+*_-]{8,64}\Z")
"""A word with a capital after lower case letters, as people choose passwords."""
UNLIKE_GROUP = re.compile(r"(?=\S*[a-zA-Z])(?=\S*[A-Z0-9!#$%&*+?^~])[^\s/]{6,}\Z")
"""A word with a capital, a digit or a sign, which groups and hosts rarely have."""
HEX_HASH = re.compile(r"(?=\S*\d)[0-9a-f]{32}\Z")
"""The hash of a name, a realm and a password, as in htdigest and WildFly."""
ROLES = word_set(
    "read write only any all admin owner user users super root cluster db database backup monitor"
    " operator view viewer edit editor manager role roles group guest service password no access"
)
"""Words in roles, which users have besides passwords: ``readWrite``, ``clusterAdmin``."""


def is_chosen(text: str) -> bool:
    """Say whether a text below a user name looks like a password: not a role, not an address."""
    bare = text.strip()
    if HEX_HASH.match(bare):
        return True
    return CHOSEN.match(bare) is not None and not ROLES.issuperset(split_words(bare))


def is_user_with_password(text: str) -> bool:
    """Say whether a text with the key of a user has its password: not a group or role."""
    found = PAIR.match(text.strip())
    if found is None:
        return False
    user, password = found[1], found[2].partition(":")[0]
    is_group = password.rstrip("0123456789") == user or ROLES.issuperset(split_words(password))
    return not is_group and UNLIKE_GROUP.match(password) is not None and is_given(password)


def is_login_pair(text: str) -> bool:
    """Say whether a text with a login key is a login: not a method, not an address of a host."""
    bare = text.strip()
    if SCHEME.match(bare) or TWO_LINES.match(bare):
        return True
    if CODED.match(bare):
        bare = decode_pair(bare)
    found = PAIR.match(bare)
    if found is None or IPV6.match(bare):
        return False
    user, password = found.groups()
    is_address = password.isdigit() and HOST.match(user) is not None
    is_method = is_plain_word(user) or is_plain_word(password)
    return is_given(user) and is_given(password) and not is_address and not is_method


def decode_pair(pair: str) -> str:
    """Return the login in base64 as plain text: a user, a colon and a password."""
    bare = pair.rstrip("=")
    whole = bare[: len(bare) // 4 * 4]
    rest = bare[len(whole) :]
    return base64.b64decode(whole + (rest + "=" * (4 - len(rest)) if len(rest) > 1 else "")).decode(
        "latin-1"
    )
