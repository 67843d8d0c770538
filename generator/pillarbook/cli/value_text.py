"""Values, and lines of files, as lines of text for people in a folder of the repository."""

import json
import os
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from pillarbook.diagnostics import PillarbookError
from pillarbook.inventory.reach import find_repository
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


def show_place(text: str) -> str:
    """Return a text that may begin with a file of the repository, as one clean line.

    In JSON, on pages and in comments, names of files count from the top of the repository. On a
    terminal they count from the current folder, so that they can be opened from there.

    Any text but ``file``, ``file:line`` and ``file:line: message`` stays as it is.
    """
    here = Path.cwd()
    top = _find_top(here)
    file, colon, rest = text.partition(":")
    if top is None or top == here or "\0" in file or not os.path.lexists(top / file):
        return clean_line(text)
    return clean_line(f"{os.path.relpath(top / file, here)}{colon}{rest}")


# By the current folder, which a command never leaves; no command makes a repository. So one search
# serves all the lines that it prints.
@lru_cache(maxsize=1)
def _find_top(here: Path) -> Path | None:
    """Return the top of the repository around a folder; None if there is none."""
    try:
        return find_repository(here)
    except PillarbookError:
        return None
