"""Which states of a minion have to do with each other, by the requisites in their chunks."""

import fnmatch
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pillarbook.redact import Redacted

KINDS: Mapping[str, str] = {
    "require": "required by",
    "require_any": "required by (any)",
    "watch": "watched by",
    "watch_any": "watched by (any)",
    "onchanges": "its changes trigger",
    "onchanges_any": "its changes (any) trigger",
    "onfail": "its failure triggers",
    "onfail_any": "its failure (any) triggers",
    "onfail_all": "its failure (all) triggers",
    "prereq": "runs after",
    "listen": "listened to by",
    "use": "used by",
}
"""Each requisite, and the same seen from the other side."""
GLOB = frozenset("*?[]")
MAX_COUNT = 200
"""States that one entry of a requisite is followed to."""


@dataclass(frozen=True, slots=True)
class Requisite:
    """One entry of a requisite, with the states that it means."""

    kind: str
    """``require``."""
    owner: int
    """Which chunk has it."""
    named: str
    """What it names: a state module, ``id`` or ``sls``; empty for any."""
    value: str | Redacted
    """The ID, name or SLS."""
    meant: tuple[int, ...]
    """The chunks that it means, in the order in which they run."""


def find_requisites(chunks: Sequence[Mapping[str, Any]]) -> tuple[Requisite, ...]:
    """Return the requisites of a minion's states, as they are in the end."""
    finder = _Finder(chunks)
    return tuple(
        Requisite(kind, owner, named, _as_text(value), finder.find(named, value))
        for owner, chunk in enumerate(chunks)
        for kind in KINDS
        for named, value in _entries(chunk.get(kind))
    )


def _as_text(value: Any) -> str | Redacted:
    return value if isinstance(value, str | Redacted) else str(value)


def _entries(listed: Any) -> Iterator[tuple[str, Any]]:
    for entry in listed if isinstance(listed, list) else ():
        if isinstance(entry, dict):
            for named, value in entry.items():
                yield str(named), value
        else:
            yield "id", entry


class _Finder:
    def __init__(self, chunks: Sequence[Mapping[str, Any]]) -> None:
        self._by_name: dict[tuple[str, str], dict[int, None]] = {}
        for number, chunk in enumerate(chunks):
            own = [chunk.get("__id__"), chunk.get("name")]
            for one in own:
                if isinstance(one, str):
                    self._by_name.setdefault((str(chunk.get("state")), one), {})[number] = None
                    self._by_name.setdefault(("id", one), {})[number] = None
            files = chunk.get("__sls_included_from__")
            for sls in [chunk.get("__sls__"), *(files if isinstance(files, list) else ())]:
                self._by_name.setdefault(("sls", str(sls)), {})[number] = None

    def find(self, named: str, value: Any) -> tuple[int, ...]:
        if not isinstance(value, str):
            return ()
        if GLOB.isdisjoint(value):
            return tuple(self._by_name.get((named, value), ()))[:MAX_COUNT]
        found = {
            number
            for (kind, one), numbers in self._by_name.items()
            if kind == named and fnmatch.fnmatch(one, value)
            for number in numbers
        }
        return tuple(sorted(found))[:MAX_COUNT]
