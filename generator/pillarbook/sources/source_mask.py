"""The text of a file as others may see it, line by line.

Hidden are: the known secrets, in all forms; what the redactor hid of a line's values; ciphertext
and keys; and in text that no compile has judged (comments, literals of templates, branches that
no minion takes) whatever is not plainly ordinary. A hidden part is cut out of the
text, so that neither it nor its length is shown (docs/decisions/0028).
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
"""Ciphertext and keys that take several lines."""
_TRAILING = re.compile(r"(?<=[ \t])#.*")
_LINE = re.compile(r"[^\n]+")
_TAG = re.compile(r"\{%[-+]?\s*(\w+)")
_SIGN = re.compile(r"[#{} \t%-]+")
SHORTEST_COPY = 4
"""Characters of a text that is hidden wherever it is in its file."""


@dataclass(frozen=True, slots=True)
class Template:
    """A file, and what is known of it."""

    text: str
    """Its text."""
    literals: tuple[Literal, ...] | None
    """What it spells out as a template; None if it does not parse."""
    is_usual: bool = True
    """Whether its tags are written as Jinja has them."""

    def __repr__(self) -> str:
        """Return its size, never the text."""
        return f"Template({len(self.text)} characters)"


class SourceMask:
    """Masks the texts of files.

    Args:
        judge: Says what may be shown of what nobody has judged.
        search: Finds the secrets that are known.
    """

    def __init__(self, judge: SourceJudge, search: SecretSearch) -> None:
        self._judge = judge
        self._search = search

    def find_secrets(self, template: Template, lines: JudgedLines) -> tuple[str, ...]:
        """Return what is hidden of a file and may be in others: distinctive texts."""
        found = (one.secret.strip() for one in self._find(template, lines))
        return tuple(dict.fromkeys(one for one in found if one and is_distinctive(one)))

    def mask(
        self, template: Template, lines: JudgedLines, elsewhere: SecretSearch | None = None
    ) -> tuple[MaskedLine, ...]:
        """Return the lines of a file as they may be shown.

        Args:
            template: The file.
            lines: What is known of its lines.
            elsewhere: Finds what is hidden of other files.
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
        """Return the lines whose values are shown elsewhere, or set aside by the configuration."""
        entries = tuple(read_entries(template.text))
        allowed = {one.line + 1 for one in entries if self._judge.allows(one.path)}
        return _shown_lines(entries, lines) | allowed

    def _verify(
        self, line: MaskedLine, elsewhere: SecretSearch | None, *, is_judged: bool
    ) -> MaskedLine:
        """Return a line, or nothing of it if what is left of it holds a secret all the same."""
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
        """Yield the values of lines of which the redactor hid one."""
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
        """Yield what is to be hidden of a comment behind something, or of a template."""
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
    """Return the lines that hold nothing but values that are shown elsewhere."""
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
    """Return a line without a comment, which is judged as prose."""
    start, end = span
    bare = text[start:end].lstrip(" \t")
    if bare.startswith("#"):
        return end, end
    found = _TRAILING.search(text, start, end)
    return (start, found.start()) if found else span


def _copies(text: str, part: str) -> Iterator[Span]:
    """Yield where a text is in another as it is."""
    at = text.find(part) if part else -1
    while at >= 0:
        yield at, at + len(part)
        at = text.find(part, at + len(part))


def _copies_of(text: str, parts: Iterable[str]) -> Iterator[Span]:
    """Yield where some texts stand in another; a file may have as many as it has words."""
    raw = _encode(text)
    yield from _to_characters(raw, find_texts((_encode(one) for one in parts), raw))


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _blocks_of(text: str, value: str) -> Iterator[Span]:
    """Yield where the lines of a text stand that a template sets."""
    if "\n" in value:
        for line in filter(None, map(str.strip, value.split("\n"))):
            if len(line) >= SHORTEST_COPY:
                yield from _copies(text, line)


def _known(text: str, search: SecretSearch) -> Iterator[Span]:
    """Yield where known secrets are in a text, also where YAML folds them over lines."""
    raw = text.encode("utf-8", "surrogatepass")
    hits = list(search.find_each(raw))
    spans = [(hit.start, hit.end) for hit in join_hits(hits)]
    left = search.ids_in(raw).difference(hit.secret_id for hit in hits)
    if left:
        spans += _folded(raw, search, left)
    yield from _to_characters(raw, spans)


def _folded(raw: bytes, search: SecretSearch, places: frozenset[int]) -> Iterator[Span]:
    """Yield the lines that hold a secret together, and none of them alone."""
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
    """Return spans from left to right, those that meet as one."""
    joined: list[Span] = []
    for start, end in sorted(span for span in spans if span[0] < span[1]):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined


def _cut(text: str, spans: list[Span]) -> Iterator[MaskedLine]:
    """Yield the lines of a text without what some spans cover."""
    at = 0
    blank = blank_tags(text)
    for start, end in _line_spans(text):
        while at < len(spans) and spans[at][1] <= start:
            at += 1
        parts, done, one = [], start, at
        while one < len(spans) and spans[one][0] < end:
            # The blanks before a line say which key it belongs to, and nothing else.
            first = spans[one][0]
            if first <= start:
                first = start + len(text[start:end]) - len(text[start:end].lstrip(" \t"))
            parts.append(text[done : min(first, end)])
            done = min(spans[one][1], end)
            one += 1
        parts.append(text[done:end])
        prints = bool(blank[start:end].strip())
        yield MaskedLine(tuple(parts), prints, tuple(_TAG.findall(text, start, end)))
