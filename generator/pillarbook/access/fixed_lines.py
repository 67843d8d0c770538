"""Lines of a template that are the same for every minion.

A file may read grains for some of its lines only: a line of plain text outside of all blocks is
rendered for every minion.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import jinja2

from pillarbook.compile.project import FileRead, Project
from pillarbook.compile.render_result import RenderResult

OPENING = frozenset(
    (
        *("autoescape", "block", "call", "filter", "for", "if", "macro", "profile", "trans"),
        *("with", "load_json", "load_text", "load_yaml"),
    )
)
"""Blocks that have an end."""
OWN_SIGNS = ("_string", "_prefix")
"""The ends of Jinja options that set other delimiters for expressions and blocks."""
JINJA = "jinja"


@dataclass(frozen=True, slots=True)
class FixedLines:
    """The fixed lines of one file."""

    lines: dict[int, str]
    """Each with its text, counted from 1."""

    def __contains__(self, line: int | None) -> bool:
        """Say whether a line is fixed."""
        return line in self.lines

    def holds(self, text: str, first: int = 1) -> bool:
        """Say whether a fixed line at or after ``first`` has a text."""
        return any(text in line for number, line in self.lines.items() if number >= first)


def find_fixed_lines(text: str) -> FixedLines:
    """Return the lines of a Jinja template without expressions outside of all blocks.

    There are none if the template cannot be parsed.
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
    """Return the change in the number of open blocks."""
    told = [word for word in words if word.strip()]
    if not told:
        return 0
    if told[0].startswith("end"):
        return -1
    return int(told[0] in OPENING or (told[0] == "set" and "=" not in told))


def _not_blank(first: int, text: str) -> Iterator[int]:
    """Yield the lines of a piece of text that are not blank."""
    for number, line in enumerate(text.split("\n"), first):
        if line.strip():
            yield number


NONE = FixedLines({})


class TemplateFiles:
    """Finds fixed lines, once for each file."""

    def __init__(self, project: Project) -> None:
        self._project = project
        values = project.options.values
        self._renderer = str(values.get("renderer") or "")
        self._is_usual = not any(
            str(name).endswith(OWN_SIGNS)
            for option in ("jinja_env", "jinja_sls_env")
            for name in _mapping(values.get(option))
        )
        self._known: dict[str, FixedLines] = {}

    def fixed_lines(self, result: RenderResult) -> FixedLines:
        """Return the fixed lines of a file as it was rendered; none if it is not Jinja."""
        file = result.files[0] if result.files else None
        if file is None or file.digest is None or not self._is_usual:
            return NONE
        known = self._known.get(file.digest)
        if known is None:
            text = self._text_of(file)
            known = NONE
            if text is not None and self._is_jinja(text):
                known = find_fixed_lines(text)
            self._known[file.digest] = known
        return known

    def _text_of(self, file: FileRead) -> str | None:
        for scope in self._project.scopes.values():
            found = scope.roots.find(file.path, file.saltenv)
            if found is not None and found.digest == file.digest:
                return found.content.decode("utf-8", "replace")
        return None

    def _is_jinja(self, text: str) -> bool:
        """Say whether Jinja is the first renderer of a text, by its first line or by option."""
        first = text.partition("\n")[0]
        pipe = first[2:] if first.startswith("#!") else self._renderer
        return pipe.strip().split("|")[0].strip().split(" ")[0] == JINJA


def _mapping(value: Any) -> Mapping[Any, Any]:
    return value if isinstance(value, Mapping) else {}
