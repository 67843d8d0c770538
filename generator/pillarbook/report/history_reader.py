"""Reads the entries of a history; ``history_entry`` describes their format."""

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from pillarbook.compare.change import Change
from pillarbook.compare.outcomes import RESULTS, show_result
from pillarbook.compare.result_reader import BROKEN, need_text, need_text_or_none
from pillarbook.compare.secret_pairs import CHANGED, CIPHERTEXT, NOT_TOLD
from pillarbook.redact.redacted_json import from_json, read_key
from pillarbook.redact.secret_index import MARK
from pillarbook.redact.tokens import Tokens

# A damaged or planted entry may name its minions any number of times.
MAX_MEMBERS = 5_000_000
"""The most members of all groups of an entry."""
KINDS = ("added", "removed", "changed", "moved", "reordered")
SECRETS = (None, CHANGED, CIPHERTEXT, NOT_TOLD)


@dataclass(frozen=True, slots=True)
class SavedHistory:
    """What a report knows of the builds before."""

    entries: Sequence[Mapping[str, Any]]
    """The entries, oldest first, as their files have them."""
    is_compared: bool
    """Whether the report is compared with the last of them."""
    clean: Callable[[str], str]
    """Removes the secrets that this run knows from a text."""


@dataclass(frozen=True, slots=True)
class HistoryCommit:
    """A commit that changed something."""

    id: str
    """Its id, in hexadecimal."""
    date: str | None
    """The day on which its author wrote it."""
    author: str | None
    """Its author, if the report names authors."""


@dataclass(frozen=True, slots=True)
class HistoryGroup:
    """Minions that one build affected alike."""

    who: str
    """Words for them."""
    minions: tuple[str, ...]
    """Their ids."""


@dataclass(frozen=True, slots=True, eq=False)
class HistoryChange:
    """A change of one build; compared by identity."""

    word: str
    """The kind of change; of a minion that is new, removed or the like, its result."""
    change: Change | None
    """The change, without values if these are too long or too many; None for a result."""
    group: HistoryGroup
    commits: tuple[HistoryCommit, ...] = ()
    """The commits that are the cause, as far as they are known."""
    secrets: str | None = None
    """What was known of its two secrets."""
    variants: int = 1
    """How many pairs of values it has."""
    is_long: bool = False
    """Whether its values are too long."""

    @property
    def has_no_values(self) -> bool:
        """Whether the entry does not have its values."""
        return self.is_long or self.variants > 1


@dataclass(frozen=True, slots=True, eq=False)
class HistoryEntry:
    """What one build changed; compared by identity."""

    number: int
    """The number of the build, from 1; builds at the same time may have one number."""
    time: str
    """When it was built, in UTC: ``2026-01-31 12:00``."""
    commit: str | None
    """The checked-out commit; None outside of a repository."""
    is_modified: bool
    """Whether files were not as that commit has them."""
    is_start: bool
    """Whether it is the first build."""
    not_compared: str | None
    """Why it was not compared with the build before; None if it was."""
    changes: tuple[HistoryChange, ...]
    """Minions that are new, removed or the like, then the changes."""
    left_out: int
    """How many more there were."""


def redact_entry(data: Mapping[str, Any], clean: Callable[[str], str]) -> Mapping[str, Any]:
    """Return an entry without the secrets that a later run knows; itself if it has none."""
    changes = [_clean(one, clean) for one in data["changes"]]
    redacted = {
        **data,
        "not_compared": _clean(data["not_compared"], clean),
        "commits": _clean(data["commits"], clean),
        "affected": [{**one, "who": clean(one["who"])} for one in data["affected"]],
        # Of a date with a secret in it, nothing is left that could be read.
        "changes": [
            one
            for one, was in zip(changes, data["changes"], strict=True)
            if one == was or _is_readable(one)
        ],
    }
    return data if redacted == data else redacted


def read_entry(data: Mapping[str, Any], tokens: Tokens) -> HistoryEntry:
    """Return an entry, given what its file has; ``tokens`` gives secret ids for its tokens.

    Raises:
        AttributeError, KeyError, TypeError, ValueError and the like (``BROKEN``): A part is missing
            or has another form.
    """
    if not isinstance(data["number"], int):
        raise TypeError
    groups = _read_groups(data)
    commits = [
        HistoryCommit(
            bytes.fromhex(one["id"]).hex(),
            need_text_or_none(one["date"]),
            need_text_or_none(one["author"]),
        )
        for one in data["commits"]
    ]
    results = (
        HistoryChange(_read_result(one["outcome"]), None, groups[one["group"]])
        for one in data["results"]
    )
    changes = (_read_change(one, groups, commits, tokens) for one in data["changes"])
    commit = data["commit"]
    return HistoryEntry(
        number=data["number"],
        time=show_time(data["time"]),
        commit=None if commit is None else bytes.fromhex(commit["id"]).hex(),
        is_modified=commit is not None and commit["modified"] is True,
        is_start=data["start"] is True,
        not_compared=need_text_or_none(data["not_compared"]),
        changes=(*results, *changes),
        left_out=int(data["left_out"]),
    )


def show_time(told: str) -> str:
    """Return a time of JSON for people: ``2026-01-31 12:00``."""
    return f"{dt.datetime.fromisoformat(told):%Y-%m-%d %H:%M}"


def _read_result(word: str) -> str:
    if word not in RESULTS:
        raise ValueError("no result")
    return show_result(word)


def _read_groups(data: Mapping[str, Any]) -> list[HistoryGroup]:
    minions, left = tuple(map(need_text, data["minions"])), MAX_MEMBERS
    groups = []
    for one in data["affected"]:
        for first, last in one["members"]:
            left -= last + 1 - first
            if not 0 <= first <= last < len(minions) or left < 0:
                raise ValueError("not the minions of this entry")
        parts = (minions[first : last + 1] for first, last in one["members"])
        groups.append(HistoryGroup(need_text(one["who"]), tuple(chain.from_iterable(parts))))
    return groups


def _read_change(
    told: Mapping[str, Any],
    groups: Sequence[HistoryGroup],
    commits: Sequence[HistoryCommit],
    tokens: Tokens,
) -> HistoryChange:
    change = _read_values(told, tokens)
    if told["secrets"] not in SECRETS:
        raise ValueError("nothing that is known of secrets")
    return HistoryChange(
        change.kind,
        change,
        groups[told["group"]],
        tuple(commits[number] for number in told["commits"]),
        told["secrets"],
        int(told["variants"]),
        told["long"] is True,
    )


def _is_readable(told: Mapping[str, Any]) -> bool:
    try:
        _read_values(told, Tokens())
    except BROKEN:
        return False
    return True


def _read_values(told: Mapping[str, Any], tokens: Tokens) -> Change:
    path, kind = tuple(map(read_key, told["path"])), told["kind"]
    before, after = (from_json(told.get(side), tokens.secret_id) for side in ("before", "after"))
    if kind == "reordered":
        before, after = tuple(before or ()), tuple(after or ())
    moved = told.get("from"), told.get("to")
    positions = frozenset(told["positions"])
    is_whole = all(isinstance(at, int) for at in (*moved, *positions) if at is not None)
    if kind not in KINDS or not is_whole or not all(0 <= at < len(path) for at in positions):
        raise ValueError("no such change")
    return Change(
        path=path,
        kind=kind,
        before=before,
        after=after,
        moved_from=moved[0],
        moved_to=moved[1],
        positions=positions,
    )


def _clean(data: Any, clean: Callable[[str], str]) -> Any:
    """Return data of JSON without the secrets that this run knows."""
    if isinstance(data, str):
        return clean(data)
    if isinstance(data, dict):
        return {clean(key): _clean(item, clean) for key, item in data.items()}
    if isinstance(data, list):
        return [_clean(item, clean) for item in data]
    if data is None or isinstance(data, bool):
        return data
    return data if clean(repr(data)) == repr(data) else MARK
