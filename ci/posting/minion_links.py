"""Links from the minions of a comment to their pages of the published report.

Runs on text that was checked. Each address is made of the report's address, which the job that
posts is given, and of an id in a form that is its own file name. Minions are in headings and in
folded lists; nothing else of a comment becomes a link here.
"""

import re
from urllib.parse import urlsplit

from checked_text import FENCE, MAX_CHARACTERS
from faults import PostingError

# The rule of `report/slug.py`: any other id has a digest in its file name, and gets no link.
ID = re.compile(
    r"(?<![`\[])`(?P<id>(?=[^`]{1,100}`)[a-z0-9](?:[a-z0-9_-]|\.(?!\.))*(?<!\.))`(?!`)", re.ASCII
)
"""A minion's id as code."""
OTHER_FILES = re.compile(r"(?:index|readme|(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?)", re.ASCII)
"""Ids that are no file names, because something else has them."""
HEADING = re.compile(r"#### (?!New: )[A-Z][a-z ]+: ")
"""What begins a heading with minions; new ones have no page yet."""
LIST = re.compile(r"<details><summary>\d+ minions</summary>")
"""What begins a folded list of minions, two lines above it."""
ADDRESS = re.compile(r"https?://[\w.-]+(?::\d+)?(?:/[\w.~-]+)*/?", re.ASCII)


def check_address(report: str) -> str:
    """Return the address of a report with a slash at its end; empty for none.

    Raises:
        PostingError: It has another form than ``https://HOST/PATH``.
    """
    if not report:
        return ""
    if not ADDRESS.fullmatch(report) or ".." in urlsplit(report).path.split("/"):
        raise PostingError("the report's address must be of the form https://HOST/PATH")
    return f"{report.rstrip('/')}/"


def link_minions(text: str, report: str) -> str:
    """Return checked Markdown whose minions are links, as far as there is room.

    ``text`` is what ``check_text`` returned, ``report`` what ``check_address`` did.
    """
    if not report:
        return text
    room = MAX_CHARACTERS - len(text)

    def write(found: re.Match[str]) -> str:
        nonlocal room
        link = f"[{found.group()}]({report}minions/{found['id']}.html)"
        cost = len(link) - len(found.group())
        if OTHER_FILES.fullmatch(found["id"]) or cost > room:
            return found.group()
        room -= cost
        return link

    fence: str | None = None
    lines = text.split("\n")
    for at, line in enumerate(lines):
        begins = FENCE.fullmatch(line)
        if fence is None and begins:
            fence = begins[1]
        elif line == fence:
            fence = None
        elif fence is None and (HEADING.match(line) or (at > 1 and LIST.fullmatch(lines[at - 2]))):
            lines[at] = ID.sub(write, line)
    return "\n".join(lines)
