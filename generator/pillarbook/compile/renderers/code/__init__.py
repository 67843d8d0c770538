"""Renderers that run code of the tree, which somebody outside of the tree must allow."""
