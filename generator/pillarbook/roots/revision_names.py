"""Finds the commit of a revision as people write it: ``main``, ``v1.2^``, ``yesterday``.

Source: git's manual, gitrevisions(7) and "Date formats". Searches (``:/text``) are not supported,
and of dates only the common formats.
"""

import difflib
import re
import shlex
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType

from pillarbook.diagnostics import PillarbookError
from pillarbook.roots.git_references import REFTABLE
from pillarbook.roots.repository import AmbiguousIdError, Repository

SECONDS: Mapping[str, int] = MappingProxyType(
    {
        "second": 1,
        "minute": 60,
        "hour": 3_600,
        "day": 86_400,
        "week": 7 * 86_400,
        "month": 30 * 86_400,
        "year": 365 * 86_400,
    }
)
FORMS = "'yesterday', '24 hours ago', '2026-01-31' or '2026-01-31T12:00:00+01:00'"
"""The formats that an error proposes."""
_AGO = re.compile(rf"(\d{{1,9}}|an?)[ .]({'|'.join(SECONDS)})s?(?:[ .]ago)?", re.IGNORECASE)

# `HEAD~999999999` is valid, and would walk the whole history to find that there is no such commit.
MAX_STEPS = 100_000
"""The most generations to go back."""
MAX_NEAR = 3
"""The most names that an error proposes."""
SHORT = 7
"""The number of characters of a commit's id in messages and on pages."""
_PLACES = ("{}", "refs/{}", "refs/tags/{}", "refs/heads/{}", "refs/remotes/{}")
_STEPS = re.compile(r"(?:[~^]\d{0,9}|\^\{(?:commit)?\})*$")
_STEP = re.compile(r"([~^])(\d*)(\{(?:commit)?\})?")
_ID = re.compile(r"[0-9a-f]{4,40}", re.IGNORECASE)
_DESCRIBED = re.compile(r".+-g([0-9a-f]{4,40})$")
_FORBIDDEN = re.compile(r"[\x00-\x20\x7f~^:?*\[\\]")
"""Characters that no name of a reference has."""
_UPSTREAM = re.compile(r"(.*)@\{u(?:pstream)?\}$", re.IGNORECASE)
_LOGGED = re.compile(r"(.*)@\{([^{}]+)\}")
_BRANCH = "refs/heads/"
_WHOLE = "`fetch-depth: 0` (`GIT_DEPTH: 0` in GitLab)"
"""The settings with which CI clones the whole history."""


class RevisionError(PillarbookError):
    """A revision has no commit here; the message has a remedy."""


class UnknownRevisionError(RevisionError):
    """No reference here has one of these names."""

    def __init__(self, message: str, *names: str) -> None:
        super().__init__(message)
        self.names = names


@dataclass(frozen=True, slots=True)
class Revisions:
    """Finds the commits of one repository."""

    repository: Repository
    """The repository."""
    now: Callable[[], float] = time.time
    """Returns the current time, in seconds since 1970."""

    def find(self, text: str) -> str:
        """Return the id of the commit that a revision names.

        Raises:
            RevisionError: There is no such commit here; has a remedy.
            RepositoryError: The repository cannot be read.
        """
        steps = _STEPS.search(text)
        start = steps.start() if steps else len(text)
        commit = self._find_start(text[:start] or "HEAD", text)
        for kind, number, braces in _STEP.findall(text[start:]):
            if not braces:
                commit = self._step(commit, kind, int(number or 1), text)
        return commit

    def name_of_head(self) -> str | None:
        """Return the short name of the checked-out branch; None if HEAD is detached."""
        target = self.repository.references.leads_to("HEAD")
        return target.removeprefix(_BRANCH) if target and target.startswith(_BRANCH) else None

    def merge_base(self, one: str, other: str, words: str) -> str:
        """Return the best common ancestor of two commits; ``words`` names both in the error.

        Raises:
            RevisionError: There is none here; has a remedy.
            RepositoryError: The repository cannot be read.
        """
        found = self.repository.merge_base(one, other)
        if found is not None:
            return found
        remedy = self._deepen() or "choose commits with a common ancestor, or compare saved results"
        raise RevisionError(f"{words} have no common ancestor in this clone: {remedy}")

    def find_before(self, commit: str, text: str) -> str:
        """Return the last commit before a time, among a commit and its first parents.

        Raises:
            RevisionError: There is none here, or the text is no time; has a remedy.
            RepositoryError: The repository cannot be read.
        """
        when = self._read_time(text)
        for _ in range(MAX_STEPS):
            history = self.repository.history_of(commit)
            if history.time <= when:
                return commit
            if not history.parents:
                break
            commit = history.parents[0]
        remedy = self._deepen()
        end = f"is before {commit[:SHORT]}, the oldest commit of this clone: {remedy}"
        first = f"is before the first commit, {commit[:SHORT]}: name a later time, or a commit"
        raise RevisionError(f"'{text}' {end if remedy else first}")

    def first_parents(self, commit: str, end: str) -> list[str] | None:
        """Return a commit and its first parents, the newest first, without ``end``.

        None if ``end`` is not among them, as far as this clone has them.
        """
        found: list[str] = []
        while commit != end:
            found.append(commit)
            parents = self.repository.history_of(commit).parents
            if not parents or len(found) == MAX_STEPS:
                return None
            commit = parents[0]
        return found

    def _read_time(self, text: str) -> float:
        when = read_time(text, self.now())
        if when is None:
            raise RevisionError(f"'{text}' is not a known form of time: write {FORMS}")
        return when

    def _find_logged(self, name: str, entry: str, text: str) -> str:
        """Return the commit of a reference some changes ago, or at a time."""
        own = self.name_of_head() if name == "" else None
        full = self._full_name(f"{_BRANCH}{own}" if own else name or "HEAD", text)
        log = self.repository.references.log_of(full)
        if not log:
            how = "checkouts in CI have none; name a commit, or use --since"
            raise RevisionError(f"'{text}': this clone has no log of {full} ({how})")
        if entry.isdecimal():
            number = int(entry)
            if number > len(log):
                raise RevisionError(f"'{text}': the log of {full} has only {len(log)} entries")
            found = log[-1][1] if number == 0 else log[-number][0]
        else:
            when = self._read_time(entry)
            found = next((new for _, new, at in reversed(log) if at <= when), log[0][0])
        if not found.strip("0"):
            how = "name a commit, or use --since"
            raise RevisionError(
                f"'{text}': {full} did not exist then; its log begins later ({how})"
            )
        return found

    def _full_name(self, name: str, text: str) -> str:
        if name in ("HEAD", "@"):
            return "HEAD"
        places = (place.format(name) for place in _PLACES[1:])
        for full in (name, *places) if name.startswith("refs/") else places:
            if self.repository.references.find(full) is not None:
                return full
        raise UnknownRevisionError(f"'{text}': {self._word_unknown(name)}", name)

    def _find_start(self, name: str, text: str) -> str:
        upstream = _UPSTREAM.match(name)
        if upstream:
            name = self._upstream(upstream[1], text)
        logged = None if upstream else _LOGGED.fullmatch(name)
        if logged:
            return self._find_logged(logged[1], logged[2], text)
        if name == "@":
            name = "HEAD"
        if name == "HEAD":
            return self._head()
        found = self._find_named(name) or self._find_id(name, text)
        if found is None:
            raise UnknownRevisionError(self._word_unknown(name), name)
        return found

    def _find_named(self, name: str) -> str | None:
        if len(name) == 40 and _ID.fullmatch(name):
            return None  # an id counts before a branch of the same name
        if self.repository.references.is_reftable:
            return None
        places = _PLACES if name.isupper() or name.startswith("refs/") else _PLACES[1:]
        names = [place.format(name) for place in places]
        return self.repository.find_commit(*names, f"refs/remotes/{name}/HEAD")

    def _find_id(self, name: str, text: str) -> str | None:
        described = _DESCRIBED.fullmatch(name)
        start = described[1] if described else name
        if not _ID.fullmatch(start):
            return None
        try:
            found = self.repository.find_object(start.lower())
        except AmbiguousIdError as error:
            message = f"the revision '{text}' matches several objects: give more of its id"
            raise RevisionError(message) from error
        if found is None and len(start) == 40:
            remedy = f"`{self._fetch('origin', start)}` fetches it{self._in_ci()}"
            raise RevisionError(f"the commit {start} is not in this clone: {remedy}")
        return found

    def _head(self) -> str:
        if self.repository.references.is_reftable:
            raise RevisionError(f"the repository {self.repository.folder} {REFTABLE}")
        found = self.repository.find_commit("HEAD")
        if found is not None:
            return found
        branch = self.name_of_head()
        if branch is None:
            raise RevisionError(f"HEAD of {self.repository.folder} has no commit")
        raise RevisionError(f"the branch '{branch}' has no commit yet: commit something first")

    def _upstream(self, branch: str, text: str) -> str:
        own = self.name_of_head() if branch in {"", "@", "HEAD"} else branch
        if own is None:
            raise RevisionError(f"'{text}': HEAD is detached and has no upstream: name a branch")
        upstream = self.repository.references.upstream_of(own)
        if upstream is None:
            remedy = f"`git branch --set-upstream-to=origin/{own} {own}`, or name a branch"
            raise RevisionError(f"'{text}': the branch '{own}' has no upstream: {remedy}")
        return upstream

    def _step(self, commit: str, kind: str, number: int, text: str) -> str:
        if kind == "~":
            for _ in range(min(number, MAX_STEPS)):
                commit = self._parent(commit, 1, text)
            return commit
        return self._parent(commit, number, text) if number else commit

    def _parent(self, commit: str, number: int, text: str) -> str:
        parents = self.repository.history_of(commit).parents
        if number <= len(parents):
            return parents[number - 1]
        short = commit[:SHORT]
        if commit in self.repository.references.shallow:
            message = f"'{text}' is before {short}, where this clone ends: {self._deepen()}"
        else:
            what = "no parent" if not parents else f"no parent number {number}"
            message = f"'{text}' does not exist: {short} has {what}"
        raise RevisionError(message)

    def _deepen(self) -> str | None:
        """Return the remedy for a shallow clone; None if the clone is complete."""
        if not self.repository.references.shallow:
            return None
        return f"the clone is shallow: run `git fetch --unshallow`, or in CI set {_WHOLE}"

    def _in_ci(self) -> str:
        """Return the additional remedy for a shallow clone in CI."""
        is_shallow = self.repository.references.shallow
        return f"; the clone is shallow, so in CI set {_WHOLE}" if is_shallow else ""

    def _fetch(self, *words: str) -> str:
        """Return the command that fetches something with all its history."""
        depth = ("--unshallow",) if self.repository.references.shallow else ()
        return shlex.join(("git", "fetch", *depth, *words))

    def _word_unknown(self, name: str) -> str:
        if self.repository.references.is_reftable:
            return f"the repository {self.repository.folder} {REFTABLE}"
        message = f"unknown revision '{name}'"
        if "@{" in name or name.startswith(":"):
            return f"{message}: searches are not supported; use a commit, branch or tag"
        if ".." in name:
            return f"'{name}' is a range, not a revision: use one range, or two revisions"
        if _FORBIDDEN.search(name):
            return f"{message}: this cannot be a name in git; name a branch, tag or commit"
        near = " or ".join(f"'{one}'" for one in self._near(name))
        how = f"{self._word_fetch(name)}{self._in_ci()}"
        return f"{message}; did you mean {near}? Otherwise, {how}" if near else f"{message}: {how}"

    def _word_fetch(self, name: str) -> str:
        """Return the command that fetches an unknown name.

        It also names the local reference, because a clone of a single branch keeps no others.
        """
        short = name.removeprefix("refs/").removeprefix("remotes/")
        remote, _, branch = short.partition("/")
        if remote == "origin" or self.repository.references.options_of("remote", remote):
            kept = f"refs/remotes/{remote}/{branch or 'HEAD'}"
            if branch in {"", "HEAD"}:
                leads_to = self.repository.references.leads_to(kept)
                kept = leads_to or kept
                branch = kept.removeprefix(f"refs/remotes/{remote}/")
            source = branch if branch == "HEAD" else f"{_BRANCH}{branch}"
            return f"`{self._fetch(remote, f'+{source}:{kept}')}` fetches it if it is a branch"
        if not self.repository.references.options_of("remote", "origin"):
            return "name a branch, tag or commit of this repository"
        if name.startswith("refs/"):
            return f"`{self._fetch('origin', f'+{name}:{name}')}` fetches it if it exists"
        branch = name.removeprefix("heads/")
        fetch = self._fetch("origin", f"{_BRANCH}{branch}:{_BRANCH}{branch}")
        tag = self._fetch("origin", "tag", name.removeprefix("tags/"))
        return f"`{fetch}` fetches it if it is a branch, `{tag}` if it is a tag"

    def _near(self, name: str) -> list[str]:
        references = self.repository.references
        # A clone's origin/HEAD may name a branch that the clone lacks.
        names = {
            full.split("/", 2)[2]
            for full in references.names()
            if full.startswith((_BRANCH, "refs/tags/", "refs/remotes/")) and references.find(full)
        }
        exact = sorted(one for one in names if one.endswith(f"/{name}"))
        near = difflib.get_close_matches(name, sorted(names), n=MAX_NEAR)
        return list(dict.fromkeys([*exact, *near]))[:MAX_NEAR]


def read_time(text: str, now: float) -> float | None:
    """Return the time in a text, in seconds since 1970; None if it is no time."""
    text = text.strip()
    if text.lower() in ("now", "yesterday"):
        return now - (SECONDS["day"] if text.lower() == "yesterday" else 0)
    ago = _AGO.fullmatch(text)
    if ago:
        number = 1 if ago[1].lower().startswith("a") else int(ago[1])
        return now - number * SECONDS[ago[2].lower()]
    try:
        return _read_date(text).timestamp()
    except (ValueError, OverflowError, OSError):
        return None


def _read_date(text: str) -> datetime:
    """Return a date, in the machine's time zone if it names none, as git does.

    A date without a time means its last second.
    """
    found = datetime.fromisoformat(text)
    is_day = re.fullmatch(r"\d{4}-?\d{2}-?\d{2}", text) is not None
    return (found + timedelta(days=1, seconds=-1) if is_day else found).astimezone()
