"""Key paths of the fleet as patterns, and the addresses of their pages.

A pattern is a key path with ``*`` for each part that is not the same thing everywhere: a position
in a list, the name of a minion, a network address, a user. Which parts these are follows from the
path and the inventory alone, so a minion's page can link to a key before the rest of the fleet is
known.
"""

import json
import re
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from pillarbook.model import KeyPath, to_tagged
from pillarbook.model.shared_results import SharedResults
from pillarbook.redact.redacted_pillar import RedactedLeaf
from pillarbook.report.row_ids import ListPositions, row_id
from pillarbook.report.slug import MAX_LENGTH, slug

MAX_KEPT = 10_000
"""Values whose pattern is remembered by their identity."""
ANY = "*"
"""Stands for any key or position at its place."""
TypedPath: TypeAlias = tuple[tuple[type, Hashable], ...]
"""A pattern in which 1 and True differ, and the text ``*`` from any key."""
TABLES = frozenset(
    ("users", "accounts", "people", "hosts", "minions", "nodes", "peers", "machines", "clients")
)
"""Keys below which every key is the name of a person or a machine."""
_ANYTHING: tuple[type, Hashable] = (list, "")
# No key of a pillar has this character, so such a name is no key's.
_NO_TEXT = "\0"
# Neither like a further page of a list (``index~2``) nor like the digest of a slug.
_PLAIN = re.compile(
    r"(?!index~)[a-z][a-z0-9_-]*(?:~(?![0-9a-f]{12}(?:~|\Z))(?:_|[a-z][a-z0-9_-]*))+", re.ASCII
)
_WORDS = re.compile(r"[_.\s-]+")
_LEAST_NAME = 3
"""Characters of a minion's short name that is told from an ordinary key."""
_ADDRESS = re.compile(
    r"(?:\d{1,3}\.){3}\d{1,3}(?:/\d{1,3})?"  # IPv4
    r"|(?=[^:]*:[^:]*:)[0-9a-f:.]*[0-9a-f:](?:/\d{1,3})?"  # IPv6, MAC
    r"|[\w.+-]+@[\w.-]+\.\w+"
    r"|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?=.*\d)[0-9a-f]{12,}",
    re.IGNORECASE | re.ASCII,
)
"""A network address, a mail address, a UUID or another long number in hexadecimal."""


@dataclass(frozen=True, slots=True)
class KeyPattern:
    """A key path of the fleet."""

    typed: TypedPath
    """What tells it from others."""
    path: KeyPath
    """Its keys, ``*`` for those that vary."""
    varying: tuple[int, ...]
    """Which places of the path those are."""

    @property
    def anchor(self) -> str:
        """The id of its row on the page of its top-level key."""
        return anchor_of(self.path, self.varying)


def typed_path(path: KeyPath) -> TypedPath:
    """Return a path in which 1 and True differ."""
    return tuple((key.__class__, key) for key in path)


class KeyPatterns:
    """Finds the patterns of key paths."""

    def __init__(self, minions: Iterable[str]) -> None:
        self._names = frozenset(_names_of(minions))
        # Minions share values, in sections that differ elsewhere.
        self._of_leaf: SharedResults[KeyPattern] = SharedResults(MAX_KEPT)

    def pattern_of_leaf(self, leaf: RedactedLeaf, positions: ListPositions) -> KeyPattern:
        """Return the pattern of a value's path."""

        def find() -> KeyPattern:
            return self.pattern_of(leaf.path, positions)

        return self._of_leaf.find(find, leaf, also=positions)

    def pattern_of(self, path: KeyPath, positions: ListPositions = ()) -> KeyPattern:
        """Return the pattern of a path."""
        varying = self.varying(path, positions)
        keys = tuple(ANY if at in varying else key for at, key in enumerate(path))
        typed = tuple(
            _ANYTHING if at in varying else (key.__class__, key) for at, key in enumerate(path)
        )
        return KeyPattern(typed, keys, varying)

    def varying(self, path: KeyPath, positions: ListPositions = ()) -> tuple[int, ...]:
        """Return the places of a path that vary."""
        return tuple(
            at
            for at, key in enumerate(path)
            if at in positions or self._varies(key, path[at - 1] if at else None)
        )

    def _varies(self, key: Hashable, above: Hashable) -> bool:
        if not isinstance(key, str):
            return False
        return key in self._names or _is_in_table(above) or _is_address(key)


def top_page_name(pattern: KeyPattern) -> str:
    """Return the file name, without extension, of the page of a pattern's top-level key."""
    return _top_name(pattern.path[0], varies=pattern.varying[:1] == (0,))


def row_address(pattern: KeyPattern) -> str:
    """Return the address of a key's row on the page of its top-level key, from ``keys``."""
    return f"{top_page_name(pattern)}.html#{pattern.anchor}"


def page_name(pattern: KeyPattern) -> str:
    """Return the file name, without extension, of the page of a key below a top-level key.

    It is the keys with ``~`` between them, as in ``app~workers``, if they are as plain as most are;
    else a digest makes it unlike others.
    """
    varying = pattern.varying
    keys = [key if at not in varying else "_" for at, key in enumerate(pattern.path)]
    name = "~".join(key if isinstance(key, str) else ANY for key in keys)
    if len(name) <= MAX_LENGTH and _PLAIN.fullmatch(name) and keys.count("_") == len(varying):
        return name
    text = json.dumps([to_tagged(list(pattern.path)), *varying])
    return slug(_NO_TEXT + text)


def anchor_of(path: KeyPath, varying: tuple[int, ...]) -> str:
    """Return the id of a pattern's row; a key ``*`` is percent-encoded there, any key is not."""
    if not varying:
        return row_id(path)
    parts = row_id(path).split(".")
    for at in varying:
        parts[at] = f"k-{ANY}" if at == 0 else ANY
    return ".".join(parts)


@lru_cache(maxsize=10_000)  # a function of its arguments; a fleet has few top-level keys
def _named(text: str) -> str:
    return slug(text)


def _top_name(key: Hashable, *, varies: bool) -> str:
    if isinstance(key, str) and not varies:
        return _named(key)
    return _named(_NO_TEXT + json.dumps([] if varies else [to_tagged(key)]))


def _names_of(minions: Iterable[str]) -> Iterator[str]:
    """Yield what templates call minions; a short name without a digit may be an ordinary key."""
    for minion in minions:
        short, dot, _ = minion.partition(".")
        if dot or any(map(str.isdigit, minion)):
            yield minion
        if dot and len(short) >= _LEAST_NAME and any(map(str.isdigit, short)):
            yield short


@lru_cache(maxsize=50_000)  # a function of the key; the same keys are in all pillars
def _is_address(key: str) -> bool:
    return _ADDRESS.fullmatch(key) is not None


def _is_in_table(above: Hashable) -> bool:
    return isinstance(above, str) and _ends_as_table(above)


@lru_cache(maxsize=10_000)  # a function of the key; fewer, as only keys with keys below them are
def _ends_as_table(key: str) -> bool:
    return _WORDS.split(key.lower())[-1] in TABLES
