"""All secrets that a command knows by now, to be looked for in what is about to get out.

A command goes on to learn secrets while it writes. What is new is made into a search of its own
when a line is to be written, and searches are joined as they become many.
"""

import threading
from collections.abc import Iterator

from pillarbook.model import format_path
from pillarbook.redact.found_parts import Hit
from pillarbook.redact.leak_errors import Leak
from pillarbook.redact.secret_forms import SecretForm, lines_of, sought_at
from pillarbook.redact.secret_hashes import Digests
from pillarbook.redact.secret_search import (
    SearchTerms,
    SecretSearch,
    hashes_in,
    join_hits,
    splice,
)
from pillarbook.redact.secret_store import SecretStore, text_of

MARK = "<redacted>"
"""What stands for a secret in a line that was not to hold one."""


class SecretIndex:
    """Finds the secrets of all stores that it follows; may be asked from any thread."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self.leaks: list[Leak] = []
        """What was about to get out through a stream, so far."""
        self.forget()

    def __repr__(self) -> str:
        """Return how many there are."""
        return f"SecretIndex({len(self._own)} secrets)"

    def __bool__(self) -> bool:
        self._take_new()
        return len(self._own) > 0

    def forget(self) -> None:
        """Let go of all stores and of what was found."""
        with self._lock:
            self._own = SecretStore()
            self._followed: list[tuple[SecretStore, int]] = []
            self._searches: list[SecretSearch] = []
            self._digests = Digests()
            self._all: SecretSearch | None = None
            self._noted: set[int] = set()
            self._new = SearchTerms(digests=self._digests)
            self.leaks.clear()

    def follow(self, store: SecretStore) -> None:
        """Know what a store knows from now on."""
        with self._lock:
            if all(store is not known for known, _ in self._followed):
                self._followed.append((store, 0))

    def everything(self) -> SecretSearch:
        """Return one search for all that is known."""
        with self._lock:
            self._take_new()
            if self._all is None:
                while len(self._searches) > 1:
                    self._join_last()
                forms = dict(self._searches[0].forms) if self._searches else {}
                self._all = SecretSearch(forms, self._digests)
                self._searches = [self._all]
            return self._all

    def find(self, data: bytes) -> Iterator[Hit]:
        """Yield what is found in some bytes, from left to right; hits do not overlap."""
        with self._lock:
            self._take_new()
            found = [hit for search in self._searches for hit in search.find_forms(data)]
            found += hashes_in(data, self._digests)
        yield from join_hits(found)

    def key_of(self, place: int) -> str:
        """Return the key path of what a hit names, without secrets."""
        path = self._own.path_of(place)
        return self.clean(format_path(path)) if path else ""

    def has_lines(self, place: int) -> bool:
        """Say whether lines of a secret are looked for on their own."""
        text = text_of(self._own.value_of(place))
        return text is not None and next(lines_of(text.strip()), None) is not None

    def clean(self, text: str) -> str:
        """Return a text with a mark in place of each secret."""
        raw = text.encode("utf-8", "surrogatepass")
        hits = list(self.find(raw))
        return splice(raw, hits, lambda _: MARK).decode("utf-8", "surrogatepass") if hits else text

    def withhold(self, text: str, where: str) -> str:
        """Return a text without secrets; what it held is taken down."""
        hit = next(self.find(text.encode("utf-8", "surrogatepass")), None)
        if hit is None:
            return text
        self.leaks.append(Leak(where, self.key_of(hit.place)))
        return self.clean(text)

    def _take_new(self) -> None:
        """Learn what the stores have learned.

        What was made of other secrets is found by those: the redactor looks for no more.
        """
        with self._lock:
            for number, (store, done) in enumerate(self._followed):
                count = len(store)
                for place in range(done, count):
                    path, is_copy = store.path_of(place), store.is_copy(place)
                    own = self._own.place(store.value_of(place), path, is_copy=is_copy)
                    if not is_copy and own not in self._noted:
                        self._noted.add(own)
                        self._new.add(own, sought_at(store, place))
                self._followed[number] = store, count
            if self._new.forms:
                self._all = None
                self._searches.append(SecretSearch(self._new.forms))
                self._new = SearchTerms(digests=self._digests)
                self._join_short()

    def _join_short(self) -> None:
        """Join searches of which one is not much longer than the next, so that few are left."""
        # Automata are joined as in a log-structured merge: each secret is built into one of them a
        # few times only, however slowly they come in.
        while len(self._searches) > 1 and len(self._searches[-2]) < 2 * len(self._searches[-1]):
            self._join_last()

    def _join_last(self) -> None:
        joined: dict[bytes, list[tuple[int, SecretForm]]] = {}
        for search in (self._searches.pop(-2), self._searches.pop()):
            for part, meanings in search.forms:
                joined[part] = [*joined.get(part, ()), *meanings]
        self._searches.append(SecretSearch(joined))
