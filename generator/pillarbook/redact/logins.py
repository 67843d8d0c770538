"""Users with their passwords as one text: ``ann:example``, and the same in base64."""

import re

from pillarbook.redact.plain_words import is_given, is_plain_word
from pillarbook.redact.set_texts import decode_pair

PAIR = re.compile(r"([A-Za-z_][^\s:/@]{0,63}(?:@[\w.-]+)?):([^\s/]\S{2,})\Z")
CODED = re.compile(r"[A-Za-z0-9+/]{8,}={0,2}\Z")
HOST = re.compile(r"localhost\Z|.*\.")


def is_login_pair(text: str) -> bool:
    """Say whether a text under a key for logins is one: no method, no address of a host."""
    bare = text.strip()
    if CODED.match(bare):
        bare = decode_pair(bare)
    found = PAIR.match(bare)
    if found is None:
        return False
    user, password = found.groups()
    is_address = password.isdigit() and HOST.match(user) is not None
    is_method = is_plain_word(user) or is_plain_word(password)
    return is_given(user) and is_given(password) and not is_address and not is_method
