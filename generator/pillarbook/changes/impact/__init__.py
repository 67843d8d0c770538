"""What a change of pillar, or of the files of states, does to the states."""

from pillarbook.changes.impact.declaration_hunks import DeclaredHunks
from pillarbook.changes.impact.fleet_impact import (
    Impact,
    StateComparison,
    look_at,
    look_in_environments,
)

__all__ = ["DeclaredHunks", "Impact", "StateComparison", "look_at", "look_in_environments"]
