"""Base and head of a change: what differs, which lines are the cause, and the effect on states."""
