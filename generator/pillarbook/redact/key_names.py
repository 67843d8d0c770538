"""Which keys name a secret.

A name is taken for its words, and the last one decides, as in English: ``db_password`` is a
password, ``password_file`` is a file.
"""

import re
from collections.abc import Mapping


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


KINDS = {
    "a password": _words(
        "password passwords passwd passwds passphrase passphrases passcode pass pw pwd psk"
        " rootpw bindpw"
    ),
    "a secret": _words("secret secrets credential credentials creds"),
    "a token": _words("token tokens jwt"),
    "an API key": _words("apikey apikeys"),
    "a private key": _words("privkey privatekey secretkey"),
}
KEYS = {
    "an API key": _words("api access auth"),
    "a private key": _words("private priv secret encryption signing master shared session"),
}
"""Words that make a secret of ``key`` behind them."""
JOINED = re.compile(
    r"(?:password|passwd|passphrase|apikey|privatekey|secretkey|secret|token|(?<=[a-z]{2})pw|pwd)\Z"
)
"""Ends of names written as one word: ``dbpassword``, ``authtoken``, ``ldappw``."""
TRAILERS = _words(
    "hash hashed md5 sha1 sha256 sha512 encrypted crypted enc b64 base64 value plain plaintext"
    " clear old new current previous string text data pem base content"
)
"""Words behind the secret's own that do not make it anything else."""
SETTINGS = _words(
    "allow allowed permit require required use enable enabled disable disabled is has max min no"
)
"""First words of names that say something about secrets: ``max_tokens``."""
HARMLESS = _words(
    "proxy_pass fastcgi_pass uwsgi_pass scgi_pass grpc_pass memcached_pass server_tokens"
    " single_pass two_pass one_pass"
)
DESCRIBING = _words(
    "user username login host hostname port path file folder directory url uri type enabled length"
    " size ttl timeout email engine kind description comment owner group mode fingerprint expires"
    " public pub"
)
"""Last words of keys that, below a key that names a secret, are not the secret."""

WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def split_words(name: str) -> list[str]:
    """Return the words of a name, lower case: ``dbPassword2`` is db, password, 2."""
    return [word.lower() for word in WORD.findall(name)]


def kind_of_name(name: str) -> str | None:
    """Return what kind of secret a key names (``a password``), None for no secret."""
    words = split_words(name)
    if "_".join(words) in HARMLESS or not words or words[0] in SETTINGS:
        return None
    while len(words) > 1 and (words[-1] in TRAILERS or words[-1].isdigit()):
        words.pop()
    last = words[-1]
    if last in ("key", "keys") and len(words) > 1:
        return _kind(words[-2], KEYS)
    joined = JOINED.search(last)
    return _kind(last, KINDS) or (_kind(joined.group(), KINDS) if joined else None)


def _kind(word: str, kinds: Mapping[str, frozenset[str]]) -> str | None:
    return next((kind for kind, words in kinds.items() if word in words), None)


def is_describing(name: str) -> bool:
    """Say whether a key below one that names a secret describes it: its user, its file."""
    words = split_words(name)
    return bool(words) and words[-1] in DESCRIBING
