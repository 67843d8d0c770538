"""Replaces the secrets in names: keys, ids, files, SLS, environments, grains.

A name identifies something on many pages, so it is not redacted as a whole: the token replaces the
secret in it. The result is the same wherever the name is shown.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from pillarbook.model import KeyPath, Position, format_path
from pillarbook.model.limited_cache import LimitedCache
from pillarbook.model.scalar_texts import text_of
from pillarbook.patterns.token_patterns import tokens_in
from pillarbook.patterns.value_patterns import is_surely_open
from pillarbook.redact.secret_search import SecretSearch, searchable
from pillarbook.redact.secret_sources import in_place
from pillarbook.redact.secret_store import SecretStore

OF_NAMES = "(a name)"
"""Replaces the file in the source of a secret that a name contains."""

MAX_NAMES = 200_000
"""The most names that are cached; then the cache is emptied."""


@dataclass(frozen=True, slots=True)
class SecretName:
    """A name that contains a secret."""

    what: str
    """The kind of name: ``a key``, ``the file``."""
    shown: str
    """The name as it is shown."""
    secret_id: int
    """The id of the secret in it."""
    position: Position | None
    """The position of the name, as it is shown."""


class Names:
    """Replaces the secrets in names by tokens.

    Secrets with a known token format in names are added to the store. If ``reveal``, nothing is
    secret. ``matched`` returns the parts of a name that an expression of ``redact: values``
    matches.
    """

    def __init__(
        self,
        store: SecretStore,
        *,
        reveal: bool = False,
        matched: Callable[[str], Iterable[str]] = lambda _: (),
    ) -> None:
        self._store = store
        self._matched = matched
        self._reveal = reveal
        self._given: SecretSearch | None = None
        self._search: SecretSearch | None = None
        # Shown names by name. Emptied at the limit, and if the search changes.
        self._cleaned = LimitedCache[str, str](MAX_NAMES)
        self._fixed: dict[str, str] = {}
        self._found: dict[str, SecretName] = {}
        self._met: set[str] = set()
        # Not limited: few targets contain a secret.
        self._own: dict[str, frozenset[int]] = {}

    def meet(self, key: Hashable) -> None:
        """Note a key, so that ``freeze`` can tell whether it contains a secret."""
        if isinstance(key, str):
            self._met.add(key)
        elif (raw := searchable(key)) is not None:
            self._met.add(raw.decode("utf-8", "replace"))

    def freeze(self, search: SecretSearch) -> bool:
        """Replace all secrets of a search in names from now on.

        Return whether a known name is shown differently now.
        """
        if search is not self._given:  # a comparison freezes both sides, mostly the same secrets
            self._cleaned.clear()
        self._given, self._search = search, search or None
        self._fixed.clear()
        return search.first(_raw("\0".join(self._met))) is not None

    def hold(self, name: str, secret_ids: Iterable[int]) -> None:
        """Note secrets in a name; they are replaced there even if they are ordinary words."""
        self._own[name] = self._own.get(name, frozenset()).union(secret_ids)
        self._cleaned.pop(name, None)

    def clean(self, name: str) -> str:
        """Return a name without secrets."""
        cleaned = self._fixed.get(name) or self._cleaned.get(name)
        if cleaned is None:
            cleaned = self._cleaned[name] = name if self._reveal else self._rewrite(name)
        return cleaned

    def _rewrite(self, name: str) -> str:
        tokens = () if is_surely_open(name) else tokens_in(name)
        id_of = {
            text: self._store.add(text, source=in_place(OF_NAMES, (), text))
            for text in (*tokens, *self._matched(name))
        }
        id_of |= {text_of(self._store.value_of(one)) or "": one for one in self._own.get(name, ())}
        cleaned = name
        for text in sorted(id_of, key=len, reverse=True):
            cleaned = cleaned.replace(text, self._store.token_in(name, id_of[text]))
        if self._search is None:
            self._met.add(name)
            return cleaned
        cleaned = self._search.replace(cleaned, partial(self._store.token_in, name))
        if cleaned != name:
            hit = self._search.first(_raw(name))
            secret_id = next(iter(id_of.values())) if hit is None else hit.secret_id
            self._found.setdefault(cleaned, SecretName("the name", cleaned, secret_id, None))
        return cleaned

    def keep_apart(self, names: Iterable[str]) -> list[str]:
        """Return names without secrets; different names stay different, also in later calls."""
        shown: dict[str, str] = {}
        for name in names:
            cleaned = bare = self.clean(name)
            number = 1
            while cleaned in shown:
                number += 1
                cleaned = f"{bare}~{number}"
            shown[cleaned] = name
            if cleaned != bare:
                self._fixed[name] = cleaned
        return list(shown)

    def clean_key(self, key: Hashable) -> Hashable:
        """Return a key without secrets; a key of another type becomes text if it contains one."""
        if self._search is None:
            return key
        if isinstance(key, str):
            return self.clean(key)
        raw = searchable(key)
        if raw is None or self._search.first(raw) is None:
            return key
        return self.clean(raw.decode("utf-8", "backslashreplace"))

    def clean_path(self, path: KeyPath) -> str:
        """Return a key path as text (``a:b``), without secrets.

        Each key is shown as everywhere. Then the whole path is searched, for secrets with colons.
        """
        shown = format_path(tuple(map(self.clean_key, path)))
        if self._search is None:
            return shown
        return self._search.replace(shown, partial(self._store.token_in, shown))

    def note(self, what: str, name: Hashable, position: Position | None) -> None:
        """Note the kind and the first position of a name, if it contains a secret."""
        shown = self.clean_key(name)
        found = self._found.get(str(shown))
        cleaned = self.clean_position(position) if found is not None else None
        if found is not None and (
            found.position is None or _order(cleaned) < _order(found.position)
        ):
            self._found[str(shown)] = replace(found, what=what, position=cleaned)

    def clean_position(self, position: Position | None) -> Position | None:
        """Return a position whose file name has no secrets."""
        if position is None or self._search is None:
            return position
        return Position(self.clean(position.file), position.line, position.column)

    def found(self) -> Iterator[SecretName]:
        """Yield the names that contain secrets."""
        yield from tuple(self._found.values())  # a copy, since the caller may add names


def _order(position: Position | None) -> tuple[bool, str, int]:
    """Return a sort key for positions; the order in which pillars are read has no effect."""
    if position is None:
        return True, "", 0
    return False, position.file, position.line or 0


def _raw(name: str) -> bytes:
    return name.encode("utf-8", "surrogatepass")
