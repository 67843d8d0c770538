"""From data to pages: pure functions that write HTML fragments and know nothing of MkDocs.

A fragment escapes its own text and works in any theme.
"""
