"""What a key path says of its values, by patterns and by the names of its keys."""

import fnmatch
import re
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass

from pillarbook.model import KeyPath
from pillarbook.patterns.entropy import is_drawn, is_public_name, looks_random
from pillarbook.patterns.key_names import (
    is_account,
    is_called,
    is_community,
    is_counted,
    is_describing,
    is_key,
    is_login,
    is_map_of_logins,
    is_pair,
    is_pin,
    is_reference_to,
    is_users,
    kind_of_bare_key,
    kind_of_name,
)
from pillarbook.patterns.token_patterns import find_token

BY_KEYS = "redact: keys"
COMMUNITY = "an SNMP community"
PRIVATE_KEY = "a private key"
OF_SOPS = ("enc", "mac")
"""Keys of the metadata that sops adds to a file."""
OF_INCLUDE = ("defaults", "key")
"""What an include says of a file."""
DOOR = "door"
"""A key above ``code`` that makes a PIN of it, for the question whether any key may."""
SHORTEST_KEY = 10
"""Characters of a key that is a secret."""
MAX_KEPT = 100_000
"""Paths that are remembered before all are let go."""
_PLAIN = frozenset((str, int, type(None)))
"""Classes of keys of which no two are equal."""
_HOST = re.compile(r"\[?[\w-]+(?:\.[\w-]+)+\]?(?::\w+)?\Z|\*\Z")
_WILD = re.compile(r"[:*?\]]")


@dataclass(frozen=True, slots=True)
class PathSays:
    """What a path says of its value."""

    is_allowed: bool
    """Whether ``allow`` sets aside what rules would find."""
    pattern: str | None
    """The rule of the configuration that names the path."""
    kind: str | None
    """What kind of secret a text there is, by the names of the keys (``a password``)."""
    kind_of_number: str | None
    """What kind of secret a large number there is."""
    is_signer: bool
    """Whether the key names what something is signed with: the key itself, or its fingerprint."""
    is_called: bool
    """Whether a function is called with the value."""
    is_login: bool
    """Whether the value may be a user and a password in one text."""
    is_user: bool
    """Whether the key may be the name of a user, with the password as its value."""
    is_account: bool
    """Whether the value may be a user of some program, with the password in the same text."""
    is_below: bool
    """Whether a key above is what names a secret, or the value is one of a list."""
    is_listed: bool
    """Whether the value is one of a list."""
    is_byte: bool
    """Whether a small number there is a byte of a key: ``network_key: [7, 19, ...]``."""
    is_pair: bool
    """Whether the key names a user and a password together."""
    is_pin: bool
    """Whether a number of few digits there is a PIN."""
    is_key: bool
    """Whether the key names a key of some kind, and nothing there says that it is public."""
    secret_keys: tuple[int, ...]
    """Where in it keys stand that are secrets themselves: tokens with what they are for below."""
    is_sops: bool
    """Whether sops keeps there what its own key is encrypted to."""
    is_public: bool
    """Whether what looks random there is known to all: a checksum, a public key."""


class KeyPaths:
    """Says of key paths what they say of their values; each is asked for once.

    Args:
        keys: Patterns of keys (``*_dsn``) or of key paths (``app:*:dsn``).
        allow: Patterns of what is not secret.
    """

    def __init__(self, keys: Iterable[str], allow: Iterable[str]) -> None:
        self._keys, self._allow = lower_patterns(keys), lower_patterns(allow)
        self._ends = tuple(f"*{_WILD.split(pattern)[-1]}" for pattern in self._keys)
        self._kinds: dict[str, str | None] = {}
        # By the path with its types. Patterns and names are fixed once the rules are made, so
        # nothing gets stale; cleared at the limit because ids are keys, too.
        self._says: dict[tuple[Hashable, ...], PathSays] = {}
        # By the key. Templates ask for each key of each mapping that they make, so a
        # lookup must be cheap; cleared at the limit because ids are keys, too.
        self._hiding: dict[str, bool] = {}

    def ask(self, path: KeyPath) -> PathSays:
        """Return what a path says."""
        spot = distinguish(path)
        says = self._says.get(spot)
        if says is None:
            if len(self._says) >= MAX_KEPT:
                self._says.clear()
            says = self._says[spot] = self._find(path)
        return says

    def kind_of(self, key: Hashable) -> str | None:
        """Return what kind of secret a key names (``a password``), None for no secret."""
        if not isinstance(key, str):
            return None
        if key not in self._kinds:
            self._kinds[key] = kind_of_name(key)
        return self._kinds[key]

    def _secret_keys(self, path: KeyPath) -> Iterator[int]:
        is_below = False
        for at, key in enumerate(path):
            if isinstance(key, str):
                if _is_secret_key(key, is_below):
                    yield at
                is_below = is_below or self.kind_of(key) is not None

    def may_hide_below(self, key: Hashable) -> bool:
        """Say whether a key may be why a value at or below it is secret; False is certain."""
        if not isinstance(key, str):
            return self._may_hide_below(key)
        hides = self._hiding.get(key)
        if hides is None:
            if len(self._hiding) >= MAX_KEPT:
                self._hiding.clear()
            hides = self._hiding[key] = self._may_hide_below(key)
        return hides

    def _may_hide_below(self, key: Hashable) -> bool:
        if self.kind_of(key) is not None or is_community(("snmp", key)):
            return True
        if isinstance(key, str) and _may_name(key):
            return True
        return any(fnmatch.fnmatchcase(str(key).lower(), end) for end in self._ends)

    def _find(self, path: KeyPath) -> PathSays:
        is_named = bool(self._keys) and matches(self._keys, path)
        own = above = None
        name = parent = ""
        for key in _without_include(path):
            if isinstance(key, str):
                above, own = own or above, self.kind_of(key) or kind_of_bare_key(name, key)
                name, parent = key, name
        is_public = is_public_name(path)
        is_allowed = bool(self._allow) and matches(self._allow, path)
        is_told = is_describing(name) or any(is_reference_to(str(key)) for key in path[-2:-1])
        kind = own or (None if is_told else above)
        return PathSays(
            is_allowed=is_allowed,
            secret_keys=() if is_allowed else tuple(self._secret_keys(path)),
            pattern=BY_KEYS if is_named else None,
            kind=kind or (COMMUNITY if is_community(path) else None),
            kind_of_number=None if is_counted(name) else own,
            is_signer="signing" in name.lower(),
            is_called=is_called(name),
            is_login=is_login(name) or (is_map_of_logins(parent) and _HOST.match(name) is not None),
            is_user=_is_user(path),
            is_account=is_account(name),
            is_below=own is None or not isinstance(path[-1], str),
            is_listed=not all(isinstance(key, str) for key in path[-1:]),
            is_byte=own == PRIVATE_KEY and _is_byte(path),
            is_pair=is_pair(name),
            is_pin=is_pin(name, parent),
            is_key=is_key(name) and not is_public,
            is_sops=len(path) > 1 and "sops" in path[:-1] and path[-1] in OF_SOPS,
            is_public=is_public,
        )


def _is_secret_key(key: str, is_below: bool) -> bool:
    """Say whether a key is a secret: a token, or drawn by chance below what names secrets."""
    if len(key) < SHORTEST_KEY:
        return False
    return find_token(key) is not None or (is_below and (looks_random(key) or is_drawn(key)))


def _may_name(key: str) -> bool:
    """Say whether a key may name a secret by itself, for some values or below some keys."""
    is_named = is_key(key) or is_login(key) or is_users(key) or is_account(key)
    is_named = is_named or is_map_of_logins(key)
    return is_named or is_pin(key, DOOR)


def _is_user(path: KeyPath) -> bool:
    """Say whether a value stands right below a key of users, under a name of one."""
    if len(path) < 2 or not all(isinstance(key, str) for key in path[-2:]):
        return False
    return is_users(str(path[-2])) and not is_describing(str(path[-1]))


def _is_byte(path: KeyPath) -> bool:
    """Say whether a value stands right in a list below one key, of which it is a part."""
    return len(path) > 1 and not isinstance(path[-1], str) and str(path[-2]).endswith("key")


def _without_include(path: KeyPath) -> KeyPath:
    """Return the keys of a path that name its value.

    In an SLS file, ``include`` has the names of other files as keys, with ``defaults`` and ``key``
    below them: the name of a file says nothing about them.
    """
    for at, (key, _, _, what) in enumerate(zip(path, path[1:], path[2:], path[3:], strict=False)):
        if key == "include" and what in OF_INCLUDE:
            return (*path[:at], *path[at + 3 :])
    return path


def distinguish(path: KeyPath) -> tuple[Hashable, ...]:
    """Return what equals for equal paths only: ``1``, ``True`` and ``1.0`` are three keys."""
    return path if _PLAIN.issuperset(map(type, path)) else (*path, *map(type, path))


def matches(patterns: tuple[str, ...], path: KeyPath) -> bool:
    """Say whether one of some patterns is met by a path, or by what is above its end."""
    keys = [str(key).lower() for key in path]
    paths = [":".join(keys[:end]) for end in range(1, len(keys) + 1)]
    return any(
        fnmatch.fnmatchcase(candidate, pattern)
        for pattern in patterns
        for candidate in (paths if ":" in pattern else keys)
    )


def lower_patterns(patterns: Iterable[str]) -> tuple[str, ...]:
    """Return patterns as ``matches`` takes them."""
    return tuple(pattern.lower() for pattern in patterns)
