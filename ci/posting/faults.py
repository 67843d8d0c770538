"""What keeps a result from being shown, or a comment from being posted."""


class RefusedError(Exception):
    """A result that is not of the form that it should have; its text repeats nothing of it."""

    def __init__(self, what: str, line: int = 0) -> None:
        super().__init__(f"line {line}: {what}" if line else what)


class PostingError(Exception):
    """What keeps a comment from being posted."""
