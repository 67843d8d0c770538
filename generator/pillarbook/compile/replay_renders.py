"""Renders of minions that differ from another's in values which are printed, and in no others.

A file that says ``id: {{ grains['id'] }}`` renders otherwise for each minion. But where each read
of a grain was to print it, nothing else of the render hangs on that grain: no other answer, no
other text, no other file. So a minion that answers all other questions alike gets the same text
with its own values in their places, and as much of the tree as ``yaml_reuse`` says of that text.
Whatever is not as plain as that is rendered.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from pillarbook.compile.reads import Answer, Question, Trace
from pillarbook.compile.renderers.jinja.read_paths import ReadPath
from pillarbook.compile.renderers.render_context import RenderContext
from pillarbook.compile.renderers.source_text import Segment, SourceText
from pillarbook.compile.renderers.yaml_reuse import WORD, Family, ParsedDocuments, WordSpan

if TYPE_CHECKING:
    from pillarbook.compile.render_file import RenderResult

Ask: TypeAlias = Callable[[Question], Answer]
_Questions: TypeAlias = tuple[tuple[Question, ...], frozenset[Question]]
"""All that a render asks, and what of it is only printed."""
# A file whose output differs in more than what it prints would else keep a template for each minion
# (docs/decisions/0021).
MAX_IDLE = 200
"""Templates of one file that are kept while none of them serves."""
# Each way costs a minion as many questions as rendering does; with many of them replay is no gain.
MAX_WAYS = 20
"""Sets of questions, of which a minion has to be asked one after the other."""
VIEWS = frozenset(("grains", "opts", "master_opts", "pillar"))
"""What may be asked of any minion at any time."""
WHOLE = -1
"""Stands for no position in a list."""


@dataclass(frozen=True, slots=True)
class _Printed:
    """A value that is printed."""

    question: Question
    """What was asked for it."""
    at: int
    """Its position where that is a list, else ``WHOLE``."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A segment of the text."""

    text: str
    """Its text in the first render."""
    printed: _Printed | None
    """The value that is printed; None for what is the same for all."""
    segment: Segment
    """Where it came from."""


@dataclass(slots=True, eq=False)
class RenderTemplate:
    """One render, to be repeated with other values in it."""

    result: "RenderResult"
    """What the render gave."""
    pieces: tuple[_Piece, ...]
    """Its text."""
    _families: dict[tuple[tuple[str, ...], ...], Family] = field(default_factory=dict)

    def repeat(
        self, questions: Mapping[Question, Answer], context: "ReplayContext"
    ) -> "RenderResult | None":
        """Return the render with a minion's answers; None if it has to be rendered."""
        texts: list[str] = []
        words: list[WordSpan] = []
        shapes: list[tuple[str, ...]] = []
        at = 0
        for piece in self.pieces:
            text = piece.text
            if piece.printed is not None:
                printed = print_answer(questions[piece.printed.question], piece.printed.at)
                if not printed:
                    return None
                text = printed
            if not piece.segment.verbatim:
                shape, spans = _shape_of(text)
                shapes.append(shape)
                words += [(at + start, at + end) for start, end in spans]
            texts.append(text)
            at += len(text)
        family = self._family_of(tuple(shapes), texts, context) if at <= context.most else None
        tree = None if family is None else family.fill("".join(texts), words)
        return None if tree is None else replace(self.result, tree=tree, questions=questions)

    def _family_of(
        self, shapes: tuple[tuple[str, ...], ...], texts: list[str], context: "ReplayContext"
    ) -> Family | None:
        """Return the documents that this one is like."""
        family = self._families.get(shapes)
        if family is None:
            segments, at = [], 0
            for piece, text in zip(self.pieces, texts, strict=True):
                segments.append(replace(piece.segment, start=at))
                at += len(text)
            data = SourceText("".join(texts), tuple(segments))
            family = context.parsed.family_of(context.sls, context.saltenv, data)
            if family is not None:
                self._families[shapes] = family
        return family


@dataclass(frozen=True, slots=True)
class ReplayContext:
    """What the templates of a file are repeated with."""

    sls: str
    """Its SLS name."""
    saltenv: str
    """Its environment."""
    parsed: ParsedDocuments
    """The documents that the run has parsed."""
    most: int
    """Characters that a template may print."""


@dataclass(slots=True, eq=False)
class RenderTemplates:
    """The render templates of one file, by the answers that have to be the same."""

    _known: dict[_Questions, dict[tuple[Answer, ...], RenderTemplate]]
    _count: int = 0
    _served: int = 0

    @classmethod
    def none(cls) -> "RenderTemplates":
        """Return no templates yet."""
        return cls({})

    def repeat(self, ask: Ask, context: ReplayContext) -> "RenderResult | None":
        """Return what the file renders to for a minion; None if it has to be rendered."""
        for (questions, free), recipes in self._known.items():
            fixed = tuple(ask(one) for one in questions if one not in free)
            recipe = recipes.get(fixed)
            if recipe is not None:
                answers = {one: ask(one) for one in questions}
                result = recipe.repeat(answers, context)
                self._served += result is not None
                return result
        return None

    def learn(self, result: "RenderResult", trace: Trace, context: RenderContext) -> None:
        """Take a render, where it can be repeated with other values in it."""
        # Each template that served pays for another one that is kept.
        is_idle = self._count > MAX_IDLE + self._served or len(self._known) > MAX_WAYS
        if not context.printed or is_idle or any(one[0] not in VIEWS for one in trace.answers):
            return
        pieces = _take_apart(result, trace, context)
        free = frozenset(one.printed.question for one in pieces if one.printed is not None)
        if free:
            questions = tuple(trace.answers)
            fixed = tuple(answer for one, answer in trace.answers.items() if one not in free)
            self._known.setdefault((questions, free), {})[fixed] = RenderTemplate(result, pieces)
            self._count += 1


def _take_apart(result: "RenderResult", trace: Trace, context: RenderContext) -> tuple[_Piece, ...]:
    """Return the text of a render in pieces; none if it cannot be repeated."""
    data = context.document
    is_quiet = result.message is None and not (result.diagnostics or result.messages)
    # Positions of opened messages belong to the one text that was rendered.
    is_open = not (result.decrypted or result.sealed)
    if data is None or context.steps != ("jinja", "yaml") or not (is_quiet and is_open):
        return ()
    # A replayed text has no mark of its own: what the template opened would come out as clear text.
    if any(segment.secret is not None for segment in data.segments):
        return ()
    values = {number: _value_of(path, trace.answers) for number, path in context.printed.items()}
    ends = [*(segment.start for segment in data.segments[1:]), len(data.text)]
    texts = [data.text[one.start : end] for one, end in zip(data.segments, ends, strict=True)]
    told = Counter(
        value.question
        for number, value in values.items()
        if value is not None
        and print_answer(trace.answers[value.question], value.at) == texts[number]
    )
    asked = Counter(trace.reads)
    free = {question for question, count in told.items() if asked[question] == count}
    return tuple(
        _Piece(text, value if value is not None and value.question in free else None, segment)
        for text, segment, value in zip(
            texts, data.segments, map(values.get, range(len(texts))), strict=True
        )
    )


def _value_of(path: ReadPath, answers: Mapping[Question, Answer]) -> _Printed | None:
    """Return which question was asked for a value at a path."""
    view, *keys = path
    question: Question = (view, "get", tuple(keys))
    if question in answers:
        return _Printed(question, WHOLE)
    question = (view, "get", tuple(keys[:-1]))
    at = keys[-1]
    if question in answers and at.__class__ is int:
        return _Printed(question, int(at))
    return None


def print_answer(answer: Answer, at: int) -> str | None:
    """Return what a template prints of a value; None for what is no text and no whole number.

    Args:
        answer: Its answer, as ``reads.shallow`` gives it.
        at: The position of what is printed if the value is a list, else ``WHOLE``.
    """
    if at != WHOLE:
        is_list = isinstance(answer, tuple) and answer[0] == "list"
        if not is_list or not at + 1 < len(answer):  # type: ignore[arg-type] # a tuple
            return None
        answer = answer[at + 1]  # type: ignore[index] # a tuple
    if answer.__class__ is str:
        return answer
    if isinstance(answer, tuple) and len(answer) == 2 and answer[0] == "int":
        return str(answer[1])
    return None


# A function of the text. Templates print few different values, and each replay needs the shape of
# each of them; the oldest go when there are more.
@lru_cache(maxsize=65536)
def _shape_of(text: str) -> tuple[tuple[str, ...], tuple[WordSpan, ...]]:
    """Return the texts between the words of a text, and the positions of the words."""
    between, spans, at = [], [], 0
    for word in WORD.finditer(text):
        between.append(text[at : word.start()])
        spans.append(word.span())
        at = word.end()
    return (*between, text[at:]), tuple(spans)
