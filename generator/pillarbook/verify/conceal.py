"""Decides what is shown of a difference: the redactor's rules, used for the dump as well.

The dump is clear text. These values of it are secret: those at a path that is secret here, at any
position of the same list; those that the rules call secret; and those that equal or contain a
secret of the run, in any form that the filters of the output search for, also as keys. If secrets
of a minion are not decrypted here, no text is shown that only its dump has, and no text at all if
one of these secrets is missing at its path in the dump.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from pillarbook.compile.renderers.ciphertext import is_ciphertext
from pillarbook.diagnostics import Diagnostic
from pillarbook.model import KeyPath
from pillarbook.redact import Redacted, RedactedPillar, Redactor, Rules
from pillarbook.redact.secret_index import SecretIndex
from pillarbook.redact.secret_search import searchable
from pillarbook.redact.secret_sources import in_place
from pillarbook.verify.dump_differences import Comparison, DumpDifference
from pillarbook.verify.printed_values import MASK, printed, printed_key

SMALLEST_NUMBER = 1000
"""A number of four or more digits may be a secret."""
DUMP = "(the dump)"
"""The file name of values from a live master."""
SHORTEST_COPY = 4
"""Characters; a shorter text may equal a secret of the same minion by chance."""
SAME, COPY = COPIES = ("same as a secret", "holds a secret")
MAY_BE_SEALED = "may be a value that is sealed here"
DOUBTS = {
    "sealed-sls": "may come from a sealed SLS",
    "unavailable-ext-pillar": "may come from an external pillar",
}
"""Diagnostics after which a minion's secrets are not known here, with the reason to show."""
PathPattern: TypeAlias = tuple[str, ...]
"""A path with one pattern for all list positions."""


@dataclass(slots=True)
class Hidden:
    """The secrets of one minion."""

    at: dict[PathPattern, str] = field(default_factory=dict)
    """Paths of secrets here, with the reason."""
    above: dict[PathPattern, str] = field(default_factory=dict)
    """Paths with a secret below, with the reason."""
    numbers: set[int] = field(default_factory=set)
    """The ids of the secrets in the store."""
    doubt: str | None = None
    """The reason why any text of the dump may be secret."""
    doubt_of_new: str | None = None
    """The reason why any text that only the dump has may be secret."""

    def settle(self, other: "Hidden") -> None:
        """Add the secrets of a compile that explains the whole dump, and remove all doubt."""
        self.at.update(other.at)
        self.above.update(other.above)
        self.numbers |= other.numbers
        self.doubt = self.doubt_of_new = None

    def reason_at(self, path: KeyPath) -> str | None:
        """Return the reason if a path in the dump is secret because of a secret here."""
        place = _place(path)
        if place in self.above:
            return self.above[place]
        starts = (place[:end] for end in range(len(place), 0, -1))
        return next((self.at[start] for start in starts if start in self.at), None)


class Concealer:
    """Decides what is shown of pillars, dumps and grains."""

    def __init__(self, redactor: Redactor) -> None:
        self._rules = redactor.rules or Rules()
        self._store = redactor.store
        self._names = redactor.names
        # The same secrets as in the filters of the output, so that they find nothing in it.
        self._known = SecretIndex()
        self._known.follow(self._store)
        self._values: list[Any] = []

    def take_sealed(self, comparison: Comparison) -> set[int]:
        """Add the dump's values at encrypted paths to the store; return their ids there."""
        return {self._place((), text) for text in comparison.sealed}

    def hide(
        self, pillar: RedactedPillar, comparison: Comparison, diagnostics: Iterable[Diagnostic]
    ) -> Hidden:
        """Return a minion's secrets; from now on, the dump's values at encrypted paths too."""
        hidden = Hidden(numbers=self.take_sealed(comparison))
        for leaf in pillar.leaves:
            for value in (leaf.value, *(origin.value for origin in leaf.origins)):
                if isinstance(value, Redacted):
                    hidden.numbers.add(value.secret_id)
                    self._hide_place(hidden, _place(leaf.path), value.reason)
        hidden.doubt = _doubt_by_sealed(comparison.differences)
        hidden.doubt_of_new = next(
            (DOUBTS[one.code] for one in diagnostics if one.code in DOUBTS),
            MAY_BE_SEALED if comparison.sealed else None,
        )
        return hidden

    def learn(self, minions: Iterable[tuple[Comparison, Hidden]]) -> None:
        """Collect all hidden values of differing minions; then copies of them can be recognized."""
        listed = list(minions)
        for comparison, hidden in listed:
            for one in comparison.differences:
                self._place_secrets(one.path, one.theirs, hidden)
        self._values = list(self._store.clear_values())
        # After the certain secrets: copies of a possible secret are no secrets.
        for comparison, hidden in listed:
            for one in comparison.differences:
                self.conceal(one.path, one.theirs, hidden, is_new=one.ours is None)

    def _place_secrets(self, path: KeyPath, data: Any, hidden: Hidden) -> None:
        """Add the certain secrets to the store, but not the possible ones."""
        if isinstance(data, dict | list):
            members = data.items() if isinstance(data, dict) else enumerate(data)
            for key, item in members:
                self._place_secrets((*path, key), item, hidden)
        elif self._reason_by_place(path, data, hidden) is not None:
            hidden.numbers.add(self._place(path, data))

    def clean(self, text: str) -> str:
        """Return a name or sentence without secrets, after those of the fleet are frozen."""
        return self._names.clean(text)

    def clean_path(self, path: KeyPath) -> KeyPath:
        """Return a path without secrets, after those of the fleet are frozen."""
        return tuple(map(self._names.clean_key, path))

    def conceal(
        self, path: KeyPath, data: Any, hidden: Hidden | None = None, *, is_new: bool = False
    ) -> Any:
        """Return data with its secrets redacted."""
        if isinstance(data, Mapping):
            return {
                self._names.clean_key(key): self.conceal((*path, key), item, hidden, is_new=is_new)
                for key, item in data.items()
            }
        if isinstance(data, list):
            return [
                self.conceal((*path, at), item, hidden, is_new=is_new)
                for at, item in enumerate(data)
            ]
        reason = self.reason_for(path, data, hidden, is_new=is_new)
        return data if reason is None else self._put_away(reason, path, data)

    def _put_away(self, reason: str, path: KeyPath, data: Any) -> Redacted:
        return self._store.redacted(reason, self._place(path, data, is_copy=reason in COPIES))

    def _place(self, path: KeyPath, data: Any, *, is_copy: bool = False) -> int:
        """Return the id of a dump's value, which people who change the tree must not compare."""
        return self._store.add(data, is_copy=is_copy, source=in_place(DUMP, path, data))

    def reason_for(
        self, path: KeyPath, value: Any, hidden: Hidden | None, *, is_new: bool
    ) -> str | None:
        """Return the reason why a scalar must not be shown; None if it may be shown."""
        reason = self._reason_by_place(path, value, hidden) or self._reason_by_copy(value, hidden)
        if reason is None and hidden is not None and _may_be_secret(value):
            reason = hidden.doubt or (hidden.doubt_of_new if is_new else None)
        return reason

    def _reason_by_place(self, path: KeyPath, value: Any, hidden: Hidden | None) -> str | None:
        if isinstance(value, Redacted) or value is None or value in ("", MASK):
            return None
        reason = None if hidden is None else hidden.reason_at(path)
        return reason or self._rules.find_reason(path, value)

    def conceal_copies(self, data: Any, hidden: Hidden) -> Any:
        """Return redacted data of this side without copies of secrets that the dump shows."""
        if isinstance(data, Mapping):
            return {
                self._names.clean_key(key): self.conceal_copies(item, hidden)
                for key, item in data.items()
            }
        if isinstance(data, list):
            return [self.conceal_copies(item, hidden) for item in data]
        reason = self._reason_by_copy(data, hidden)
        return data if reason is None else self._put_away(reason, (), data)

    def _reason_by_copy(self, value: Any, hidden: Hidden | None) -> str | None:
        if isinstance(value, str) and hidden is not None and len(value) >= SHORTEST_COPY:
            own = (self._values[number] for number in hidden.numbers if number < len(self._values))
            if value in own:
                return SAME
        raw = None if isinstance(value, Redacted) else searchable(value)
        return COPY if raw is not None and any(self._known.find(raw)) else None

    def _hide_place(self, hidden: Hidden, place: PathPattern, reason: str) -> None:
        hidden.at.setdefault(place, reason)
        for end in range(1, len(place)):
            hidden.above.setdefault(place[:end], reason)


def _place(path: KeyPath) -> PathPattern:
    """Return a path with one pattern for all numbers: positions, and keys that look like some."""
    names = (printed_key(key) for key in path)
    return tuple("#" if name.isdigit() else name for name in names)


def _may_be_secret(value: Any) -> bool:
    if isinstance(value, int) and not isinstance(value, bool):
        return abs(value) >= SMALLEST_NUMBER
    return isinstance(value, str) and value not in ("", MASK)


def _doubt_by_sealed(differences: Iterable[DumpDifference]) -> str | None:
    """Return the reason for doubt if an encrypted value is missing at its path in the dump."""
    if any(one.ours is not None and _holds_sealed(printed(one.ours)) for one in differences):
        return MAY_BE_SEALED
    return None


def _holds_sealed(data: Any) -> bool:
    if isinstance(data, dict):
        return any(map(_holds_sealed, data.values()))
    if isinstance(data, list):
        return any(map(_holds_sealed, data))
    return isinstance(data, str) and is_ciphertext(data)


def dig(data: Any, path: KeyPath) -> Any:
    """Return the part of plain data at a path."""
    for key in path:
        data = data[key]
    return data
