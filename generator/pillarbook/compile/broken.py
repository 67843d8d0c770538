"""Where Salt's own compile breaks off with an exception instead of an ``_errors`` entry."""

from pillarbook.diagnostics import Diagnostic, Severity
from pillarbook.model import Position


class CompileBreaksOff(Exception):  # noqa: N818 (what happens to the compile)
    """The minion gets no pillar at all; the text is the type and words of Salt's exception."""

    def __init__(self, words: str, diagnostic: Diagnostic | None = None) -> None:
        super().__init__(words)
        self.words = words
        """The type and words of Salt's exception."""
        self.diagnostic = diagnostic
        """What is wrong and where, where more is known than the words say."""

    def told(self, what: str, position: Position | None) -> Diagnostic:
        """Return what is said of it.

        Args:
            what: What Salt breaks off: ``the compile``.
            position: Where the minion is declared, for where no other place is known.
        """
        return self.diagnostic or Diagnostic(
            code="compile-breaks-off",
            severity=Severity.ERROR,
            message=f"Salt breaks off {what}: {self.words}",
            position=position,
        )
