"""YAML as programs write inventories, a key on each line, read in less time than by events.

A line that repeats is understood once. What is more than a key and a scalar on one line goes to
``YamlStream``, with the lines that are indented below it. What could mean anything else there than
in the whole document is refused, and the whole document is read by ``YamlStream``: whatever is
unusual at the left margin, anchors, aliases, ``<<``, tabs, and everything with an error.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate, chain, count
from typing import Any, NamedTuple, TypeAlias

import yaml

from pillarbook.inventory.located_values import LocatedValue
from pillarbook.inventory.yaml_stream import KnownValues, YamlStream

MAX_TEXTS = 20_000
"""The most lines and values that are kept to find equal ones; then all are removed."""
WINDOW = 10_000
"""How many characters are split into lines at once."""
MAX_KEY = 1000
"""The most characters of a key; libyaml refuses a key that is some characters longer."""
MAX_LEVELS = 100
"""How deep mappings on their own lines may nest."""

_PLAIN_WORD = r"(?:[!-9;-~]|:(?=[!-~]))+"
_PLAIN = rf"(?:-(?=[.\w])|[A-Za-z0-9_./+~(^$;=])(?:{_PLAIN_WORD})?(?: (?!\#){_PLAIN_WORD})*"
_KEY_WORD = r"[A-Za-z0-9_./+@-](?:[A-Za-z0-9_./+@:-]*[A-Za-z0-9_./+@-])?"
_KEY = rf"[A-Za-z0-9_/](?:[A-Za-z0-9_./+@:-]*[A-Za-z0-9_./+@-])?(?: {_KEY_WORD})*"
_SINGLE = r"'((?:[ -&(-~]|'')*)'"
_DOUBLE = r'"([ !#-\[\]-~]*)"'
_LINE = re.compile(rf" *(?:(-)|({_KEY}):|{_SINGLE}:|{_DOUBLE}:)(?: +(.*)|$)", re.ASCII)
_VALUE = re.compile(
    rf"(?:({_PLAIN})|{_SINGLE}|{_DOUBLE}|(\{{\}})|(\[\]))(?: *| +\#.*)|(?:\#.*)?", re.ASCII
)
_MARKER = re.compile(r"--- *(?:\n|\Z)")
_BELOW, _ODD = object(), object()
_ITEM, _NO_KEY = object(), object()


class UnusualYamlError(Exception):
    """The document has to be read as a whole."""


class _Line(NamedTuple):
    """What a line says, wherever it stands."""

    indent: int
    key: Any
    """Its key; ``_ITEM`` for a member of a list, ``_NO_KEY`` for anything else."""
    value: Any
    """Its value; ``_BELOW`` for that of the next lines, ``_ODD`` for what is not a scalar."""


_BLANK = _Line(-1, _NO_KEY, None)
_END = _Line(-1, _NO_KEY, None)


class _Place(NamedTuple):
    """A key whose value has not been read yet."""

    line: _Line
    start: int
    """Where its line begins in the text."""
    number: int
    """The number of that line."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A value that ``YamlStream`` reads."""

    stream: YamlStream
    cursor: Any
    before: int
    """How many lines of the document precede the stream's first."""
    is_whole: bool = True
    """Whether nothing follows the value in the stream."""

    def members(self) -> Iterator[tuple[Any, int, "_Part"]]:
        with self._reading():
            for key, line, below in self.stream.members(self.cursor):
                yield key, line + self.before, _Part(self.stream, below, self.before, False)

    def plain(self) -> Any:
        with self._reading():
            return self.stream.plain(self.cursor)

    def located(self) -> LocatedValue:
        with self._reading():
            given = self.stream.located(self.cursor)
        lines = {path: line + self.before for path, line in given.lines.items()}
        return LocatedValue(given.value, lines)

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
            if self.is_whole:
                self.stream.finish_part()
        except (yaml.YAMLError, RecursionError) as error:
            raise UnusualYamlError from error


Cursor: TypeAlias = _Place | _Part


class BlockYaml:
    """One YAML document, read from its start to its end, with the methods of ``YamlStream``.

    Raises:
        UnusualYamlError: From every method.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines: dict[str, _Line] = {}
        # By the text before the first colon with a space: how far it is indented, and the key.
        self._keys: dict[str, tuple[int, Any]] = {}
        self._parts: dict[str, Any] = {}
        self._known = KnownValues()
        self._places = chain.from_iterable(self._read_windows())
        self._after = _Place(_END, len(text), 0)
        self._place: tuple[_Line, int, int] = self._after
        self._advance()
        if _MARKER.match(text, self._place[1]):
            self._advance()

    def root(self) -> Cursor | None:
        """Return a cursor to the document."""
        if self._now.indent != 0:
            raise UnusualYamlError
        return _Place(_Line(-1, None, _BELOW), 0, 0)

    def finish(self) -> None:
        """Check that nothing follows the document."""
        if self._now is not _END:
            raise UnusualYamlError

    def is_mapping(self, cursor: Cursor) -> bool:
        """Say whether the value has ``members``."""
        if isinstance(cursor, _Part):
            return cursor.stream.is_mapping(cursor.cursor)
        value = cursor.line.value
        if value is not _BELOW:
            return isinstance(value, dict)
        return self._now.indent > cursor.line.indent and self._now.key is not _ITEM

    def members(self, cursor: Cursor) -> Iterator[tuple[Any, int, Cursor]]:
        """Yield ``(key, line, cursor)`` of a mapping; read each cursor before the next."""
        if isinstance(cursor, _Part):
            yield from cursor.members()
        elif cursor.line.value is _BELOW:
            indent = self._now.indent
            while self._now.indent == indent:
                place = _Place(*self._place)
                if place.line.key is _ITEM or place.line.key is _NO_KEY:
                    raise UnusualYamlError
                self._advance()
                # The line behind the key has been reached now.
                cursor = self._part(place) if self._is_odd(place.line) else place
                yield place.line.key, place.number, cursor
            self._leave(indent)

    def plain(self, cursor: Cursor) -> Any:
        """Return the data at a cursor."""
        if isinstance(cursor, _Part):
            return cursor.plain()
        value = cursor.line.value
        return self._below(cursor.line.indent, 0) if value is _BELOW else value

    def located(self, cursor: Cursor) -> LocatedValue:
        """Return the data at a key's cursor with the line of every value in it."""
        return (cursor if isinstance(cursor, _Part) else self._part(cursor)).located()

    @property
    def _now(self) -> _Line:
        """The current line."""
        return self._place[0]

    def _advance(self) -> _Line:
        """Go to the next line that is neither blank nor a comment, and return it."""
        self._place = place = next(self._places, self._after)
        return place[0]

    def _read_windows(self) -> Iterator[list[tuple[_Line, int, int]]]:
        """Yield the lines of a part of the text, each with its position and its number.

        Calls for each line would take half of the time of reading.
        """
        text, lines, start, number = self._text, self._lines, 0, 1
        while start < len(text):
            end = text.find("\n", start + WINDOW) + 1 or len(text)
            written = text[start:end].splitlines(keepends=True)
            found = [lines.get(one) or self._learn(one) for one in written]
            starts = accumulate(map(len, written), initial=start)
            places = zip(found, starts, count(number), strict=False)
            yield [place for place in places if place[0] is not _BLANK]
            start, number = end, number + len(written)

    def _learn(self, written: str) -> _Line:
        if len(self._lines) >= MAX_TEXTS:
            self._lines.clear()
            self._keys.clear()
        line = self._lines[written] = self._understand(written.removesuffix("\n"))
        return line

    def _understand(self, written: str) -> _Line:
        if not written.isprintable():
            raise UnusualYamlError
        start, colon, value = written.partition(": ")
        if colon and (known := self._keys.get(start)):
            return _Line(*known, self._understand_value(value.lstrip(" "), _BELOW))
        content = written.lstrip(" ")
        if not content or content[0] == "#":
            return _BLANK
        indent = len(written) - len(content)
        found = _LINE.fullmatch(written)
        if found is None:
            return _Line(indent, _NO_KEY, _ODD)
        dash, plain, single, double, value = found.groups("")
        if dash:
            return _Line(indent, _ITEM, self._understand_value(value, _ODD))
        if len(plain or single or double) > MAX_KEY:
            raise UnusualYamlError
        key = self._resolve(plain) if plain else single.replace("''", "'") or double
        if plain and start.endswith(plain):
            self._keys[start] = indent, key
        return _Line(indent, key, self._understand_value(value, _BELOW))

    def _understand_value(self, written: str, nothing: object) -> Any:
        found = _VALUE.fullmatch(written)
        if found is None:
            # Their values may begin on a next line that is not indented.
            if written[0] in "&*!":
                raise UnusualYamlError
            return _ODD
        plain, single, double, mapping, sequence = found.groups()
        if plain is not None:
            return self._resolve(plain)
        if single is not None:
            return single.replace("''", "'")
        if double is not None:
            return double
        if mapping is not None or sequence is not None:
            return self._known.share({} if sequence is None else [])
        return nothing

    def _resolve(self, text: str) -> Any:
        try:
            return self._known.scalar(text)
        except yaml.YAMLError as error:
            raise UnusualYamlError from error

    def _is_odd(self, line: _Line) -> bool:
        """Say whether a line and those that are indented below it are for ``YamlStream``."""
        now = self._now
        is_continued = line.value is not _BELOW or now.key is _NO_KEY
        return line.value is _ODD or (now.indent > line.indent and is_continued)

    def _part(self, place: _Place) -> _Part:
        """Return the value of a key or of a member of a list as a part."""
        stream = YamlStream(self._cut(place), self._known)
        try:
            return _Part(stream, stream.only_member(), place.number - 1)
        except yaml.YAMLError as error:
            raise UnusualYamlError from error

    def _cut(self, place: _Place) -> str:
        """Return the text of a line and of those below it that belong to it, and pass by them."""
        line = place.line
        is_below = line.value is _BELOW
        while (now := self._now).indent > line.indent or (
            is_below and now.indent == line.indent and now.key is _ITEM
        ):
            self._advance()
        if now.indent == line.indent and line.key is not _ITEM and now.key is _ITEM:
            raise UnusualYamlError
        return self._text[place.start : self._place[1]]

    def _odd(self, place: _Place) -> Any:
        """Return the value of a part, which is read once if it is repeated."""
        text = self._cut(place)
        if text not in self._parts:
            if len(self._parts) >= MAX_TEXTS:
                self._parts.clear()
            self._parts[text] = self._known.share(self._part(place).plain())
        return self._parts[text]

    def _below(self, indent: int, level: int) -> Any:
        """Return the value of the lines below a key that is indented so far."""
        now = self._now
        if level > MAX_LEVELS:
            raise UnusualYamlError
        if now.key is _ITEM and now.indent >= indent:
            return self._sequence(now.indent)
        return self._mapping(now.indent, level) if now.indent > indent else None

    def _mapping(self, indent: int, level: int) -> dict[Any, Any]:
        made: dict[Any, Any] = {}
        while (line := (place := self._place)[0])[0] == indent:
            _, key, value = line
            if key is _ITEM or key is _NO_KEY:
                raise UnusualYamlError
            now = self._advance()
            if value is _BELOW:
                if self._is_odd(line):
                    value = self._odd(_Place(*place))
                else:
                    value = self._known.share(self._below(indent, level + 1))
            elif value is _ODD or now[0] > indent:
                value = self._odd(_Place(*place))
            made[key] = value
        self._leave(indent)
        return made

    def _sequence(self, indent: int) -> list[Any]:
        made = []
        while (line := (place := self._place)[0])[0] == indent and line[1] is _ITEM:
            now = self._advance()
            value = line[2]
            made.append(self._odd(_Place(*place)) if value is _ODD or now[0] > indent else value)
        self._leave(indent)
        return made

    def _leave(self, indent: int) -> None:
        """Check that a mapping or list ends where a line is not indented more."""
        if self._now.indent > indent:
            raise UnusualYamlError
