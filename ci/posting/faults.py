"""Errors that stop showing a result or posting a comment."""


class RefusedError(Exception):
    """A result with an unexpected format; the message quotes nothing of it."""

    def __init__(self, what: str, line: int = 0) -> None:
        super().__init__(f"line {line}: {what}" if line else what)


class PostingError(Exception):
    """An error that stops posting a comment."""
