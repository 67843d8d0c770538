"""Scalars that stand literally in a source, found and changed in place.

Only what is surely a value of data counts: a plain or quoted scalar that ends its line, after a
key or a dash. Lines that steer do not: Jinja's tags and what is gathered between them (macros, set
and call blocks), include lists, text that goes on over lines, and flow collections over lines.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.fleets import Fleet

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.renderers.yaml_loader import load_plain
from pillarbook.model import leaves, plain

SCALAR = re.compile(
    r"""^(?P<before>\s*(?:-\s+)*(?:[\w.$-]+:\s+)?)
        (?P<value>"[^"\\]*"|'[^']*'|[\w./+~-][^\#{}\[\]'"|>&*!,\0-\x1f]*?)
        (?P<after>\s*(?:\s\#.*)?)$""",
    re.VERBOSE,
)
GATHERED = re.compile(r"{%[-+]?\s*(macro|call|filter|load_\w+|raw|set\s+\w+\s*[-+]?%})")
GATHERED_END = re.compile(r"{%[-+]?\s*end(macro|call|filter|load|raw|set)")
BLOCK_TEXT = re.compile(r"[|>][-+\d]*\s*(\#.*)?$")


@dataclass(frozen=True, slots=True)
class Literal:
    """A scalar that stands in a line."""

    line: int
    """The line, counted from 1."""
    start: int
    """Where it begins in the line."""
    text: str
    """As it stands there, quotes included."""

    @property
    def value(self) -> Any:
        return load_plain(self.text)


def find_literals(text: str) -> list[Literal]:
    """Return the scalars of a file that are surely data, one a line at most."""
    found = []
    for number, line in _data_lines(text):
        match = SCALAR.match(line)
        if match is not None and match["before"].strip() and ": " not in match["value"]:
            found.append(Literal(number, match.start("value"), match["value"]))
    return found


def _data_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that hold data only, with their numbers."""
    skipper = _Skipper()
    for number, line in enumerate(text.split("\n"), 1):
        if not skipper.skips(line):
            yield number, line


class _Skipper:
    """Goes through lines, and says which to leave out."""

    def __init__(self) -> None:
        self._gathered = 0
        self._open = 0
        self._deeper_than: int | None = None

    def skips(self, line: str) -> bool:
        indent = len(line) - len(line.lstrip())
        if self._deeper_than is not None:
            if not line.strip() or indent > self._deeper_than or line.lstrip()[:1] == "-":
                return True
            self._deeper_than = None
        was_inside = self._gathered > 0 or self._open > 0
        self._gathered += len(GATHERED.findall(line)) - len(GATHERED_END.findall(line))
        self._open += sum(map(line.count, "{[")) - sum(map(line.count, "}]"))
        if BLOCK_TEXT.search(line) or re.match(r"include\s*:", line):
            self._deeper_than = indent
            return True
        return was_inside or bool(re.search(r"[{}\[\]]", line))


def replace_literals(text: str, changes: Mapping[Literal, str]) -> str:
    """Return a file's text with some of its scalars replaced."""
    lines = text.split("\n")
    for literal, new in changes.items():
        line = lines[literal.line - 1]
        end = literal.start + len(literal.text)
        assert line[literal.start : end] == literal.text
        lines[literal.line - 1] = line[: literal.start] + new + line[end:]
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class SeenLeaf:
    """A leaf of a minion's pillar."""

    value: tuple[str, str]
    """Its type and how it prints."""
    cited: tuple[tuple[str, int | None], ...]
    """Files and lines of its origins, oldest first."""


Seen = Mapping[tuple[str, str], SeenLeaf]
"""Leaves by minion and path."""


def see(fleet: Fleet) -> Seen:
    """Return every leaf of a fleet; of a minion whose compile breaks off the reason."""
    return {
        (minion, path): leaf
        for minion, compiled in fleet.compile_all().items()
        for path, leaf in _see_one(compiled)
    }


def _see_one(compiled: CompiledPillar) -> Iterable[tuple[str, SeenLeaf]]:
    if compiled.raises is not None:
        yield "$raises", SeenLeaf(("raises", compiled.raises), ())
    for path, node, origins in leaves(compiled.tree):
        cited = tuple((origin.file, origin.line) for origin in origins)
        yield repr(path), SeenLeaf(typed(plain(node)), cited)


def typed(value: Any) -> tuple[str, str]:
    """Return a scalar with its type, for ``1``, ``True`` and ``1.0`` are three."""
    return type(value).__name__, repr(value)


def read_source(folder: Path, shown: str) -> str | None:
    """Return the text of a file that an origin names; None for one that is no text."""
    try:
        return (folder / shown).read_bytes().decode().replace("\r\n", "\n").replace("\r", "\n")
    except (OSError, UnicodeDecodeError):
        return None
