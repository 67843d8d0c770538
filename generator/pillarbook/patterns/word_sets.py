"""Sets of words, written as a line of text."""


def word_set(words: str) -> frozenset[str]:
    """Return the words of a text, which are separated by white space."""
    return frozenset(words.split())
