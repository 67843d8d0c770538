"""Which lines of a change are the cause of what becomes of a minion's pillar."""

from pillarbook.book.because.explain import explain_changes

__all__ = ["explain_changes"]
