"""Finds the two states of a repository to compare, and names them."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeAlias

from pillarbook.model.phrases import count, list_some
from pillarbook.roots.git_files import OUTSIDE, RepositoryError
from pillarbook.roots.git_home import GitHome, find_home
from pillarbook.roots.repository import Repository
from pillarbook.roots.revision_names import SHORT, RevisionError, Revisions, UnknownRevisionError

WORKING_TREE = "working tree"
"""The name of the files on disk."""
DEFAULT_BASE = "HEAD"
MAX_COMMITS = 20
"""The most commits since an earlier report that are listed."""
_COMMIT = re.compile(r"[0-9a-f]{40}")
# Three dots are in no revision; a path such as `../old.json` must not match.
_RANGE = re.compile(r"((?:[^.]|\.(?!\.))*)(\.\.\.?)(?![./])(.*)")


@dataclass(frozen=True, slots=True)
class Since:
    """The last commit before a time, as a base."""

    text: str
    """The time: ``24 hours ago``."""


@dataclass(frozen=True, slots=True)
class SinceReport:
    """The commit of an earlier report, as a base."""

    commit: str
    """The commit's id."""
    time: datetime
    """When the report was made."""
    is_modified: bool
    """Whether the working tree had changes that the commit does not have."""

    @classmethod
    def check(cls, commit: object, time: object, modified: object) -> "SinceReport | None":
        """Return a base for the fields of a report; None if they have another form."""
        if not (isinstance(commit, str) and _COMMIT.fullmatch(commit) and isinstance(time, str)):
            return None
        try:
            return cls(commit, datetime.fromisoformat(time), modified is True)
        except ValueError:
            return None


Base: TypeAlias = str | Since | SinceReport
"""How the base is named: a revision, a time, or an earlier report."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two states."""

    label: str
    """The name for people: ``a1b2c3d (merge base with main)``."""
    commit: str | None
    """The commit's id; None for the working tree."""
    named: str
    """The revision as it was given; ``working tree`` for that."""
    home: GitHome
    """The location of the repository."""
    repository: Repository
    notes: tuple[str, ...] = ()
    """Notes for the reader."""


# The base is the merge base, not the tip of the other branch: docs/decisions/0018.
def resolve_sides(
    folder: Path,
    base: Base | None = None,
    head: str | None = None,
    default_base: str | None = None,
    *,
    allow: tuple[Path, ...] = (),
    trusted: bool = False,
) -> tuple[Side, Side]:
    """Return the two sides to compare: base and head.

    The base is the merge base of the named revision and the head, so that later commits on the
    other branch are no change.

    Args:
        folder: A folder of the repository; in a bare one, it need not exist.
        base: A git revision; None for the default. A range ``A..B`` or ``A...B`` names both sides;
            with two dots the base is ``A`` itself. Or a time: the last commit before it. Or an
            earlier report: its commit.
        head: A git revision; None for the working tree, with uncommitted changes.
        default_base: The revision in the configuration; ``HEAD`` if there is none.
        allow: Folders outside of the repository that may be read (``--allow``).
        trusted: Whether the repository may borrow objects from any folder.

    Raises:
        RevisionError: There is no repository, or no such commit; the message has a remedy.
    """
    home = find_home(folder.absolute())
    if home is None:
        raise UnknownRevisionError(
            f"{folder} is not in a git repository, so it has no revisions: run this in a clone, or"
            " compare two saved results",
            *(name for name in (base, head) if isinstance(name, str)),
        )
    if "" in (base, head):
        raise RevisionError("a revision is an empty text: omit it, or set its variable")
    base, head, is_exact = _read_range(base, head)
    named = base or default_base or DEFAULT_BASE
    try:
        repository = Repository(home.folder, allowed=_may_read(home, allow, trusted=trusted))
        revisions = Revisions(repository)
        second = _find_head(home, repository, revisions, head)
        first = _find_first(named, second, revisions, is_exact=is_exact)
    except RepositoryError as error:
        raise RevisionError(_word(error)) from error
    return first, second


def _read_range(base: Base | None, head: str | None) -> tuple[Base | None, str | None, bool]:
    """Return the sides of a range, and whether the base is the named commit itself."""
    found = _RANGE.fullmatch(base) if isinstance(base, str) and head is None else None
    if found is None:
        return base, head, False
    return found[1] or DEFAULT_BASE, found[3] or DEFAULT_BASE, found[2] == ".."


def _find_first(named: Base, second: Side, revisions: Revisions, *, is_exact: bool) -> Side:
    if isinstance(named, Since):
        return _find_since(named, second, revisions)
    if isinstance(named, SinceReport):
        return _find_reported(named, second, revisions)
    return _find_base(named, second, revisions, is_exact=is_exact)


def _find_reported(report: SinceReport, head: Side, revisions: Revisions) -> Side:
    commit = revisions.find(report.commit)
    made = f"report of {report.time:%Y-%m-%d %H:%M} UTC"
    notes = []
    if report.is_modified:
        notes.append(
            f"the {made} was made with changes that its commit {commit[:SHORT]} does not have;"
            " these are not compared"
        )
    since = revisions.first_parents(head.commit or revisions.find("HEAD"), commit)
    if since:
        shown = list_some(since, MAX_COMMITS, lambda one: one[:SHORT])
        notes.append(f"{count(len(since), 'commit')} since the {made}: {shown}")
    label = f"{commit[:SHORT]} ({made})"
    return Side(label, commit, report.commit, head.home, head.repository, tuple(notes))


def _find_since(since: Since, head: Side, revisions: Revisions) -> Side:
    commit = revisions.find_before(head.commit or revisions.find("HEAD"), since.text)
    label = f"{commit[:SHORT]} ({since.text})"
    return Side(label, commit, since.text, head.home, head.repository)


def _find_head(
    home: GitHome, repository: Repository, revisions: Revisions, head: str | None
) -> Side:
    if head is not None:
        commit = revisions.find(head)
        return Side(_label(commit, _describe(head, revisions)), commit, head, home, repository)
    if home.is_bare:
        raise RevisionError(
            f"{home.folder} is a bare repository, which has no working tree: name two revisions"
        )
    return Side(WORKING_TREE, None, WORKING_TREE, home, repository)


def _find_base(named: str, head: Side, revisions: Revisions, *, is_exact: bool) -> Side:
    tip = revisions.find(named)
    other = head.commit or revisions.find("HEAD")
    words = f"'{named}' and {'HEAD' if head.commit is None else repr(head.named)}"
    commit = tip if is_exact or tip == other else revisions.merge_base(tip, other, words)
    how = _describe(named, revisions) if commit == tip else f"merge base with {named}"
    return Side(_label(commit, how), commit, named, head.home, head.repository)


def _label(commit: str, how: str) -> str:
    """Return the short id of a commit and how it was named, unless that is the id too."""
    is_id = len(how) >= SHORT and commit.startswith(how.lower())
    return commit[:SHORT] if is_id else f"{commit[:SHORT]} ({how})"


def _describe(named: str, revisions: Revisions) -> str:
    """Return the name of a revision, with notes on unusual conditions."""
    is_head = named in {"HEAD", "@"}
    return f"{named}, detached" if is_head and revisions.name_of_head() is None else named


def _may_read(home: GitHome, allow: tuple[Path, ...], *, trusted: bool) -> Callable[[Path], bool]:
    folders = (home.folder, *home.own, *(folder.resolve() for folder in allow))
    return lambda path: trusted or any(path.is_relative_to(folder) for folder in folders)


def _word(error: RepositoryError) -> str:
    """Return the error of a repository, with a remedy."""
    if error.reason == OUTSIDE:
        return (
            f"{error.folder} uses files of git in another folder: allow that folder with --allow"
            " DIR, or use --trust"
        )
    if error.reason.startswith("lacks"):
        return (
            f"{error}: fetch it with `git fetch`; `git fetch --unshallow` completes a shallow clone"
            " (in CI: `fetch-depth: 0`), `git fetch --refetch` a partial one"
        )
    return str(error)
