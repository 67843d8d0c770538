"""Redacted pillars made by hand."""

from typing import Any

from pillarbook.redact import RedactedLeaf, RedactedPillar


def make_pillar(minion: str, *leaves: RedactedLeaf, **changes: Any) -> RedactedPillar:
    """Return a pillar of leaves; whatever is not given is as where nothing went wrong."""
    fields: dict[str, Any] = {
        "outcome": "ok",
        "data": {},
        "errors": (),
        "raises": None,
        "targets": (),
        "pillarenv": None,
        "saltenv": None,
        "revealed": False,
    }
    return RedactedPillar(minion=minion, leaves=leaves, **(fields | changes))
