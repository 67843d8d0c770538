"""Masks the text of files: everything that is or may be secret is removed."""
