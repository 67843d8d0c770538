"""The home page: the fleet at a glance; and ``report.json``, the same for programs."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate
from urllib.parse import quote

import jinja2

from pillarbook import __version__
from pillarbook.compare.diff import Diff
from pillarbook.compare.outcomes import show_result
from pillarbook.diagnostics import Diagnostic, Severity, fold_follow_on
from pillarbook.diagnostics.siblings import FindingGroup, join_siblings
from pillarbook.model.phrases import list_some
from pillarbook.report.about_report import SALT, AboutReport, describe_about
from pillarbook.report.diagnostics import count_rules, names_path
from pillarbook.report.diff_wording import head_line
from pillarbook.report.environment_pages import list_pairs
from pillarbook.report.fleet_summary import NOT_COMPARED, OUTCOMES, WORDS, FleetSummary
from pillarbook.report.group_links import GroupLinks
from pillarbook.report.minion_list import list_rows
from pillarbook.report.pictures import draw_bar
from pillarbook.report.source import NotCompared
from pillarbook.report.told_changes import describe_changes

WHOLE = 50
"""Minions of a fleet that is listed as a whole."""
MAX_MINIONS = 20
"""Minions that are listed of those that are not ok, in a larger fleet."""
MAX_DIAGNOSTICS = 10
"""Diagnostics that are listed."""
ENOUGH_ERRORS = 5
"""Errors from which on no warnings or notes are listed, so that numbers are seen at once, too."""
MAX_NAMES = 12
"""Names in a row of several findings, before the others are counted."""
MAX_MESSAGE = 240
"""Characters of a row's message; the page of diagnostics has all of it."""
INCOMPLETE = frozenset(
    ("missing-repository", "needs-trust", "unavailable-ext-pillar", "unknown-name")
)
"""Rules about what the report lacks: whole keys, or the files of a whole environment."""
MAX_RULES = 60
"""Rules that are listed."""


def write_home(
    groups: GroupLinks,
    diagnostics: Sequence[Diagnostic],
    templates: jinja2.Environment,
    changes: Diff | NotCompared | None = None,
    about: AboutReport | None = None,
    guide: str | None = None,
) -> str:
    """Return the fleet's state: what is broken, what has changed, then numbers and environments."""
    fleet = groups.fleet
    summaries = [minion.summary for minion in fleet.minions.values()]
    secrets = [one.secret_id for summary in summaries for one in summary.secrets]
    folded = fold_follow_on(diagnostics)
    severities = Counter(diagnostic.severity for diagnostic in folded)
    rules = count_rules(folded)
    problems = {_name(row): row for row in join_siblings(folded)}
    is_whole = len(summaries) <= WHOLE
    not_ok = [summary.minion for summary in summaries if summary.outcome != "ok"]
    listed = list(fleet.minions) if is_whole else not_ok[:MAX_MINIONS]
    return templates.get_template("home.html").render(
        minions=len(summaries),
        outcomes=[
            (word, fleet.outcomes[word], meaning, quote(f"outcome:{word}", safe=":"))
            for word, meaning in OUTCOMES.items()
        ],
        values=sum(summary.values for summary in summaries),
        overridden=sum(summary.overridden for summary in summaries),
        unknown=[summary.unknown for summary in summaries if summary.unknown],
        secrets=len(secrets),
        different_secrets=len(set(secrets)),
        severities=[(str(severity), severities[severity]) for severity in reversed(Severity)],
        rules=rules[:MAX_RULES],
        anchors={rule.code: rule.anchor for rule in rules},
        environments=_draw_environments(fleet),
        changes=_sum_up(changes) if isinstance(changes, Diff) else None,
        not_compared=changes if isinstance(changes, NotCompared) else None,
        diagnostics=[
            (one, groups.name([name for name in one.minions if name in fleet.minions], ""))
            for one in _choose(problems)
        ],
        follow_on={one: len(row.follow_on) for one, row in problems.items()},
        places={
            one: len({member.position for member, _ in row.members})
            for one, row in problems.items()
        },
        about=describe_about(about, fleet.not_decrypted) if about is not None else "",
        guessed=about.guessed if about is not None else 0,
        guide=guide,
        names_path=names_path,
        all_diagnostics=len(problems),
        rows=list_rows(fleet, listed),
        is_whole=is_whole,
        not_ok=len(not_ok),
    )


def _name(row: FindingGroup) -> Diagnostic:
    """Return what a row says, with the names of what it is about; of many, the first few."""
    if not row.names:
        return replace(row.shown, message=_shorten(row.shown.message))
    ends = accumulate(len(name) for name in row.names[:MAX_NAMES])
    most = max(1, sum(end <= MAX_MESSAGE for end in ends))
    named = list_some(row.names, most, str)
    return replace(row.shown, message=f"{row.shown.message}: {named}", path=None)


def _shorten(message: str) -> str:
    """Return the beginning of a message that lists very many names."""
    if len(message) <= MAX_MESSAGE or ", " not in message[:MAX_MESSAGE]:
        return message
    return message[: message.rindex(", ", 0, MAX_MESSAGE)] + ", …"


def _choose(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return what to look at first.

    This is what makes the report incomplete, then the worst, and of these what most minions have.
    """
    order = sorted(
        diagnostics,
        key=lambda one: (one.code not in INCOMPLETE, -one.severity, -len(one.minions)),
    )
    first = sum(one.code in INCOMPLETE or one.severity is Severity.ERROR for one in order)
    return order[: min(max(first, ENOUGH_ERRORS), MAX_DIAGNOSTICS)]


def _sum_up(diff: Diff) -> dict[str, object]:
    """Return what the home page says of changes."""
    words = [(show_result(word), number) for word, number in diff.results.items()]
    return {
        "base": diff.base,
        "headline": head_line(diff, describe_changes(diff)),
        "bar": draw_bar(words, f"Changes since {diff.base}"),
        "words": words,
    }


def _draw_environments(fleet: FleetSummary) -> list[dict[str, object]]:
    """Return what the picture shows of each environment."""
    if not fleet.environments:
        return []
    lines = [None, *list_pairs(fleet)]
    drawn: list[dict[str, object]] = []
    for number, (side, line) in enumerate(zip(fleet.environments, lines, strict=True)):
        outcomes = fleet.outcomes_in(number)
        words = [] if line is None else [(word, line.pair.words[word]) for word in WORDS]
        is_compared = line is not None and line.pair.is_compared
        drawn.append(
            {
                "side": side,
                "line": line,
                "outcomes": [(word, outcomes[word]) for word in OUTCOMES if outcomes[word]],
                "outcome_bar": draw_bar(
                    [(word, outcomes[word]) for word in OUTCOMES], f"Outcomes in {side.name}"
                ),
                "is_compared": is_compared,
                "why_not": None if is_compared or line is None else NOT_COMPARED,
                "bar": draw_bar(
                    words, f"{side.name} against {fleet.environments[0].name}", line.pair.call
                )
                if line is not None and is_compared
                else None,
            }
        )
    return drawn


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
        "not_trusted": [one.message for one in diagnostics if one.code == "needs-trust"],
        "not_decrypted": fleet.not_decrypted,
    }
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"
