"""Diagnostics as a Code Quality report: GitLab compares it with the target branch's.

Source: GitLab's "Code Quality report format"; entries with equal fingerprints count once there.
"""

from collections.abc import Sequence
from typing import Any

from pillarbook.diagnostics.diagnostic import Diagnostic, Severity
from pillarbook.diagnostics.formats.repository_findings import RepositoryPaths, take_fingerprints
from pillarbook.diagnostics.formats.wording import clean, with_minions

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.NOTE: "info"}


def to_gitlab(diagnostics: Sequence[Diagnostic], paths: RepositoryPaths) -> list[dict[str, Any]]:
    """Return the entries of a Code Quality report; one without a position gets a declared file."""
    entries = []
    fingerprints = take_fingerprints(diagnostics, paths)
    for one, fingerprint in zip(diagnostics, fingerprints, strict=True):
        place = paths.placeholder(one)
        entries.append(
            {
                "description": with_minions(paths.describe(one), one.minions),
                "check_name": one.code,
                "fingerprint": fingerprint,
                "severity": _SEVERITIES[one.severity],
                "location": {"path": clean(place.file), "lines": {"begin": place.line}},
            }
        )
    return entries
