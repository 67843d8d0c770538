"""The failure of an external pillar, in Salt's words and in words that may be shown."""

from dataclasses import dataclass

from pillarbook.compile.render_faults import first_line
from pillarbook.compile.renderers.error_words import word_exception
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.compile.renderers.source_text import Line


@dataclass(frozen=True, slots=True)
class Failure:
    """The failure of an external pillar."""

    words: str | None
    """Salt's words, which may quote the file; None if Salt has no words for it."""
    clean: str
    """The words that may be shown."""
    place: Line | None = None
    """File and line, if known."""
    code: str = "ext-pillar-error"
    """The rule for it."""
    told: str | None = None
    """A message that replaces the usual one: ``calls 'x.y', which ...``."""
    help: str | None = None
    """The remedy."""


def explain_failure(error: Exception, *, hides: bool) -> Failure:
    """Return the failure for an exception of an external pillar.

    With ``hides``, the text may contain a secret and is not shown.
    """
    clean = getattr(error, "clean", None) or first_line(word_exception(error))
    place = getattr(error, "place", None)
    words = clean if hides else str(error)
    if isinstance(error, RenderError) and error.told is not None:
        return Failure(words, clean, place, error.rule, error.told, error.help)
    return Failure(words, clean, place, help=getattr(error, "help", None))
