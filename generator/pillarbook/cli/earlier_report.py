"""Reads what an earlier report says of itself: ``--since-report``."""

import json
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from pillarbook.changes.comparison import SinceReport
from pillarbook.diagnostics import PillarbookError

FILE = "report.json"
FORM = "pillarbook.report/"
MAX_BYTES = 1_000_000
"""Bytes that are read; a report's own are a few hundred."""
MAX_SECONDS = 30.0
"""Seconds that a server may take to answer."""
_WEB = ("https://", "http://")


class EarlierReportError(PillarbookError):
    """An earlier report that cannot be compared with."""

    def __init__(self, where: str, why: str) -> None:
        super().__init__(
            f"--since-report: {where}: {why}; give the address or the folder of a site that"
            " `pillarbook build` wrote"
        )
        self.reason = why
        """Why it cannot be compared with."""


def read_earlier_report(where: str) -> SinceReport:
    """Return the commit that an earlier report was made of.

    Args:
        where: The address of a site, its folder, or its ``report.json``.

    Raises:
        EarlierReportError: There is no such report, or it was made of no commit.
    """
    place = where if where.endswith(".json") else f"{where.rstrip('/')}/{FILE}"
    content = _fetch(place) if where.startswith(_WEB) else _read(place)
    try:
        told: Any = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise EarlierReportError(place, "it is no JSON") from error
    if not (isinstance(told, dict) and str(told.get("schema")).startswith(FORM)):
        raise EarlierReportError(place, f"it does not say `schema: {FORM}1`")
    commit = told.get("commit")
    if not isinstance(commit, dict):
        raise EarlierReportError(place, "the report was not made in a git repository")
    since = SinceReport.check(commit.get("id"), told.get("time"), commit.get("modified"))
    if since is None:
        raise EarlierReportError(place, "its commit or time has an unexpected form")
    return since


def _read(place: str) -> bytes:
    try:
        with Path(place).open("rb") as file:
            return file.read(MAX_BYTES)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it cannot be read"
        raise EarlierReportError(place, reason) from error


def _fetch(address: str) -> bytes:
    try:
        with urllib.request.urlopen(address, timeout=MAX_SECONDS) as answer:  # noqa: S310 (http only)
            return bytes(answer.read(MAX_BYTES))
    except urllib.error.HTTPError as error:
        raise EarlierReportError(address, f"the server answers {error.code}") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise EarlierReportError(address, f"it cannot be fetched ({reason})") from error
