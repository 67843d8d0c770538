"""Finds values that are computed from secrets, by a second compile with placeholders."""
