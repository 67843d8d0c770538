"""Lines of a template that are written whatever its minion is like.

A file that asks for grains need not do so for the sake of one of its lines: a line of plain text
that stands in no block comes out for every minion.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import jinja2

OPENING = frozenset(
    (
        *("autoescape", "block", "call", "filter", "for", "if", "macro", "profile", "trans"),
        *("with", "load_json", "load_text", "load_yaml"),
    )
)
"""Blocks that have an end."""


@dataclass(frozen=True, slots=True)
class FixedLines:
    """The fixed lines of one file."""

    lines: dict[int, str]
    """Each with its text, counted from 1."""

    def __contains__(self, line: int | None) -> bool:
        """Say whether a line is fixed."""
        return line in self.lines

    def holds(self, text: str, first: int = 1) -> bool:
        """Say whether a fixed line has a text, from some line on."""
        return any(text in line for number, line in self.lines.items() if number >= first)


def find_fixed_lines(text: str) -> FixedLines:
    """Return the lines of a Jinja template that stand in no block and have no expression.

    None are found where the template cannot be read.
    """
    try:
        fixed = _read(text)
    except jinja2.TemplateSyntaxError:
        fixed = set()
    lines = text.splitlines()
    return FixedLines({line: lines[line - 1] for line in sorted(fixed) if line <= len(lines)})


def _read(text: str) -> set[int]:
    plain: set[int] = set()
    other: set[int] = set()
    depth = 0
    environment = jinja2.Environment()  # noqa: S701 (nothing is rendered)
    for kind, first, words in _pieces(environment, text):
        affected = range(first, first + sum(word.count("\n") for word in words) + 1)
        if kind == "data" and depth == 0:
            plain.update(_not_blank(first, "".join(words)))
        elif kind == "data":
            other.update(_not_blank(first, "".join(words)))
        elif kind == "variable":
            other.update(affected)
        elif kind == "block":
            depth = max(0, depth + _change_of_depth(words))
    return plain - other


def _pieces(environment: jinja2.Environment, text: str) -> Iterator[tuple[str, int, list[str]]]:
    """Yield literal text, expressions and blocks with their first lines and their tokens."""
    inside = ""
    first = 0
    words: list[str] = []
    for line, kind, value in environment.lex(text):
        if kind in ("variable_begin", "block_begin"):
            inside, first, words = kind.removesuffix("_begin"), line, []
        elif kind in ("variable_end", "block_end"):
            yield inside, first, words
            inside = ""
        elif inside:
            words.append(value)
        elif kind == "data":
            yield "data", line, [value]
    if inside:
        raise jinja2.TemplateSyntaxError("unexpected end of template", first)


def _change_of_depth(words: list[str]) -> int:
    """Return how many blocks are open after one more than before."""
    told = [word for word in words if word.strip()]
    if not told:
        return 0
    if told[0].startswith("end"):
        return -1
    return int(told[0] in OPENING or (told[0] == "set" and "=" not in told))


def _not_blank(first: int, text: str) -> Iterator[int]:
    """Yield the lines of a piece of text in which it has more than blanks."""
    for number, line in enumerate(text.split("\n"), first):
        if line.strip():
            yield number
