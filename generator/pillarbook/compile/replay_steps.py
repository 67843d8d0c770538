"""The steps of a render that is repeated for another minion.

A step answers a question, or evaluates a pure expression. All else in a render follows from the
answers, and from those values of expressions on which the template depends.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from pillarbook.compile.memo import Memo
from pillarbook.compile.misses import Misses
from pillarbook.compile.reads import MAPPING, Answer, Question, Trace, fingerprint
from pillarbook.compile.renderers.jinja.evaluations import Evaluation, outcome_of
from pillarbook.compile.renderers.jinja.pure_expressions import DecidingPart, ReadPath

Ask: TypeAlias = Callable[[Question], Answer]
# If the results of a file differ in more than printed values, each minion would leave a template
# (docs/decisions/0021).
MAX_IDLE = 200
"""The most templates of one file, and values of one expression, that are kept while none of them
was useful."""
WHOLE = -1
"""Used in place of a list position."""


class Evaluated(NamedTuple):
    """What a render uses of an expression for a minion, also in other files."""

    made: Any
    """The text, or what of the value the render depends on."""
    answers: Mapping[Question, Answer]
    """The questions of the expression, with the answers."""
    misses: Misses
    """The questions that found nothing."""


class KnownExpressions:
    """What expressions gave by the answers to their questions, for all minions of a run."""

    def __init__(self) -> None:
        self._memo: Memo[Evaluated] = Memo()
        # By expression: how many more values are kept, if none of them is used again.
        self._credit: dict[Hashable, int] = {}

    def find(self, form: Hashable, ask: Ask) -> Evaluated | None:
        """Return what an expression gave for such a minion, if it is known."""
        known: bool
        found: Evaluated | None
        known, found = self._memo.find(form, ask)
        if known:
            self._credit[form] += 1
        return found

    def keep(self, form: Hashable, made: Evaluated) -> None:
        """Keep what an expression gave, if other values of it were useful."""
        credit = self._credit.setdefault(form, MAX_IDLE)
        if credit > 0 and self._memo.keep(form, made.answers, made):
            self._credit[form] = credit - 1


@dataclass(slots=True, eq=False)
class ReplayContext:
    """The minion for which a render is repeated."""

    ask: Ask
    """Answers a question."""
    find: Callable[[str, Trace], Any]
    """Returns the object for a name in an expression, and notes its reads."""
    evaluated: dict[Hashable, Evaluated]
    """What expressions gave for it."""
    known: KnownExpressions
    """What expressions gave for all minions."""
    watch: Callable[[], AbstractContextManager[None]] = nullcontext
    """Guards expressions that may be slow."""


@dataclass(slots=True, eq=False)
class Replay:
    """A render that is being repeated."""

    context: ReplayContext
    """The minion."""
    evaluates: bool
    """Whether expressions that decide are evaluated, or only recalled."""
    trace: Trace = field(default_factory=Trace)
    """All questions so far."""
    results: list[Any] = field(default_factory=list)
    """What each evaluation gave: a text if it is printed, else what decides."""
    given: dict[str, Any] = field(default_factory=dict)
    """The values of names that expressions have set."""
    decided: list[Answer] = field(default_factory=list)
    """What expressions that decide, or set names, have read."""


@dataclass(frozen=True, slots=True)
class QuestionStep:
    """A question that is not of an expression."""

    question: Question
    """The question."""

    def take(self, replay: Replay) -> Answer:
        """Return the answer, which decides about the rest of the render."""
        answer = replay.context.ask(self.question)
        replay.trace.note(self.question, answer)
        return answer

    def is_like(self, other: "Step") -> bool:
        """Say whether another step asks the same question."""
        return self == other


class EvaluationStep:
    """The evaluation of an expression, which has a ``number`` in the first render.

    ``firsts`` gets the number of the first evaluation of each expression.
    """

    __slots__ = (
        "_decides",
        "_expression",
        "_first",
        "_form",
        "_given",
        "_is_printed",
        "_reads",
        "_target",
        "key",
    )

    def __init__(self, evaluation: Evaluation, firsts: dict[Hashable, int], number: int) -> None:
        self._expression = expression = evaluation.expression
        self._given = evaluation.given
        self._form = form = _form_of(evaluation)
        self.key = expression.form if form is None else form
        """Equal for equal expressions."""
        self._first = number if form is None else firsts.setdefault(form, number)
        self._target, self._decides = expression.pure.target, expression.pure.decides
        self._is_printed = self._target is None and self._decides is None
        path = expression.path if self._is_printed else None
        self._reads = None if path is None else _Reads(path)

    def is_like(self, other: "Step") -> bool:
        """Say whether another step evaluates an equal expression."""
        return isinstance(other, EvaluationStep) and self.key == other.key

    def take(self, replay: Replay) -> Answer:
        """Evaluate it, and return what decides about the rest of the render; None if unknown."""
        results = replay.results
        made = results[self._first] if self._first < len(results) else self._evaluate(replay)
        if self._target is not None:
            replay.given[self._target] = made
            made = ""
        results.append(made)
        return bool(made) if self._decides is None else made

    def _evaluate(self, replay: Replay) -> Any:
        context, trace = replay.context, replay.trace
        if self._reads is not None:
            text = self._reads.find(trace, context.ask)
            if text is not None:
                return text
        if self._form is None:
            # In the same trace, because the value of a name may be a view, which is read later.
            trace.begin_evaluation(len(replay.results))
            made = self._find_value(replay.given, trace, context)
            answers = trace.end_evaluation()[0]
        else:
            known = self._recall(self._form, replay)
            if known is None:
                return None
            trace.take_over(known.answers, known.misses)
            made, answers = known.made, known.answers
        if not self._is_printed:
            replay.decided.append(tuple(answers.values()))
        return made

    def _recall(self, form: Hashable, replay: Replay) -> Evaluated | None:
        """Return what it gives for the minion, evaluated if needed; None if it may not be."""
        context = replay.context
        known = context.evaluated.get(form) or context.known.find(form, context.ask)
        if known is None:
            if self._decides is not None and not replay.evaluates:
                return None
            trace = Trace()
            made = self._find_value({}, trace, context)
            known = Evaluated(made, trace.answers, trace.missed)
            context.known.keep(form, known)
        context.evaluated[form] = known
        return known

    def _find_value(self, given: Mapping[str, Any], trace: Trace, context: ReplayContext) -> Any:
        expression, known = self._expression, self._given
        variables = {name: given[name] for name in expression.pure.free if name in given}
        for name in expression.named:
            variables[name] = known[name] if name in known else context.find(name, trace)
        value = expression.evaluate(variables)
        if self._decides is None:
            return value
        return bool(value) if self._decides is DecidingPart.TRUTH else outcome_of(value)


Step: TypeAlias = QuestionStep | EvaluationStep


def find_steps(evaluations: tuple[Evaluation, ...], trace: Trace) -> Iterator[tuple[Step, Answer]]:
    """Yield the steps of a render, and what each gave that decides about the rest.

    ``trace`` has its other questions, and the numbers of evaluations, in order.
    """
    firsts: dict[Hashable, int] = {}
    for one in trace.order:
        if not isinstance(one, int):
            yield QuestionStep(one), trace.fixed[one]
            continue
        evaluation = evaluations[one]
        is_deciding = evaluation.expression.pure.decides is not None
        outcome = evaluation.outcome if is_deciding else bool(evaluation.text)
        yield EvaluationStep(evaluation, firsts, one), outcome


def what_decided(evaluations: Iterable[Evaluation]) -> tuple[Answer, ...]:
    """Return what expressions that decide, or set names, have read, as a ``Replay`` notes it."""
    found: dict[Hashable, tuple[Answer, ...]] = {}
    for number, one in enumerate(evaluations):
        if one.expression.pure.decides is not None or one.expression.pure.target is not None:
            form = _form_of(one)
            found.setdefault(number if form is None else form, tuple(one.asked[0].values()))
    return tuple(found.values())


def keep_outcomes(evaluations: Iterable[Evaluation], known: KnownExpressions) -> None:
    """Keep what the rest of a render depends on, for minions with the same answers."""
    for one in evaluations:
        form = None if one.expression.pure.decides is None else _form_of(one)
        if form is not None:
            known.keep(form, Evaluated(one.outcome, *one.asked))


def _form_of(evaluation: Evaluation) -> Hashable:
    """Return a key for what an evaluation gives; None if that depends on other evaluations."""
    expression = evaluation.expression
    if expression.pure.target is not None or expression.pure.free:
        return None
    given = evaluation.given.items()
    return *expression.form, *((name, fingerprint(value)) for name, value in given)


class _Reads:
    """The questions of an expression that reads the value at a path, and does nothing else."""

    __slots__ = ("_questions",)

    def __init__(self, path: ReadPath) -> None:
        view, *keys = path
        self._questions = tuple(
            ((view, "get", tuple(keys[:at])), _place_of(keys[at:])) for at in range(1, len(path))
        )

    def find(self, trace: Trace, ask: Ask) -> str | None:
        """Return the printed text of the value; None if it must be evaluated."""
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
