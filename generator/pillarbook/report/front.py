"""The fleet at a glance, for the front page."""

from collections import Counter
from collections.abc import Sequence

import jinja2

from pillarbook.diagnostics import Diagnostic, Severity
from pillarbook.report.minion import MinionSummary
from pillarbook.report.slug import slug

OUTCOMES = {
    "ok": "compiled without errors",
    "partial": "Salt delivers the pillar with errors in it",
    "failed": "Salt delivers no pillar",
    "empty": "no target gives it anything",
}
"""Every outcome, and what it means."""
MOST_DIAGNOSTICS = 500
"""Diagnostics that the front page shows; the worst come first."""


def write_front(
    minions: Sequence[MinionSummary],
    diagnostics: Sequence[Diagnostic],
    templates: jinja2.Environment,
) -> str:
    """Return the fleet's state: outcomes, secrets, diagnostics, and a line for each minion.

    Args:
        minions: In the order in which they are to be listed.
        diagnostics: Worst first.
        templates: The environment of page templates.
    """
    outcomes = Counter(summary.outcome for summary in minions)
    secrets = [place for summary in minions for place in summary.secrets]
    severities = Counter(diagnostic.severity for diagnostic in diagnostics)
    return templates.get_template("front.html").render(
        minions=minions,
        outcomes=[(word, outcomes[word], meaning) for word, meaning in OUTCOMES.items()],
        secrets=len(secrets),
        different_secrets=len(set(secrets)),
        severities=[(str(severity), severities[severity]) for severity in reversed(Severity)],
        diagnostics=diagnostics[:MOST_DIAGNOSTICS],
        not_shown=max(len(diagnostics) - MOST_DIAGNOSTICS, 0),
        slug=slug,
    )
