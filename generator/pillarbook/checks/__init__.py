"""Finds problems with the data of the whole fleet, for ``check``: values, targets, files."""
