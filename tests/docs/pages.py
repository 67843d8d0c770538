"""The hand-written pages, taken apart: fenced blocks, headings, tables and links.

What stands in a fenced block is held to, by its language:

    console    lines that begin with `$ ` are commands, what follows is what they print
    bash       commands whose output is not shown
    sql        queries of an export, which its own tests run
    yaml       what pillarbook, Salt's master, MkDocs or a CI reads
    yaml, sls, html, css
               a file of that page's folder where the first line is a comment with its path
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
SITE = ROOT / "site_src"
GUIDE = SITE / "guide"
FENCE = re.compile(r"^ *(`{3,}) *([\w-]*) *$")
FILE_COMMENT = re.compile(r"(?:#|{#|/\*) (\S*[./]\S*|master)(?: #}| \*/)?")
HEADING = re.compile(r"^(#{1,6}) +(.+?) *#*$")
LINK = re.compile(r"!?\[(?:[^\]\[]|\[[^\]]*\])*\]\(<?([^)\s>]+)>?(?: +\"[^\"]*\")?\)")
CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")


def all_pages() -> tuple[Path, ...]:
    """Return every page that people read in the repository or on the site."""
    tops = (ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"))
    return (*tops, *sorted((ROOT / "docs").rglob("*.md")), *sorted(SITE.rglob("*.md")))


def user_pages() -> tuple[Path, ...]:
    """Return the pages whose commands and settings users copy."""
    return (ROOT / "README.md", *sorted(SITE.rglob("*.md")))


def page_id(page: Path) -> str:
    """Return a page's path in the repository."""
    return str(page.relative_to(ROOT))


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block."""

    page: Path
    """Where it stands."""
    line: int
    """The line of its fence."""
    language: str
    """What the fence says."""
    text: str
    """What stands in it."""

    @property
    def place(self) -> str:
        """Where it stands, for people."""
        return f"{page_id(self.page)}:{self.line}"

    @property
    def file(self) -> str | None:
        """The file that it shows, named in a comment on its first line."""
        found = FILE_COMMENT.fullmatch(self.text.split("\n", 1)[0])
        return found[1] if found else None


def read_blocks(page: Path) -> list[Block]:
    """Return a page's fenced blocks, in order."""
    found: list[Block] = []
    start, fence, language = 0, "", ""
    lines: list[str] = []
    for number, line in enumerate(page.read_text().splitlines(), 1):
        mark = FENCE.match(line)
        if not fence and mark:
            start, fence, language, lines = number, mark[1], mark[2], []
        elif fence and mark and mark[1] == fence and not mark[2]:
            found.append(Block(page, start, language, "\n".join(lines) + "\n"))
            fence = ""
        elif fence:
            lines.append(line)
    assert not fence, f"{page_id(page)}:{start}: the fence is not closed"
    return found


def read_prose(page: Path) -> str:
    """Return a page without its fenced blocks."""
    kept: list[str] = []
    fence = ""
    for line in page.read_text().splitlines():
        mark = FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1] == fence:
            fence = ""
        elif not fence:
            kept.append(line)
    return "\n".join(kept)


def read_sections(page: Path) -> dict[str, str]:
    """Return what stands under each heading of a page, deeper headings included."""
    lines = page.read_text().splitlines()
    fences = {line for block in read_blocks(page) for line in _lines_of(block)}
    heads: list[tuple[int, int, str]] = []
    for number, line in enumerate(lines):
        mark = HEADING.match(line)
        if mark and number + 1 not in fences:
            heads.append((number, len(mark[1]), mark[2]))
    found: dict[str, str] = {}
    for index, (number, depth, name) in enumerate(heads):
        later = (at for at, other, _ in heads[index + 1 :] if other <= depth)
        found[name] = "\n".join(lines[number + 1 : next(later, len(lines))])
    return found


def read_codes(text: str) -> list[str]:
    """Return what stands in backticks."""
    return CODE.findall(text)


def read_first_cells(text: str) -> list[str]:
    """Return the first cell of each row of the tables in a text, without heads."""
    rows = [line for line in text.splitlines() if line.startswith("|")]
    heads = {index - 1 for index, row in enumerate(rows) if re.fullmatch(r"[|\s:-]+", row)}
    return [
        re.split(r"(?<!\\)\|", row)[1].strip().replace("\\|", "|")
        for index, row in enumerate(rows)
        if index not in heads and index - 1 not in heads
    ]


def read_links(page: Path) -> list[str]:
    """Return the targets of a page's links and pictures."""
    prose = CODE.sub("", read_prose(page))
    return [found[1] for found in LINK.finditer(prose)]


def read_anchors(page: Path) -> set[str]:
    """Return the fragments that a page's headings answer to, on GitHub and on the site."""
    return {anchor_of(name) for name in read_sections(page)}


def anchor_of(heading: str) -> str:
    """Return the fragment of a heading; GitHub and Python-Markdown agree on plain ones."""
    words = re.sub(r"[^\w\s-]", "", heading.replace("`", "")).strip().lower()
    return re.sub(r"[\s]", "-", words)


def _lines_of(block: Block) -> Iterator[int]:
    return iter(range(block.line, block.line + block.text.count("\n") + 2))
