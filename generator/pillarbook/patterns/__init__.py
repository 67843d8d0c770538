"""Recognizes secrets by keys and forms of values, and harmless values that resemble them."""
