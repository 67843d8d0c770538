"""What is secret, and why.

Over-redaction is reversible, a leaked secret is not: where the two are in doubt, a value is hidden.

A value is secret because the compiler says so (it came through the gpg renderer, or stands where
``decrypt_pillar`` points), because of what it looks like (a PGP message, a private key), because
of its key, or because a rule of the configuration says so. ``allow`` sets aside the last two kinds
and what a value looks like, never what the compiler knows, nor ciphertext.
"""

import fnmatch
import re
from collections.abc import Callable, Hashable, Iterable
from typing import Any

from pillarbook.compile.renderers.ciphertext import holds_message
from pillarbook.compile.renderers.pgp_recipients import find_recipients, word_recipients
from pillarbook.diagnostics import PillarbookError
from pillarbook.model import KeyPath
from pillarbook.redact.key_names import is_describing, kind_of_name

SEALED = "PGP message"
"""The reason of a value that is ciphertext still, or how it begins: ``is_sealed`` asks for it."""
SMALLEST_NUMBER = 1000
"""A number under a key that names a secret is one from four digits on."""
LOOKS = {
    "private key": re.compile(r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"),
    "password hash": re.compile(r"\A\$(?:1|2[abxy]?|5|6|7|y|gy|apr1|argon2[a-z]*)\$\S{8,}\Z"),
    "URL with a password": re.compile(r"\b[a-z][a-z0-9+.-]*://[^\s/:@]*:[^\s/@]+@"),
}
SIGNS = ("$", "-----", "://")
"""One of these is in every text that looks like a secret."""
FLAGS = frozenset(
    ("yes", "no", "true", "false", "on", "off", "none", "null", "nil", "prompt", "ask")
)
"""Words that stand under a key such as ``password`` and are none."""
_WILD = re.compile(r"[:*?\]]")
REFERENCE = re.compile(
    r"\A(?:~?/(?:bin|boot|data|dev|etc|home|lib|mnt|opt|private|proc|root|run|srv|sys|tmp|usr|var)"
    r"/[^\s]*|~/[^\s]+|\./[^\s]+|(?:sdb|salt|file)://\S+|__vault__\S+)\Z"
)
"""Where a secret lies, not the secret: a path, a place in a vault."""


class RuleError(PillarbookError):
    """A pattern of the configuration that is none."""

    def __init__(self, pattern: str, reason: str) -> None:
        super().__init__(f"redact: values: {pattern!r} is no regular expression: {reason}")


class Rules:
    """Says of values at key paths whether they are secret.

    Args:
        keys: Patterns of keys (``*_dsn``) or of key paths (``app:*:dsn``); what lies at or below
            one is secret.
        values: Regular expressions; a value in which one is found is secret.
        allow: Patterns as ``keys``; what lies at or below one is not secret.
        name_keys: Puts the owners behind the key ids in a reason.

    Raises:
        RuleError: One of ``values`` is no regular expression.
    """

    def __init__(
        self,
        keys: Iterable[str] = (),
        values: Iterable[str] = (),
        allow: Iterable[str] = (),
        name_keys: Callable[[str], str] = lambda reason: reason,
    ) -> None:
        self._keys = tuple(pattern.lower() for pattern in keys)
        self._allow = tuple(pattern.lower() for pattern in allow)
        self._values = tuple(_compile(pattern) for pattern in values)
        self._name_keys = name_keys
        self._kinds: dict[str, str | None] = {}
        self._ends = tuple(f"*{_WILD.split(pattern)[-1]}" for pattern in self._keys)

    def find_reason(self, path: KeyPath, value: Any, mark: str | None = None) -> str | None:
        """Return why a value at a path is secret, None where it is not.

        Args:
            path: The keys that lead to it.
            value: A scalar; an empty mapping or list is never secret.
            mark: What the compiler knows of it.
        """
        if _is_void(value):
            return None
        if holds_message(value):
            return self._name_keys(_name_message(value))
        if mark is not None:
            return self._name_keys(mark)
        if self._allow and matches(self._allow, path):
            return None
        return self._by_look(value) or self._by_pattern(path, value) or self._by_key(path, value)

    def may_hide_below(self, key: Hashable) -> bool:
        """Say whether a key may be why a value at or below it is secret; False is certain."""
        if self.names_secret(key) is not None:
            return True
        return any(fnmatch.fnmatchcase(str(key).lower(), end) for end in self._ends)

    @property
    def judges_values(self) -> bool:
        """Whether the user's own rules look at values, so that any of them may be secret."""
        return bool(self._values)

    def names_secret(self, key: Hashable) -> str | None:
        """Return what kind of secret a key names (``a password``), None for no secret."""
        if not isinstance(key, str):
            return None
        if key not in self._kinds:
            self._kinds[key] = kind_of_name(key)
        return self._kinds[key]

    def is_plain_word(self, text: str) -> bool:
        """Say whether a text under a key that names a secret is none: a flag, a path."""
        bare = text.strip()
        return not bare or bare.lower() in FLAGS or REFERENCE.match(bare) is not None

    def _by_look(self, value: Any) -> str | None:
        if not isinstance(value, str) or not any(sign in value for sign in SIGNS):
            return None
        return next((name for name, look in LOOKS.items() if look.search(value)), None)

    def _by_pattern(self, path: KeyPath, value: Any) -> str | None:
        if self._keys and matches(self._keys, path):
            return "redact: keys"
        if self._values and any(pattern.search(str(value)) for pattern in self._values):
            return "redact: values"
        return None

    def _by_key(self, path: KeyPath, value: Any) -> str | None:
        own = above = None
        name = ""
        for key in path:
            if isinstance(key, str):
                above, own, name = own or above, self.names_secret(key), key
        is_other = above is None or isinstance(value, int | float) or is_describing(name)
        if own is None and is_other:
            return None
        if isinstance(value, bool | float) or _is_small(value):
            return None
        if isinstance(value, str) and self.is_plain_word(value):
            return None
        return f"key names {own or above}"


def is_sealed(reason: str) -> bool:
    """Say whether a value is ciphertext still; all that is known of it is whether it changed."""
    return reason == SEALED or reason.startswith(f"{SEALED} for ")


def _name_message(value: str | bytes) -> str:
    """Return that a value is ciphertext, and for whom where it says so."""
    words = word_recipients(find_recipients(value))
    return f"{SEALED} for {words}" if words else SEALED


def matches(patterns: tuple[str, ...], path: KeyPath) -> bool:
    """Say whether one of some patterns is met by a path, or by what lies above its end.

    Args:
        patterns: Lower case; one with a colon is about paths, one without about single keys.
        path: The keys.
    """
    keys = [str(key).lower() for key in path]
    paths = [":".join(keys[:end]) for end in range(1, len(keys) + 1)]
    return any(
        fnmatch.fnmatchcase(candidate, pattern)
        for pattern in patterns
        for candidate in (paths if ":" in pattern else keys)
    )


def _compile(pattern: str) -> "re.Pattern[str]":
    try:
        return re.compile(pattern)
    except re.error as error:
        raise RuleError(pattern, str(error)) from error


def _is_void(value: Any) -> bool:
    """Say whether there is nothing to hide: null, an empty text, mapping or list."""
    return value is None or (not value and not isinstance(value, int | float))


def _is_small(value: Any) -> bool:
    return isinstance(value, int) and abs(value) < SMALLEST_NUMBER
