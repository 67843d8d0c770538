"""Renderers: what Salt turns files into data with."""
