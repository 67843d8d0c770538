"""Diagnostics as text, as JSON, and in the formats of CI systems.

Each format is a pure function of diagnostics. They hold names of the user's, so each escapes for
itself, and none names more than a few minions.
"""
