"""Users with their passwords as one text: ``ann:example``, and the same in base64."""

import re

from pillarbook.patterns.key_names import split_words
from pillarbook.patterns.plain_words import is_given, is_plain_word
from pillarbook.patterns.set_texts import decode_pair
from pillarbook.patterns.word_sets import word_set

PAIR = re.compile(
    r"([0-9a-f]{8,}(?=:[0-9a-f]{8,}\Z)|[A-Za-z_][^\s:/@]{0,63}(?:@[\w.-]+)?):([^\s/]\S{2,})\Z"
)
CODED = re.compile(r"[A-Za-z0-9+/]{8,}={0,2}\Z")
SCHEME = re.compile(r"[A-Za-z][\w-]*\s+(?=\S*\d)[\w.~+/=-]{12,}\Z")
"""A scheme and what follows it, as in the header ``Authorization``."""
TWO_LINES = re.compile(r"\S+\n\S{3,}\n?\Z")
"""A user and a password in the file of ``auth-user-pass`` of OpenVPN."""
HOST = re.compile(r"localhost\Z|.*\.")

CHOSEN = re.compile(r"(?=[^a-z]*[a-z]\S*[A-Z])[A-Za-z0-9!#+*_-]{8,64}\Z")
"""A word with a capital after small letters, as people choose passwords."""
UNLIKE_GROUP = re.compile(r"(?=\S*[a-zA-Z])(?=\S*[A-Z0-9!#$%&*+?^~])[^\s/]{6,}\Z")
"""A word with a capital, a digit or a sign in it, which groups and hosts are rarely called."""
HEX_HASH = re.compile(r"(?=\S*\d)[0-9a-f]{32}\Z")
"""The hash of a name, a realm and a password, as htdigest and WildFly have them."""
ROLES = word_set(
    "read write only any all admin owner user users super root cluster db database backup monitor"
    " operator view viewer edit editor manager role roles group guest service password no access"
)
"""Words of roles, which users have beside passwords: ``readWrite``, ``clusterAdmin``."""


def is_chosen(text: str) -> bool:
    """Say whether a text under a name of a user looks like a password: no role, no address."""
    bare = text.strip()
    if HEX_HASH.match(bare):
        return True
    return CHOSEN.match(bare) is not None and not ROLES.issuperset(split_words(bare))


def is_user_with_password(text: str) -> bool:
    """Say whether a text under a name of users is one with its password: no group, no role."""
    found = PAIR.match(text.strip())
    if found is None:
        return False
    user, password = found[1], found[2].partition(":")[0]
    is_group = password.rstrip("0123456789") == user or ROLES.issuperset(split_words(password))
    return not is_group and UNLIKE_GROUP.match(password) is not None and is_given(password)


def is_login_pair(text: str) -> bool:
    """Say whether a text under a key for logins is one: no method, no address of a host."""
    bare = text.strip()
    if SCHEME.match(bare) or TWO_LINES.match(bare):
        return True
    if CODED.match(bare):
        bare = decode_pair(bare)
    found = PAIR.match(bare)
    if found is None:
        return False
    user, password = found.groups()
    is_address = password.isdigit() and HOST.match(user) is not None
    is_method = is_plain_word(user) or is_plain_word(password)
    return is_given(user) and is_given(password) and not is_address and not is_method
