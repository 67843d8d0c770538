"""Repeats a render for minions that differ only in values that the template prints.

A file with ``host: {{ grains['id'].split('.')[0] }}`` renders differently for each minion. But if a
grain is read only by expressions that compute printed text, nothing else in the render depends on
that grain: no other answer, text or file. So for a minion with the same answers to all other
questions, only these expressions are evaluated. Their results replace the printed text, and
``yaml_reuse`` reuses the tree where possible. Everything else is rendered.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeAlias

from pillarbook.compile.memo import RepeatCache
from pillarbook.compile.misses import Misses, join_misses
from pillarbook.compile.reads import MAPPING, Answer, Question, Trace
from pillarbook.compile.renderers.jinja.evaluations import Evaluation
from pillarbook.compile.renderers.jinja.read_paths import ReadPath
from pillarbook.compile.renderers.render_context import RenderContext
from pillarbook.compile.renderers.render_errors import LimitExceeded
from pillarbook.compile.renderers.source_text import Segment, SourceText
from pillarbook.compile.renderers.yaml_reuse import WORD, Family, ParsedDocuments, WordSpan
from pillarbook.model import Node

if TYPE_CHECKING:
    from pillarbook.compile.render_file import RenderResult

Ask: TypeAlias = Callable[[Question], Answer]
# If the results of a file differ in more than printed values, each minion would leave a template
# (docs/decisions/0021).
MAX_IDLE = 200
"""The most templates of one file that are kept while none of them was useful."""
# For each set, a minion must answer as many questions as in a render, so many sets save no time.
MAX_WAYS = 20
"""The most sets of questions for one file."""
VIEWS = frozenset(("grains", "opts", "master_opts", "pillar"))
"""The views whose questions any minion can answer at any time."""
WHOLE = -1
"""Used in place of a list position."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A segment of the text."""

    text: str
    """Its text in the first render."""
    evaluation: int | None
    """The number of the evaluation that printed it; None if it is the same for all minions."""
    segment: Segment
    """Its origin in the template."""


@dataclass(frozen=True, slots=True)
class ReplayContext:
    """The inputs for repeating a render."""

    sls: str
    """Its SLS name."""
    saltenv: str
    """Its environment."""
    parsed: ParsedDocuments
    """The documents that the run has parsed."""
    most: int
    """The most characters that a template may print."""
    ask: Ask
    """Answers a question for the minion."""
    find: Callable[[str, Trace], Any]
    """Returns the object for a name in an expression, and notes its reads."""
    made: "Made" = field(default_factory=RepeatCache)
    """The results of templates for other minions."""
    share: Callable[["RenderResult"], None] = lambda _: None
    """Called with a result that a second minion uses."""
    watch: Callable[[], AbstractContextManager[None]] = nullcontext
    """Guards expressions that may be slow."""


@dataclass(slots=True, eq=False)
class RenderTemplate:
    """A render that can be repeated with other values."""

    result: "RenderResult"
    """The result of the render."""
    pieces: tuple[_Piece, ...]
    """Its text."""
    evaluations: tuple[Evaluation, ...]
    """Its evaluations."""
    order: tuple[Question | int, ...]
    """Its other questions, and the numbers of evaluations, in order."""
    misses: Misses
    """The other questions that found nothing."""
    # By the shapes of the printed texts; everything else is the same each time. One entry for each
    # text that was rendered.
    _families: dict[tuple[tuple[str, ...], ...], Family] = field(default_factory=dict)
    _runs: list["_Run"] = field(default_factory=list)
    _firsts: list[int] = field(default_factory=list)

    def repeat(
        self, fixed: Mapping[Question, Answer], context: ReplayContext
    ) -> "RenderResult | None":
        """Return the result for a minion; None if the file must be rendered.

        ``fixed`` are the answers to the questions that are not of expressions.
        """
        trace = Trace()
        try:
            with context.watch() if self._is_slow else nullcontext():
                printed = self._evaluate(fixed, trace, context)
        # An expression may fail in any way; then the file is rendered, which words the error.
        except (Exception, LimitExceeded):  # noqa: BLE001
            return None
        if printed is None:
            return None
        spot = self, tuple(trace.answers.values())
        known = context.made.get(spot)
        if known is not None:
            context.share(known)
            return known
        tree = self._fill(printed, context)
        if tree is None:
            return None
        misses = join_misses(self.misses, trace.missed)
        made = replace(self.result, tree=tree, questions=trace.answers, misses=misses)
        context.made[spot] = made
        return made

    @property
    def _is_slow(self) -> bool:
        return any(one.expression.pure.is_slow for one in self.evaluations)

    def _evaluate(
        self, fixed: Mapping[Question, Answer], trace: Trace, context: ReplayContext
    ) -> list[str] | None:
        """Return the text of each evaluation; None if one does not print as it did before."""
        given: dict[str, Any] = {}
        printed: list[str] = []
        if not self._firsts:
            self._firsts.extend(_find_firsts(self.evaluations))
        for one in self.order:
            if one.__class__ is tuple:
                trace.note(one, fixed[one])
                continue
            first = self._firsts[one]  # type: ignore[index] # a number
            if first != one:
                printed.append(printed[first])
                continue
            evaluation = self.evaluations[one]
            trace.begin_evaluation(one)
            made = _evaluate(evaluation, given, trace, context)
            trace.end_evaluation()
            target = evaluation.expression.pure.target
            if target is not None:
                given[target] = made
                made = ""
            elif bool(made) is not bool(evaluation.text):
                return None
            printed.append(made)
        return printed

    def _fill(self, printed: list[str], context: ReplayContext) -> Node | None:
        """Return the tree for the printed texts; None if the text must be parsed."""
        texts: list[str] = []
        words: list[WordSpan] = []
        shapes: list[tuple[str, ...]] = []
        at = 0
        if not self._runs:
            self._runs.extend(_join_runs(self.pieces))
        for run in self._runs:
            text = run.text if run.evaluation is None else printed[run.evaluation]
            spans = run.words
            if run.evaluation is not None:
                shape, spans = _shape_of(text)
                shapes.append(shape)
            words += [(at + start, at + end) for start, end in spans]
            texts.append(text)
            at += len(text)
        if at > context.most:
            return None
        family = self._families.get(tuple(shapes)) or self._find_family(printed, context)
        if family is None:
            return None
        self._families[tuple(shapes)] = family
        return family.fill("".join(texts), words)

    def _find_family(self, printed: list[str], context: ReplayContext) -> Family | None:
        """Return the parsed documents of similar texts."""
        segments, texts, at = [], [], 0
        for piece in self.pieces:
            text = piece.text if piece.evaluation is None else printed[piece.evaluation]
            segments.append(replace(piece.segment, start=at))
            texts.append(text)
            at += len(text)
        data = SourceText("".join(texts), tuple(segments))
        return context.parsed.family_of(context.sls, context.saltenv, data)


Made: TypeAlias = RepeatCache[tuple[RenderTemplate, tuple[Answer, ...]], "RenderResult"]
"""Results of templates, by the answers to their questions."""


@dataclass(frozen=True, slots=True)
class _Run:
    """Adjacent pieces that are the same for all minions, or the text of one expression."""

    text: str
    """Their text."""
    evaluation: int | None
    """The number of the evaluation."""
    words: tuple[WordSpan, ...]
    """The spans of words that expressions printed."""


def _join_runs(pieces: Iterable[_Piece]) -> Iterator[_Run]:
    """Yield the pieces of a text, joined to as few runs as possible."""
    for evaluation, some in groupby(pieces, lambda piece: piece.evaluation):
        at, texts, words = 0, [], []
        for piece in some:
            spans = () if piece.segment.verbatim else _shape_of(piece.text)[1]
            words += [(at + start, at + end) for start, end in spans]
            texts.append(piece.text)
            at += len(piece.text)
        yield _Run("".join(texts), evaluation, tuple(words))


def _find_firsts(evaluations: Iterable[Evaluation]) -> Iterator[int]:
    """Yield for each evaluation the number of the first one that prints the same for any minion."""
    firsts: dict[Any, int] = {}
    for number, one in enumerate(evaluations):
        pure = one.expression.pure
        is_alone = pure.target is not None or pure.free  # the value of a variable may change
        given = tuple((name, value.__class__, str(value)) for name, value in one.given.items())
        form = number if is_alone else (one.expression.form, given)
        yield firsts.setdefault(form, number)


def _evaluate(
    evaluation: Evaluation, given: Mapping[str, Any], trace: Trace, context: ReplayContext
) -> Any:
    """Return the value of an expression for a minion."""
    expression = evaluation.expression
    path = expression.path
    text = None if path is None else _read(path, trace, context.ask)
    if text is not None:
        return text
    variables = {name: given[name] for name in expression.pure.free if name in given}
    for name in expression.named:
        known = evaluation.given
        variables[name] = known[name] if name in known else context.find(name, trace)
    return expression.evaluate(variables)


def _read(path: ReadPath, trace: Trace, ask: Ask) -> str | None:
    """Return the printed text of the value at a path; None if it is not text or a number."""
    view, *keys = path
    for at in range(1, len(keys) + 1):
        question = (view, "get", tuple(keys[:at]))
        answer = ask(question)
        trace.note(question, answer)
        if answer != MAPPING:
            rest = keys[at:]
            if not rest:
                return print_answer(answer, WHOLE)
            is_member = len(rest) == 1 and rest[0].__class__ is int
            return print_answer(answer, int(rest[0])) if is_member else None
    return None


@dataclass(slots=True, eq=False)
class RenderTemplates:
    """The templates of one file, by the answers that must be equal."""

    _known: dict[tuple[Question, ...], dict[tuple[Answer, ...], RenderTemplate]]
    _count: int = 0
    _served: int = 0

    @classmethod
    def none(cls) -> "RenderTemplates":
        """Return no templates yet."""
        return cls({})

    def repeat(self, context: ReplayContext) -> "RenderResult | None":
        """Return the result of the file for a minion; None if it must be rendered."""
        for questions, templates in self._known.items():
            fixed = tuple(map(context.ask, questions))
            template = templates.get(fixed)
            if template is not None:
                result = template.repeat(dict(zip(questions, fixed, strict=True)), context)
                self._served += result is not None
                return result
        return None

    def learn(self, result: "RenderResult", trace: Trace, context: RenderContext) -> None:
        """Add a render, if it can be repeated."""
        # Each template that was useful allows another one to be kept.
        is_idle = self._count > MAX_IDLE + self._served or len(self._known) > MAX_WAYS
        is_bound = is_idle or any(one[0] not in VIEWS for one in trace.answers)
        if is_bound or context.evaluations is None or not context.evaluations.made:
            return
        pieces = _take_apart(result, context)
        if pieces:
            made = RenderTemplate(
                result,
                pieces,
                tuple(context.evaluations.made),
                tuple(trace.order),
                trace.fixed_misses,
            )
            known = self._known.setdefault(tuple(trace.fixed), {})
            # The same answers mean the same template, which has more shapes of texts by now.
            self._count += known.setdefault(tuple(trace.fixed.values()), made) is made


def _take_apart(result: "RenderResult", context: RenderContext) -> tuple[_Piece, ...]:
    """Return the text of a render in pieces; empty if the render cannot be repeated."""
    data = context.document
    is_quiet = result.message is None and not (result.diagnostics or result.messages)
    # The positions of decrypted messages belong to this text only.
    is_open = not (result.decrypted or result.sealed)
    if data is None or context.steps != ("jinja", "yaml") or not (is_quiet and is_open):
        return ()
    # A repeated text has no marks, so decrypted values would become plain text.
    if any(segment.secret is not None for segment in data.segments):
        return ()
    # A printed text that is not in the result was changed by the template in some way.
    printed = {at for at, one in enumerate(context.evaluations.made) if one.text}
    if printed != set(context.printed.values()) or len(printed) != len(context.printed):
        return ()
    ends = [*(segment.start for segment in data.segments[1:]), len(data.text)]
    return tuple(
        _Piece(data.text[segment.start : end], context.printed.get(number), segment)
        for number, (segment, end) in enumerate(zip(data.segments, ends, strict=True))
    )


def print_answer(answer: Answer, at: int) -> str | None:
    """Return the text that a template prints for a value; None if it is not text or an integer."""
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


# By the text, which determines the result. Templates print few different values, and each replay
# needs their shapes. The oldest entry is dropped first.
@lru_cache(maxsize=16384)
def _shape_of(text: str) -> tuple[tuple[str, ...], tuple[WordSpan, ...]]:
    """Return the texts between the words of a text, and the positions of the words."""
    between, spans, at = [], [], 0
    for word in WORD.finditer(text):
        between.append(text[at : word.start()])
        spans.append(word.span())
        at = word.end()
    return (*between, text[at:]), tuple(spans)
