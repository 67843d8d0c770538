"""The ``toml`` renderer.

Salt reads TOML with the library ``toml``, whose messages are in ``_errors``, and which does not
support all of TOML 1.0; so it is used here as well. It reports no lines, so ``find_spans`` finds
them.

Source: Salt ``salt/renderers/tomlmod.py``, ``salt/serializers/tomlmod.py``.
"""

import datetime as dt
import re
import warnings
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeAlias

from pillarbook.compile.renderers.python_data import GivenBy, ValuePlaces, from_python
from pillarbook.compile.renderers.render_context import RenderContext, Rendered
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.compile.renderers.source_text import SourceText
from pillarbook.model import KeyPath, Node, Origin

QUOTED = re.compile(r"\{.*\}|'[^']*'|\"[^\"]*\"", re.DOTALL)
"""The parts of an error that quote the text."""
LEAKED = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""Exceptions of the library for invalid text; its own error is a ``ValueError``."""
Span: TypeAlias = tuple[int, int]
"""Start and end, in characters."""
BLANK = re.compile(r"(?:[ \t\r\n,]|#[^\n]*)*")
KEY = re.compile(r"""[ \t]*("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s.=\]\[#"',{}]+)[ \t]*""")
TEXT = re.compile(
    r'"{3}(?:[^\\]|\\.)*?"{3,5}|\'{3}.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'', re.DOTALL
)
BARE = re.compile(r"[^,\]}\n#]*")
ESCAPE = re.compile(r'\\(["\\])')


class _Lost(Exception):  # noqa: N818 (nobody sees it)
    """The parser here does not understand the text."""


def render(context: RenderContext, data: Rendered, _argline: str) -> Node:
    """Return the tree of a TOML document.

    Raises:
        RenderError: With the words of the library ``toml``.
        LimitExceeded: Too many nodes, or too deep ones.
    """
    if not isinstance(data, SourceText):
        raise RenderError("You can only load a file descriptor, filename or list")
    import toml  # noqa: PLC0415 (few SLS need it)

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            loaded = toml.loads(data.text)
    except LEAKED as error:
        raise _worded(error, data) from error
    places = _TomlPlaces(context.new_origin(data.locate(0), None), data, find_spans(data.text))
    return from_python(_settle_zones(loaded), places, context.limits)


def _worded(error: Exception, data: SourceText) -> RenderError:
    at = min(getattr(error, "pos", 0), max(len(data.text) - 1, 0))
    worded = RenderError(str(error), data.locate(at))
    reason = QUOTED.sub("...", str(getattr(error, "msg", type(error).__name__)))
    worded.clean = f"this is not TOML: {reason}"
    return worded


def _settle_zones(value: Any) -> Any:
    """Return the data with Python's own time zones, because the library's print as addresses."""
    if isinstance(value, dict):
        return {key: _settle_zones(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_settle_zones(item) for item in value]
    if isinstance(value, dt.datetime) and value.tzinfo is not None:
        return value.replace(tzinfo=dt.timezone(value.utcoffset() or dt.timedelta()))
    return value


class _TomlPlaces(ValuePlaces):
    """The origins of values in a TOML document: a scalar at its own text."""

    def __init__(self, origin: Origin, source: SourceText, spans: dict[KeyPath, Span]) -> None:
        super().__init__(origin)
        self._whole = origin
        self._source = source
        self._spans = spans
        self._hides = bool(source.secret_stretches())

    def find(self, path: KeyPath, value: Any) -> GivenBy:
        """Return the origins of the value at a path; those of the nearest container if unknown."""
        span, whole = self._spans.get(path), path
        while span is None and whole:
            whole = whole[:-1]
            span = self._spans.get(whole)
        start, end = span or (0, len(self._source.text))
        file, line = self._source.locate(start)
        secret = self._source.secret_at(start, end) if self._hides and value is not None else None
        return (replace(self._whole, file=file, line=line, value=value),), secret


def find_spans(text: str) -> dict[KeyPath, Span]:
    """Return the span of each value by its path; for a container, that of its key or header."""
    finder = _Finder(text)
    with suppress(_Lost, RecursionError):
        finder.read_document()
    return finder.spans


class _Finder:
    """Reads a text from start to end."""

    def __init__(self, text: str) -> None:
        self.spans: dict[KeyPath, Span] = {}
        self._text = text
        self._at = 0
        self._counts: dict[KeyPath, int] = {}
        """The number of tables so far in each array of tables."""

    def read_document(self) -> None:
        """Find all spans."""
        table: KeyPath = ()
        self._skip(BLANK)
        while self._at < len(self._text):
            if self._text.startswith("[", self._at):
                table = self._read_header()
            else:
                self._read_pair(table)
            self._skip(BLANK)

    def _read_header(self) -> KeyPath:
        start = self._at
        is_array = self._text.startswith("[[", start)
        self._at += 2 if is_array else 1
        path: KeyPath = ()
        keys = self._read_keys()
        for number, key in enumerate(keys):
            path = (*path, key)
            self.spans.setdefault(path, (start, self._at))
            is_last = number == len(keys) - 1
            if is_last and is_array:
                self._counts[path] = self._counts.get(path, 0) + 1
            if path in self._counts and (is_array or not is_last):
                path = (*path, self._counts[path] - 1)
                self.spans.setdefault(path, (start, self._at))
        self._expect("]]" if is_array else "]")
        return path

    def _read_keys(self) -> list[str]:
        keys = [self._read_key()]
        while self._text.startswith(".", self._at):
            self._at += 1
            keys.append(self._read_key())
        return keys

    def _read_key(self) -> str:
        match = KEY.match(self._text, self._at)
        if match is None:
            raise _Lost
        self._at = match.end()
        key = match.group(1)
        return ESCAPE.sub(r"\1", key[1:-1]) if key[0] in "\"'" else key

    def _read_pair(self, table: KeyPath) -> None:
        start = self._at
        path = table
        for key in self._read_keys():
            path = (*path, key)
            self.spans.setdefault(path, (start, self._at))
        self._expect("=")
        self._skip(re.compile(r"[ \t]*"))
        self._read_value(path, start)

    def _read_value(self, path: KeyPath, begin: int) -> None:
        start = self._at
        if self._text.startswith("[", start):
            self._at += 1
            self._read_array(path)
        elif self._text.startswith("{", start):
            self._at += 1
            while not self._closes("}"):
                self._read_pair(path)
        else:
            if not self._skip(TEXT):
                self._skip(BARE)
            self.spans[path] = (start, self._at)
            return
        self.spans[path] = (begin, self._at)

    def _read_array(self, path: KeyPath) -> None:
        index = 0
        while not self._closes("]"):
            self._read_value((*path, index), self._at)
            index += 1

    def _closes(self, sign: str) -> bool:
        """Move to the next item, or past the end of a container; return whether it ends."""
        self._skip(BLANK)
        if self._at >= len(self._text):
            raise _Lost
        if self._text.startswith(sign, self._at):
            self._at += len(sign)
            return True
        return False

    def _expect(self, sign: str) -> None:
        if not self._text.startswith(sign, self._at):
            raise _Lost
        self._at += len(sign)

    def _skip(self, pattern: re.Pattern[str]) -> bool:
        match = pattern.match(self._text, self._at)
        if match is None:
            return False
        self._at = match.end()
        return True
