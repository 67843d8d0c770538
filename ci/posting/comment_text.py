"""The one comment of a report: its mark and its text."""

import re
from dataclasses import dataclass

from checked_text import MAX_CHARACTERS, check_text
from faults import PostingError, RefusedError
from file_links import link_files
from minion_links import link_minions
from new_changes import commit_of, show_new
from result_file import Result

NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
COMMIT = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")

NOTHING_NEW = "nothing to post: no minion changes, or the comment on this commit stays as it is"
NO_COMPARISON = ("\n### Pillar: not compared\n", "\n### Pillar: not shown\n")
NOT_COMPARED = "### Pillar: not compared\n\nThe comparison failed; [the run]({}) says why."
NOT_SHOWN = "### Pillar: not shown\n\nThe result of [the run]({}) has an unexpected format."


@dataclass(frozen=True, slots=True)
class About:
    """The subject of a comment; all fields come from the event, none from the other job."""

    name: str
    """The report's name, if a repository has several."""
    head: str
    """The commit that was compared."""
    link: str
    """The address of the run."""
    files: str = ""
    """The address of the commit's files, with a slash at its end; empty if it is not known."""
    report: str = ""
    """The address of the published report, with a slash at its end; empty if there is none."""
    page: str = ""
    """The address of the run's own report as a page; empty if the run only has it as a file."""


def marker(name: str) -> str:
    """Return the hidden first line that identifies a report's comment.

    Raises:
        PostingError: The name is invalid.
    """
    if not NAME.fullmatch(name):
        raise PostingError("the report's name may have only lower-case letters, digits and '-'")
    return f"<!-- pillarbook: {name} -->"


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment to post."""

    body: str
    """All of it."""
    refused: str | None = None
    """Why the result is not shown, for the log; None if it is shown."""


def write_comment(
    about: About, result: Result | RefusedError | None, earlier: str | None = None
) -> Comment | None:
    """Return the comment to post; None to leave all as it is.

    The ``result`` is None for no result, an error for a refused one; ``earlier`` is the text of the
    comment that the same account posted before.

    Raises:
        PostingError: The event is invalid.
    """
    if not COMMIT.fullmatch(about.head):
        raise PostingError("the event names no commit")
    if _is_needless(about, result, earlier):
        return None
    try:
        text, refused = _write_result(about, result, earlier), None
    except RefusedError as error:
        text, refused = NOT_SHOWN.format(about.link), str(error)
    body = f"{marker(about.name)}\n{text.rstrip()}\n\nCommit {about.head}\n"
    return Comment(body, refused)


def _is_needless(about: About, result: Result | RefusedError | None, earlier: str | None) -> bool:
    """Say whether a comment would say nothing new.

    Without a result, as in a second run after the artifact expired, the comment on the same commit
    stays. A change without effect gets no comment, but an earlier comment is updated.
    """
    if result is None:
        is_good = earlier is not None and not any(one in earlier for one in NO_COMPARISON)
        return is_good and commit_of(earlier or "") == about.head
    return isinstance(result, Result) and result.state == "unchanged" and earlier is None


def link_report(text: str, about: About) -> str:
    """Return checked Markdown whose links to the report open a page, if there is one."""
    to_run = f"[full report]({about.link})"
    if about.page:
        return text.replace(to_run, f"[full report]({about.page})")
    if about.report:
        return text.replace(to_run, f"{to_run} · [published report]({about.report})", 1)
    return text


def _write_result(about: About, result: Result | RefusedError | None, earlier: str | None) -> str:
    if isinstance(result, RefusedError):
        raise result
    if result is None or result.state == "failed":
        return NOT_COMPARED.format(about.link)
    if result.head != about.head:
        raise RefusedError("the result is for another commit")
    checked = link_report(check_text(result.markdown, about.link), about)
    text = link_minions(link_files(checked, about.files), about.report)
    if earlier is None:
        return text
    # GitHub returns other line ends after an edit in a browser.
    return show_new(text, about.head, earlier.replace("\r\n", "\n"), MAX_CHARACTERS)
