"""Jinja with Salt's tags, filters, tests, globals and functions."""
