"""What a change of pillar, or of the files of states, does to the states."""

from pillarbook.changes.impact.compare_states import look_at, look_in_environments
from pillarbook.changes.impact.declaration_hunks import DeclaredHunks
from pillarbook.changes.impact.fleet_impact import Impact, StateComparison

__all__ = ["DeclaredHunks", "Impact", "StateComparison", "look_at", "look_in_environments"]
