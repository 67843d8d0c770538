"""Diagnostics written out: for people, for programs, and for what shows them beside a change.

Each form is a pure function of diagnostics. What they hold is the user's: each escapes for itself,
and none names more than a few of the minions.
"""

from pillarbook.diagnostics.formats.documented import to_json
from pillarbook.diagnostics.formats.github import to_github
from pillarbook.diagnostics.formats.gitlab import to_gitlab
from pillarbook.diagnostics.formats.junit import to_junit
from pillarbook.diagnostics.formats.places import Places
from pillarbook.diagnostics.formats.sarif import to_sarif
from pillarbook.diagnostics.formats.text import count_severities, to_text

__all__ = [
    "Places",
    "count_severities",
    "to_github",
    "to_gitlab",
    "to_json",
    "to_junit",
    "to_sarif",
    "to_text",
]
