"""Which lines of a change are the cause of what becomes of a minion's pillar."""

from pillarbook.changes.attribution.explain import explain_changes

__all__ = ["explain_changes"]
