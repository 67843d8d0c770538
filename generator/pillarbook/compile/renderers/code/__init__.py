"""Renderers that run code of the tree: only where somebody outside the tree trusts it."""
