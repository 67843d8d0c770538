"""What a change of pillar, or of the files of states, does to the states."""

from pillarbook.book.impact.declared import DeclaredHunks
from pillarbook.book.impact.look import look_at, look_in_environments
from pillarbook.book.impact.tell import Impact, Looked

__all__ = ["DeclaredHunks", "Impact", "Looked", "look_at", "look_in_environments"]
