"""Text of a tree as Markdown for GitHub and GitLab, with nothing in it that counts as markup."""

import re
from collections.abc import Sequence

from pillarbook.report.value_html import make_visible

TICKS = re.compile(r"`+")
MARKUP = re.compile(r"([\\`*_{}\[\]()#+.!|<>~@&:/-])")
LINKS = re.compile(r"(\\[@#]|\\:(?=\\/)|www(?=\\\.))", re.IGNORECASE)
"""Beginnings of what a service makes a link of when the Markdown is long read."""
END_FOLD = "</details>"
"""The end of a folded part."""
APART = "&#8203;"
"""A space without width."""


def write_code(text: str) -> str:
    """Return a text as a code span: on one line, with as many backticks as it needs."""
    line = make_visible(" ".join(text.split("\n")))
    longest = max(map(len, TICKS.findall(line)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if longest or line != line.strip() or not line else ""
    return f"{fence}{pad}{line}{pad}{fence}"


def write_block(lines: Sequence[str]) -> str:
    """Return lines of a difference, each with its sign before it, as a block of code."""
    longest = max((len(run) for line in lines for run in TICKS.findall(line)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join((f"{fence}diff", *map(make_visible, lines), fence))


def begin_fold(summary: str) -> str:
    """Return the begin of a folded part; ``END_FOLD`` is its end."""
    return f"<details><summary>{summary}</summary>"


def write_words(text: str) -> str:
    """Return a text as prose; what is between backticks is code, all else means itself."""
    line = make_visible(" ".join(text.split()))
    parts = line.split("`")
    if len(parts) % 2 == 0:
        return _escape(line)
    return "".join(
        (write_code(part) if number % 2 else _escape(part)) for number, part in enumerate(parts)
    )


def _escape(text: str) -> str:
    # A backslash before ASCII punctuation makes it mean itself. GitHub looks for people, issues and
    # addresses in what the Markdown became, where no backslash is left: there they are cut in two.
    return LINKS.sub(rf"\1{APART}", MARKUP.sub(r"\\\1", text))
