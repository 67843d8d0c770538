"""Repeats a render for minions that differ only in values that the template prints.

A file with ``host: {{ grains['id'].split('.')[0] }}`` renders differently for each minion. But if a
grain is read only by expressions that compute printed text, nothing else in the render depends on
that grain: no other answer, text or file. So for a minion with the same answers to all other
questions, only these expressions are evaluated. Their results replace the printed text, and
``yaml_reuse`` reuses the tree where possible. Everything else is rendered.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from pillarbook.compile.memo import Memo, RepeatCache
from pillarbook.compile.misses import Misses, join_misses
from pillarbook.compile.reads import MAPPING, Answer, Question, Trace
from pillarbook.compile.renderers.jinja.evaluations import Evaluation
from pillarbook.compile.renderers.jinja.read_paths import ReadPath
from pillarbook.compile.renderers.render_context import RenderContext
from pillarbook.compile.renderers.render_errors import LimitExceeded
from pillarbook.compile.renderers.yaml_reuse import ParsedDocuments
from pillarbook.compile.replay_trees import PrintedPiece, PrintedTrees

if TYPE_CHECKING:
    from pillarbook.compile.render_result import RenderResult

Ask: TypeAlias = Callable[[Question], Answer]
# If the results of a file differ in more than printed values, each minion would leave a template
# (docs/decisions/0021).
MAX_IDLE = 200
"""The most templates of one file, and texts of one expression, that are kept while none of them was
useful."""
# For each set, a minion must answer as many questions as in a render, so many sets save no time.
MAX_WAYS = 20
"""The most sets of questions for one file."""
VIEWS = frozenset(("grains", "opts", "master_opts", "pillar"))
"""The views whose questions any minion can answer at any time."""
DOUBTFUL = "doubtful-yaml"
"""The rule of what is doubtful in a file, which is searched again in each repeated render."""
REPEATED = frozenset((DOUBTFUL, "mine-in-pillar", "reads-clock", "unknown-renderer"))
"""The rules of findings with which a render is repeated.

All but the first are about calls in the template, or about the first line of the file. No pure
expression makes such a call, so these findings are the same for any printed text.
"""
WHOLE = -1
"""Used in place of a list position."""


class Evaluated(NamedTuple):
    """The text of an expression for a minion, which equal expressions of other files print, too."""

    text: str
    """The text."""
    answers: Mapping[Question, Answer]
    """The questions of the expression, with the answers."""
    misses: Misses
    """The questions that found nothing."""


class ExpressionTexts:
    """The texts of expressions by the answers to their questions, for all minions of a run."""

    def __init__(self) -> None:
        self._memo: Memo[Evaluated] = Memo()
        # By expression: how many more texts are kept, if none of them is used again.
        self._credit: dict[Hashable, int] = {}

    def find(self, form: Hashable, ask: Ask) -> Evaluated | None:
        """Return the text of an expression for a minion, if it is known."""
        known: bool
        found: Evaluated | None
        known, found = self._memo.find(form, ask)
        if known:
            self._credit[form] += 1
        return found

    def keep(self, form: Hashable, made: Evaluated) -> None:
        """Keep a text, if other texts of the expression were useful."""
        credit = self._credit.setdefault(form, MAX_IDLE)
        if credit > 0:
            self._credit[form] = credit - 1
            self._memo.keep(form, made.answers, made)


@dataclass(slots=True, eq=False)
class ReplayContext:
    """The minion for which a render is repeated."""

    ask: Ask
    """Answers a question."""
    find: Callable[[str, Trace], Any]
    """Returns the object for a name in an expression, and notes its reads."""
    evaluated: dict[Hashable, Evaluated]
    """The texts of expressions for it."""
    texts: ExpressionTexts
    """The texts of expressions for all minions."""
    watch: Callable[[], AbstractContextManager[None]] = nullcontext
    """Guards expressions that may be slow."""


@dataclass(frozen=True, slots=True)
class RepeatedFile:
    """A file whose renders are repeated."""

    sls: str
    """Its SLS name."""
    saltenv: str
    """Its environment."""
    parsed: ParsedDocuments
    """The documents that the run has parsed."""
    most: int
    """The most characters that a template may print."""
    made: "Made" = field(default_factory=RepeatCache)
    """The results of templates."""
    share: Callable[["RenderResult"], None] = lambda _: None
    """Called with a result that a second minion uses."""


class RenderTemplate:
    """A render that can be repeated with other values.

    ``pieces`` are its text, ``context`` has its evaluations and what is doubtful in the file,
    ``trace`` its other questions, and the numbers of evaluations, in order.
    """

    __slots__ = (
        *("_fields", "_file", "_find_doubtful", "_is_slow", "_kind", "_lasting", "_misses"),
        *("_steps", "_trees"),
    )

    def __init__(
        self,
        file: RepeatedFile,
        result: "RenderResult",
        pieces: tuple[PrintedPiece, ...],
        context: RenderContext,
        trace: Trace,
    ) -> None:
        evaluations = tuple(context.evaluations.made)
        self._file = file
        self._kind = type(result)
        self._fields = {one.name: getattr(result, one.name) for one in fields(result)}
        self._trees = PrintedTrees(file.sls, file.saltenv, pieces)
        self._find_doubtful = context.find_doubtful
        self._lasting = tuple(one for one in result.diagnostics if one.code != DOUBTFUL)
        self._misses = trace.fixed_misses
        self._is_slow = any(one.expression.pure.is_slow for one in evaluations)
        firsts = tuple(_find_firsts(evaluations))
        self._steps = tuple(
            _Step(evaluations[one], firsts[one]) if isinstance(one, int) else one
            for one in trace.order
        )

    def repeat(
        self, fixed: Mapping[Question, Answer], context: ReplayContext
    ) -> "RenderResult | None":
        """Return the result for a minion; None if the file must be rendered.

        ``fixed`` are the answers to the questions that are not of expressions.
        """
        trace = Trace()
        trace.begin_evaluation(0)  # all questions, also those of the rest of the render
        try:
            with context.watch() if self._is_slow else nullcontext():
                printed = self._evaluate(fixed, trace, context)
        # An expression may fail in any way; then the file is rendered, which words the error.
        except (Exception, LimitExceeded):  # noqa: BLE001
            return None
        if printed is None:
            return None
        file = self._file
        spot = self, tuple(trace.answers.values())
        known = file.made.get(spot)
        if known is not None:
            file.share(known)
            return known
        tree = self._trees.find(printed, file.parsed, file.most)
        if tree is None:
            return None
        misses = join_misses(self._misses, trace.missed)
        own = {
            "tree": tree,
            "diagnostics": (*self._lasting, *self._find_doubtful(tree)),
            "questions": trace.answers,
            "misses": misses,
            "template": self,
        }
        made = file.made[spot] = self._kind(**{**self._fields, **own})
        return made

    def _evaluate(
        self, fixed: Mapping[Question, Answer], trace: Trace, context: ReplayContext
    ) -> list[str] | None:
        """Return the text of each evaluation; None if one does not print as it did before."""
        given: dict[str, Any] = {}
        printed: list[str] = []
        for step in self._steps:
            if isinstance(step, tuple):
                trace.note(step, fixed[step])
            elif step.first < len(printed):
                printed.append(printed[step.first])
            else:
                made = step.evaluate(given, trace, context)
                if step.target is not None:
                    given[step.target] = made
                    made = ""
                elif bool(made) is not step.prints:
                    return None
                printed.append(made)
        return printed


Made: TypeAlias = RepeatCache[tuple[RenderTemplate, tuple[Answer, ...]], "RenderResult"]
"""Results of templates, by the answers to their questions."""


class _Step:
    """The evaluation of an expression.

    ``first`` is the number of the first one that prints the same for any minion.
    """

    __slots__ = ("_expression", "_form", "_given", "_reads", "first", "prints", "target")

    def __init__(self, evaluation: Evaluation, first: int) -> None:
        self._expression = expression = evaluation.expression
        self._given = evaluation.given
        self._form = _form_of(evaluation)
        self._reads = None if expression.path is None else _Reads(expression.path)
        self.first = first
        self.prints = bool(evaluation.text)
        self.target = expression.pure.target

    def evaluate(self, given: Mapping[str, Any], trace: Trace, context: ReplayContext) -> Any:
        """Return the value for a minion; ``given`` are the values that others have set."""
        if self._reads is not None:
            text = self._reads.print(trace, context.ask)
            if text is not None:
                return text
        if self._form is None:
            return self._run(given, trace, context)
        known = context.evaluated.get(self._form)
        if known is None:
            known = context.texts.find(self._form, context.ask) or self._run_alone(context)
            context.evaluated[self._form] = known
        trace.take_over(known.answers, known.misses)
        return known.text

    def _run_alone(self, context: ReplayContext) -> Evaluated:
        """Return the text for a minion, with its own questions."""
        trace = Trace()
        text = self._run({}, trace, context)
        made = Evaluated(text, trace.answers, trace.missed)
        context.texts.keep(self._form, made)
        return made

    def _run(self, given: Mapping[str, Any], trace: Trace, context: ReplayContext) -> Any:
        expression, known = self._expression, self._given
        variables = {name: given[name] for name in expression.pure.free if name in given}
        for name in expression.named:
            variables[name] = known[name] if name in known else context.find(name, trace)
        return expression.evaluate(variables)


class _Reads:
    """The questions of an expression that prints the value at a path."""

    __slots__ = ("_questions",)

    def __init__(self, path: ReadPath) -> None:
        view, *keys = path
        self._questions = tuple(
            ((view, "get", tuple(keys[:at])), _place_of(keys[at:])) for at in range(1, len(path))
        )

    def print(self, trace: Trace, ask: Ask) -> str | None:
        """Return the printed text of the value; None if it is not text or a number."""
        for question, place in self._questions:
            answer = ask(question)
            trace.note(question, answer)
            if answer != MAPPING:
                return None if place is None else print_answer(answer, place)
        return None


def _place_of(rest: list[str | int]) -> int | None:
    """Return the position of a list member for the last keys of a path, or ``WHOLE``."""
    if not rest:
        return WHOLE
    return int(rest[0]) if len(rest) == 1 and rest[0].__class__ is int else None


def _find_firsts(evaluations: Iterable[Evaluation]) -> Iterator[int]:
    """Yield for each evaluation the number of the first one that prints the same for any minion."""
    firsts: dict[Hashable, int] = {}
    for number, one in enumerate(evaluations):
        form = _form_of(one)
        yield number if form is None else firsts.setdefault(form, number)


def _form_of(evaluation: Evaluation) -> Hashable:
    """Return a key for what an evaluation prints; None if that depends on other evaluations."""
    expression = evaluation.expression
    if expression.pure.target is not None or expression.pure.free:
        return None
    given = evaluation.given.items()
    return *expression.form, *((name, value.__class__, str(value)) for name, value in given)


@dataclass(slots=True, eq=False)
class RenderTemplates:
    """The templates of one file, by the answers that must be equal."""

    _file: RepeatedFile
    _known: dict[tuple[Question, ...], dict[tuple[Answer, ...], RenderTemplate]] = field(
        default_factory=dict
    )
    _count: int = 0
    _served: int = 0

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
        if not pieces:
            return
        known, fixed = self._known.setdefault(tuple(trace.fixed), {}), tuple(trace.fixed.values())
        # The same answers mean the same template, which has more shapes of texts by now.
        if fixed not in known:
            known[fixed] = RenderTemplate(self._file, result, pieces, context, trace)
            self._count += 1
        result.template = known[fixed]


def _take_apart(result: "RenderResult", context: RenderContext) -> tuple[PrintedPiece, ...]:
    """Return the text of a render in pieces; empty if the render cannot be repeated."""
    data = context.document
    codes = {one.code for one in result.diagnostics}
    is_quiet = result.message is None and codes <= REPEATED and not result.messages
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
        PrintedPiece(data.text[segment.start : end], context.printed.get(number), segment)
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
