"""Finding known secrets in texts and bytes, all of them in one pass."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from ahocorasick_rs import BytesAhoCorasick, Implementation

from pillarbook.redact.found_parts import FoundPart, Hit, Meanings
from pillarbook.redact.secret_forms import (
    WINDOW,
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
# Protects memory: a text may hold a secret at every few bytes, and each match takes a hundred.
CHUNK = 2**16
"""Bytes that are searched in one go."""
# Protects from texts that repeat a piece of long or of many secrets: to compare all of them at each
# place would take the product of the lengths.
COMPARED_PER_BYTE = 20
"""Bytes that a search may compare around what it finds, for each byte of the text."""
COMPARED_ANYHOW = 20_000
"""Bytes that it may compare in any text."""


@dataclass(slots=True)
class SearchTerms:
    """What is to be looked for, before it is made into a search."""

    forms: dict[bytes, list[tuple[int, SecretForm]]] = field(default_factory=dict)
    """Places and forms by the bytes that are looked for."""
    digests: Digests = field(default_factory=Digests)
    """The hashes."""
    equal: dict[int, list[int]] = field(default_factory=dict)
    """The places of equal values, by the one that is looked for instead of all."""
    _firsts: dict[SoughtForms, int] = field(default_factory=dict)

    def add(self, place: int, sought: SoughtForms) -> None:
        """Take a secret, given by its place number and all that is looked for of it.

        Secrets of equal values share what is looked for, so that each is found once.
        """
        first = self._firsts.setdefault(sought, place)
        if first != place:
            self.equal.setdefault(first, [first]).append(place)
            return
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


def find_texts(texts: Iterable[bytes], data: bytes) -> Iterator[tuple[int, int]]:
    """Yield from where to where some texts stand in others as they are, all in one pass."""
    wanted = tuple(dict.fromkeys(filter(None, texts)))
    if wanted:
        matches = _make_automaton(wanted).find_matches_as_indexes(data, overlapping=True)
        yield from ((start, end) for _, start, end in matches)


class SecretSearch:
    """Finds some secrets in every form; made once and never changed."""

    def __init__(
        self,
        forms: Mapping[bytes, list[tuple[int, SecretForm]]],
        digests: Digests | None = None,
        equal: Mapping[int, list[int]] | None = None,
    ) -> None:
        self._patterns = list(forms)
        self._meanings = list(forms.values())
        self._digests = digests or Digests()
        self._equal = equal or {}
        self._has_spaces = any(b" " in part for part in self._patterns)

    @classmethod
    def of(cls, secrets: Iterable[tuple[int, Any]]) -> "SecretSearch":
        """Return a search for secrets, given by place number and clear value."""
        gathered = SearchTerms()
        for place, value in secrets:
            gathered.add(place, sought_of(value))
        return cls.by(gathered)

    @classmethod
    def by(cls, terms: SearchTerms) -> "SecretSearch":
        """Return a search for what was gathered."""
        return cls(terms.forms, terms.digests, terms.equal)

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
        return SecretSearch(kept, self._digests if hashes else None, self._equal)

    def __bool__(self) -> bool:
        return bool(self._patterns or self._digests)

    def __len__(self) -> int:
        return len(self._patterns)

    def __repr__(self) -> str:
        """Return how much is looked for, never what."""
        return f"SecretSearch({len(self._patterns)} forms)"

    # Made at the first search: an automaton of a fleet's secrets takes longer than a small search,
    # and some runs search nothing. The patterns of this object never change.
    @cached_property
    def _every(self) -> tuple[BytesAhoCorasick, list[list[tuple[bytes, Meanings]]]]:
        """What finds all forms in small letters, and what each of its patterns stands for."""
        small: dict[bytes, list[tuple[bytes, Meanings]]] = {}
        for part, meanings in self.forms:
            small.setdefault(part.lower(), []).append((part, meanings))
        parts = tuple(sorted(small))
        make = _make_automaton if len(parts) < MANY else _make_large_automaton
        return make(parts), [small[part] for part in parts]

    def _matches(self, data: bytes) -> Iterator[tuple[int, int, int]]:
        """Yield the number of a pattern that is found, with where it begins and ends."""
        search, _ = self._every
        low = data.lower()
        for at in range(0, len(low), CHUNK):
            begin = max(0, at - WINDOW + 1)  # what began in the chunk before ends in this one
            chunk = low[begin : at + CHUNK]
            for number, start, end in search.find_matches_as_indexes(chunk, overlapping=True):
                if begin + end > at:
                    yield number, begin + start, begin + end

    def _meant(self, number: int, written: bytes) -> Meanings:
        """Return the places and forms of a pattern, as it is written in what is searched."""
        _, meanings = self._every
        return [
            (place, form)
            for part, known in meanings[number]
            for place, form in known
            if form.any_case or part == written
        ]

    def find(self, data: bytes) -> Iterator[Hit]:
        """Yield what is found in some bytes, from left to right; hits do not overlap."""
        yield from join_hits(self.find_each(data))

    def find_each(self, data: bytes) -> Iterator[Hit]:
        """Yield each form of which a part is found in some bytes; hits may overlap."""
        yield from self.find_forms(data)
        yield from hashes_in(data, self._digests)

    def find_forms(self, data: bytes) -> Iterator[Hit]:
        """Yield each form of which a part is found in some bytes, without hashes.

        Where there are too many to compare each with what is around it, all that may be one is.
        """
        if not self._patterns:
            return
        found: dict[tuple[int, bytes], FoundPart] = {}
        left = COMPARED_ANYHOW + COMPARED_PER_BYTE * len(data)
        for number, start, end in self._matches(data):
            written = data[start:end]
            part = found.get((number, written))
            if part is None:
                part = found[number, written] = FoundPart.of(self._meant(number, written))
            if left > 0:
                left -= part.cost
                yield from part.widen(data, start, end)
            else:
                yield from part.cover(data, start, end)
        for part in found.values():
            yield from part.take_covered()

    def first(self, data: bytes) -> Hit | None:
        """Return the first secret in some bytes."""
        return next(self.find(data), None)

    def places_in(self, data: bytes) -> frozenset[int]:
        """Return the places of all secrets in some bytes, of those within each other, too.

        What YAML folds over several lines is found as well.
        """
        places = {place for found, _, _ in self._digests.find(data) for place in found}
        if self._patterns:
            folded = self._has_spaces and b"\n" in data
            texts = (data, unfold(data)) if folded else (data,)
            parts = {
                (found[0], one[slice(*found[1:])]) for one in texts for found in self._matches(one)
            }
            places.update(place for part in parts for place, _ in self._meant(*part))
        return frozenset(places).union(*(self._equal.get(place, ()) for place in places))

    def replace(self, text: str, instead: Callable[[int], str]) -> str:
        """Return a text with each secret in it replaced."""
        raw = text.encode("utf-8", "surrogatepass")
        hits = list(self.find(raw))
        return splice(raw, hits, instead).decode("utf-8", "surrogatepass") if hits else text


def splice(raw: bytes, hits: Iterable[Hit], instead: Callable[[int], str], start: int = 0) -> bytes:
    """Return some bytes with something instead of each hit."""
    parts, done = [], start
    for hit in hits:
        parts += [raw[done : hit.start], instead(hit.place).encode()]
        done = hit.end
    return b"".join((*parts, raw[done:]))


def hashes_in(data: bytes, digests: Digests) -> Iterator[Hit]:
    """Yield the hashes of secrets that are in some bytes."""
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
            search = self._made[places] = SecretSearch.by(gathered)
        return search


def searchable(value: Any) -> bytes | None:
    """Return what of a value may hold a secret; None for what cannot."""
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    if isinstance(value, bytes):
        return value
    text = text_of(value)
    return None if text is None else text.encode()
