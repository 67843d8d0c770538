"""What a key path tells about its value, by patterns and by the names of its keys."""

import fnmatch
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from pillarbook.model import KeyPath
from pillarbook.model.limited_cache import LimitedCache
from pillarbook.patterns.entropy import is_drawn, is_public_name, looks_random
from pillarbook.patterns.key_names import (
    MAX_NAMES,
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
from pillarbook.patterns.public_values import is_fingerprint
from pillarbook.patterns.token_patterns import find_token
from pillarbook.patterns.word_sets import word_set

BY_KEYS = "redact: keys"
COMMUNITY = "an SNMP community"
PRIVATE_KEY = "a private key"
OF_SOPS = ("enc", "mac")
"""Keys of the metadata that sops adds to a file."""
OF_INCLUDE = ("defaults", "key")
"""The keys of an include that give options to a file."""
DOOR = "door"
"""A key above ``code`` that makes its value a PIN; asks whether any key above could do so."""
SHORTEST_KEY = 10
"""Characters; a shorter key is never a secret itself."""
SHORTEST_PASSWORD = 8
"""Characters of a password in a key such as ``user:password``."""
NO_KEYS: Mapping[KeyPath, str] = MappingProxyType({})
MAX_KEPT = 100_000
"""The most paths that are cached; then the cache is emptied."""
_PLAIN = frozenset((str, int, type(None)))
"""Classes whose values never equal a value of another one of these classes."""
_HOST = re.compile(r"\[?[\w-]+(?:\.[\w-]+)+\]?(?::\w+)?\Z|\*\Z")
_WILD = re.compile(r"[:*?\]]")


@dataclass(frozen=True, slots=True)
class ServiceKeys:
    """Keys that name a secret only in the settings of one service: ``{snmp: {sha: x}}``."""

    kind: str
    """What their values are."""
    service: "re.Pattern[str]"
    """A key above them, in lower case."""
    names: frozenset[str]
    """The keys, in lower case; or the keys directly above them, below which all names count."""
    are_above: bool = False
    """Whether ``names`` are directly above: a map of users or of commands."""

    def match(self, names: list[str]) -> bool:
        """Say whether the keys of a path, in lower case, are such keys."""
        at = len(names) - (2 if self.are_above else 1)
        return at > 0 and names[at] in self.names and any(map(self.service.match, names[:at]))


SERVICE_KEYS = (
    # a user of SNMPv3: the passwords by the names of their methods
    ServiceKeys(
        "a password",
        re.compile(r"(?:net[-_]?)?snmp(?:trap)?d?(?:[-_]?v?3)?\Z"),
        word_set("sha md5 aes des"),
    ),
    # rsyncd.secrets
    ServiceKeys(
        "a password",
        re.compile(r"rsync(?:d|[-_]?(?:server|daemon))?\Z"),
        word_set("users"),
        are_above=True,
    ),
    # the PIN of a token, as Barbican calls it
    ServiceKeys("a password", re.compile(r"(?:p|pkcs)[-_]?11(?:[-_]|\Z)"), word_set("login")),
    # commands under a name that nobody may guess
    ServiceKeys(
        "a secret",
        re.compile(r"redis|valkey|keydb"),
        word_set("rename-command rename-commands rename_command rename_commands"),
        are_above=True,
    ),
)
_SERVICE_NAMES = frozenset().union(*(keys.names for keys in SERVICE_KEYS))


@dataclass(frozen=True, slots=True)
class PathFacts:
    """What a path tells about its value."""

    is_allowed: bool
    """Whether a pattern of ``allow`` matches, so that the value is shown."""
    pattern: str | None
    """The reason, if a pattern of ``keys`` matches the path."""
    kind: str | None
    """The kind of secret that the keys name for a text (``a password``)."""
    kind_of_number: str | None
    """The kind of secret that the keys name for a large number."""
    is_signer: bool
    """Whether the key names a signing key, whose value may be a mere fingerprint."""
    is_called: bool
    """Whether the key names a function, and the value is its name."""
    is_login: bool
    """Whether the value may be a user and a password in one text."""
    is_user: bool
    """Whether the key may be the name of a user, with the password as its value."""
    is_account: bool
    """Whether the value may be an account of a program, with the password in the same text."""
    is_below: bool
    """Whether only a key above names a secret, or the value is an item of a list."""
    is_listed: bool
    """Whether the value is an item of a list."""
    is_byte: bool
    """Whether a small number is a byte of a key: ``network_key: [7, 19, ...]``."""
    is_pair: bool
    """Whether the key names a user and a password together."""
    is_pin: bool
    """Whether a number of few digits is a PIN."""
    is_key: bool
    """Whether the key names a cryptographic key, and nothing in the path says that it is public."""
    secret_keys: tuple[int, ...]
    """Indexes of keys that are secrets themselves: a token with its permissions below it."""
    is_sops: bool
    """Whether the value is metadata of sops that holds its encrypted key."""
    is_public: bool
    """Whether a random-looking value is public: a checksum, a public key."""
    is_used: bool = False
    """Whether ``kind`` is that of the argument of a state which uses the value."""

    @property
    def says_nothing(self) -> bool:
        """Whether only the looks of a value, and no key, may decide that it is secret."""
        named = self.kind or self.kind_of_number or self.pattern
        names = self.is_login or self.is_user or self.is_account or self.is_pin or self.is_key
        return not (named or names or self.is_allowed or self.is_sops)


class KeyPaths:
    """Finds what key paths tell about their values.

    ``used`` has key paths whose values states use, each with the name of the argument.
    ``is_matched`` says whether a key itself is a secret, besides those of known forms; None if none
    is.
    """

    def __init__(
        self,
        keys: Iterable[str],
        allow: Iterable[str],
        used: Mapping[KeyPath, str] = NO_KEYS,
        is_matched: Callable[[str], bool] | None = None,
    ) -> None:
        self._is_matched = is_matched
        self._keys, self._allow = lower_patterns(keys), lower_patterns(allow)
        self._used = used
        self._used_names = frozenset(path[-1] for path in used)
        self._ends = tuple(f"*{_WILD.split(pattern)[-1]}" for pattern in self._keys)
        # By the key. Templates ask for each key of each mapping that they make, so a lookup must be
        # cheap. Minion ids may be keys, so the number is limited.
        self._hiding = LimitedCache[str, bool](MAX_KEPT)

    def kind_of(self, key: Hashable) -> str | None:
        """Return the kind of secret that a key names (``a password``); None if it names none."""
        return _kind_of(key) if isinstance(key, str) else None

    def may_hide_below(self, key: Hashable) -> bool:
        """Say whether a key may make a value at or below it secret; False is certain."""
        if not isinstance(key, str):
            return self._may_hide_below(key)
        hides = self._hiding.get(key)
        if hides is None:
            hides = self._hiding[key] = self._may_hide_below(key)
        return hides

    def _may_hide_below(self, key: Hashable) -> bool:
        if key in self._used_names:
            return True
        if self.kind_of(key) is not None or _may_name_in_service(key):
            return True
        if isinstance(key, str) and _may_name(key):
            return True
        return any(fnmatch.fnmatchcase(str(key).lower(), end) for end in self._ends)

    def find(self, path: KeyPath) -> PathFacts:
        """Return what a path tells about its value."""
        for end in range(len(path) if self._used else 0, 0, -1):
            argument = self._used.get(path[:end])
            if argument is not None:  # the value is judged as one below the argument
                facts = self._find((*path[:end], argument, *path[end:]))
                own = self._find(path)
                return (
                    own if own.kind else replace(facts, is_used=True, secret_keys=own.secret_keys)
                )
        return self._find(path)

    def _find(self, path: KeyPath) -> PathFacts:
        facts = _look_at_path(distinguish(path), path)
        is_named = bool(self._keys) and matches(self._keys, path)
        is_allowed = bool(self._allow) and matches(self._allow, path)
        if not (is_named or is_allowed or self._is_matched):
            return facts
        return replace(
            facts,
            is_allowed=is_allowed,
            pattern=BY_KEYS if is_named else None,
            secret_keys=() if is_allowed else tuple(_secret_keys(path, self._is_matched)),
        )


# Each session judges hundreds of options of Salt, which are mostly the same.
@lru_cache(MAX_NAMES)
def _look_at_path(spot: Hashable, path: KeyPath) -> PathFacts:  # noqa: ARG001 (tells 1 from True)
    """Return what a path tells, whatever the patterns are."""
    own = above = None
    name = parent = ""
    for key in _without_include(path):
        if isinstance(key, str):
            above, own = own or above, _kind_of(key) or kind_of_bare_key(name, key)
            name, parent = key, name
    is_public = is_public_name(path)
    last = _look_at_name(name)
    is_told = last.is_describing or any(is_reference_to(str(key)) for key in path[-2:-1])
    kind = own or (None if is_told else above)
    by_service = _kind_in_service(path)
    return PathFacts(
        is_allowed=False,
        secret_keys=tuple(_secret_keys(path)),
        pattern=None,
        kind=kind or by_service,
        kind_of_number=None if last.is_counted else own or by_service,
        is_signer=last.is_signer,
        is_called=last.is_called,
        is_login=last.is_login or (last.is_host and is_map_of_logins(parent)),
        is_user=_is_user(path),
        is_account=last.is_account,
        is_below=own is None or not isinstance(path[-1], str),
        is_listed=not all(isinstance(key, str) for key in path[-1:]),
        is_byte=own == PRIVATE_KEY and _is_byte(path),
        is_pair=last.is_pair,
        is_pin=is_pin(name, parent),
        is_key=last.is_key and not is_public,
        is_sops=len(path) > 1 and "sops" in path[:-1] and path[-1] in OF_SOPS,
        is_public=is_public,
    )


def _secret_keys(path: KeyPath, is_matched: Callable[[str], bool] | None = None) -> Iterator[int]:
    """Yield the indexes of keys that are secrets themselves."""
    is_below = False
    for at, key in enumerate(path):
        if isinstance(key, str):
            if _is_secret_key(key, is_below) or (is_matched and is_matched(key)):
                yield at
            is_below = is_below or _kind_of(key) is not None


class _NameFacts(NamedTuple):
    """What the last key of a path tells, whatever the keys above it are; as in ``key_names``."""

    is_describing: bool
    is_counted: bool
    is_signer: bool
    is_called: bool
    is_login: bool
    is_host: bool
    is_account: bool
    is_pair: bool
    is_key: bool


# Trees have some hundred names of keys, and many more paths.
@lru_cache(MAX_NAMES)
def _look_at_name(name: str) -> _NameFacts:
    return _NameFacts(
        is_describing=is_describing(name),
        is_counted=is_counted(name),
        is_signer="signing" in name.lower(),
        is_called=is_called(name),
        is_login=is_login(name),
        is_host=_HOST.match(name) is not None,
        is_account=is_account(name),
        is_pair=is_pair(name),
        is_key=is_key(name),
    )


_kind_of = lru_cache(MAX_NAMES)(kind_of_name)


@lru_cache(MAX_NAMES)
def _is_secret_key(key: str, is_below: bool) -> bool:
    """Say whether a key is a secret: a token, ``user:password``, or random below such a name."""
    if len(key) < SHORTEST_KEY:
        return False
    if find_token(key) is not None or (is_below and (looks_random(key) or is_drawn(key))):
        return True
    _, colon, word = key.rpartition(":")
    is_pair = bool(colon) and len(word) >= SHORTEST_PASSWORD and is_drawn(word)
    return is_pair and not is_fingerprint(key)


def _may_name(key: str) -> bool:
    """Say whether a key may name a secret, for some values or below some keys."""
    is_named = is_key(key) or is_login(key) or is_users(key) or is_account(key)
    is_named = is_named or is_map_of_logins(key)
    return is_named or is_pin(key, DOOR)


def _kind_in_service(path: KeyPath) -> str | None:
    """Return the kind of secret that the last keys name below the key of a service."""
    if is_community(path):
        return COMMUNITY
    if not path or not isinstance(path[-1], str) or not any(map(_may_name_in_service, path[-2:])):
        return None
    names = [str(key).lower() for key in path]
    return next((keys.kind for keys in SERVICE_KEYS if keys.match(names)), None)


def _may_name_in_service(key: Hashable) -> bool:
    """Say whether a key may name a secret, at it or below it, in the settings of a service."""
    return (isinstance(key, str) and key.lower() in _SERVICE_NAMES) or is_community(("snmp", key))


def _is_user(path: KeyPath) -> bool:
    """Say whether the last key is the name of a user, directly below a key such as ``users``."""
    if len(path) < 2 or not all(isinstance(key, str) for key in path[-2:]):
        return False
    return is_users(str(path[-2])) and not is_describing(str(path[-1]))


def _is_byte(path: KeyPath) -> bool:
    """Say whether the value is an item of a list directly below a key that ends in ``key``."""
    return len(path) > 1 and not isinstance(path[-1], str) and str(path[-2]).endswith("key")


def _without_include(path: KeyPath) -> KeyPath:
    """Return a path without the names of included files, which do not describe the value.

    In an SLS file, the keys below ``include`` are names of files, with ``defaults`` and ``key``
    below them.
    """
    for at, (key, _, _, what) in enumerate(zip(path, path[1:], path[2:], path[3:], strict=False)):
        if key == "include" and what in OF_INCLUDE:
            return (*path[:at], *path[at + 3 :])
    return path


def distinguish(path: KeyPath) -> tuple[Hashable, ...]:
    """Return a cache key for a path; in it, ``1``, ``True`` and ``1.0`` are different keys."""
    return path if _PLAIN.issuperset(map(type, path)) else (*path, *map(type, path))


def matches(patterns: tuple[str, ...], path: KeyPath) -> bool:
    """Say whether a pattern matches a path, or a path above it."""
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
