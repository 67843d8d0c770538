"""``report.json``: what a report is of, and what its run could not see, for programs."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence

from pillarbook import __version__
from pillarbook.diagnostics import Diagnostic
from pillarbook.report.about_report import SALT, AboutReport
from pillarbook.report.fleet_summary import FleetSummary

SCHEMA = "pillarbook.report/1"


def write_about(
    about: AboutReport, fleet: FleetSummary, diagnostics: Iterable[Diagnostic], site_name: str
) -> str:
    """Return ``report.json``."""
    summaries = [minion.summary for minion in fleet.minions.values()]
    commit = about.commit
    found: dict[str, object] = {
        "schema": SCHEMA,
        "site_name": site_name,
        "commit": None
        if commit is None
        else {
            "id": commit.id,
            "branch": commit.branch,
            "time": commit.time,
            "modified": commit.is_modified,
        },
        "time": about.time,
        "pillarbook": __version__,
        "salt": SALT,
        "minions": len(summaries),
        "inventory": list(about.inventory),
        "guessed": about.guessed,
        "outcomes": dict(Counter(str(summary.outcome) for summary in summaries)),
        "environments": [side.name for side in fleet.environments],
        "not_trusted": _list_untrusted(list(diagnostics)),
        "not_decrypted": fleet.not_decrypted,
    }
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


def _list_untrusted(diagnostics: Sequence[Diagnostic]) -> list[str]:
    return [one.message for one in diagnostics if one.code == "needs-trust"]
