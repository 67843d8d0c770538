"""Finding known secrets in texts and bytes, all of them in one pass."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from ahocorasick_rs import BytesAhoCorasick, Implementation

from pillarbook.redact.secret_forms import (
    FormKind,
    SecretForm,
    SoughtForms,
    sought_at,
    sought_of,
)
from pillarbook.redact.secret_hashes import Digests
from pillarbook.redact.secret_store import SecretStore, text_of

FOLD = re.compile(rb"[ \t]*\n[ \t]*")
QUOTED_FOLD = re.compile(rb"\\\n[ \t]*\\?")
"""Where YAML goes to the next line within double quotes."""
MANY = 1_000
"""Forms from which on an automaton takes long to make."""
MAX_SEARCHES = 2_000
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


@dataclass(slots=True)
class SearchTerms:
    """What is to be looked for, before it is made into a search."""

    forms: dict[bytes, list[tuple[int, SecretForm]]] = field(default_factory=dict)
    """Places and forms by the bytes that are looked for."""
    digests: Digests = field(default_factory=Digests)
    """The hashes."""

    def add(self, place: int, sought: SoughtForms) -> None:
        """Take a secret, given by its place number and all that is looked for of it."""
        for form in sought.forms:
            self.forms.setdefault(form.part, []).append((place, form))
        self.digests.add(place, sought.hashes)


def _make_automaton(parts: tuple[bytes, ...]) -> BytesAhoCorasick:
    # By default a short list becomes a table with 256 next states a state: it takes five times
    # as long to make, 120 KB for one secret, and there are as many lists as kinds of minions.
    return BytesAhoCorasick(list(parts), implementation=Implementation.ContiguousNFA)


# One is kept: what the redactor looks for, once secrets are frozen, the leak gate looks for as
# well, and both have made their lists of the same secrets.
_make_large_automaton = lru_cache(maxsize=1)(_make_automaton)


class SecretSearch:
    """Finds some secrets in every form; made once and never changed."""

    def __init__(
        self, forms: Mapping[bytes, list[tuple[int, SecretForm]]], digests: Digests | None = None
    ) -> None:
        self._patterns = list(forms)
        self._meanings = list(forms.values())
        self._digests = digests or Digests()
        self._has_spaces = any(b" " in part for part in self._patterns)

    @classmethod
    def of(cls, secrets: Iterable[tuple[int, Any]]) -> "SecretSearch":
        """Return a search for secrets, given by place number and clear value."""
        gathered = SearchTerms()
        for place, value in secrets:
            gathered.add(place, sought_of(value))
        return cls(gathered.forms, gathered.digests)

    @property
    def forms(self) -> Iterator[tuple[bytes, list[tuple[int, SecretForm]]]]:
        """What is looked for, with the places and forms that it stands for."""
        return zip(self._patterns, self._meanings, strict=True)

    def only(
        self, wanted: Callable[[bytes, Iterable[int]], bool], *, hashes: bool = True
    ) -> "SecretSearch":
        """Return a search for some of the forms; this one where those are all."""
        kept = {
            part: meanings
            for part, meanings in self.forms
            if wanted(part, (place for place, _ in meanings))
        }
        if hashes and len(kept) == len(self):
            return self
        return SecretSearch(kept, self._digests if hashes else None)

    def __bool__(self) -> bool:
        return bool(self._patterns or self._digests)

    def __len__(self) -> int:
        return len(self._patterns)

    def __repr__(self) -> str:
        """Return how much is looked for, never what."""
        return f"SecretSearch({len(self._patterns)} forms)"

    @cached_property
    def _every(self) -> tuple[BytesAhoCorasick, list[list[tuple[bytes, int, SecretForm]]]]:
        """What finds all forms in small letters, and what each of its patterns stands for."""
        small: dict[bytes, list[tuple[bytes, int, SecretForm]]] = {}
        for part, meanings in self.forms:
            small.setdefault(part.lower(), []).extend((part, *meaning) for meaning in meanings)
        parts = tuple(sorted(small))
        make = _make_automaton if len(parts) < MANY else _make_large_automaton
        return make(parts), [small[part] for part in parts]

    def _matches(self, data: bytes) -> Iterator[tuple[int, int, int, SecretForm]]:
        """Yield the place and form of what is found, with where it begins and ends."""
        search, meanings = self._every
        for number, start, end in search.find_matches_as_indexes(data.lower(), overlapping=True):
            written = data[start:end]
            for part, place, form in meanings[number]:
                if form.any_case or written == part:
                    yield start, end, place, form

    def find(self, data: bytes) -> Iterator[Hit]:
        """Yield what is found in some bytes, from left to right; hits do not overlap."""
        yield from join_hits(self.find_each(data))

    def find_each(self, data: bytes) -> Iterator[Hit]:
        """Yield each form of which a part is found in some bytes; hits may overlap."""
        yield from self.find_forms(data)
        yield from hashes_in(data, self._digests)

    def find_forms(self, data: bytes) -> Iterator[Hit]:
        """Yield each form of which a part is found in some bytes, without hashes."""
        if not self._patterns:
            return
        for start, end, place, form in self._matches(data):
            yield Hit(place, *widen(form, data, start, end), form.kind)

    def first(self, data: bytes) -> Hit | None:
        """Return the first secret in some bytes."""
        return next(self.find(data), None)

    def places_in(self, data: bytes) -> frozenset[int]:
        """Return the places of all secrets in some bytes, of those within each other, too.

        What YAML folds over several lines is found as well.
        """
        hashed = frozenset(hit.place for hit in hashes_in(data, self._digests))
        if not self._patterns:
            return hashed
        folded = self._has_spaces and b"\n" in data
        texts = (data, unfold(data) if folded else b"")
        return hashed.union(place for one in texts for _, _, place, _ in self._matches(one))

    def replace(self, text: str, instead: Callable[[int], str]) -> str:
        """Return a text with each secret in it replaced."""
        raw = text.encode("utf-8", "surrogatepass")
        hits = list(self.find(raw))
        return splice(raw, hits, instead).decode("utf-8", "surrogatepass") if hits else text


def splice(raw: bytes, hits: Iterable[Hit], instead: Callable[[int], str], start: int = 0) -> bytes:
    """Return some bytes with something in the place of each hit."""
    parts, done = [], start
    for hit in hits:
        parts += [raw[done : hit.start], instead(hit.place).encode()]
        done = hit.end
    return b"".join((*parts, raw[done:]))


def hashes_in(data: bytes, digests: Digests) -> Iterator[Hit]:
    """Yield the hashes of secrets that stand in some bytes."""
    for places, start, end in digests.find(data):
        for place in places:
            yield Hit(place, start, end, "hash")


def join_hits(hits: Iterable[Hit]) -> Iterator[Hit]:
    """Yield hits from left to right, those that overlap as one, which names the longest."""
    ordered = sorted(hits, key=lambda hit: (hit.start, -hit.end))
    at = 0
    while at < len(ordered):
        longest, end = ordered[at], ordered[at].end
        start = longest.start
        at += 1
        while at < len(ordered) and ordered[at].start < end:
            hit = ordered[at]
            longest = hit if hit.end - hit.start > longest.end - longest.start else longest
            end = max(end, hit.end)
            at += 1
        yield Hit(longest.place, start, end, longest.kind)


def unfold(data: bytes) -> bytes:
    """Return some bytes with the lines joined that YAML made of one."""
    return FOLD.sub(b" ", QUOTED_FOLD.sub(b"", data))


def widen(form: SecretForm, data: bytes, start: int, end: int) -> tuple[int, int]:
    """Return from where to where some data is as in a form of which a part was found there."""
    before, after = form.whole[: form.start], form.whole[form.start + end - start :]
    ahead, behind = data[max(0, start - len(before)) : start], data[end : end + len(after)]
    if form.any_case:
        before, after, ahead, behind = (one.lower() for one in (before, after, ahead, behind))
    start -= _common(before[::-1], ahead[::-1])
    end += _common(after, behind)
    while start > 0 and _is_within_sign(data[start]):
        start -= 1
    while end < len(data) and _is_within_sign(data[end]):
        end += 1
    return start, end


def _common(one: bytes, other: bytes) -> int:
    """Return how many bytes of two are the same from the start."""
    if one == other:
        return len(one)
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _is_within_sign(byte: int) -> bool:
    """Say whether UTF-8 has a byte inside of a sign only."""
    return byte & 0xC0 == 0x80


class Searches:
    """Gives searches for some of a store's secrets, each made once."""

    def __init__(self, store: SecretStore) -> None:
        self._store = store
        # By the numbers of the secrets; a number's value never changes. Minions of one role have
        # the same set.
        self._made: dict[frozenset[int], SecretSearch] = {}

    def among(self, places: frozenset[int]) -> SecretSearch:
        """Return the search for the secrets at some places."""
        search = self._made.get(places)
        if search is None:
            if len(self._made) >= MAX_SEARCHES:
                self._made.clear()
            gathered = SearchTerms()
            for place in sorted(places, key=self._store.order_of):
                gathered.add(place, sought_at(self._store, place))
            search = self._made[places] = SecretSearch(gathered.forms, gathered.digests)
        return search


def searchable(value: Any) -> bytes | None:
    """Return what of a value may hold a secret; None for what cannot."""
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    if isinstance(value, bytes):
        return value
    text = text_of(value)
    return None if text is None else text.encode()
