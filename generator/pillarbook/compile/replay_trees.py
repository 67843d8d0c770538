"""The trees of one template for the texts that its expressions print.

Texts of one shape (the same between their words) give documents of one outline
(``yaml_reuse``). For each shape it is worked out once which scalar has which parts of the printed
texts, so for further minions no document is put together, and no words are looked for in it.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import groupby, islice
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from pillarbook.compile.renderers.source_text import Segment, SourceText
from pillarbook.compile.renderers.yaml_outline import Outline, WordSpan
from pillarbook.compile.renderers.yaml_reuse import WORD, Family, ParsedDocuments
from pillarbook.model import Node


@dataclass(frozen=True, slots=True)
class PrintedPiece:
    """A segment of the text of a render."""

    text: str
    """Its text in the first render."""
    evaluation: int | None
    """The number of the evaluation that printed it; None if it is the same for all minions."""
    segment: Segment
    """Its origin in the template."""


@dataclass(frozen=True, slots=True)
class _Run:
    """Adjacent pieces that are the same for all minions, or the text of one expression."""

    text: str
    """Their text."""
    evaluation: int | None
    """The number of the evaluation."""
    words: tuple[WordSpan, ...]
    """The spans of words that expressions printed."""


class PrintedWords(NamedTuple):
    """The words of a printed text."""

    between: tuple[str, ...]
    """The texts before, between and after them."""
    spans: tuple[WordSpan, ...]
    """Their positions."""


class _Stretch(NamedTuple):
    """A part of a printed text, from a word to a word."""

    text: int
    """The index of the text."""
    first: int
    """The index of the first word."""
    before: int
    """The number of characters before it."""
    last: int
    """The index of the last word."""
    after: int
    """The number of characters after it."""


_Placed: TypeAlias = tuple[int, str, int | None]
"""Where a text begins in the whole text, the text, and its index if an expression printed it."""
_ScalarPart: TypeAlias = str | int | _Stretch
"""A part of a scalar: a fixed text, the index of a printed text, or a part of one."""


@dataclass(slots=True, eq=False)
class _Filling:
    """How printed texts fill an outline."""

    outline: Outline
    """The outline."""
    slots: tuple[tuple[_ScalarPart, ...], ...]
    """The parts of the text in each slot."""

    def fill(self, texts: Sequence[str], words: Sequence[PrintedWords]) -> Node | None:
        """Return the tree for printed texts; None if the text must be parsed."""
        filled = []
        for parts in self.slots:
            made = ""
            for part in parts:
                if isinstance(part, str):
                    made += part
                elif isinstance(part, int):
                    made += texts[part]
                else:
                    number, first, before, last, after = part
                    spans = words[number].spans
                    made += texts[number][spans[first][0] - before : spans[last][1] + after]
            filled.append(made)
        return self.outline.fill(filled)


@dataclass(slots=True, eq=False)
class _Shape:
    """The fillings for printed texts of one shape."""

    fixed: tuple[tuple[int, int], ...]
    """Text and index of the printed words that are not in values, but in keys and comments."""
    fillings: dict[tuple[str, ...], _Filling] = field(default_factory=dict)
    """By these words."""


class PrintedTrees:
    """The trees of one template, by the texts that its expressions print."""

    def __init__(self, sls: str, saltenv: str, pieces: tuple[PrintedPiece, ...]) -> None:
        self._name = sls, saltenv
        self._pieces = pieces
        self._runs = tuple(_join_runs(pieces))
        self._printing = [run.evaluation for run in self._runs if run.evaluation is not None]
        self._fixed_size = sum(len(run.text) for run in self._runs if run.evaluation is None)
        # By the shapes of the printed texts; everything else is the same each time.
        self._shapes: dict[tuple[tuple[str, ...], ...], _Shape] = {}

    def texts_of(self, evaluated: Sequence[Any]) -> tuple[str, ...]:
        """Return the texts of the evaluations whose text is printed."""
        return tuple([evaluated[number] for number in self._printing])

    def find(self, texts: Sequence[str], parsed: ParsedDocuments, most: int) -> Node | None:
        """Return the tree for the printed texts; None if the text must be parsed.

        A template may print ``most`` characters.
        """
        if self._fixed_size + sum(map(len, texts)) > most:
            return None
        words = [find_words(text) for text in texts]
        shape = self._shapes.get(tuple([one.between for one in words]))
        if shape is not None:
            fixed = tuple([_word(texts[at], words[at], number) for at, number in shape.fixed])
            filling = shape.fillings.get(fixed)
            if filling is not None:
                return filling.fill(texts, words)
        filling = self._learn(texts, words, parsed)
        return None if filling is None else filling.fill(texts, words)

    def _learn(
        self, texts: Sequence[str], words: Sequence[PrintedWords], parsed: ParsedDocuments
    ) -> _Filling | None:
        """Add the filling for texts of this shape, if a similar document is known."""
        family = self._find_family(texts, parsed)
        if family is None:
            return None
        whole, spans, where = self._put_together(texts, words)
        outline = family.outline_of(whole, spans)
        if outline is None:
            return None
        fixed = tuple(spot for one in family.fixed or () if (spot := where[one]) is not None)
        shape = self._shapes.setdefault(tuple(one.between for one in words), _Shape(fixed))
        placed = list(self._place(texts))
        slots = tuple(
            tuple(_take_apart(start, end, placed, words)) for start, end in outline.spans(spans)
        )
        filling = _Filling(outline, slots)
        shape.fillings[tuple(_word(texts[at], words[at], one) for at, one in fixed)] = filling
        return filling

    def _put_together(
        self, texts: Sequence[str], words: Sequence[PrintedWords]
    ) -> tuple[str, list[WordSpan], list[tuple[int, int] | None]]:
        """Return the whole text, the words in it, and which word of which printed text each is."""
        whole = ""
        spans: list[WordSpan] = []
        where: list[tuple[int, int] | None] = []
        for text, number, run in self._each(texts):
            found = run.words if number is None else words[number].spans
            spans += [(len(whole) + start, len(whole) + end) for start, end in found]
            where += [None if number is None else (number, at) for at in range(len(found))]
            whole += text
        return whole, spans, where

    def _each(self, texts: Sequence[str]) -> Iterator[tuple[str, int | None, _Run]]:
        """Yield text, index of the printed text, and run, in order."""
        number = 0
        for run in self._runs:
            if run.evaluation is None:
                yield run.text, None, run
            else:
                yield texts[number], number, run
                number += 1

    def _place(self, texts: Sequence[str]) -> Iterator[_Placed]:
        """Yield start, text, and index of the printed text, in order."""
        at = 0
        for text, number, _ in self._each(texts):
            yield at, text, number
            at += len(text)

    def _find_family(self, texts: Sequence[str], parsed: ParsedDocuments) -> Family | None:
        """Return the parsed documents of similar texts."""
        by_number = dict(zip(self._printing, texts, strict=True))
        segments, parts, at = [], [], 0
        for piece in self._pieces:
            text = piece.text if piece.evaluation is None else by_number[piece.evaluation]
            segments.append(replace(piece.segment, start=at))
            parts.append(text)
            at += len(text)
        return parsed.family_of(*self._name, SourceText("".join(parts), tuple(segments)))


def _take_apart(
    start: int, end: int, placed: Sequence[_Placed], words: Sequence[PrintedWords]
) -> Iterator[_ScalarPart]:
    """Yield the parts of a scalar, given its position in the whole text."""
    first_run = bisect_right(placed, start, key=itemgetter(0)) - 1
    for at, text, number in islice(placed, max(first_run, 0), None):
        if at >= end:
            return
        low, high = max(start - at, 0), min(end - at, len(text))
        if low >= high:
            continue
        if number is None:
            yield text[low:high]
        elif (low, high) == (0, len(text)):
            yield number
        else:
            spans = words[number].spans
            within = [one for one, (a, b) in enumerate(spans) if low <= a and b <= high]
            if within:
                first, last = within[0], within[-1]
                yield _Stretch(number, first, spans[first][0] - low, last, high - spans[last][1])
            else:  # between words, where all texts of the shape are equal
                yield text[low:high]


def _word(text: str, words: PrintedWords, number: int) -> str:
    start, end = words.spans[number]
    return text[start:end]


def _join_runs(pieces: Iterable[PrintedPiece]) -> Iterator[_Run]:
    """Yield the pieces of a text, joined to as few runs as possible."""
    for evaluation, some in groupby(pieces, lambda piece: piece.evaluation):
        at, texts, words = 0, [], []
        for piece in some:
            spans = () if piece.segment.verbatim else find_words(piece.text).spans
            words += [(at + start, at + end) for start, end in spans]
            texts.append(piece.text)
            at += len(piece.text)
        yield _Run("".join(texts), evaluation, tuple(words))


# By the text, which determines the result. Templates print few different values, and each replay
# needs their words. The oldest entry is dropped first.
@lru_cache(maxsize=16384)
def find_words(text: str) -> PrintedWords:
    """Return the words of a printed text."""
    between, spans, at = [], [], 0
    for word in WORD.finditer(text):
        between.append(text[at : word.start()])
        spans.append(word.span())
        at = word.end()
    return PrintedWords((*between, text[at:]), tuple(spans))
