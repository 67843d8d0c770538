"""Finding known secrets in texts and bytes, all of them in one pass."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ahocorasick_rs import BytesAhoCorasick, MatchKind

from pillarbook.redact.forms import Form, FormKind, forms_of
from pillarbook.redact.secrets import SHORTEST_TELLING, SecretStore, text_of

MOST_SEARCHES = 2_000
"""Searches that are kept before all are let go."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A secret that was found."""

    place: int
    """Its place number."""
    start: int
    """Where it begins, in bytes."""
    end: int
    """Where what was found of it ends."""
    kind: FormKind
    """The form that it stands in."""


class SecretSearch:
    """Finds some secrets in every form; made once and never changed.

    Args:
        secrets: Place numbers and clear values.
    """

    def __init__(self, secrets: Iterable[tuple[int, Any]]) -> None:
        found: dict[bytes, list[tuple[int, Form]]] = {}
        for place, value in secrets:
            for form in forms_of(value):
                found.setdefault(form.part, []).append((place, form))
        self._take(found)

    @classmethod
    def of_forms(cls, found: Mapping[bytes, list[tuple[int, Form]]]) -> "SecretSearch":
        """Return a search for forms that are made already: places and forms by what to look for."""
        made = cls(())
        made._take(found)
        return made

    def _take(self, found: Mapping[bytes, list[tuple[int, Form]]]) -> None:
        self._patterns = list(found)
        self._meanings = list(found.values())

    @property
    def forms(self) -> Iterator[tuple[bytes, list[tuple[int, Form]]]]:
        """What is looked for, with the places and forms that it stands for."""
        return zip(self._patterns, self._meanings, strict=True)

    def only(self, wanted: Callable[[bytes, Iterable[int]], bool]) -> "SecretSearch":
        """Return a search for some of the forms; this one where those are all.

        Args:
            wanted: Says it of what is looked for and the places of the secrets.
        """
        kept = {
            part: meanings
            for part, meanings in self.forms
            if wanted(part, (place for place, _ in meanings))
        }
        return self if len(kept) == len(self) else SecretSearch.of_forms(kept)

    def __bool__(self) -> bool:
        return bool(self._patterns)

    def __len__(self) -> int:
        return len(self._patterns)

    def __repr__(self) -> str:
        """Return how much is looked for, never what."""
        return f"SecretSearch({len(self._patterns)} forms)"

    @cached_property
    def _longest(self) -> BytesAhoCorasick:
        return BytesAhoCorasick(self._patterns, matchkind=MatchKind.LeftmostLongest)

    @cached_property
    def _every(self) -> BytesAhoCorasick:
        return BytesAhoCorasick(self._patterns)

    def find(self, data: bytes) -> Iterator[Hit]:
        """Yield what is found in some bytes, from left to right; hits do not overlap."""
        if not self._patterns:
            return
        done = 0
        for number, start, end in self._longest.find_matches_as_indexes(data):
            if start < done:
                continue
            place, form = self._meanings[number][0]
            begin, done = widen(form, data, start, end)
            yield Hit(place, begin, done, form.kind)

    def first(self, data: bytes) -> Hit | None:
        """Return the first secret in some bytes."""
        return next(self.find(data), None)

    def places_in(self, data: bytes) -> frozenset[int]:
        """Return the places of all secrets in some bytes, of those within each other, too."""
        if not self._patterns:
            return frozenset()
        found = self._every.find_matches_as_indexes(data, overlapping=True)
        numbers = {number for number, _, _ in found}
        return frozenset(place for number in numbers for place, _ in self._meanings[number])

    def replace(self, text: str, instead: Callable[[int], str]) -> str:
        """Return a text with each secret in it replaced.

        Args:
            text: The text.
            instead: Gives what stands for the secret at a place.
        """
        raw = text.encode("utf-8", "surrogatepass")
        parts, done = [], 0
        for hit in self.find(raw):
            parts += [raw[done : max(done, hit.start)], instead(hit.place).encode()]
            done = hit.end
        if not done:
            return text
        return b"".join((*parts, raw[done:])).decode("utf-8", "surrogatepass")


def widen(form: Form, data: bytes, start: int, end: int) -> tuple[int, int]:
    """Return where a form begins and ends of which a part was found; the part's if it is alone."""
    begin = start - form.start
    if begin >= 0 and data.startswith(form.whole, begin):
        return begin, begin + len(form.whole)
    return start, end


class Searches:
    """Gives searches for some of a store's secrets, each made once.

    Args:
        store: Holds the secrets.
    """

    def __init__(self, store: SecretStore) -> None:
        self._store = store
        self._made: dict[frozenset[int], SecretSearch] = {}
        self._exact: dict[frozenset[int], dict[bytes, int]] = {}

    def among(self, places: frozenset[int]) -> SecretSearch:
        """Return the search for the secrets at some places."""
        search = self._made.get(places)
        if search is None:
            if len(self._made) >= MOST_SEARCHES:
                self._made.clear()
            secrets = ((place, self._store.value_of(place)) for place in sorted(places))
            search = self._made[places] = SecretSearch(secrets)
        return search

    def equal_to(self, places: frozenset[int], texts: frozenset[bytes]) -> frozenset[int]:
        """Return the places of longer secrets that are one of some texts, common words or not."""
        known = self._exact.get(places)
        if known is None:
            if len(self._exact) >= MOST_SEARCHES:
                self._exact.clear()
            raws = ((searchable(self._store.value_of(place)), place) for place in places)
            known = self._exact[places] = {
                raw: place for raw, place in raws if raw and len(raw) >= SHORTEST_TELLING
            }
        return frozenset(known[raw] for raw in known.keys() & texts)


def searchable(value: Any) -> bytes | None:
    """Return what of a value may hold a secret; None for what cannot."""
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    if isinstance(value, bytes):
        return value
    text = text_of(value)
    return None if text is None else text.encode()
