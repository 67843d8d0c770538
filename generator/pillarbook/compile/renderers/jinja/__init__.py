"""Jinja as Salt has it: its tags, filters, tests, globals and functions."""
