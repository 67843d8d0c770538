"""Masks the text of a file, line by line.

These parts are hidden: known secrets in all forms; redacted values of a line; ciphertext and keys;
and in text that no compile has judged (comments, literals of templates, branches that no minion
takes) everything that is not ordinary. A hidden part is removed, so that its length is not shown,
either (docs/decisions/0028).
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from pillarbook.compile.renderers.jinja.literals import Literal
from pillarbook.patterns.distinctive import is_distinctive
from pillarbook.redact.secret_search import SecretSearch, find_texts, join_hits, unfold
from pillarbook.redact.source_files import JudgedLines, MaskedLine
from pillarbook.sources.source_entries import (
    TAGS,
    Entry,
    blank_tags,
    read_comments,
    read_entries,
    read_inside,
)
from pillarbook.sources.source_judge import HiddenPart, SourceJudge, Span

_BLOCKS = (
    re.compile(
        r"-----BEGIN (?!CERTIFICATE-|PUBLIC KEY-|RSA PUBLIC KEY-|PGP PUBLIC)[^\n]*"
        r"(?:.*?-----END [^\n]*?-----|.*\Z)",
        re.DOTALL,
    ),
    re.compile(r"\b(?:ENC|NACL)\[.*?(?:\]|\Z)|\bENC\(.*?(?:\)|\Z)", re.DOTALL),
    re.compile(r"\$ANSIBLE_VAULT;[^\n]*(?:\n[ \t#]*[0-9a-fA-F\s]+)?"),
)
"""Ciphertext and keys on several lines."""
_TRAILING = re.compile(r"(?<=[ \t])#.*")
_LINE = re.compile(r"[^\n]+")
_TAG = re.compile(r"\{%[-+]?\s*(\w+)")
_SIGN = re.compile(r"[#{} \t%-]+")
SHORTEST_COPY = 4
"""Characters; a shorter hidden text is not hidden in the rest of its file."""


@dataclass(frozen=True, slots=True)
class Template:
    """A file with its literals."""

    text: str
    literals: tuple[Literal, ...] | None
    """Its literals as a template; None if it cannot be parsed."""
    is_usual: bool = True
    """Whether its tags have Jinja's usual delimiters."""

    def __repr__(self) -> str:
        """Return its size, never its text."""
        return f"Template({len(self.text)} characters)"


class SourceMask:
    """Masks the texts of files."""

    def __init__(self, judge: SourceJudge, search: SecretSearch) -> None:
        self._judge = judge
        self._search = search

    def find_secrets(self, template: Template, lines: JudgedLines) -> tuple[str, ...]:
        """Return the distinctive hidden texts of a file, which other files may contain."""
        found = (one.secret.strip() for one in self._find(template, lines))
        return tuple(dict.fromkeys(one for one in found if one and is_distinctive(one)))

    def mask(
        self, template: Template, lines: JudgedLines, elsewhere: SecretSearch | None = None
    ) -> tuple[MaskedLine, ...]:
        """Return the masked lines of a file.

        ``elsewhere`` finds the hidden texts of other files.
        """
        text = template.text
        hidden = list(self._find(template, lines))
        own = {one.secret.strip() for one in hidden if len(one.secret.strip()) >= SHORTEST_COPY}
        spans = [(one.start, one.end) for one in hidden]
        spans += _copies_of(text, own)
        for search in (self._search, elsewhere):
            if search:
                spans += _known(text, search)
        judged = self._judged_lines(template, lines)
        return tuple(
            self._verify(line, elsewhere, is_judged=number in judged)
            for number, line in enumerate(_cut(text, _join(spans)), 1)
        )

    def _judged_lines(self, template: Template, lines: JudgedLines) -> frozenset[int]:
        """Return the lines whose values are shown elsewhere, or that ``allow`` matches."""
        entries = tuple(read_entries(template.text))
        allowed = {one.line + 1 for one in entries if self._judge.allows(one.path)}
        return _shown_lines(entries, lines) | allowed

    def _verify(
        self, line: MaskedLine, elsewhere: SecretSearch | None, *, is_judged: bool
    ) -> MaskedLine:
        """Return a masked line; an empty one if its rest still contains a secret."""
        left = "".join(line.parts)
        raw = left.encode("utf-8", "surrogatepass")
        is_secret = any(one and one.first(raw) for one in (self._search, elsewhere))
        is_secret = is_secret or self._judge.is_line_secret(left, is_judged=is_judged)
        return replace(line, parts=("", "")) if is_secret else line

    def _find(self, template: Template, lines: JudgedLines) -> Iterator[HiddenPart]:
        text, judge = template.text, self._judge
        for block in _BLOCKS:
            yield from (HiddenPart(*found.span(), found[0]) for found in block.finditer(text))
        entries = tuple(read_entries(text))
        shown = _shown_lines(entries, lines) if template.is_usual else frozenset()
        yield from self._secret_lines(text, entries, lines)
        yield from judge.entries(one for one in entries if one.line + 1 not in shown)
        yield from self._tags(template, entries)
        yield from self._comments(text, entries)
        paths = {one.line + 1: one.path for one in entries}
        for number, span in enumerate(_line_spans(text), 1):
            yield from judge.forms(text, span)
            if number not in shown:
                yield from judge.words(text, _without_comment(text, span))
                yield from judge.pairs(text, [span], paths.get(number, ()))

    def _secret_lines(
        self, text: str, entries: Iterable[Entry], lines: JudgedLines
    ) -> Iterator[HiddenPart]:
        """Yield the values of lines with a redacted value."""
        left = set(lines.secret)
        for one in entries:
            if one.line + 1 in lines.secret:
                left.discard(one.line + 1)
                yield HiddenPart(one.start, one.end)
        for number, span in enumerate(_line_spans(text), 1):
            if number in left:
                yield HiddenPart(*span)

    def _tags(self, template: Template, entries: Iterable[Entry]) -> Iterator[HiddenPart]:
        text, judge = template.text, self._judge
        named = [
            (one.start, one.end) for one in entries if "{{" in one.text and judge.may_name(one.path)
        ]
        secrets = judge.literals(template.literals or ())
        for one in secrets:
            value = str(one.value).strip()
            if "\n" in value or not value.isalnum():
                yield from (HiddenPart(*span, value) for span in _copies(text, value))
        for found in TAGS.finditer(text):
            if found[0].startswith("{#"):
                yield from self._remark(text, (found.start() + 2, found.end() - 2))
                continue
            is_named = any(start <= found.start() < end for start, end in named)
            yield from judge.tag(text, found.span(), secrets, is_named=is_named)
            if template.literals is None:
                yield from judge.pairs(text, [found.span()])
        for one in secrets:
            yield from (HiddenPart(*span) for span in _blocks_of(text, str(one.value)))

    def _remark(self, text: str, span: Span) -> Iterator[HiddenPart]:
        """Yield the parts to hide in a comment after other text, or in a comment of a template."""
        inside = read_inside(text, *span)
        yield from self._judge.entries(inside)
        yield from self._judge.pairs(text, [span])
        yield from self._judge.comment(text, span, text[slice(*span)].lstrip("# \t"))

    def _comments(self, text: str, entries: Iterable[Entry]) -> Iterator[HiddenPart]:
        spans = list(_line_spans(text))
        judge = self._judge
        for first, last, inside in read_comments(text):
            whole = spans[first][0], spans[last - 1][1]
            yield from judge.entries(inside)
            yield from judge.pairs(text, [whole])
            bare = "\n".join(_SIGN.sub("", text[slice(*one)], count=1) for one in spans[first:last])
            yield from judge.comment(text, whole, bare)
        of_lines = {one.line: one for one in entries}
        for number, span in enumerate(spans):
            found = _TRAILING.search(text, *span)
            if found is None:
                continue
            entry = of_lines.get(number)
            if entry is not None and judge.may_name(entry.path):
                yield HiddenPart(*found.span())
            yield from self._remark(text, (found.start() + 1, found.end()))


def _shown_lines(entries: Iterable[Entry], lines: JudgedLines) -> frozenset[int]:
    """Return the lines that contain only values that are shown elsewhere."""
    found = set(lines.shown)
    for one in entries:
        if one.line + 1 in lines.shown:
            found.update(range(one.line + 1, one.line + 2 + one.text.count("\n")))
    return frozenset(found.difference(lines.secret, lines.unrendered))


def _line_spans(text: str) -> Iterator[Span]:
    at = 0
    for line in text.split("\n"):
        yield at, at + len(line)
        at += len(line) + 1


def _without_comment(text: str, span: Span) -> Span:
    """Return the span of a line without a comment, which is judged as prose."""
    start, end = span
    bare = text[start:end].lstrip(" \t")
    if bare.startswith("#"):
        return end, end
    found = _TRAILING.search(text, start, end)
    return (start, found.start()) if found else span


def _copies(text: str, part: str) -> Iterator[Span]:
    """Yield the occurrences of a text in another one."""
    at = text.find(part) if part else -1
    while at >= 0:
        yield at, at + len(part)
        at = text.find(part, at + len(part))


def _copies_of(text: str, parts: Iterable[str]) -> Iterator[Span]:
    """Yield the occurrences of some texts in one pass, since there may be as many as words."""
    raw = _encode(text)
    yield from _to_characters(raw, find_texts((_encode(one) for one in parts), raw))


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _blocks_of(text: str, value: str) -> Iterator[Span]:
    """Yield the positions of the lines of a text that a template sets."""
    if "\n" in value:
        for line in filter(None, map(str.strip, value.split("\n"))):
            if len(line) >= SHORTEST_COPY:
                yield from _copies(text, line)


def _known(text: str, search: SecretSearch) -> Iterator[Span]:
    """Yield the positions of known secrets in a text, also if YAML folds them over lines."""
    raw = text.encode("utf-8", "surrogatepass")
    spans = [(hit.start, hit.end) for hit in join_hits(search.find_each(raw))]
    # A hit is that of one secret, and other secrets may have the same line.
    left = search.ids_in(raw).difference(*(search.ids_in(raw[slice(*one)]) for one in spans))
    if left:
        spans += _folded(raw, search, left)
    yield from _to_characters(raw, spans)


def _folded(raw: bytes, search: SecretSearch, places: frozenset[int]) -> Iterator[Span]:
    """Yield the lines that only together contain a secret."""
    search = search.only(lambda _, found: not places.isdisjoint(found))
    ends = [found.end() for found in re.finditer(rb"[^\n]*(?:\n|\Z)", raw)]
    starts = [0, *ends]
    for first in range(len(ends)):
        for last in range(first + 1, min(first + 12, len(ends))):
            part = unfold(raw[starts[first] : ends[last]])
            if search.ids_in(part):
                yield starts[first], ends[last]
                break


def _to_characters(raw: bytes, spans: Iterable[Span]) -> Iterator[Span]:
    """Yield spans of bytes as spans of characters."""
    listed = sorted(spans)
    at, count, places = 0, 0, {}
    for edge in sorted({edge for span in listed for edge in span}):
        count += len(raw[at:edge].decode("utf-8", "surrogatepass"))
        at = edge
        places[edge] = count
    yield from ((places[start], places[end]) for start, end in listed)


def _join(spans: Iterable[Span]) -> list[Span]:
    """Return spans from left to right, with touching spans joined."""
    joined: list[Span] = []
    for start, end in sorted(span for span in spans if span[0] < span[1]):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined


def _cut(text: str, spans: list[Span]) -> Iterator[MaskedLine]:
    """Yield the lines of a text without some spans."""
    at = 0
    blank = blank_tags(text)
    for start, end in _line_spans(text):
        while at < len(spans) and spans[at][1] <= start:
            at += 1
        parts, done, one = [], start, at
        while one < len(spans) and spans[one][0] < end:
            # The indentation of a line shows only to which key it belongs.
            first = spans[one][0]
            if first <= start:
                first = start + len(text[start:end]) - len(text[start:end].lstrip(" \t"))
            parts.append(text[done : min(first, end)])
            done = min(spans[one][1], end)
            one += 1
        parts.append(text[done:end])
        prints = bool(blank[start:end].strip())
        yield MaskedLine(tuple(parts), prints, tuple(_TAG.findall(text, start, end)))
