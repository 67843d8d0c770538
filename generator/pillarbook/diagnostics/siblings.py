"""Joins findings that most likely have one reason, for people who read a list.

Formulas, and a private folder, are missing as a whole, one store of secrets answers no call, and
one habit gives one note for each file: thirty rows would hide whatever else is wrong. Formats for
programs keep each finding, with its line.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from pillarbook.diagnostics.diagnostic import Diagnostic, Severity

FEWEST = 3
"""Findings that make one row."""
MISSING = "missing-sls"
_OF_SLS = re.compile(r"^(?:the )?((?:state )?SLS) '([^']+)' (.+)$")
_QUOTED = re.compile(r"'([^']*)'")
_ASIDE = re.compile(r"\(([^()]+)\)$")
_OF_MANY = (("does not", "do not"), ("calls", "call"))
Folded = Mapping[Diagnostic, Sequence[Diagnostic]]
"""Each finding, with those that follow from it."""


@dataclass(frozen=True, slots=True)
class FindingGroup:
    """A finding, or several with one reason."""

    shown: Diagnostic
    """What is said; of several, with the minions of all, and without their names."""
    follow_on: tuple[Diagnostic, ...]
    members: tuple[tuple[Diagnostic, str], ...] = ()
    """Of several: each, and what it is about; empty if their messages are equal."""

    @property
    def names(self) -> tuple[str, ...]:
        """What the members are about, each name once."""
        return tuple(dict.fromkeys(name for _, name in self.members if name))


def join_siblings(folded: Folded) -> list[FindingGroup]:
    """Return a row for each finding, and one for several that most likely have one reason.

    These are missing SLS, those of a folder apart; SLS files that fail in the same way; one message
    about several lines; and the warnings or notes of one rule. Of equally severe ones, the row with
    most minions and errors that follow from it is the first.
    """
    rows = _join_all(folded)
    return sorted(
        rows,
        key=lambda row: (-row.shown.severity, -len(row.follow_on) - len(row.shown.minions)),
    )


def _join_all(folded: Folded) -> Iterator[FindingGroup]:
    groups = _group(folded, _reason_of)
    few = [one for group in groups if len(group) < FEWEST for one in group]
    joined = {id(one): group for group in groups if len(group) >= FEWEST for one in group}
    for group in _group(few, _wider_reason_of):
        if len(group) >= FEWEST or len({one.message for one in group}) == 1:
            joined.update((id(one), group) for one in group)
    for one in folded:
        group = joined.get(id(one), [one])
        if group[0] is one:
            follow = tuple(below for member in group for below in folded[member])
            yield _join(group, follow) if len(group) > 1 else FindingGroup(one, follow)


def _group(
    diagnostics: Iterable[Diagnostic], reason: Callable[[Diagnostic], tuple[str, ...]]
) -> list[list[Diagnostic]]:
    groups: dict[tuple[str, ...], list[Diagnostic]] = {}
    for one in diagnostics:
        groups.setdefault((one.code, str(one.severity), *reason(one)), []).append(one)
    return list(groups.values())


def _reason_of(one: Diagnostic) -> tuple[str, ...]:
    """Return what the findings of a row have in common."""
    if one.severity is not Severity.ERROR:
        return ()
    found = _OF_SLS.match(one.message)
    if found is None:
        return (one.message,)
    kind, name, what = found.groups()
    return (kind, what, name.partition(".")[0] if _is_in_folder(one) else "")


def _wider_reason_of(one: Diagnostic) -> tuple[str, ...]:
    """Return what a few findings have in common: missing SLS of all folders are one row."""
    return _reason_of(one)[:2] if _is_in_folder(one) else (one.message,)


def _is_in_folder(one: Diagnostic) -> bool:
    return one.code == MISSING and not one.of_states


def _join(group: Sequence[Diagnostic], follow_on: tuple[Diagnostic, ...]) -> FindingGroup:
    """Return one row for several findings, with all of their minions."""
    first = group[0]
    found = [_OF_SLS.match(one.message) for one in group]
    if first.severity is Severity.ERROR and all(found):
        names = [match[2] for match in found if match]
        message = _say_of_many(first, len(set(names)))
    else:
        names = list(_name_by_difference(group))
        is_one = len({one.message for one in group}) == 1
        named = None if is_one else name_many(first.code, len(group))
        message = named or f"{len(group):,} times: {first.message}"
    minions = dict.fromkeys(minion for one in group for minion in one.minions)
    remedy, times = Counter(one.help for one in group).most_common(1)[0]
    remedy = remedy if times * 2 > len(group) else None  # it would be wrong for most of them
    shown = replace(first, message=message, minions=tuple(minions), help=remedy)
    return FindingGroup(shown, follow_on, tuple(zip(group, names, strict=True)))


def _say_of_many(one: Diagnostic, count: int) -> str:
    """Return ``3 SLS do not exist in environment 'base'``."""
    found = _OF_SLS.match(one.message)
    if count == 1 or found is None:
        return one.message
    kind, what = found[1], found[3]
    for single, many in _OF_MANY:
        what = re.sub(rf"^{single}\b", many, what)
    return f"{count:,} {kind} {what}"


def _name_by_difference(group: Sequence[Diagnostic]) -> Iterator[str]:
    """Yield for each finding the first quoted name that is not the same in all of them.

    For a message without a name, it is what stands in parentheses at the end, if anything.
    """
    quoted = [_QUOTED.findall(one.message) for one in group]
    fewest = min(map(len, filter(None, quoted)), default=0)
    named = [names for names in quoted if names]
    at = next((at for at in range(fewest) if len({names[at] for names in named}) > 1), None)
    for one, names in zip(group, quoted, strict=True):
        aside = _ASIDE.search(one.message)
        if at is None:
            yield ""
        else:
            yield names[at] if names else aside[1] if aside else ""


_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "broken-target": "targets that Salt cannot evaluate",
        "cannot-compile": "reasons why a minion cannot be compiled",
        "changed-alias": "merges that also change another key",
        "changes-grains": "changes of a template's input data",
        "compile-breaks-off": "exceptions that stop Salt",
        "conflicting-id": "state IDs that two SLS files declare",
        "doubtful-yaml": "places that most likely do not mean what their author wanted",
        "duplicate-key": "duplicate keys",
        "ext-pillar-error": "failures of external pillars",
        "forgeable-secret": "targets that give secrets to a minion that sets its grains",
        "git-crypt": "files that are locked by git-crypt",
        "incomplete-pillar-opts": "pillars without the master's defaults",
        "internal-error": "internal errors of pillarbook",
        "jinja-error": "templates that Jinja cannot render",
        "json-error": "documents that are not valid JSON",
        "key-expired": "values that are encrypted to an expired key",
        "key-missing": "encrypted values without a key in the keyring",
        "key-revoked": "values that are encrypted to a revoked key",
        "limit-exceeded": "renders that exceed a limit",
        "lost-scalar": "values that another SLS silently replaces",
        "malformed-option": "master options with a structure that Salt does not accept",
        "mine-in-pillar": "calls of `mine.get`, which finds nothing on a master",
        "minion-opts": "minion options, which a master ignores",
        "missing-branch": "git repositories without the requested branch",
        "missing-grain": "reads of undeclared grains",
        "missing-import": "imports of files that do not exist",
        "missing-include": "`include` options of the master file that match no file",
        "missing-repository": "git repositories that are missing on this machine",
        "missing-revision": "revisions that the report cannot be compared with",
        "missing-root": "folders of the roots that do not exist",
        "missing-sls": "SLS that do not exist",
        "missing-state": "states that do not exist",
        "missing-states": "trees whose state SLS are mostly in other repositories",
        "missing-top": "environments without a top file",
        "needs-trust": "settings that have no effect without trust",
        "no-minion-file": "external pillars without a file of a minion",
        "not-compared": "files that cannot be read on one side of a comparison",
        "not-utf-8": "files that are not UTF-8",
        "opens-files": "SLS whose code opens files itself",
        "option-type": "master options of the wrong type, or that Salt does not know",
        "outside-reach": "files or folders outside the repository",
        "pillar-in-pillar": "reads of keys that another SLS of the pillar sets",
        "plain-secret": "possible plain-text secrets in the tree",
        "reads-clock": "templates that read the clock",
        "render-error": "SLS that their renderer cannot render",
        "requisite-cycle": "cycles of states that wait for each other",
        "sealed-sls": "SLS that are completely encrypted",
        "secret-branch": "places where values depend on a secret",
        "secret-copied": "copies of secrets in plain text",
        "secret-in-name": "names that contain a secret",
        "sls-shape": "SLS with a structure that Salt does not accept or ignores",
        "state-shape": "states with a structure that Salt does not accept",
        "too-deep": "pillars or includes with too many nested levels",
        "top-shape": "entries of top files that Salt does not accept",
        "type-clash": "keys with different types in two SLS files",
        "unavailable-ext-pillar": "external pillars that do not run",
        "undeclared-clock": "templates that fail because no time is declared",
        "undeclared-function": "calls that fail because no answer is declared",
        "undecryptable": "encrypted values that cannot be decrypted",
        "unknown-environment": "environments without roots in a top file",
        "unknown-minion": "minions that targets name and the inventory does not have",
        "unknown-name": "keys, or names of included SLS, that are not known",
        "unknown-renderer": "renderers that Salt does not know",
        "unknown-state": "states that are left out because they depend on unknown values",
        "unmatched-target": "targets, or words of them, that match no minion",
        "unreadable-file": "files that cannot be read",
        "unsupported-renderer": "renderers that do not run",
        "unused-sls": "SLS that no minion gets",
        "yaml-error": "documents that are not valid YAML",
    }
)


def name_many(code: str, count: int) -> str | None:
    """Return what several findings of a rule are called, with their number; None without a rule."""
    name = _NAMES.get(code)
    return None if name is None else f"{count:,} {name}"
