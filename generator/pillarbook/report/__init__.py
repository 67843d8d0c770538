"""From data to pages: pure functions that write HTML fragments and know nothing of MkDocs.

A fragment escapes its own text and works in any theme.
"""

from pillarbook.report.addresses import Page, PageKind
from pillarbook.report.minion import MinionPage, MinionPages, MinionSummary
from pillarbook.report.report import Report
from pillarbook.report.slug import slug
from pillarbook.report.source import EnvironmentSide, ReportSource
from pillarbook.report.templates import page_environment, template_root

__all__ = [
    "EnvironmentSide",
    "MinionPage",
    "MinionPages",
    "MinionSummary",
    "Page",
    "PageKind",
    "Report",
    "ReportSource",
    "page_environment",
    "slug",
    "template_root",
]
