"""Links from the files and lines of a comment to the commit that was compared.

Runs on text that was checked. Each address is made here, of the event's commit and of a file and
line in a form that nothing else has; no address comes from the text.
"""

import re

from checked_text import FENCE, MAX_CHARACTERS

PLACE = re.compile(
    r"(?<![`\[])`(?P<file>[A-Za-z0-9_][\w.+-]*(?:/[A-Za-z0-9_][\w.+-]*)*):(?P<line>[1-9]\d{0,6})`(?!`)",
    re.ASCII,
)
"""A file and its line as code; no part of the path is hidden, empty, ``.`` or ``..``."""
BEFORE = " (before)"
"""Follows a line that only the base has."""


def link_files(text: str, files: str) -> str:
    """Return checked Markdown whose files are links, as far as there is room.

    ``files`` is the address of the commit's files, with a slash at its end; empty for no links.
    """
    if not files:
        return text
    room = MAX_CHARACTERS - len(text)

    def write(found: re.Match[str]) -> str:
        nonlocal room
        file = found["file"]
        is_file = "/" in file or "." in file
        link = f"[{found.group()}]({files}{file}#L{found['line']})"
        cost = len(link) - len(found.group())
        if not is_file or cost > room or found.string.startswith(BEFORE, found.end()):
            return found.group()
        room -= cost
        return link

    fence: str | None = None
    written = []
    for line in text.split("\n"):
        begins = FENCE.fullmatch(line)
        if fence is None and begins:
            fence = begins[1]
        elif line == fence:
            fence = None
        written.append(line if fence else PLACE.sub(write, line))
    return "\n".join(written)
