"""Reads what an earlier report says of itself: ``--since-report``."""

import json
import urllib.error
import urllib.request
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from pillarbook.changes.comparison import SinceReport
from pillarbook.diagnostics import PillarbookError
from pillarbook.inventory.reach import LinkPolicy
from pillarbook.roots.file_access import DISK

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


def show_report_place(where: str) -> str:
    """Return the place of a report as it may be shown: an address without its password or query."""
    if not where.startswith(_WEB):
        return where
    try:
        scheme, host, path, _, _ = urlsplit(where)
    except ValueError:
        return "the address"
    return urlunsplit((scheme, host.rpartition("@")[2], path, "", ""))


def read_earlier_report(where: str, links: LinkPolicy) -> SinceReport:
    """Return the commit that an earlier report was made of.

    ``where`` is the address of a site, its folder, or its ``report.json``.

    Raises:
        EarlierReportError: There is no such report, or it was made of no commit.
        LinkLeadsOutError: A link of the repository leads out of it.
    """
    content = _fetch(where) if where.startswith(_WEB) else _read(where, links)
    place = show_report_place(where)
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


def _read(where: str, links: LinkPolicy) -> bytes:
    place = Path(where)
    try:
        file = place if place.suffix == ".json" else place / FILE
        return DISK.read(links.resolve(file), MAX_BYTES)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it cannot be read"
        raise EarlierReportError(where, reason) from error


def _fetch(where: str) -> bytes:
    try:
        address = urlsplit(where)
        path = address.path
        if not path.endswith(".json"):
            path = f"{path.rstrip('/')}/{FILE}"
        request = address._replace(path=path, fragment="").geturl()
        with urllib.request.urlopen(request, timeout=MAX_SECONDS) as answer:  # noqa: S310 (http only)
            return bytes(answer.read(MAX_BYTES))
    except urllib.error.HTTPError as error:
        raise EarlierReportError(
            show_report_place(where), f"the server answers {error.code}"
        ) from error
    # The reasons of other errors may quote the address, with a password in it.
    except urllib.error.URLError as error:
        reason = getattr(error.reason, "strerror", None) or type(error.reason).__name__
        raise EarlierReportError(
            show_report_place(where), f"it cannot be fetched ({reason})"
        ) from error
    except (OSError, ValueError, HTTPException) as error:
        raise EarlierReportError(
            show_report_place(where), f"it cannot be fetched ({type(error).__name__})"
        ) from error
