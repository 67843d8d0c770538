"""The evaluations of pure expressions in a render, which can be repeated for another minion."""

from collections.abc import Callable, Container, Hashable, Iterable, Mapping, MappingView
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from jinja2 import Environment, Template, Undefined, nodes
from jinja2.compiler import CodeGenerator
from jinja2.visitor import NodeTransformer

from pillarbook.compile.reads import Answer, Asked, Trace, fingerprint
from pillarbook.compile.renderers.jinja.pure_expressions import (
    GRAINS_GET,
    LOOP,
    VIEWS,
    DecidingPart,
    PureExpression,
    is_grains_get,
    is_of_loop,
)
from pillarbook.compile.watched_data import WatchedDict, WatchedList

RESULT = "result"
# To repeat a render, each is evaluated again; after so many, a render takes less time.
MAX_DECISIONS = 100
"""The most evaluations of one render on whose values the rest of it depends."""
_SCALARS = frozenset((str, int, float, bool, type(None)))
_UNCHANGEABLE = (WatchedDict, WatchedList, MappingView, Undefined)


@dataclass(slots=True, eq=False)
class Evaluation:
    """One evaluation of a pure expression in a render."""

    expression: "CompiledExpression"
    """The expression."""
    given: Mapping[str, Any]
    """The values of its other names; scalars."""
    text: str = ""
    """The text that it printed, if it is printed."""
    outcome: Answer = None
    """What of its value the rest of the render depends on, if it decides."""
    asked: Asked = field(default_factory=lambda: ({}, {}))
    """What it asked, if it is not printed."""


def outcome_of(value: Any) -> Answer:
    """Return a key for a value that a minion alone does not own; None for other values."""
    kind = value.__class__
    is_new = kind is list or kind is tuple
    if kind in _SCALARS or (is_new and all(one.__class__ in _SCALARS for one in value)):
        return fingerprint(value)
    return None


def _may_change(value: Any) -> bool:
    """Say whether a template may change a value."""
    if value.__class__ is list or outcome_of(value) is None:
        return not isinstance(value, _UNCHANGEABLE)
    return False


class Evaluations:
    """The evaluations of one render, in order.

    ``has_grains_get`` says whether ``salt['grains.get']`` is Salt's own function.
    """

    def __init__(self, trace: Trace, variables: Mapping[str, Any], *, has_grains_get: bool) -> None:
        self._trace = trace
        self._own: dict[str, Any] = {name: variables[name] for name in VIEWS}
        if has_grains_get:
            self._own[GRAINS_GET] = variables["salt"]
        self._decisions = 0
        # The names that expressions have set to such values.
        self._changeable: set[str] = set()
        self.made: list[Evaluation] = []
        """The evaluations, in order."""
        self.is_complete = True
        """Whether no other part of the render depends on their reads."""

    def begin(self, expression: "CompiledExpression", values: Iterable[Any]) -> int | None:
        """Note the begin of an evaluation.

        Returns:
            The number of the evaluation; None if it counts as another part of the template.
        """
        if expression.pure.decides is not None:
            if self._decisions == MAX_DECISIONS:
                self._fix(expression.pure.free)
                return None
            self._decisions += 1
        given = {}
        for name, value in zip(expression.named, values, strict=True):
            if value.__class__ in _SCALARS:
                given[name] = value
            elif self._own.get(name, self) is not value:
                # The template gave a name another meaning, so the expression is not pure.
                pure = expression.pure
                self.is_complete = self.is_complete and not (pure.free or pure.target)
                return None
        self.made.append(Evaluation(expression, given))
        self._trace.begin_evaluation(len(self.made) - 1)
        return len(self.made) - 1

    def decide(self, value: Any) -> Any:
        """Note the end of an evaluation with its value, and return what the template uses of it."""
        one = self.made[-1]
        if one.expression.pure.decides is DecidingPart.TRUTH:
            value = one.outcome = bool(value)
        else:
            one.outcome = outcome_of(value)
            free = one.expression.pure.free
            if not self._changeable.isdisjoint(free) and _may_change(value):
                self.is_complete = False  # the template may change the value of such a name
            if one.outcome is None:  # its members are read later, or it may change
                self.made.pop()
                self._trace.end_evaluation(is_fixed=True)
                self._fix(free)
                return value
        one.asked = self._trace.end_evaluation()
        return value

    def end_assigned(self, value: Any) -> None:
        """Note the end of the evaluation of a value that is assigned."""
        one = self.made[-1]
        one.asked = self._trace.end_evaluation()
        if _may_change(value):
            self._changeable.add(str(one.expression.pure.target))

    def end_printed(self, printed: str) -> None:
        """Note the end of the evaluation of a printed expression."""
        self._trace.end_evaluation()
        self.made[-1].text = printed

    def _fix(self, names: Container[str]) -> None:
        """Note that other parts of the template use the values of names, without a change."""
        for one in self.made:
            if one.expression.pure.target in names:
                for question, answer in one.asked[0].items():
                    self._trace.note(question, answer)
                self._fix(one.expression.pure.free)


class CompiledExpression:
    """A pure expression, compiled to a function."""

    def __init__(self, environment: Environment, pure: PureExpression) -> None:
        self._environment = environment
        self.pure = pure
        """The expression."""
        self.named = tuple(name for name in pure.names if name not in pure.free)
        """Its names that other pure expressions did not set."""
        self.path = pure.path
        """The path of the value that it prints, if it does nothing else."""
        self._prints = pure.target is None and pure.decides is None
        self._run: Callable[..., Any] | None = None

    @cached_property
    def form(self) -> tuple[Hashable, ...]:
        """A key that is equal for equal expressions, in whichever files and lines."""
        decides = self.pure.decides and self.pure.decides.value  # a text, whose hash is fast
        return self._environment, repr(self.pure.node), decides

    def evaluate(self, variables: dict[str, Any]) -> Any:
        """Return the text that is printed, or the value."""
        if self._run is None:
            self._run = self._compile()
        environment = self._environment
        context = environment.context_class(environment, variables, None, {})
        printed = "".join(self._run(context))
        return printed if self._prints else context.vars[RESULT]

    def _compile(self) -> Callable[..., Any]:
        """Compile it as a template that prints it, or assigns its value."""
        node: nodes.Expr = _Renamer().visit(self.pure.node)
        statement = nodes.Output([node], lineno=1)
        if not self._prints:
            statement = nodes.Assign(nodes.Name(RESULT, "store"), node, lineno=1)  # type: ignore[assignment] # one of both
        tree = nodes.Template([statement], lineno=1)
        tree.set_environment(self._environment)
        # Jinja's own generator, because the output of this template needs no lines.
        generator = CodeGenerator(self._environment, None, None, defer_init=True, optimized=False)
        generator.visit(tree)
        code = compile(generator.stream.getvalue(), "<expression>", "exec")  # type: ignore[attr-defined] # a StringIO
        return Template.from_code(self._environment, code, {}).root_render_func


class _Renamer(NodeTransformer):
    """Gives names to the parts of an expression that an evaluation gets as values."""

    def visit_Call(self, node: nodes.Call) -> nodes.Node:  # noqa: N802 (Jinja's name)
        if is_grains_get(node.node):
            node.node = nodes.Name(GRAINS_GET, "load")
        return self.generic_visit(node)

    def visit_Getattr(self, node: nodes.Getattr) -> nodes.Node:  # noqa: N802 (Jinja's name)
        if is_of_loop(node):
            return nodes.Name(f"{LOOP}{node.attr}", "load")
        return self.generic_visit(node)
