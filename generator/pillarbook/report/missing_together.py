"""Rows of the home page for what is most likely missing for one reason.

Formulas, and a private folder, are missing as a whole, and one store of secrets answers no call:
thirty rows of which each names one file would hide whatever else is wrong.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pillarbook.diagnostics import Diagnostic

FEWEST = 3
"""Findings that make one row."""
MAX_NAMES = 12
"""Names in a row before the others are counted."""
MISSING = "missing-sls"
_MISSING = re.compile(r"^the ((?:state )?SLS) '([^']+)' (does not exist.*)$")
_CALLS = re.compile(r"^(?:the )?((?:state )?SLS) '([^']+)' (calls '[^']+', which has no .*)$")
_PATTERNS = {MISSING: _MISSING, "undeclared-function": _CALLS}
"""By rule: what kind of SLS a message is about, its name, and the rest."""
_OF_MANY = (("does not", "do not"), ("calls", "call"))
Folded = Mapping[Diagnostic, Sequence[Diagnostic]]
"""Each finding, with those that follow from it."""


@dataclass(frozen=True, slots=True)
class _About:
    """What a message says of an SLS."""

    kind: str
    """``SLS`` or ``state SLS``."""
    name: str
    """Its name."""
    what: str
    """What is wrong with it."""


def join_missing(folded: Folded) -> Folded:
    """Return findings with one for several that most likely have one reason.

    These are the missing SLS of a folder, those of states, and the calls of one function.
    """
    groups: dict[tuple[str, ...], list[Diagnostic]] = {}
    for one in folded:
        groups.setdefault(_group_of(one), []).append(one)
    joined: dict[Diagnostic, list[Diagnostic]] = {}
    for group in groups.values():
        is_one = len(group) >= FEWEST and _read(group[0]) is not None
        for one in (_join(group),) if is_one else group:
            follow = [below for member in (group if is_one else (one,)) for below in folded[member]]
            joined[one] = follow
    return joined


def _read(one: Diagnostic) -> _About | None:
    pattern = _PATTERNS.get(one.code)
    found = pattern.match(one.message) if pattern else None
    return _About(*found.groups()) if found else None


def _group_of(one: Diagnostic) -> tuple[str, ...]:
    """Return what the findings of a row have in common; its own message for any other."""
    about = _read(one)
    if about is None:
        return (one.code, str(one.severity), one.message, str(one.position), str(one.path))
    is_folder = one.code == MISSING and not one.of_states
    folder = about.name.partition(".")[0] if is_folder else ""
    return (one.code, str(one.severity), about.kind, about.what, folder)


def _join(group: Sequence[Diagnostic]) -> Diagnostic:
    """Return one finding for several, with all of their minions."""
    first = max(group, key=lambda one: len(one.minions))
    found = [about for one in group if (about := _read(one)) is not None]
    names = list(dict.fromkeys(about.name for about in found))
    more = f" and {len(names) - MAX_NAMES:,} more" if len(names) > MAX_NAMES else ""
    what = found[0].what
    for single, many in _OF_MANY:
        what = re.sub(rf"^{single}", many, what)
    named = f"{', '.join(names[:MAX_NAMES])}{more}"
    return replace(
        first,
        message=f"{len(names):,} {found[0].kind} {what}: {named}",
        minions=tuple(dict.fromkeys(_minions(group))),
    )


def _minions(group: Sequence[Diagnostic]) -> Iterator[str]:
    for one in group:
        yield from one.minions
