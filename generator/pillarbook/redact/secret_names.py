"""Names that hold a secret: keys, ids, files, SLS, environments, grains.

A name is shown in many places, so it is not redacted but rewritten, with the secret's token where
the secret stood. It is the same wherever the name is shown.
"""

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from pillarbook.model import KeyPath, Position, format_path
from pillarbook.patterns.token_patterns import tokens_in
from pillarbook.redact.secret_search import SecretSearch, searchable
from pillarbook.redact.secret_sources import in_place
from pillarbook.redact.secret_store import SecretStore, text_of

OF_NAMES = "(a name)"
"""Stands for the file of a secret that a name holds."""

MAX_NAMES = 200_000
"""Names that are remembered before all are let go."""


@dataclass(frozen=True, slots=True)
class SecretName:
    """A name that holds a secret."""

    what: str
    """What it names: ``a key``, ``the file``."""
    shown: str
    """The name as it is shown."""
    place: int
    """The place number of the secret in it."""
    position: Position | None
    """Where the name is given, as it is shown."""


class Names:
    """Rewrites names.

    Args:
        store: Gives the tokens, and takes the tokens of a known form that names hold.
        reveal: Whether nothing is secret.
    """

    def __init__(self, store: SecretStore, *, reveal: bool = False) -> None:
        self._store = store
        self._reveal = reveal
        self._search: SecretSearch | None = None
        # By name, as the search rewrote it. Emptied at its limit, and when the search changes.
        self._cleaned: dict[str, str] = {}
        self._fixed: dict[str, str] = {}
        self._found: dict[str, SecretName] = {}
        self._met: set[str] = set()
        # Not limited: as many as there are targets with a secret.
        self._own: dict[str, frozenset[int]] = {}

    def meet(self, key: Hashable) -> None:
        """Note that there is such a key."""
        if isinstance(key, str):
            self._met.add(key)
        elif (raw := searchable(key)) is not None:
            self._met.add(raw.decode("utf-8", "replace"))

    def freeze(self, search: SecretSearch) -> bool:
        """Rewrite names from now on, with all that a search knows.

        Returns:
            Whether a name that was met so far is shown otherwise now.
        """
        self._search = search or None
        self._cleaned.clear()
        self._fixed.clear()
        return search.first(_raw("\0".join(self._met))) is not None

    def hold(self, name: str, places: Iterable[int]) -> None:
        """Note secrets that a name holds: they are hidden there, whatever words they are."""
        self._own[name] = self._own.get(name, frozenset()).union(places)
        self._cleaned.pop(name, None)

    def clean(self, name: str) -> str:
        """Return a name without secrets."""
        cleaned = self._fixed.get(name) or self._cleaned.get(name)
        if cleaned is None:
            if len(self._cleaned) > MAX_NAMES:
                self._cleaned.clear()
            cleaned = self._cleaned[name] = name if self._reveal else self._rewrite(name)
        return cleaned

    def _rewrite(self, name: str) -> str:
        place_of = {text: self._place(text) for text in tokens_in(name)}
        place_of |= {self._text_at(place): place for place in self._own.get(name, ())}
        cleaned = name
        for text in sorted(place_of, key=len, reverse=True):
            cleaned = cleaned.replace(text, self._store.token_in(name, place_of[text]))
        if self._search is None:
            self._met.add(name)
            return cleaned
        cleaned = self._search.replace(cleaned, partial(self._store.token_in, name))
        if cleaned != name:
            hit = self._search.first(_raw(name))
            place = next(iter(place_of.values())) if hit is None else hit.place
            self._found.setdefault(cleaned, SecretName("the name", cleaned, place, None))
        return cleaned

    def _place(self, text: str) -> int:
        return self._store.place(text, source=in_place(OF_NAMES, (), text))

    def _text_at(self, place: int) -> str:
        return text_of(self._store.value_of(place)) or ""

    def keep_apart(self, names: Iterable[str]) -> list[str]:
        """Return some names without secrets; those that differ go on to differ, here and later."""
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
        """Return a key without secrets; one that is no text becomes text where it held one."""
        if self._search is None:
            return key
        if isinstance(key, str):
            return self.clean(key)
        raw = searchable(key)
        if raw is None or self._search.first(raw) is None:
            return key
        return self.clean(raw.decode("utf-8", "backslashreplace"))

    def clean_path(self, path: KeyPath) -> str:
        """Return a key path as people write it, without secrets.

        Its keys are names, each shown here as it is everywhere; the path as a whole is none.
        """
        shown = format_path(tuple(map(self.clean_key, path)))
        if self._search is None:
            return shown
        return self._search.replace(shown, partial(self._store.token_in, shown))

    def note(self, what: str, name: Hashable, position: Position | None) -> None:
        """Take down that a name holds a secret, where it does."""
        shown = self.clean_key(name)
        found = self._found.get(str(shown))
        if found is not None and found.position is None:
            place = self.clean_position(position)
            self._found[str(shown)] = replace(found, what=what, position=place)

    def clean_position(self, position: Position | None) -> Position | None:
        """Return a position whose file is rewritten."""
        if position is None or self._search is None:
            return position
        return Position(self.clean(position.file), position.line, position.column)

    def found(self) -> Iterator[SecretName]:
        """Yield the names that were taken down."""
        yield from tuple(self._found.values())  # a caller may find another meanwhile


def _raw(name: str) -> bytes:
    return name.encode("utf-8", "surrogatepass")
