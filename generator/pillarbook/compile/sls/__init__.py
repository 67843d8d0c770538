"""Finds SLS files, renders them, and merges them with their includes."""
