"""One entry of a history, ``pillarbook.history/1``: what one build changed since the one before.

    {"schema": "pillarbook.history/1", "pillarbook": version, "number": from 1,
     "time": of the build, "commit": null or {"id", "time", "modified"},
     "not_compared": null or why, "start": whether it is the first entry,
     "minions": [ID, ...],
     "affected": [{"who": words, "members": [[first, last], ...]}],
     "results": [{"outcome", "group": N}],
     "commits": [{"id", "date", "author"}],
     "changes": [{"path", "kind", "before", "after", ..., "positions", "secrets", "variants",
                  "long", "group": N, "commits": [N, ...]}],
     "left_out": number of further changes, "token_key": ID or null, "seal": text or null}

``minions`` has those that the build affected, once; ``affected`` has groups of them as ranges of
positions in that list. So a change of ten thousand minions takes little more than one of a single
minion. Entries are in the order of their numbers; two builds at once may have one number.
"""

import hmac
import json
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain
from typing import Any

from pillarbook import __version__
from pillarbook.compare.atoms import Atom, Cited
from pillarbook.compare.change import change_to_json
from pillarbook.compare.diff import Diff
from pillarbook.compare.secret_pairs import describe_secrets
from pillarbook.compare.strict import Fingerprints, canonical
from pillarbook.model import to_tagged
from pillarbook.redact.tokens import TokenKey
from pillarbook.report.about_report import AboutReport, ReportCommit
from pillarbook.report.folded_atoms import unite_causes
from pillarbook.report.group_names import GroupNames
from pillarbook.report.source import NotCompared, ReportSource
from pillarbook.report.told_changes import MAX_VARIANTS
from pillarbook.report.value_html import TokenOf
from pillarbook.roots.history import LineAge

FORM = "pillarbook.history/"
SCHEMA = f"{FORM}1"
PURPOSE = b"entries of a history"
# These limits keep a year of builds small, for any change.
MAX_CHANGES = 2_000
"""The most changes of an entry; those of most minions come first."""
MAX_VALUE = 4_000
"""The most characters of the JSON of a value."""
UNTOLD = ("unchanged", "changed", "still failing")
"""Results of minions that an entry does not name: the changes do, or they are not new."""


@dataclass(frozen=True, slots=True)
class _Fold:
    """Changes of one key that are one change in an entry."""

    atoms: Sequence[Atom]
    minions: tuple[str, ...]
    because: tuple[Cited, ...]
    variants: int


def write_entry(entry: Mapping[str, Any], key: TokenKey) -> str:
    """Return an entry as JSON, with the seal of a key if it was given."""
    whole = {**entry, "token_key": key.id if key.is_given else None}
    return json.dumps({**whole, "seal": _seal(whole, key)}) + "\n"


def is_sealed_by(entry: Mapping[str, Any], key: TokenKey) -> bool:
    """Say whether an entry has the seal of a key; without a key, nobody can tell."""
    seal = _seal({name: part for name, part in entry.items() if name != "seal"}, key)
    return seal is None or hmac.compare_digest(str(entry.get("seal")).encode(), seal.encode())


def _seal(entry: Mapping[str, Any], key: TokenKey) -> str | None:
    if not key.is_given:
        return None
    return blake2b(json.dumps(entry).encode(), key=key.derive(PURPOSE)).hexdigest()


def make_start(
    about: AboutReport, number: int = 1, *, not_compared: str | None = None
) -> dict[str, Any]:
    """Return the first entry of a history, or one of a build that is not compared."""
    return {
        **_make_head(about, number, not_compared=not_compared),
        "start": not_compared is None,
        **dict.fromkeys(("minions", "affected", "results", "commits", "changes"), ()),
        "left_out": 0,
    }


def make_entry(
    source: ReportSource, number: int, diff: Diff, words: GroupNames
) -> dict[str, Any] | None:
    """Return the entry of a build that was compared; None if nothing changed."""
    folds = list(_fold(diff))
    results: dict[str, list[str]] = {}
    for minion, result in diff.minions.items():
        if result.word not in UNTOLD:
            results.setdefault(result.word, []).append(minion)
    if not folds and not results:
        return None
    kept = folds[:MAX_CHANGES]
    groups = _Groups(words, diff, (*results.values(), *(one.minions for one in kept)))
    commits = _find_commits(source, kept)
    known = {age.commit: number for number, age in enumerate(_unite(commits))}
    return {
        **_make_head(source.about.describe(), number),
        "start": False,
        "minions": groups.minions,
        "results": [
            {"outcome": word, "group": groups.number(some)} for word, some in results.items()
        ],
        "commits": [
            {"id": age.commit, "date": age.date, "author": age.author} for age in _unite(commits)
        ],
        "changes": [
            {
                **_change_to_json(one, source.token),
                "group": groups.number(one.minions),
                "commits": [known[age.commit] for age in ages],
            }
            for one, ages in zip(kept, commits, strict=True)
        ],
        "affected": groups.written,
        "left_out": len(folds) - len(kept),
    }


def _make_head(
    about: AboutReport, number: int, *, not_compared: str | None = None
) -> dict[str, Any]:
    commit = about.commit
    return {
        "schema": SCHEMA,
        "pillarbook": __version__,
        "number": number,
        "time": about.time,
        "commit": None if commit is None else _commit_to_json(commit),
        "not_compared": not_compared,
    }


def _commit_to_json(commit: ReportCommit) -> dict[str, Any]:
    return {"id": commit.id, "time": commit.time, "modified": commit.is_modified}


def _fold(diff: Diff) -> Iterator[_Fold]:
    """Yield the changes that are shown; those of one key with many values are one.

    The files that set the values are not kept, so changes that differ only in these are one, too.
    """
    order = {minion: number for number, minion in enumerate(diff.minions)}
    prints = Fingerprints()
    places: dict[Hashable, dict[Hashable, list[Atom]]] = {}
    for atom in () if diff.bare else diff.shown:
        change = atom.change
        values = prints.of(change.before), prints.of(change.after)
        moved = change.moved_from, change.moved_to, describe_secrets(change)
        place = places.setdefault((change.kind, tuple(map(canonical, change.path))), {})
        place.setdefault((*values, *moved), []).append(atom)
    for by_values in places.values():
        is_one = len(by_values) > MAX_VARIANTS
        found = [list(chain.from_iterable(by_values.values()))] if is_one else by_values.values()
        for atoms in found:
            members = {minion for atom in atoms for minion in atom.minions}
            minions = tuple(sorted(members, key=order.__getitem__))
            yield _Fold(atoms, minions, unite_causes(atoms), len(by_values) if is_one else 1)


def _change_to_json(fold: _Fold, token: TokenOf) -> dict[str, Any]:
    change = fold.atoms[0].change
    written = change_to_json(change, token)
    values: dict[str, Any] = {
        name: written.pop(name) for name in ("before", "after") if name in written
    }
    written = {name: written[name] for name in ("kind", "from", "to") if name in written}
    is_long = any(len(json.dumps(value)) > MAX_VALUE for value in values.values())
    return {
        "path": [to_tagged(key) for key in change.path],
        **written,
        **(dict[str, Any]() if is_long or fold.variants > 1 else values),
        "positions": sorted(change.positions),
        "secrets": describe_secrets(change),
        "variants": fold.variants,
        "long": is_long,
    }


class _Groups:
    """The groups of an entry, each once, with the minions as ranges of one list."""

    def __init__(self, words: GroupNames, diff: Diff, groups: Iterable[Sequence[str]]) -> None:
        groups_of = dict.fromkeys(diff.minions, 0)
        for number, group in enumerate(dict.fromkeys(map(tuple, groups))):
            for minion in group:
                groups_of[minion] |= 1 << number
        # Minions of the same groups are neighbours, so each group is a few ranges.
        named = (minion for minion, own in groups_of.items() if own)
        self.minions = sorted(named, key=groups_of.__getitem__)
        self.written: list[dict[str, Any]] = []
        self._words = words
        self._places = {minion: number for number, minion in enumerate(self.minions)}
        self._known: dict[tuple[str, ...], int] = {}

    def number(self, minions: Sequence[str]) -> int:
        """Return the number of a group."""
        key = tuple(minions)
        if key not in self._known:
            self._known[key] = len(self.written)
            ranges: list[list[int]] = []
            for place in sorted(map(self._places.__getitem__, key)):
                if ranges and place == ranges[-1][1] + 1:
                    ranges[-1][1] = place
                else:
                    ranges.append([place, place])
            who = self._words.describe(minions, str, str)
            self.written.append({"who": who, "members": ranges})
        return self._known[key]


def _find_commits(source: ReportSource, folds: Sequence[_Fold]) -> list[tuple[LineAge, ...]]:
    """Return for each change the commits of the lines that are its cause."""
    since = source.since
    if since is None or isinstance(since, NotCompared):
        return [() for _ in folds]
    lines = {one for fold in folds for one in fold.because}
    ages = source.ages(sorted((one.file, one.line) for one in lines if one.side == "head"))
    # A line that is no longer there has no age.
    gone = {one.file: since.last_change(one.file) for one in lines if one.side == "base"}
    found = []
    for fold in folds:
        own = (
            gone[one.file] if one.side == "base" else ages.get((one.file, one.line))
            for one in fold.because
        )
        known = {one.commit: one for one in own if one and one.commit and not one.at_least}
        found.append(tuple(known.values()))
    return found


def _unite(commits: Iterable[tuple[LineAge, ...]]) -> Iterable[LineAge]:
    return {age.commit: age for ages in commits for age in ages}.values()
