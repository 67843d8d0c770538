"""Finds the secrets among the grains of minions, and redacts grains.

Most minions share most of their grains, so a grain that many minions have is judged once.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import partial
from itertools import count
from types import MappingProxyType
from typing import Any

from pillarbook.compile.reads import fingerprint
from pillarbook.model import KeyPath
from pillarbook.model.limited_cache import LimitedCache, recall
from pillarbook.patterns.key_paths import distinguish
from pillarbook.redact.declared_secrets import DeclaredSecrets
from pillarbook.redact.node_redactor import NodeRedactor
from pillarbook.redact.redaction_rules import Rules
from pillarbook.redact.secret_grains import MAX_GRAINS, data_members, scalars_of
from pillarbook.redact.secret_sources import in_place
from pillarbook.redact.secret_store import SecretStore

_COUNTED = count()
"""Numbers for grains; each number is used once in a run."""
NOTHING: Mapping[int, KeyPath] = MappingProxyType({})
GRAINS = "grains"
"""The first key of a grain's path."""
OPTIONS = "options"
"""The first key of the path of an option of a master or a minion."""


class RedactedGrains:
    """Finds the secrets among grains, and redacts grains."""

    def __init__(
        self, rules: Rules | None, store: SecretStore, node_redactor: NodeRedactor
    ) -> None:
        self._rules = rules
        self._store = store
        self._node_redactor = node_redactor
        self._names = node_redactor.names
        # By the identity of a minion's grains, which the inventory keeps to the end of the run.
        self._declared: dict[int, DeclaredSecrets] = {}
        self._secrets = LimitedCache[int, tuple[Mapping[Any, Any], Mapping[int, KeyPath]]](
            MAX_GRAINS
        )
        self._shown = LimitedCache[Hashable, Any](MAX_GRAINS)
        self._numbers = LimitedCache[Hashable, int](MAX_GRAINS)
        self._keys = LimitedCache[Hashable, Mapping[Any, Any]](MAX_GRAINS)

    def forget_shown(self) -> None:
        """Forget redacted grains, because other secrets are known now."""
        self._shown.clear()
        self._numbers.clear()
        self._keys.clear()

    def declare(self, grains: Mapping[Any, Any], declared: DeclaredSecrets) -> None:
        """Note the secrets that the inventory declares for some grains.

        The caller must keep ``grains``, because it is identified by its ``id()``.
        """
        self._declared[id(grains)] = declared

    def redact(self, grains: Mapping[Any, Any]) -> Mapping[Any, Any]:
        """Return redacted grains; their values are shared, so never change them."""
        names = self._shown_keys(tuple(grains))
        numbers, redact = partial(self._number, grains), partial(self._redact_one, grains)
        return ShownGrains(names, numbers, redact)

    def _shown_keys(self, keys: tuple[Any, ...]) -> Mapping[Any, Any]:
        """Return keys by their shown names; most minions have the same keys."""
        spot = distinguish(keys)
        return recall(self._keys, spot, lambda: {self._names.clean_key(key): key for key in keys})

    def _redact_one(self, grains: Mapping[Any, Any], key: Any) -> Any:
        declared = self._declared.get(id(grains))
        spot = (*_spot(key, grains[key]), declared)
        return recall(
            self._shown, spot, lambda: self._redact_at((key,), grains[key], declared, (key,))
        )

    def _number(self, grains: Mapping[Any, Any], keys: Iterable[Any]) -> list[int | None]:
        declared, numbers = self._declared.get(id(grains)), self._numbers
        found: list[int | None] = []
        for key in keys:
            value = grains[key]
            kind = value.__class__
            number = None
            if kind is not dict:
                is_text = kind is str and key.__class__ is str  # without a call, as most are
                spot = (key, value, declared) if is_text else (*_spot(key, value), declared)
                number = numbers.get(spot)
                if number is None:
                    number = numbers[spot] = next(_COUNTED)
            found.append(number)
        return found

    def _redact_at(
        self, path: KeyPath, data: Any, declared: DeclaredSecrets | None, asked: KeyPath
    ) -> Any:
        """Return redacted data at a path; the rules judge the keys in ``asked``."""
        if isinstance(data, Mapping | list):
            members = [
                (key, self._redact_at((*path, key), item, declared, below))
                for key, below, item in data_members(data, asked, self._rules)
            ]
            if isinstance(data, list):
                return [item for _, item in members]
            return {self._names.clean_key(key): item for key, item in members}
        mark = None if declared is None else declared.mark_at(path)
        reason = None if self._rules is None else self._rules.find_reason(asked, data, mark)
        reason = reason or self._node_redactor.copies.find_reason(data)
        if reason is None:
            return data
        return self._store.redacted(reason, self._add(path, data))

    def _add(self, keys: KeyPath, value: Any) -> int:
        """Return the id of a secret grain."""
        return _add_to(self._store, GRAINS, keys, value)

    def secrets_of(self, grains: Mapping[Any, Any]) -> Mapping[int, KeyPath]:
        """Return the secrets among a minion's grains, by secret id."""
        if self._rules is None:
            return {}
        known = self._secrets.get(id(grains))
        if known is None:
            found: dict[int, KeyPath] = {}
            for keys, value in self._rules.grains.find(grains).secrets:
                found[self._add(keys, value)] = (GRAINS, *keys)
            found.update(self._declared_in(grains, self._rules))
            if not found:  # as on most minions
                return NOTHING
            # The grains are kept so that no other object gets their id.
            known = self._secrets[id(grains)] = grains, found
        return known[1]

    def _declared_in(self, grains: Mapping[Any, Any], rules: Rules) -> dict[int, KeyPath]:
        """Return the secrets among some grains that the inventory declares."""
        declared = self._declared.get(id(grains))
        named: dict[int, KeyPath] = {}
        if declared is not None:
            for keys, asked, value in scalars_of(grains, (), (), rules):
                if rules.find_reason(asked, value, declared.mark_at(keys)) is not None:
                    named[self._add(keys, value)] = (GRAINS, *keys)
        return named


class ShownGrains(Mapping[Any, Any]):
    """Grains that are redacted on access, because groups of minions need only a few of them.

    ``names`` are the keys by their shown names.
    """

    def __init__(
        self,
        names: Mapping[Any, Any],
        number: Callable[[Iterable[Any]], list[int | None]],
        redact: Callable[[Any], Any],
    ) -> None:
        self._names = names
        self._number = number
        self._redact = redact

    def numbers_of(self, names: Iterable[Any]) -> list[int | None]:
        """Return a number for the grain of each name, None for a mapping.

        Grains of any two minions have the same number exactly if name and content are equal.
        """
        return self._number(map(self._names.__getitem__, names))

    def __getitem__(self, name: Any) -> Any:
        return self._redact(self._names[name])

    def __iter__(self) -> Iterator[Any]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def _spot(key: Any, value: Any) -> tuple[Hashable, Hashable]:
    """Return the cache key of a grain: its name and its content."""
    if key.__class__ is str and value.__class__ is str:
        return key, value  # the same as their fingerprints, but faster
    return fingerprint(key), fingerprint(value)


def collect_options(options: Mapping[Any, Any], rules: Rules, store: SecretStore) -> None:
    """Add the secrets among the options of a master or a minion, which templates can read."""
    for keys, asked, value in scalars_of(options, (), (), rules):
        if rules.find_reason(asked, value) is not None:
            _add_to(store, OPTIONS, keys, value)


def _add_to(store: SecretStore, kind: str, keys: KeyPath, value: Any) -> int:
    """Return the id of a secret grain or option; its file may be outside of the tree."""
    path = (kind, *keys)
    return store.add(value, path, source=in_place(kind, path, value))
