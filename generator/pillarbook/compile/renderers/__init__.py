"""Renderers, which turn files into data."""
