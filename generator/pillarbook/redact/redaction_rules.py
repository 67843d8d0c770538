"""What is secret, and why.

Over-redaction is reversible, a leaked secret is not: if in doubt, a value is redacted.

Values are judged before keys, because in real trees a third of the secrets have harmless keys. The
reasons are tried in this order:

1. The value is ciphertext.
2. The compiler marks it (the gpg renderer or ``decrypt_pillar`` decrypted it), or the inventory.
3. It looks like a secret: a private key, a known token format, a hash, a URL with a password.
4. The configuration says so.
5. Its key names a secret.
6. It looks random.

``allow`` turns off 3 to 6. A reference to a secret store is never secret.
"""

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from pillarbook.compile.renderers.pgp_recipients import find_recipients, word_recipients
from pillarbook.diagnostics import PillarbookError
from pillarbook.model import KeyPath
from pillarbook.model.limited_cache import LimitedCache, RecentCache
from pillarbook.model.scalar_texts import COMPOUND, pairs_in, scalars_in
from pillarbook.model.unknown import Unknown
from pillarbook.patterns.ciphertexts import PGP_MESSAGE, SOPS, find_ciphertext
from pillarbook.patterns.entropy import RANDOM, is_bare_key, looks_random
from pillarbook.patterns.key_paths import NO_KEYS, KeyPaths, PathFacts, distinguish
from pillarbook.patterns.named_values import names_beside
from pillarbook.patterns.reasons_by_key import reason_by_key
from pillarbook.patterns.value_patterns import find_look, is_surely_open
from pillarbook.redact.judged_paths import JudgedPath
from pillarbook.redact.open_nodes import OpenNodes
from pillarbook.redact.secret_grains import SecretGrains

BY_VALUES = "redact: values"
MAX_SLOW = 10
"""The number of values for which an expression takes too long, before a command stops."""
TOO_SLOW = (
    "takes more than a second for many values; write it without a repetition in another, as in"
    " `(a+)+`"
)
SECRET_KEY = "key that is a secret"  # noqa: S105 (a reason)
MAX_KEPT = 100_000
"""The most entries of each cache; then the cache is emptied."""
MAX_LOOKS = 20_000
"""The most shorter texts whose looks are cached: most are those of one minion only."""
MAX_KEPT_LENGTH = 200
"""Characters; of longer texts, which need much memory, only the last ones are cached."""
MAX_LONG = 500
"""The most longer texts that are cached, and as many that were asked for lately."""
MAX_LONG_LENGTH = 20_000
"""Characters of the longest of these."""


UNKNOWN = object()
"""Marks a reason that is not cached."""
_PLAIN = frozenset((str, int, bool, float, type(None)))
"""Classes whose values are judged by their looks if the keys say nothing."""


class ValueLooks(NamedTuple):
    """What a value looks like, independent of its key."""

    ciphertext: str | None
    """The kind of ciphertext that it contains."""
    plain: str | None
    """The kind of secret that it is or contains."""
    is_random: bool
    """Whether it looks random; False if it is one of the above."""


Finds: TypeAlias = Callable[["re.Pattern[str]", str], bool | None]
"""Says whether an expression matches a part of a text; None if that takes too long."""


def find_untimed(pattern: "re.Pattern[str]", text: str) -> bool:
    """Say whether an expression matches a part of a text, without a time limit."""
    return pattern.search(text) is not None


class RuleError(PillarbookError):
    """A pattern of the configuration is not a regular expression, or takes too long."""

    def __init__(self, pattern: str, fault: str) -> None:
        super().__init__(f"redact: values: {pattern!r} {fault}")


class SecretsOfTree(NamedTuple):
    """What a tree itself says of secrets, apart from its keys and values."""

    used: Mapping[KeyPath, str] = NO_KEYS
    """Key paths whose values states use, each with the name of the argument."""
    is_encrypted: Callable[[str], bool] = lambda _: False
    """Says of a file whether git keeps it encrypted."""


NOTHING_SAID = SecretsOfTree()


class Rules:
    """Decides whether a value at a key path is secret.

    Args:
        keys: Patterns of keys (``*_dsn``) or of key paths (``app:*:dsn``); everything at or below
            one is secret.
        values: Regular expressions; a value that one of them finds is secret.
        allow: Patterns like ``keys``; everything at or below one is not secret.
        name_keys: Appends the owners to the key ids in a reason.
        finds: Matches ``values``, and limits the time.
        tree: What the tree itself says of secrets.

    Raises:
        RuleError: One of ``values`` is no regular expression.
    """

    def __init__(
        self,
        keys: Iterable[str] = (),
        values: Iterable[str] = (),
        allow: Iterable[str] = (),
        name_keys: Callable[[str], str] = lambda reason: reason,
        finds: Finds = find_untimed,
        tree: SecretsOfTree = NOTHING_SAID,
    ) -> None:
        self._name_keys = name_keys
        self._finds = finds
        self._slow: Counter[re.Pattern[str]] = Counter()
        self._values = tuple(_compile(pattern) for pattern in values)
        is_matched = (lambda key: any(self.matched_in(key))) if values else None
        self._paths = KeyPaths(keys, allow, tree.used, is_matched)
        self.is_encrypted = tree.is_encrypted
        """Says of a file whether git keeps it encrypted."""
        # Looks by the text alone; reasons by path and text, but for paths that say nothing. Fleets
        # repeat both, and a lost entry costs only a few regular expressions.
        self._looks = LimitedCache[str | bytes, ValueLooks](MAX_LOOKS)
        # Of files in states, which minions of one kind share.
        self._long_looks = RecentCache[str | bytes, ValueLooks](MAX_LONG)
        self._reasons = LimitedCache[tuple[JudgedPath, str | int], str | None](MAX_KEPT)
        # By the path with its types. The patterns never change, so no entry gets stale. Minion ids
        # may be keys, so the number of paths is limited.
        self._judged = LimitedCache[Hashable, JudgedPath](MAX_KEPT)
        self.grains = SecretGrains(self)
        """Finds the secrets among grains."""
        self.open_nodes = OpenNodes(self)
        """Finds the containers without a secret."""

    def at(self, path: KeyPath) -> JudgedPath:
        """Return the object for a path, which ``judge`` takes."""
        # `distinguish`, because 1, 1.0 and True are equal in a dict but different in a pillar.
        spot = distinguish(path)
        found = self._judged.get(spot)
        if found is None:
            facts = self._paths.find(path)
            is_silent = facts.says_nothing and not self._values
            found = self._judged[spot] = JudgedPath(path, facts, self.at, is_silent=is_silent)
        return found

    def find_reason(self, path: KeyPath, value: Any, mark: str | None = None) -> str | None:
        """Return why a value at a path is secret; None if it is not.

        ``mark`` is the reason that the compiler or the inventory gives.
        """
        return self.judge(self.at(path), value, mark)

    def judge(self, at: JudgedPath, value: Any, mark: str | None = None) -> str | None:
        """Return why a value at a path is secret, as ``find_reason`` does."""
        kind = value.__class__
        if mark is None and kind in _PLAIN:
            is_text = kind is str
            if at.is_silent:  # most values of a fleet, of which many are those of one minion only
                if not is_text or self._look(value) is NOTHING:
                    return None
            elif kind is int or (is_text and len(value) <= MAX_KEPT_LENGTH):
                spot = at, value
                found: Any = self._reasons.get(spot, UNKNOWN)
                if found is UNKNOWN:
                    found = self._reasons[spot] = self._judge(at, value, None)
                reason: str | None = found
                return reason
        return self._judge(at, value, mark)

    def _judge(self, at: JudgedPath, value: Any, mark: str | None) -> str | None:
        if _is_void(value):
            return None
        looks = self._look(value)
        # Before `allow`: encrypted values are always secret (docs/decisions/0014).
        known = looks.ciphertext or mark
        if known is not None:
            return self._name_keys(known)
        facts = at.facts
        if facts.is_allowed:
            return None
        if facts.is_sops and isinstance(value, str):
            return SOPS
        # Values before keys: a third of all encrypted values have harmless keys
        # (docs/decisions/0014).
        reason = looks.plain or facts.pattern or self._by_value(value)
        reason = reason or reason_by_key(facts, value)
        return reason or _by_chance(facts, looks, value) or self._by_pair(at, value)

    def _by_pair(self, at: JudgedPath, value: Any) -> str | None:
        """Return the reason if a pair in a value has the name of a secret."""
        if not isinstance(value, COMPOUND):
            return None
        pairs = (self.find_reason((*at.keys, name), one) for name, one in pairs_in(value))
        return next(filter(None, pairs), None)

    def judge_unknown(self, at: JudgedPath, unknown: Unknown) -> str | None:
        """Return why a value that is not known is secret: by its source, else by its keys.

        It may be any text, so it is judged as one that is no plain word, path or name.
        """
        if at.facts.is_allowed:
            return None
        store = unknown.store
        return f"read from {store}" if store else reason_by_key(at.facts, "Kr7m-Xq29_vT4p")

    def secret_keys(self, path: KeyPath) -> tuple[int, ...]:
        """Return the indexes of the keys in a path that are secrets themselves."""
        return self.at(path).facts.secret_keys

    def allows(self, path: KeyPath) -> bool:
        """Say whether ``allow`` matches a path."""
        return self.at(path).facts.is_allowed

    def may_hide_below(self, key: Hashable) -> bool:
        """Say whether a key may make a value at or below it secret; False is certain."""
        return self._paths.may_hide_below(key)

    def names_beside(self, items: Mapping[Any, Any] | Sequence[Any]) -> Mapping[Hashable, str]:
        """Return the names of members that name a secret, by key or list position.

        Those of ``{name: password, value: x}`` are ``{value: password}``, and those of
        ``[--password, x]`` are ``{1: password}``.
        """
        found: dict[Hashable, str] = {}
        for key, name in names_beside(items):
            if key not in found and self.may_hide_below(name):
                found[key] = name
        return found

    def members(
        self, path: KeyPath, items: Mapping[Any, Any] | Sequence[Any]
    ) -> Iterator[tuple[KeyPath, Any]]:
        """Yield the members of a mapping or list, each with the path that the rules judge.

        In ``{name: password, value: x}``, the path of ``value`` gets the key ``password``.
        """
        names = self.names_beside(items)
        for key, item in items.items() if isinstance(items, Mapping) else enumerate(items):
            yield (*path, key, names[key]) if key in names else (*path, key), item

    def may_be_secret(self, value: Any) -> bool:
        """Say whether a value may be secret independent of its key; False is certain."""
        return bool(self._values) or any(self._look(value))

    def matched_in(self, name: str) -> Iterator[str]:
        """Yield the parts of a name that an expression of ``redact: values`` matches."""
        for pattern in self._values:
            if self._may_match(pattern, name):
                found = pattern.search(name)
                yield (found and found[0]) or name

    def has_form(self, text: str) -> bool:
        """Say whether a text contains a secret that its form alone gives away."""
        looks = _look_at(text)
        return looks.ciphertext is not None or looks.plain is not None

    def names_secret(self, key: Hashable) -> str | None:
        """Return the kind of secret that a key names (``a password``); None if it names none."""
        return self._paths.kind_of(key)

    def _look(self, value: Any) -> ValueLooks:
        """Return what a value looks like; the result for short values is cached."""
        if isinstance(value, COMPOUND):
            members = map(self._look, scalars_in(value))
            return next((looks for looks in members if looks is not NOTHING), NOTHING)
        if not isinstance(value, str | bytes):
            return NOTHING
        kept = self._looks if len(value) <= MAX_KEPT_LENGTH else self._long_looks
        looks = kept.get(value)
        if looks is None:
            looks = _look_at(value)
            if len(value) <= MAX_LONG_LENGTH:
                kept[value] = looks
        return looks

    def _by_value(self, value: Any) -> str | None:
        text = str(value) if self._values else ""
        return BY_VALUES if any(self._may_match(one, text) for one in self._values) else None

    def _may_match(self, pattern: "re.Pattern[str]", text: str) -> bool:
        found = self._finds(pattern, text)
        if found is None:
            self._slow[pattern] += 1
            if self._slow[pattern] >= MAX_SLOW:
                raise RuleError(pattern.pattern, TOO_SLOW)
        # What takes too long may be what the expression is for, so it is hidden.
        return found is not False


NOTHING = ValueLooks(None, None, is_random=False)


def _look_at(value: str | bytes) -> ValueLooks:
    if isinstance(value, str) and is_surely_open(value):
        return NOTHING
    ciphertext = find_ciphertext(value)
    if ciphertext == PGP_MESSAGE:
        ciphertext = _name_message(value)
    if ciphertext is not None:
        return ValueLooks(ciphertext, None, is_random=False)
    text = value.decode("latin-1") if isinstance(value, bytes) else value
    plain = find_look(text)
    is_random = plain is None and looks_random(text)
    return ValueLooks(None, plain, is_random=is_random) if plain or is_random else NOTHING


def _name_message(value: str | bytes) -> str:
    """Return the reason for a PGP message, with its recipients if it names them."""
    words = word_recipients(find_recipients(value))
    return f"{PGP_MESSAGE} for {words}" if words else PGP_MESSAGE


def _by_chance(facts: PathFacts, looks: ValueLooks, value: Any) -> str | None:
    """Return the reason if a value looks random.

    A hexadecimal text may be a checksum, so it counts only if its key names a cryptographic key.
    """
    if not isinstance(value, (str, bytes, *COMPOUND)):
        return None
    is_random = looks.is_random and not facts.is_public
    is_hex = facts.is_key and isinstance(value, str) and is_bare_key(value)
    return RANDOM if is_random or is_hex else None


def _compile(pattern: str) -> "re.Pattern[str]":
    try:
        return re.compile(pattern)
    except re.error as error:
        raise RuleError(pattern, f"is no regular expression: {error}") from error


def _is_void(value: Any) -> bool:
    """Say whether a value holds nothing: null, an empty container, an unknown value."""
    if value is None or value.__class__ is Unknown:
        return True
    return not value and not isinstance(value, int | float)
