"""The one comment of a report: how it is found again, and what it says."""

import re
from dataclasses import dataclass

from checked_text import check_text
from faults import PostingError, RefusedError
from result_file import Result

NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
COMMIT = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")

NOT_COMPARED = "### Pillar: not compared\n\nThe comparison came to no end; [the run]({}) says why."
NOT_SHOWN = (
    "### Pillar: not shown\n\nThe result of [the run]({}) is not of the form that it should be."
)


@dataclass(frozen=True, slots=True)
class About:
    """What a comment is about; all of it comes from the event, none from the other job."""

    name: str
    """The report's name, where a repository has several."""
    head: str
    """The commit that was compared."""
    link: str
    """The address of the run."""


def marker(name: str) -> str:
    """Return the hidden first line by which a report's comment is found again.

    Raises:
        PostingError: The name is none.
    """
    if not NAME.fullmatch(name):
        raise PostingError("the report's name is to be of lower-case letters, digits and '-'")
    return f"<!-- pillarbook: {name} -->"


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment as it is posted."""

    body: str
    """All of it."""
    refused: str | None = None
    """Why the result is not shown, for the log; None where it is."""


def write_comment(about: About, result: Result | RefusedError | None) -> Comment:
    """Return what is posted.

    Args:
        about: What it is about.
        result: What the other job handed over; None for nothing, an error for what is refused.

    Raises:
        PostingError: What the event says makes no sense.
    """
    if not COMMIT.fullmatch(about.head):
        raise PostingError("the event names no commit")
    try:
        text, refused = _write_result(about, result), None
    except RefusedError as error:
        text, refused = NOT_SHOWN.format(about.link), str(error)
    body = f"{marker(about.name)}\n{text.rstrip()}\n\nCommit {about.head}\n"
    return Comment(body, refused)


def _write_result(about: About, result: Result | RefusedError | None) -> str:
    if isinstance(result, RefusedError):
        raise result
    if result is None or result.state == "failed":
        return NOT_COMPARED.format(about.link)
    if result.head != about.head:
        raise RefusedError("the result is that of another commit")
    return check_text(result.markdown, about.link)
