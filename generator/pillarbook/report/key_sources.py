"""What files say of keys: the comment above a key, the address of a line, when it last changed.

The text comes from the pages of these files, where it is masked already. A comment with anything
hidden in it is left out as a whole, and so is one that looks like data or a template: it may be a
setting that somebody took out.
"""

import re
from collections.abc import Iterator, Mapping

from pillarbook.model.phrases import clip
from pillarbook.report.addresses import source_address
from pillarbook.report.key_fleet import KeyEntry
from pillarbook.report.secret_table import Ages
from pillarbook.report.sls_facts import FilePage
from pillarbook.report.source_links import ForgeLinks
from pillarbook.roots.revision_names import SHORT

MAX_LINES = 6
"""Lines of a comment that describe a key; a longer one describes more than a key."""
MAX_CHARACTERS = 300
"""Characters of a description."""
MAX_TRIED = 3
"""Places of a key that are looked at for a comment."""
MAX_MEMBERS = 50
"""Members of a list between one of them and the key above."""
HIDDEN = "{{ hidden }}"
"""Stands for a line of which something is hidden; looks like a template."""
_COMMENT = re.compile(r"\s*#+\s?(.*)")
_NO_PROSE = re.compile(
    r"""
    \s*(?:-\s|[\w.-]+:(?:\s|$)|[\w.-]+\s*=|[{\[<|&*!%@`])    # data
    | .*(?:\{\{|\{%|\{\#|://|\S{30,})                        # a template, an address, a long word
    | \s*(?:-\*-|jinja|vim?:|yamllint|!)                     # for an editor or a linter
    """,
    re.VERBOSE | re.IGNORECASE,
)


class KeySources:
    """Finds comments and addresses, and the commits that set lines."""

    def __init__(self, files: Mapping[str, FilePage], ages: Ages, forge: ForgeLinks) -> None:
        self._files = files
        self._ages = ages
        self._forge = forge
        self._texts: dict[str, dict[int, str]] = {}

    def address(self, file: str, line: int | None) -> str:
        """Return the address of a line, from the folder of keys; empty if it has no page."""
        page = self._files.get(file)
        return "" if page is None else source_address(page.source, "../", line)

    def since(self, file: str, line: int | None) -> dict[str, str | None] | None:
        """Return since which commit a line gives its value; None if that is not known.

        Where the history ends, it is a commit before the last one that is known: that one has all
        lines that are older, so it says nothing of this line.
        """
        age = None if line is None else self._ages.get((file, line))
        if age is None:
            return None
        if age.commit is None:
            words = "not in git" if age.status == "untracked" else "not committed"
            return {"words": words, "commit": None, "address": None, "date": None, "author": None}
        return {
            "words": "before" if age.at_least else "since",
            "commit": age.commit[:SHORT],
            "address": self._forge.commit_address(age.commit),
            "date": None if age.at_least else age.date,
            "author": None if age.at_least else age.author,
        }

    def describe(self, entry: KeyEntry) -> str:
        """Return the comment above a key where it is first set; empty if there is none."""
        places = (
            (spot.leaf.origins[0].file, spot.leaf.origins[0].line)
            for value in entry.values
            for spot in value.spots
            if spot.leaf.origins
        )
        tried = list(dict.fromkeys(places))[:MAX_TRIED]
        comments = (self._comment_above(file, line) for file, line in tried if line is not None)
        return next(filter(None, comments), "")

    def _comment_above(self, file: str, line: int) -> str:
        text = self._text_of(file)
        first = _find_key_line(text, line)
        found = list(_comment_lines(text, first))[::-1]
        if not found or len(found) > MAX_LINES or any(map(_NO_PROSE.match, found)):
            return ""
        words = " ".join(" ".join(found).split())
        return clip(words, MAX_CHARACTERS) if any(map(str.isalpha, words)) else ""

    def _text_of(self, file: str) -> Mapping[int, str]:
        """Return the lines of a file of which nothing is hidden."""
        known = self._texts.get(file)
        if known is None:
            page = self._files.get(file)
            lines = () if page is None else page.lines
            known = {one.number: one.parts[0] for one in lines if len(one.parts) == 1}
            self._texts[file] = known
        return known


def _find_key_line(text: Mapping[int, str], line: int) -> int:
    """Return the line of the key that a member of a list belongs to, else the line itself."""
    for number in range(line, max(0, line - MAX_MEMBERS), -1):
        if not text.get(number, "").lstrip().startswith("- "):
            return number
    return line


def _comment_lines(text: Mapping[int, str], first: int) -> Iterator[str]:
    """Yield the lines of the comment above a line, without their signs, from the last one on."""
    margin = _margin_of(text.get(first, ""))
    for number in range(first - 1, 0, -1):
        line = text.get(number, HIDDEN)
        found = _COMMENT.fullmatch(line)
        if line is HIDDEN:  # a part of the comment may be hidden: then none of it is shown
            yield line
        if found is None or _margin_of(line) != margin:
            return
        yield found[1]


def _margin_of(line: str) -> int:
    return len(line) - len(line.lstrip())
