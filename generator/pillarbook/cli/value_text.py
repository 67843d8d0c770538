"""Values as a line of text."""

import json
from typing import Any, Protocol

from pillarbook.model import to_tagged
from pillarbook.model.unknown import Unknown
from pillarbook.redact import Redacted, RedactedOrigin

WIDEST = 100
"""Characters of a value that are shown."""


class HasTokens(Protocol):
    """An object that returns the tokens of secrets."""

    def token(self, place: int) -> str:
        """Return the token of the secret with a place number."""


def show_value(known: HasTokens, value: Any) -> str:
    """Return a value as one line of text without control characters for a terminal."""
    if isinstance(value, Redacted):
        return f"<redacted: {value.reason}, {known.token(value.secret_id)}>"
    if isinstance(value, Unknown):
        return f"<{clean_line(str(value))}>"
    told = value if isinstance(value, float) else to_tagged(value)
    clean = clean_line(json.dumps(told, ensure_ascii=False))
    if len(clean) <= WIDEST:
        return clean
    half = WIDEST // 2  # without its middle, because what matters may be at its end
    return f"{clean[: half - 1]}\N{HORIZONTAL ELLIPSIS}{clean[-half:]}"


def show_overridden(known: HasTokens, origin: RedactedOrigin) -> str:
    """Return an overridden value, behind its keys if it was in a container that was overridden."""
    value = show_value(known, origin.value)
    return f"{origin.text_below}: {value}" if origin.below else value


def clean_line(text: str) -> str:
    """Return a text as one line without control characters for a terminal."""
    if text.isprintable():
        return text
    return "".join(part if part.isprintable() else "\N{REPLACEMENT CHARACTER}" for part in text)
