"""Finds keys and values in the text of a file without a parser, so it may be invalid.

An entry is a line with a key, a list item or a text on several lines, also in a branch of a
template or in a comment. It has the keys above it, and its position. Template tags are blanked
here, except those that print.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from pillarbook.model import KeyPath

TAGS = re.compile(r"\{%.*?%\}|\{#.*?#\}|\{\{.*?\}\}", re.DOTALL)
"""The tags of a template."""
_KEY = re.compile(
    r"(?P<dashes>(?:-[ \t]+)*)"
    r"(?P<key>\"[^\"]*\"|'[^']*'|[^\s\"'#|>\[\]{},][^#\n]*?)[ \t]*:"
    r"(?:[ \t]+(?P<value>\S.*?))?[ \t]*\Z"
)
_ITEM = re.compile(r"(?P<dashes>(?:-[ \t]+)+)(?P<value>\S.*?)[ \t]*\Z")
_BLOCK = re.compile(r"(?:[&!]\S*[ \t]+)*[|>][-+0-9]*(?:[ \t]+#.*)?\Z")
_PROPERTY = re.compile(r"(?:[&!]\S*[ \t]+)+")
_REMARK = re.compile(r"(?:\A|[ \t])#.*\Z")
_COMMENT = re.compile(r"[ \t]*#+")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "\n": ""}
MAX_OPEN = 400
"""Lines; a bracket or quote that is not closed by then counts as text."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The value of a key, or a list item."""

    path: KeyPath
    """The keys; a list position is an integer."""
    text: str
    """The value without quotes and comments; for a text on several lines, without its indent."""
    start: int
    end: int
    """The end of the value with all its lines."""
    line: int
    """The first line, counted from 0."""
    key: tuple[int, int]
    """The span of the key; empty for a list item."""
    group: int
    """Equal for the keys of one mapping."""


@dataclass(slots=True)
class _Above:
    """A key or a list item with others below it."""

    indent: int
    key: str | int
    group: int
    count: int = 0


@dataclass(slots=True)
class _Reader:
    """Reads line by line, and keeps the keys above."""

    lines: list[str]
    starts: list[int]
    above: list[_Above] = field(default_factory=list)
    groups: int = 0

    def read_all(self) -> Iterator[Entry]:
        """Yield the entries of all lines."""
        yield from self.read(0, len(self.lines))

    def read(self, first: int, last: int) -> Iterator[Entry]:
        number = first
        while number < last:
            line = self.lines[number]
            bare = line.lstrip(" \t")
            if not bare or bare.startswith("#"):
                number += 1
                continue
            indent = len(line) - len(bare)
            found = _KEY.match(bare)
            if found is not None:
                entry, number = self._take_key(found, number, indent, last)
                yield entry
                continue
            item = _ITEM.match(bare)
            if item is not None:
                self._open_items(item["dashes"], indent)
                entry, number = self._value(
                    item["value"], number, indent + item.start("value"), last, (indent, indent)
                )
                yield entry
                continue
            yield self._loose(number, indent)
            number += 1

    def _take_key(
        self, found: "re.Match[str]", number: int, indent: int, last: int
    ) -> tuple[Entry, int]:
        self._open_items(found["dashes"], indent)
        column = indent + len(found["dashes"])
        group = self._close(column)
        self.above.append(_Above(column, found["key"].strip("\"'"), group))
        place = (indent + found.start("key"), indent + found.end("key"))
        value = found["value"] or ""
        at = indent + found.start("value") if value else len(self.lines[number])
        return self._value(value, number, at, last, place)

    def _open_items(self, dashes: str, indent: int) -> None:
        """Process the dashes of a line: each begins a list item."""
        for at, sign in enumerate(dashes):
            if sign == "-":
                column = indent + at
                while self.above and (
                    self.above[-1].indent > column
                    or (self.above[-1].indent == column and isinstance(self.above[-1].key, int))
                ):
                    self.above.pop()
                number = self.above[-1].count if self.above else 0
                if self.above:
                    self.above[-1].count += 1
                self.groups += 1
                self.above.append(_Above(column, number, self.groups))

    def _close(self, column: int) -> int:
        """Close the keys that are not above a column; return the group of the column's keys."""
        group = None
        while self.above and self.above[-1].indent >= column:
            one = self.above[-1]
            if one.indent == column and not isinstance(one.key, int):
                group = one.group
            self.above.pop()
        if group is None:
            self.groups += 1
            group = self.groups
        return group

    @property
    def path(self) -> KeyPath:
        return tuple(one.key for one in self.above)

    def _value(
        self, value: str, number: int, column: int, last: int, key: tuple[int, int]
    ) -> tuple[Entry, int]:
        """Return an entry, and the line after it."""
        start = self.starts[number] + column
        owner = self.above[-1].indent if self.above else 0
        shown = (self.starts[number] + key[0], self.starts[number] + key[1])
        group = self.above[-1].group if self.above else 0
        if _BLOCK.match(value):
            end = self._end_of_block(number + 1, last, owner)
            body = [line.strip() for line in self.lines[number + 1 : end]]
            entry = Entry(self.path, "\n".join(body), start, self._stop(end), number, shown, group)
            return entry, end
        end = self._end_of_value(value, number, last, owner)
        rest = [line.strip() for line in self.lines[number + 1 : end]]
        bare = _bare("\n".join([value, *rest]))
        return Entry(self.path, bare, start, self._stop(end), number, shown, group), end

    def _stop(self, end: int) -> int:
        """Return the end of the line before a line."""
        return self.starts[end - 1] + len(self.lines[end - 1])

    def _end_of_block(self, number: int, last: int, owner: int) -> int:
        end = number
        while number < last:
            line = self.lines[number]
            bare = line.lstrip(" \t")
            if bare and len(line) - len(bare) <= owner:
                break
            number += 1
            end = number if bare else end
        return end

    def _end_of_value(self, value: str, number: int, last: int, owner: int) -> int:
        """Return the line after a value: brackets, quotes and plain texts may go on."""
        bare = _PROPERTY.sub("", value)
        if not bare:
            return number + 1
        if bare[0] in "[{" and not bare.startswith(("{{", "{%")):
            return self._end_of_brackets(bare, number, last)
        if bare[0] in "\"'" and _find_close(bare, bare[0], 1) <= 0:
            return self._end_of_quotes(bare[0], number, last)
        end = number + 1
        while end < last:
            line = self.lines[end]
            text = line.lstrip(" \t")
            is_below = text and len(line) - len(text) > owner
            if not is_below or text.startswith("#") or _KEY.match(text) or _ITEM.match(text):
                break
            end += 1
        return end

    def _end_of_brackets(self, bare: str, number: int, last: int) -> int:
        depth, line, end = 0, bare, number
        while True:
            plain = re.sub(r"\"[^\"]*\"|'[^']*'|\{\{.*?\}\}", "", line)
            depth += sum(map(plain.count, "[{")) - sum(map(plain.count, "]}"))
            end += 1
            if depth <= 0:
                return end
            if end >= last or end - number > MAX_OPEN:
                return number + 1
            line = self.lines[end]

    def _end_of_quotes(self, quote: str, number: int, last: int) -> int:
        for end in range(number + 1, min(last, number + MAX_OPEN)):
            if _find_close(self.lines[end], quote, 0) >= 0:
                return end + 1
        return number + 1

    def _loose(self, number: int, indent: int) -> Entry:
        """Return a line without key or dash: a value below its key, or unknown."""
        while self.above and self.above[-1].indent >= indent:
            self.above.pop()
        start = self.starts[number] + indent
        group = self.above[-1].group if self.above else 0
        end = self.starts[number] + len(self.lines[number])
        text = _bare(self.lines[number].strip())
        return Entry(self.path, text, start, end, number, (start, start), group)


def read_entries(text: str) -> Iterator[Entry]:
    """Yield the entries of a text, without comments."""
    yield from _new_reader(blank_tags(text)).read_all()


def read_comments(text: str) -> Iterator[tuple[int, int, tuple[Entry, ...]]]:
    """Yield the comments of YAML: first line, line after the last, and the entries in it.

    Commented-out entries may belong to the keys above the comment.
    """
    reader = _new_reader(blank_tags(text))
    bare = list(reader.lines)
    number, done = 0, 0
    while number < len(reader.lines):
        if not reader.lines[number].lstrip(" \t").startswith("#"):
            number += 1
            continue
        first = number
        while number < len(reader.lines) and reader.lines[number].lstrip(" \t").startswith("#"):
            number += 1
        for _ in reader.read(done, first):
            pass
        done = number
        bare[first:number] = map(_uncomment, reader.lines[first:number])
        above = [replace(one) for one in reader.above]
        inner = _Reader(bare, reader.starts, above, reader.groups)
        yield first, number, tuple(inner.read(first, number))


def read_inside(text: str, start: int, end: int) -> tuple[Entry, ...]:
    """Return the entries of a part of a text, as if it were the whole text."""
    # Only its own lines are read: a template has many comments, and each would cost the whole text.
    first = text.rfind("\n", 0, start) + 1
    number = text.count("\n", 0, first)
    found = _new_reader(" " * (start - first) + text[start:end]).read_all()
    return tuple(_moved(one, first, number) for one in found)


def _moved(entry: Entry, offset: int, lines: int) -> Entry:
    key = (entry.key[0] + offset, entry.key[1] + offset)
    start, end, line = entry.start + offset, entry.end + offset, entry.line + lines
    return replace(entry, start=start, end=end, line=line, key=key)


def blank_tags(text: str) -> str:
    """Return a text with blanked template tags that print nothing; positions stay."""

    def blank(found: "re.Match[str]") -> str:
        tag = found[0]
        return tag if tag.startswith("{{") else re.sub(r"[^\n]", " ", tag)

    return TAGS.sub(blank, text)


def _new_reader(text: str) -> _Reader:
    lines = text.split("\n")
    starts, at = [], 0
    for line in lines:
        starts.append(at)
        at += len(line) + 1
    return _Reader(lines, starts)


def _uncomment(line: str) -> str:
    found = _COMMENT.match(line)
    assert found is not None  # noqa: S101 (asked of comments only)
    return " " * found.end() + line[found.end() :]


def _bare(value: str) -> str:
    """Return a scalar without properties, quotes and a comment after it."""
    text = _PROPERTY.sub("", value)
    if text[:1] in ("'", '"'):
        return _unquote(text)
    return _REMARK.sub("", text).strip()


def _unquote(text: str) -> str:
    quote = text[0]
    close = _find_close(text, quote, 1)
    inner = text[1:close] if close > 0 else text[1:]
    if quote == "'":
        return inner.replace("''", "'")
    return _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[1]), inner)


def _find_close(text: str, quote: str, start: int) -> int:
    """Return the end of a quoted text; -1 if it goes on."""
    at = text.find(quote, start)
    while at >= 0:
        if quote == "'" and text[at + 1 : at + 2] == "'":
            at = text.find(quote, at + 2)
        elif quote == '"' and (at - len(text[:at].rstrip("\\"))) % 2:
            at = text.find(quote, at + 1)
        else:
            return at
    return -1
