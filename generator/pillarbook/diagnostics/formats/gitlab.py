"""Diagnostics as a Code Quality report: GitLab compares it with the target branch's.

Source: GitLab's "Code Quality report format"; entries with equal fingerprints count once there.
"""

from collections.abc import Sequence
from typing import Any

from pillarbook.diagnostics.diagnostic import Diagnostic, Severity
from pillarbook.diagnostics.formats.fingerprints import take_fingerprints
from pillarbook.diagnostics.formats.repository_paths import RepositoryPaths
from pillarbook.diagnostics.formats.wording import clean, with_minions

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.NOTE: "info"}


def to_gitlab(diagnostics: Sequence[Diagnostic], places: RepositoryPaths) -> list[dict[str, Any]]:
    """Return the entries of a Code Quality report; what has no place stands in a declared file.

    Args:
        diagnostics: The findings.
        places: Where their files lie.
    """
    entries = []
    fingerprints = take_fingerprints(diagnostics, places)
    for one, fingerprint in zip(diagnostics, fingerprints, strict=True):
        place = places.placeholder(one)
        entries.append(
            {
                "description": with_minions(places.describe(one), one.minions),
                "check_name": one.code,
                "fingerprint": fingerprint,
                "severity": _SEVERITIES[one.severity],
                "location": {"path": clean(place.file), "lines": {"begin": place.line}},
            }
        )
    return entries
