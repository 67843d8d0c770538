"""Find which lines of a commit cause the changes of a minion's pillar."""

from pillarbook.changes.attribution.explain import explain_changes

__all__ = ["explain_changes"]
