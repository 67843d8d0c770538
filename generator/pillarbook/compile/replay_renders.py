"""Repeats a render for minions that differ only in what expressions of the template compute.

A file with ``host: {{ grains['id'].split('.')[0] }}`` renders differently for each minion. But if a
grain is read only by expressions that compute printed text or decide about a branch, nothing else
in the render depends on that grain: no other answer, text or file. So for a minion with the same
answers to all other questions, only these expressions are evaluated. If they decide the same, the
texts replace the printed ones, and ``yaml_reuse`` reuses the tree where possible. Everything else
is rendered.
"""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, TypeAlias

from pillarbook.compile.memo import RepeatCache
from pillarbook.compile.misses import Misses, join_misses
from pillarbook.compile.reads import Answer, Trace
from pillarbook.compile.renderers.render_context import RenderContext
from pillarbook.compile.renderers.render_errors import LimitExceeded
from pillarbook.compile.renderers.yaml_reuse import ParsedDocuments
from pillarbook.compile.replay_steps import (
    MAX_IDLE,
    KnownExpressions,
    Replay,
    ReplayContext,
    Step,
    find_steps,
    keep_outcomes,
    what_decided,
)
from pillarbook.compile.replay_trees import PrintedPiece, PrintedTrees
from pillarbook.diagnostics import Diagnostic

if TYPE_CHECKING:
    from pillarbook.compile.render_result import RenderResult
    from pillarbook.model import Node

# To compile an expression takes as long as a render of a small file.
MIN_RENDERS = 10
"""The renders of a file after which expressions that decide are evaluated for further minions."""
VIEWS = frozenset(("grains", "opts", "master_opts", "pillar"))
"""The views whose questions any minion can answer at any time."""
DOUBTFUL = "doubtful-yaml"
"""The rule of what is doubtful in a file, which is searched again in each repeated render."""
REPEATED = frozenset((DOUBTFUL, "mine-in-pillar", "reads-clock", "unknown-renderer"))
"""The rules of findings with which a render is repeated.

All but the first are about calls in the template, or about the first line of the file. No pure
expression makes such a call, so these findings are the same for any printed text.
"""


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
    data: "Data" = field(default_factory=RepeatCache)
    """The data of these."""
    share: Callable[["RenderResult"], None] = lambda _: None
    """Called with a result that a second minion uses."""


class RenderTemplate:
    """A render that can be repeated with other values.

    ``context`` has its evaluations of pure expressions, and what is doubtful in the file.
    ``misses`` are the questions that found nothing, apart from those of expressions.
    """

    __slots__ = ("_fields", "_file", "_find_doubtful", "_kind", "_lasting", "_misses", "_trees")

    def __init__(
        self,
        file: RepeatedFile,
        result: "RenderResult",
        pieces: tuple[PrintedPiece, ...],
        context: RenderContext,
        misses: Misses,
    ) -> None:
        self._file = file
        self._kind = type(result)
        self._fields = {one.name: getattr(result, one.name) for one in fields(result)}
        self._trees = PrintedTrees(file.sls, file.saltenv, pieces)
        self._find_doubtful = context.find_doubtful
        self._lasting = tuple(one for one in result.diagnostics if one.code != DOUBTFUL)
        self._misses = misses

    def repeat(self, replay: Replay) -> "RenderResult | None":
        """Return the result for a minion; None if the file must be rendered."""
        file, trace = self._file, replay.trace
        spot = self, tuple(trace.answers.values())
        known = file.made.get(spot)
        if known is not None:
            file.share(known)
            return known
        data = self._find_data(replay.results)
        if data is None:
            return None
        tree, diagnostics = data
        own = {
            "tree": tree,
            "diagnostics": diagnostics,
            "questions": trace.answers,
            "misses": join_misses(self._misses, trace.missed),
            "template": self,
            "decided": tuple(replay.decided),
        }
        made = file.made[spot] = self._kind(**{**self._fields, **own})
        return made

    def _find_data(self, results: Sequence[Any]) -> "FoundData | None":
        """Return the data for what the expressions gave, and the diagnostics."""
        file, texts = self._file, self._trees.texts_of(results)
        if not texts:
            return self._fields["tree"], self._fields["diagnostics"]
        # By the printed texts, so that minions that print the same share each node.
        known = file.data.get((self, texts))
        if known is None:
            tree = self._trees.find(texts, file.parsed, file.most)
            if tree is None:
                return None
            known = tree, (*self._lasting, *self._find_doubtful(tree))
            file.data[self, texts] = known
        return known


Made: TypeAlias = RepeatCache[tuple[RenderTemplate, tuple[Answer, ...]], "RenderResult"]
"""Results of templates, by the answers to their questions."""
FoundData: TypeAlias = tuple["Node | None", tuple[Diagnostic, ...]]
"""The data of a file, and its diagnostics."""
Data: TypeAlias = RepeatCache[tuple[RenderTemplate, tuple[str, ...]], FoundData]
"""The data of templates, by what their expressions print."""


@dataclass(slots=True, eq=False)
class _Fork:
    """A step of a template, and what follows after each result of it."""

    step: Step
    """The step."""
    branches: dict[Answer, "_Fork | RenderTemplate"] = field(default_factory=dict)
    """By the result."""


@dataclass(slots=True, eq=False)
class RenderTemplates:
    """The templates of one file, by the steps of their renders and the results of these."""

    _file: RepeatedFile
    _begin: dict[Answer, _Fork | RenderTemplate] = field(default_factory=dict)
    _is_slow: bool = False
    _renders: int = 0
    _count: int = 0
    _served: int = 0

    def repeat(self, context: ReplayContext) -> "RenderResult | None":
        """Return the result of the file for a minion; None if it must be rendered."""
        replay = Replay(context, self._renders >= MIN_RENDERS)
        node = self._begin.get(None)
        # An expression may fail in any way; then the file is rendered, which words the error.
        try:
            with context.watch() if self._is_slow else nullcontext():
                while isinstance(node, _Fork):
                    node = node.branches.get(node.step.take(replay))
        except (Exception, LimitExceeded):  # noqa: BLE001
            return None
        if node is None:
            return None
        result = node.repeat(replay)
        self._served += result is not None
        return result

    def learn(
        self, result: "RenderResult", trace: Trace, context: RenderContext, known: KnownExpressions
    ) -> None:
        """Add a render, if it can be repeated."""
        self._renders += 1
        # Each template that was useful allows another one to be kept.
        is_idle = self._count > MAX_IDLE + self._served
        is_bound = is_idle or any(one[0] not in VIEWS for one in trace.answers)
        if is_bound or context.evaluations is None or not context.evaluations.made:
            return
        pieces = _take_apart(result, context)
        if not pieces:
            return
        evaluations = tuple(context.evaluations.made)
        keep_outcomes(evaluations, known)
        branches, outcome = self._begin, None
        for step, following in find_steps(evaluations, trace):
            node = branches.setdefault(outcome, _Fork(step))
            # Equal results mean an equal step, unless something that is not recorded had an effect.
            if not isinstance(node, _Fork) or not node.step.is_like(step):
                return
            branches, outcome = node.branches, following
        # An earlier template for the same results has more shapes of texts by now.
        if outcome not in branches:
            misses = trace.fixed_misses
            branches[outcome] = RenderTemplate(self._file, result, pieces, context, misses)
            self._is_slow |= any(one.expression.pure.is_slow for one in evaluations)
            self._count += 1
        end = branches[outcome]
        if isinstance(end, RenderTemplate):
            result.template, result.decided = end, what_decided(evaluations)


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
