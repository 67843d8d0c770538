"""Searches output for all secrets that a command knows so far.

A command finds more secrets while it writes. New secrets get a search of their own before the next
line is written, and searches are joined when there are many.
"""

import threading
from collections.abc import Iterator

from pillarbook.model import format_path
from pillarbook.model.scalar_texts import text_of
from pillarbook.redact.found_parts import Hit
from pillarbook.redact.leak_errors import Leak
from pillarbook.redact.secret_forms import SecretForm, lines_of, sought_at
from pillarbook.redact.secret_hashes import Digests
from pillarbook.redact.secret_search import SearchTerms, SecretSearch, hashes_in, join_hits, splice
from pillarbook.redact.secret_sources import argument_in
from pillarbook.redact.secret_store import SecretStore

MARK = "<redacted>"
"""Replaces a secret that was found in output."""


class SecretIndex:
    """Finds the secrets of all stores that it follows; safe to use from any thread."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self.leaks: list[Leak] = []
        """The secrets that were found in output so far."""
        self.forget()

    def __repr__(self) -> str:
        """Return the number of secrets."""
        return f"SecretIndex({len(self._own)} secrets)"

    def __bool__(self) -> bool:
        self._take_new()
        return len(self._own) > 0

    def forget(self) -> None:
        """Forget all stores and leaks."""
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
        """Look for the secrets of a store from now on, also for those that it gets later."""
        with self._lock:
            if all(store is not known for known, _ in self._followed):
                self._followed.append((store, 0))

    def refuse(self, text: str, name: str) -> None:
        """Look for a text that nothing may print, as for a secret; ``name`` is its key."""
        store = SecretStore()
        store.add(text, (name,))
        self.follow(store)

    def everything(self) -> SecretSearch:
        """Return one search for all known secrets."""
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
        """Yield the secrets in some bytes from left to right; hits do not overlap."""
        with self._lock:
            self._take_new()
            found = [hit for search in self._searches for hit in search.find_forms(data)]
            found += hashes_in(data, self._digests)
        yield from join_hits(found)

    def key_of(self, secret_id: int) -> str:
        """Return the key path of a secret, without secrets in it."""
        path = self._own.path_of(secret_id)
        argument = argument_in(path)
        if argument is not None:
            return f"{self.clean(format_path(argument))} of a state"
        return self.clean(format_path(path)) if path else ""

    def has_lines(self, secret_id: int) -> bool:
        """Say whether single lines of a secret are looked for."""
        text = text_of(self._own.value_of(secret_id))
        return text is not None and next(lines_of(text.strip()), None) is not None

    def clean(self, text: str) -> str:
        """Return a text with a mark in place of each secret."""
        raw = text.encode("utf-8", "surrogatepass")
        hits = list(self.find(raw))
        return splice(raw, hits, lambda _: MARK).decode("utf-8", "surrogatepass") if hits else text

    def withhold(self, text: str, where: str) -> str:
        """Return a text without secrets, and note a leak if it had one."""
        hit = next(self.find(text.encode("utf-8", "surrogatepass")), None)
        if hit is None:
            return text
        self.leaks.append(Leak(where, self.key_of(hit.secret_id)))
        return self.clean(text)

    def _take_new(self) -> None:
        """Add the new secrets of the stores.

        Copies are left out, as in the redactor: the secrets that they were made of find them.
        """
        with self._lock:
            for number, (store, done) in enumerate(self._followed):
                count = len(store)
                for secret_id in range(done, count):
                    path, is_copy = store.path_of(secret_id), store.is_copy(secret_id)
                    own = self._own.add(store.value_of(secret_id), path, is_copy=is_copy)
                    if not is_copy and own not in self._noted:
                        self._noted.add(own)
                        self._new.add(own, sought_at(store, secret_id))
                self._followed[number] = store, count
            if self._new.forms:
                self._all = None
                self._searches.append(SecretSearch(self._new.forms))
                self._new = SearchTerms(digests=self._digests)
                self._join_short()

    def _join_short(self) -> None:
        """Join a search with the one before while that is less than twice as long."""
        # As in a log-structured merge, each secret is built into an automaton only a few times.
        while len(self._searches) > 1 and len(self._searches[-2]) < 2 * len(self._searches[-1]):
            self._join_last()

    def _join_last(self) -> None:
        joined: dict[bytes, list[tuple[int, SecretForm]]] = {}
        for search in (self._searches.pop(-2), self._searches.pop()):
            for part, meanings in search.forms:
                joined[part] = [*joined.get(part, ()), *meanings]
        self._searches.append(SecretSearch(joined))
