"""The page of all diagnostics, rule by rule."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from urllib.parse import quote

import jinja2
from markupsafe import Markup

from pillarbook.diagnostics import Diagnostic, Severity, fold_follow_on
from pillarbook.diagnostics.rules import RULES
from pillarbook.model import format_path
from pillarbook.report.group_links import GroupLinks
from pillarbook.report.slug import slug
from pillarbook.report.value_html import write_prose

MAX_COUNT = 1000
"""Diagnostics that the page shows; the worst come first."""
MAX_FOLLOW_ON = 20
"""Follow-on errors that are listed under their cause."""
MAX_MINIONS = 5
"""Minions that are listed; more are named as a group."""


@dataclass(frozen=True, slots=True)
class RuleCount:
    """A rule, and how many diagnostics it gave."""

    code: str
    title: Markup
    """What it finds, in a few words, as HTML; empty if the rule has no description."""
    severity: Severity
    """The worst of what it found."""
    count: int
    """How many diagnostics it gave."""

    @property
    def anchor(self) -> str:
        """The id of its section on the page of diagnostics."""
        return "RULE-" + quote(self.code, safe="", errors="surrogatepass")


def count_rules(diagnostics: Collection[Diagnostic]) -> list[RuleCount]:
    """Return the rules that found something, the worst first, then what was found most."""
    counts = Counter(diagnostic.code for diagnostic in diagnostics)
    worst: dict[str, Severity] = {}
    for one in diagnostics:
        worst[one.code] = max(worst.get(one.code, one.severity), one.severity)
    rules = [
        RuleCount(code, _write_title(code), worst[code], count) for code, count in counts.items()
    ]
    return sorted(rules, key=lambda rule: (-rule.severity, -rule.count, rule.code))


def write_diagnostics(
    diagnostics: Sequence[Diagnostic],
    groups: GroupLinks,
    guide: Mapping[str, str],
    templates: jinja2.Environment,
) -> str:
    """Return the page of all diagnostics.

    ``guide`` says where the site explains a rule, by its code.
    """
    folded = fold_follow_on(diagnostics)
    shown: dict[str, list[Diagnostic]] = {}
    for diagnostic in islice(folded, MAX_COUNT):
        shown.setdefault(diagnostic.code, []).append(diagnostic)
    severities = Counter(diagnostic.severity for diagnostic in folded)
    return templates.get_template("diagnostics.html").render(
        rules=[
            (rule, found := shown.get(rule.code, []), guide.get(rule.code), _find_remedy(found))
            for rule in count_rules(folded)
        ],
        follow_on=folded,
        most_follow_on=MAX_FOLLOW_ON,
        severities=[(str(severity), severities[severity]) for severity in reversed(Severity)],
        diagnostics=len(folded),
        most=MAX_COUNT,
        most_minions=MAX_MINIONS,
        name=lambda minions: groups.name(
            [one for one in minions if one in groups.fleet.minions], ""
        ),
        slug=slug,
        names_path=names_path,
    )


def _find_remedy(found: Sequence[Diagnostic]) -> str | None:
    """Return the help that most of a rule's diagnostics share; None if no two share one."""
    if not found:
        return None
    remedy, times = Counter(one.help for one in found).most_common(1)[0]
    return remedy if times > 1 else None


def _write_title(code: str) -> Markup:
    return write_prose(RULES[code].title) if code in RULES else Markup()


def names_path(diagnostic: Diagnostic) -> bool:
    """Say whether the message names the key that the diagnostic is about."""
    return diagnostic.path is not None and format_path(diagnostic.path) in diagnostic.message
