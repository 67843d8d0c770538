"""Finds known secrets in texts and bytes, all in one pass."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from weakref import WeakValueDictionary

from ahocorasick_rs import BytesAhoCorasick, Implementation

from pillarbook.model.limited_cache import LimitedCache
from pillarbook.model.scalar_texts import text_of
from pillarbook.redact.found_parts import FoundPart, Hit, Meanings
from pillarbook.redact.secret_forms import WINDOW, SecretForm, SoughtForms, sought_at, sought_of
from pillarbook.redact.secret_hashes import Digests
from pillarbook.redact.secret_store import SecretStore

FOLD = re.compile(rb"[ \t]*\n[ \t]*")
QUOTED_FOLD = re.compile(rb"\\\n[ \t]*\\?")
"""A line break of YAML in double quotes."""
MANY = 1_000
"""The number of forms from which an automaton is slow to build."""
MAX_SEARCHES = 2_000
"""The most searches that are cached; then the cache is emptied."""
# Protects memory: a text may have a secret every few bytes, and each match takes 100 bytes.
CHUNK = 2**16
"""The number of bytes that are searched at a time."""
# Protects from texts that repeat a part of long secrets, or of many: to compare all of them with
# each match would take the product of the lengths.
COMPARED_PER_BYTE = 20
"""The limit of compared bytes for each byte of the text."""
COMPARED_ANYHOW = 20_000
"""The limit of compared bytes that every text has in addition."""


@dataclass(slots=True)
class SearchTerms:
    """Gathers forms and hashes, from which a search is built."""

    forms: dict[bytes, list[tuple[int, SecretForm]]] = field(default_factory=dict)
    """Secret ids and forms by the bytes that are looked for."""
    digests: Digests = field(default_factory=Digests)
    """The hashes."""
    equal: dict[int, list[int]] = field(default_factory=dict)
    """The ids of secrets with equal values, by the one id that is looked for."""
    _firsts: dict[SoughtForms, int] = field(default_factory=dict)

    def add(self, secret_id: int, sought: SoughtForms) -> None:
        """Add a secret; of secrets with equal values, only the first one is looked for."""
        first = self._firsts.setdefault(sought, secret_id)
        if first != secret_id:
            self.equal.setdefault(first, [first]).append(secret_id)
            return
        for form in sought.forms:
            self.forms.setdefault(form.part, []).append((secret_id, form))
        self.digests.add(secret_id, sought.hashes)


def _make_automaton(parts: tuple[bytes, ...]) -> BytesAhoCorasick:
    # The default for a short list is a table with 256 entries for each state. It is five times as
    # slow to build and takes 120 KB for one secret, and each kind of minions has its own list.
    return BytesAhoCorasick(list(parts), implementation=Implementation.ContiguousNFA)


class _Automaton:
    """An automaton for all patterns of a search; other searches for the same share it."""

    def __init__(self, parts: tuple[bytes, ...]) -> None:
        self.matches_in = _make_automaton(parts).find_matches_as_indexes

    @classmethod
    def of(cls, parts: tuple[bytes, ...]) -> "_Automaton":
        """Return the automaton for some patterns."""
        made = _LARGE.get(parts)
        if made is None:
            made = cls(parts)
            if len(parts) >= MANY:
                _LARGE[parts] = made
        return made


# By all patterns: after the freeze, the redactor and the leak gate look for the same. An entry goes
# with the last search that uses it, because it holds the clear secrets of a session.
_LARGE = WeakValueDictionary[tuple[bytes, ...], _Automaton]()


def find_texts(texts: Iterable[bytes], data: bytes) -> Iterator[tuple[int, int]]:
    """Yield ``(start, end)`` of each occurrence of the texts in some bytes."""
    wanted = tuple(dict.fromkeys(filter(None, texts)))
    if wanted:
        matches = _make_automaton(wanted).find_matches_as_indexes(data, overlapping=True)
        yield from ((start, end) for _, start, end in matches)


class SecretSearch:
    """Finds a fixed set of secrets in every form; never changed."""

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
        """Return a search for secrets, given by secret id and clear value."""
        gathered = SearchTerms()
        for secret_id, value in secrets:
            gathered.add(secret_id, sought_of(value))
        return cls.by(gathered)

    @classmethod
    def by(cls, terms: SearchTerms) -> "SecretSearch":
        """Return a search for gathered forms and hashes."""
        return cls(terms.forms, terms.digests, terms.equal)

    @property
    def forms(self) -> Iterator[tuple[bytes, list[tuple[int, SecretForm]]]]:
        """The bytes that are looked for, each with its secret ids and forms."""
        return zip(self._patterns, self._meanings, strict=True)

    def only(
        self, wanted: Callable[[bytes, Iterable[int]], bool], *, hashes: bool = True
    ) -> "SecretSearch":
        """Return a search for some of the forms; this object if those are all."""
        kept = {
            part: meanings
            for part, meanings in self.forms
            if wanted(part, (secret_id for secret_id, _ in meanings))
        }
        if hashes and len(kept) == len(self):
            return self
        return SecretSearch(kept, self._digests if hashes else None, self._equal)

    def __bool__(self) -> bool:
        return bool(self._patterns or self._digests)

    def __len__(self) -> int:
        return len(self._patterns)

    def __repr__(self) -> str:
        """Return the number of forms, never a secret."""
        return f"SecretSearch({len(self._patterns)} forms)"

    # Made at the first search: an automaton for the secrets of a fleet is slow to build, and some
    # runs search nothing. The patterns of this object never change.
    @cached_property
    def _every(self) -> tuple[_Automaton, list[list[tuple[bytes, Meanings]]]]:
        """The automaton for all forms in lower case, and the forms of each of its patterns."""
        small: dict[bytes, list[tuple[bytes, Meanings]]] = {}
        for part, meanings in self.forms:
            small.setdefault(part.lower(), []).append((part, meanings))
        parts = tuple(sorted(small))
        return _Automaton.of(parts), [small[part] for part in parts]

    def _matches(self, data: bytes) -> Iterator[tuple[int, int, int]]:
        """Yield ``(pattern number, start, end)`` for each match."""
        search, _ = self._every
        low = data.lower()
        for at in range(0, len(low), CHUNK):
            begin = max(0, at - WINDOW + 1)  # a match may begin in the chunk before
            chunk = low[begin : at + CHUNK]
            for number, start, end in search.matches_in(chunk, overlapping=True):
                if begin + end > at:
                    yield number, begin + start, begin + end

    def _meant(self, number: int, written: bytes) -> Meanings:
        """Return the secret ids and forms of a pattern that fit the case of the found text."""
        _, meanings = self._every
        return [
            (secret_id, form)
            for part, known in meanings[number]
            for secret_id, form in known
            if form.any_case or part == written
        ]

    def find(self, data: bytes) -> Iterator[Hit]:
        """Yield the secrets in some bytes from left to right; hits do not overlap."""
        yield from join_hits(self.find_each(data))

    def find_each(self, data: bytes) -> Iterator[Hit]:
        """Yield each form whose part is found in some bytes; hits may overlap."""
        yield from self.find_forms(data)
        yield from hashes_in(data, self._digests)

    def find_forms(self, data: bytes) -> Iterator[Hit]:
        """Yield each form whose part is found in some bytes, without hashes.

        A hit is as long as the text equals the form. At the limit of comparisons, a hit is as long
        as the form could be.
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

    def ids_in(self, data: bytes) -> frozenset[int]:
        """Return the ids of all secrets in some bytes, also of secrets inside others.

        A text that YAML folds over several lines is found as well.
        """
        secret_ids = {secret_id for found, _, _ in self._digests.find(data) for secret_id in found}
        if self._patterns:
            folded = self._has_spaces and b"\n" in data
            texts = (data, unfold(data)) if folded else (data,)
            parts = {
                (found[0], one[slice(*found[1:])]) for one in texts for found in self._matches(one)
            }
            secret_ids.update(secret_id for part in parts for secret_id, _ in self._meant(*part))
        return frozenset(secret_ids).union(
            *(self._equal.get(secret_id, ()) for secret_id in secret_ids)
        )

    def replace(self, text: str, instead: Callable[[int], str]) -> str:
        """Return a text with each secret in it replaced."""
        raw = text.encode("utf-8", "surrogatepass")
        hits = list(self.find(raw))
        return splice(raw, hits, instead).decode("utf-8", "surrogatepass") if hits else text


def splice(raw: bytes, hits: Iterable[Hit], instead: Callable[[int], str], start: int = 0) -> bytes:
    """Return some bytes with each hit replaced."""
    parts, done = [], start
    for hit in hits:
        parts += [raw[done : hit.start], instead(hit.secret_id).encode()]
        done = hit.end
    return b"".join((*parts, raw[done:]))


def hashes_in(data: bytes, digests: Digests) -> Iterator[Hit]:
    """Yield the hashes of secrets that are in some bytes."""
    for secret_ids, start, end in digests.find(data):
        for secret_id in secret_ids:
            yield Hit(secret_id, start, end, "hash")


def join_hits(hits: Iterable[Hit]) -> Iterator[Hit]:
    """Yield hits from left to right; overlapping hits become one hit for the longest secret."""
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
        yield Hit(longest.secret_id, start, end, longest.kind)


def unfold(data: bytes) -> bytes:
    """Return some bytes with the lines joined that YAML folded."""
    return FOLD.sub(b" ", QUOTED_FOLD.sub(b"", data))


class Searches:
    """Returns searches for subsets of a store's secrets; caches them."""

    def __init__(self, store: SecretStore) -> None:
        self._store = store
        # By secret ids; the value of an id never changes. Minions of one role have the same set.
        self._made = LimitedCache[frozenset[int], SecretSearch](MAX_SEARCHES)

    def among(self, secret_ids: frozenset[int]) -> SecretSearch:
        """Return the search for some secrets."""
        search = self._made.get(secret_ids)
        if search is None:
            gathered = SearchTerms()
            for secret_id in sorted(secret_ids, key=self._store.order_of):
                gathered.add(secret_id, sought_at(self._store, secret_id))
            search = self._made[secret_ids] = SecretSearch.by(gathered)
        return search


def searchable(value: Any) -> bytes | None:
    """Return the bytes of a value that may contain a secret; None for other types."""
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    if isinstance(value, bytes):
        return value
    text = text_of(value)
    return None if text is None else text.encode()
