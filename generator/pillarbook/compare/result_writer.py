"""Saved results, ``pillarbook.result/2``: a fleet's redacted pillars, to be compared later.

    {"schema": "pillarbook.result/2", "token_key": ID or null, "label": text,
     "clock": null or {"time", "source"},
     "minions": {ID: {"outcome", "raises", "errors", "faults", "pillarenv", "saltenv",
                      "parts": [N, ...]}},
     "parts": [{"key": K, "shape": S, "leaves": [{"value": V or "secret": SECRET,
                "origins": [[N, {"value": V or "secret": SECRET}], ...]}]}],
     "places": [[file, line, sls, saltenv], ...],
     "reads_clock": whether something is made of the time,
     "diagnostics": [{"code", "severity", "message", "file", "line", "path", "minions", "help"}]}

A part is the value of a top-level key; minions share parts. A shape is the data in tagged JSON
with null for each leaf that is a scalar; the leaves follow in order. An origin is a number in
``places`` and the value that was given there. A secret is ``[reason, token]``, and of what was
opened ``[reason, token, token of its file, key path and value]``.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, TextIO

from pillarbook.inventory.declared_clock import Clock
from pillarbook.model import to_tagged
from pillarbook.redact.redacted_json import GetToken
from pillarbook.redact.redacted_pillar import Redacted, RedactedLeaf, RedactedOrigin, RedactedPillar

FORM = "pillarbook.result"
SCHEMA = f"{FORM}/2"
OLD_SCHEMA = f"{FORM}/1"
"""The schema whose tokens were made from values, so they cannot be compared with later ones."""


@dataclass(frozen=True, slots=True)
class ResultHead:
    """The facts about a result itself."""

    label: str
    """The name of the report."""
    token_key: str | None
    """The id of the key for tokens; None if the key was random."""
    clock: Clock | None = None
    """The time of the compile; None if none is declared."""


class ResultWriter:
    """Writes a result, one minion at a time."""

    def __init__(self, out: TextIO, head: ResultHead, token: GetToken) -> None:
        self._out = out
        self._token = token
        self._parts: dict[tuple[int, ...], tuple[int, Sequence[Any]]] = {}
        # By its text, because whether minions share an object depends on how they were compiled.
        self._written: dict[str, int] = {}
        self._places: dict[tuple[Any, ...], int] = {}
        self._separator = "\n"
        clock = head.clock and {"time": head.clock.time.isoformat(), "source": head.clock.source}
        start = {"schema": SCHEMA, "label": head.label, "token_key": head.token_key, "clock": clock}
        self._out.write(json.dumps(start)[:-1] + ', "minions": {')

    def write(self, pillar: RedactedPillar) -> None:
        """Write a minion."""
        told = {
            "outcome": pillar.outcome,
            "raises": pillar.raises,
            "errors": list(pillar.errors),
            "faults": list(pillar.faults),
            "pillarenv": pillar.pillarenv,
            "saltenv": pillar.saltenv,
            "parts": [
                self._number(key, pillar.data[key], leaves)
                for key, leaves in _by_key(pillar.leaves)
                if key in pillar.data
            ],
        }
        self._out.write(f"{self._separator}{json.dumps(pillar.minion)}: {json.dumps(told)}")
        self._separator = ",\n"

    def finish(
        self, diagnostics: Iterable[Mapping[str, Any]], *, reads_clock: bool = False
    ) -> None:
        """Write the rest.

        ``reads_clock`` says whether a value depends on the time, even if that rule is ignored.
        """
        rest = {
            "places": [list(place) for place in self._places],
            "reads_clock": reads_clock,
            "diagnostics": list(diagnostics),
        }
        parts = ", ".join(self._written)
        self._out.write(f'}},\n"parts": [{parts}], {json.dumps(rest)[1:]}\n')

    def _number(self, key: Any, data: Any, leaves: Sequence[RedactedLeaf]) -> int:
        known = tuple(map(id, leaves))
        kept = self._parts.get(known)
        if kept is None:
            part = {
                "key": to_tagged(key),
                "shape": to_tagged(_shape(data)),
                "leaves": [
                    {
                        **self._value(leaf.value),
                        "origins": [
                            [self._place(origin), self._value(origin.value)]
                            for origin in leaf.origins
                        ],
                    }
                    for leaf in leaves
                ],
            }
            number = self._written.setdefault(json.dumps(part), len(self._written))
            # with the leaves, so that no other object gets their ids
            kept = self._parts[known] = (number, leaves)
        return kept[0]

    def _value(self, value: Any) -> dict[str, Any]:
        if isinstance(value, Redacted):
            ids = [value.secret_id] if value.here is None else [value.secret_id, value.here]
            return {"secret": [value.reason, *map(self._token, ids)]}
        return {"value": to_tagged(value)}

    def _place(self, origin: RedactedOrigin) -> int:
        place = (origin.file, origin.line, origin.sls, origin.saltenv)
        return self._places.setdefault(place, len(self._places))


def _by_key(leaves: Sequence[RedactedLeaf]) -> Iterator[tuple[Any, tuple[RedactedLeaf, ...]]]:
    """Yield the leaves of each top-level key."""
    found = [leaf for leaf in leaves if leaf.path]
    for _, group in groupby(found, lambda leaf: (leaf.path[0].__class__, leaf.path[0])):
        members = tuple(group)
        yield members[0].path[0], members


def _shape(data: Any) -> Any:
    """Return containers with the same structure, and null for scalars."""
    if isinstance(data, dict):
        return {key: _shape(item) for key, item in data.items()}
    if isinstance(data, list):
        return [_shape(item) for item in data]
    return None
