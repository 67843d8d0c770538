"""Renders of minions that differ from another's in values which are printed, and in no others.

A file that says ``host: {{ grains['id'].split('.')[0] }}`` renders otherwise for each minion. But
where each read of a grain was by an expression that computes nothing but what is printed, nothing
else of the render hangs on that grain: no other answer, no other text, no other file. So for a
minion that answers all other questions alike, those expressions are evaluated with its own values,
and it gets the same text with theirs in their places, and as much of the tree as ``yaml_reuse``
says of that text. Whatever is not as plain as that is rendered.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeAlias

from pillarbook.compile.memo import Sifted
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
class _Piece:
    """A segment of the text."""

    text: str
    """Its text in the first render."""
    evaluation: int | None
    """The number of the evaluation that printed it; None for what is the same for all."""
    segment: Segment
    """Where it came from."""


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
    ask: Ask
    """Answers a question for the minion."""
    find: Callable[[str, Trace], Any]
    """Returns what a name stands for in an expression; its reads are noted."""
    made: "Made" = field(default_factory=Sifted)
    """What templates came to for other minions."""
    share: Callable[["RenderResult"], None] = lambda _: None
    """Takes what a second minion has as well."""
    watch: Callable[[], AbstractContextManager[None]] = nullcontext
    """Guards expressions that may take long."""


@dataclass(slots=True, eq=False)
class RenderTemplate:
    """One render, to be repeated with other values in it."""

    result: "RenderResult"
    """What the render gave."""
    pieces: tuple[_Piece, ...]
    """Its text."""
    evaluations: tuple[Evaluation, ...]
    """Its evaluations."""
    order: tuple[Question | int, ...]
    """Its other questions, and the numbers of the evaluations, in order."""
    misses: Misses
    """What its other questions did not find."""
    # By the shapes of what is printed; all else is the same each time. As many as the texts that
    # were rendered for it.
    _families: dict[tuple[tuple[str, ...], ...], Family] = field(default_factory=dict)
    _runs: list["_Run"] = field(default_factory=list)

    def repeat(
        self, fixed: Mapping[Question, Answer], context: ReplayContext
    ) -> "RenderResult | None":
        """Return the render with a minion's values; None if it has to be rendered.

        ``fixed`` are the answers to the questions that are not those of expressions.
        """
        trace = Trace()
        try:
            with context.watch() if self._is_slow else nullcontext():
                printed = self._evaluate(fixed, trace, context)
        # An expression may fail in any way; the render finds the words for it.
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
        """Return what each evaluation prints; None where one prints that did not, or not."""
        given: dict[str, Any] = {}
        printed: list[str] = []
        for one in self.order:
            if one.__class__ is tuple:
                trace.note(one, fixed[one])
                continue
            evaluation = self.evaluations[one]  # type: ignore[index] # a number
            trace.begin_evaluation(one)  # type: ignore[arg-type] # likewise
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
        """Return the tree of the text with what was printed; None if it has to be parsed."""
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
        """Return the documents that this one is like."""
        segments, texts, at = [], [], 0
        for piece in self.pieces:
            text = piece.text if piece.evaluation is None else printed[piece.evaluation]
            segments.append(replace(piece.segment, start=at))
            texts.append(text)
            at += len(text)
        data = SourceText("".join(texts), tuple(segments))
        return context.parsed.family_of(context.sls, context.saltenv, data)


Made: TypeAlias = Sifted[tuple[RenderTemplate, tuple[Answer, ...]], "RenderResult"]
"""What templates came to, by the answers to their questions."""


@dataclass(frozen=True, slots=True)
class _Run:
    """Pieces that follow each other and are the same for all, or what an expression prints."""

    text: str
    """Their text."""
    evaluation: int | None
    """The number of the evaluation."""
    words: tuple[WordSpan, ...]
    """Where expressions printed words in it."""


def _join_runs(pieces: Iterable[_Piece]) -> Iterator[_Run]:
    """Yield the pieces of a text as few runs."""
    for evaluation, some in groupby(pieces, lambda piece: piece.evaluation):
        at, texts, words = 0, [], []
        for piece in some:
            spans = () if piece.segment.verbatim else _shape_of(piece.text)[1]
            words += [(at + start, at + end) for start, end in spans]
            texts.append(piece.text)
            at += len(piece.text)
        yield _Run("".join(texts), evaluation, tuple(words))


def _evaluate(
    evaluation: Evaluation, given: Mapping[str, Any], trace: Trace, context: ReplayContext
) -> Any:
    """Return what an expression comes to for a minion."""
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
    """Return what the value at a path prints as; None if that is not so simple."""
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
    """The render templates of one file, by the answers that have to be the same."""

    _known: dict[tuple[Question, ...], dict[tuple[Answer, ...], RenderTemplate]]
    _count: int = 0
    _served: int = 0

    @classmethod
    def none(cls) -> "RenderTemplates":
        """Return no templates yet."""
        return cls({})

    def repeat(self, context: ReplayContext) -> "RenderResult | None":
        """Return what the file renders to for a minion; None if it has to be rendered."""
        for questions, recipes in self._known.items():
            fixed = tuple(map(context.ask, questions))
            recipe = recipes.get(fixed)
            if recipe is not None:
                result = recipe.repeat(dict(zip(questions, fixed, strict=True)), context)
                self._served += result is not None
                return result
        return None

    def learn(self, result: "RenderResult", trace: Trace, context: RenderContext) -> None:
        """Take a render, where it can be repeated with other values in it."""
        # Each template that served pays for another one that is kept.
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
            # What has the same answers is the same, and has learnt more shapes of texts.
            self._count += known.setdefault(tuple(trace.fixed.values()), made) is made


def _take_apart(result: "RenderResult", context: RenderContext) -> tuple[_Piece, ...]:
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
    # What is printed and stands nowhere is in something else that the render made of it.
    printed = {at for at, one in enumerate(context.evaluations.made) if one.text}
    if printed != set(context.printed.values()) or len(printed) != len(context.printed):
        return ()
    ends = [*(segment.start for segment in data.segments[1:]), len(data.text)]
    return tuple(
        _Piece(data.text[segment.start : end], context.printed.get(number), segment)
        for number, (segment, end) in enumerate(zip(data.segments, ends, strict=True))
    )


def print_answer(answer: Answer, at: int) -> str | None:
    """Return what a template prints of a value; None for what is no text and no whole number."""
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
@lru_cache(maxsize=16384)
def _shape_of(text: str) -> tuple[tuple[str, ...], tuple[WordSpan, ...]]:
    """Return the texts between the words of a text, and the positions of the words."""
    between, spans, at = [], [], 0
    for word in WORD.finditer(text):
        between.append(text[at : word.start()])
        spans.append(word.span())
        at = word.end()
    return (*between, text[at:]), tuple(spans)
