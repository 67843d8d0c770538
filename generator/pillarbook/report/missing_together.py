"""Rows of the home page for SLS files that are most likely missing for one reason.

Formulas, and a private folder, are missing as a whole: thirty rows of which each names one file
would hide whatever else is wrong.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pillarbook.diagnostics import Diagnostic

FEWEST = 3
"""Missing SLS that make one row."""
MAX_NAMES = 12
"""Names in a row before the others are counted."""
CODE = "missing-sls"
_WORDS = re.compile(r"^the ((?:state )?SLS) '([^']+)' does not exist(.*)$")
"""What kind of SLS, its name, and the environment."""
Folded = Mapping[Diagnostic, Sequence[Diagnostic]]
"""Each finding, with those that follow from it."""


def join_missing(folded: Folded) -> Folded:
    """Return findings with one for the missing SLS of a folder, and one for those of states."""
    groups: dict[tuple[str, ...], list[Diagnostic]] = {}
    for one in folded:
        groups.setdefault(_group_of(one), []).append(one)
    joined: dict[Diagnostic, list[Diagnostic]] = {}
    for group in groups.values():
        is_one = group[0].code == CODE and len(group) >= FEWEST
        for one in (_join(group),) if is_one else group:
            follow = [below for member in (group if is_one else (one,)) for below in folded[member]]
            joined[one] = follow
    return joined


def _group_of(one: Diagnostic) -> tuple[str, ...]:
    """Return what the findings of a row have in common; its own message for any other."""
    found = _WORDS.match(one.message) if one.code == CODE else None
    if found is None:
        return (one.code, str(one.severity), one.message, str(one.position), str(one.path))
    kind, name, rest = found.groups()
    folder = "" if one.of_states else name.partition(".")[0]
    return (one.code, str(one.severity), kind, rest, folder)


def _join(group: Sequence[Diagnostic]) -> Diagnostic:
    """Return one finding for several, with all of their minions."""
    first = max(group, key=lambda one: len(one.minions))
    found = [match for one in group if (match := _WORDS.match(one.message))]
    names = list(dict.fromkeys(match[2] for match in found))
    more = f" and {len(names) - MAX_NAMES:,} more" if len(names) > MAX_NAMES else ""
    message = (
        f"{len(names):,} {found[0][1]} do not exist{found[0][3]}: "
        f"{', '.join(names[:MAX_NAMES])}{more}"
    )
    minions = tuple(dict.fromkeys(minion for one in group for minion in one.minions))
    return replace(first, message=message, minions=minions)
