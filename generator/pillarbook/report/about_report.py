"""What a report is of: commit, time and versions."""

from dataclasses import dataclass

from pillarbook import __version__

SALT = "3008.3"
"""The release of Salt that pillarbook's results are compared with."""
_SHORT = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportCommit:
    """The commit that was checked out."""

    id: str
    """Its id, in hexadecimal."""
    branch: str | None
    """The branch; None if none is checked out."""
    time: str
    """When it was made, in UTC: ``2026-01-31T12:00:00Z``."""
    is_modified: bool
    """Whether files that the report was made of are not as the commit has them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AboutReport:
    """What a report was made of."""

    commit: ReportCommit | None
    """The commit; None outside of a git repository."""
    time: str
    """When the report was made, in UTC; SOURCE_DATE_EPOCH if that is set."""
    guessed: int = 0
    """How many minions of the inventory are marked as guessed."""


def describe_about(about: AboutReport) -> str:
    """Return ``commit 1f0c2aa on main, 2026-01-31 12:00 UTC; pillarbook 1.0, ...``.

    The time is the commit's: that of the build would make every page another one each time.
    """
    writer = f"pillarbook {__version__}, compared with Salt {SALT}"
    commit = about.commit
    if commit is None:
        return writer
    branch = f" on {commit.branch}" if commit.branch else ""
    changes = " with uncommitted changes" if commit.is_modified else ""
    made = f"{commit.time[:16].replace('T', ' ')} UTC"
    return f"commit {commit.id[:_SHORT]}{branch}{changes}, {made}; {writer}"
