"""Diagnostics as JSON, in the form that the guide documents."""

from collections.abc import Sequence
from typing import Any

from pillarbook.diagnostics.diagnostic import Diagnostic
from pillarbook.model import to_tagged

SCHEMA = "pillarbook.check/1"


def to_json(diagnostics: Sequence[Diagnostic], ignored: int = 0) -> dict[str, Any]:
    """Return diagnostics in the documented JSON form.

    Args:
        diagnostics: Those that count.
        ignored: How many the configuration ignores.
    """
    return {
        "schema": SCHEMA,
        "ignored": ignored,
        "diagnostics": [
            {
                "code": one.code,
                "severity": str(one.severity),
                "message": one.message,
                "file": one.position.file if one.position else None,
                "line": one.position.line if one.position else None,
                "path": None if one.path is None else [to_tagged(key) for key in one.path],
                "minions": list(one.minions),
                "help": one.help,
                "related": [{"file": place.file, "line": place.line} for place in one.related],
            }
            for one in diagnostics
        ],
    }
