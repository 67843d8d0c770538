"""A Jinja environment that hands on answers which are not known, and decides nothing on them.

Filters, tests, operators and functions are Python code that may look at what it is given, so an
unknown answer in it is refused, but for the few of which the result is as unknown as it.
"""

from collections.abc import Callable, Iterable, Mapping
from types import BuiltinMethodType
from typing import Any, cast

from jinja2 import nodes
from jinja2.compiler import Frame
from jinja2.environment import TemplateModule
from jinja2.runtime import Context, Macro
from jinja2.utils import Namespace

from pillarbook.compile.renderers.jinja.bindings import EACH, MADE
from pillarbook.compile.renderers.jinja.environment import SaltEnvironment
from pillarbook.compile.renderers.jinja.functions.unknown_sources import CallSources
from pillarbook.compile.renderers.jinja.linemap import PlacingCodeGenerator
from pillarbook.compile.renderers.jinja.pure_expressions import BOUND
from pillarbook.compile.renderers.jinja.unknown_answers import (
    UnknownAnswer,
    UnknownAnswers,
    UnknownUsedError,
    holds_unknown,
)

_AS_UNKNOWN = frozenset(
    (
        *("default", "d", "string", "quote", "yaml_dquote", "yaml_squote", "yaml_encode", "json"),
        *("tojson", "trim", "indent", "upper", "lower", "base64_encode", "base64_decode"),
    )
)
"""Filters that make something else of one value, which is as unknown as that is."""
_INTERNAL = frozenset((BOUND, EACH, MADE))
"""Filters that show what a template holds, and look at texts and numbers only."""
_HANDED_ON = frozenset(("append", "extend", "get", "setdefault", "update"))
"""Methods of lists and mappings that put in or hand on what they are given."""
_OPERATORS = frozenset(("+", "-", "*", "/", "//", "%", "**"))


class JoiningCodeGenerator(PlacingCodeGenerator):
    """Generates code in which ``~`` joins unknown texts, too."""

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:  # noqa: N802 (Jinja's name)
        """Write what joins texts."""
        self.write("environment.join_texts((")
        for one in node.nodes:
            self.visit(one, frame)
            self.write(", ")
        self.write("))")


class UnknownEnvironment(SaltEnvironment):
    """Salt's environment for renders with unknown answers; ``answers`` are those of the render."""

    code_generator_class = JoiningCodeGenerator
    intercepted_binops = _OPERATORS

    def __init__(self, arguments: Mapping[str, Any], *, allow_undefined: bool) -> None:
        self.answers: UnknownAnswers | None = None
        super().__init__(arguments, allow_undefined=allow_undefined)
        if self.autoescape:
            raise UnknownUsedError
        for name, function in list(self.filters.items()):
            if name in _INTERNAL:
                continue
            self.filters[name] = self._guard(function, hands_on=name in _AS_UNKNOWN)
        for name, function in list(cast("dict[str, Any]", self.tests).items()):
            self.tests[name] = self._guard(function, hands_on=False)

    def concat(self, parts: Iterable[str]) -> Any:
        """Return the text of a macro, a block or an assignment."""
        return "".join(parts) if self.answers is None else self.answers.join(parts)

    def join_texts(self, values: Iterable[Any]) -> Any:
        """Return values as one text: ``~``."""
        return self.concat(map(str, values))

    def _guard(self, function: Callable[..., Any], *, hands_on: bool) -> Callable[..., Any]:
        """Return a filter or test that is not called with anything unknown."""

        def guarded(*arguments: Any, **options: Any) -> Any:
            if hands_on and arguments and arguments[0].__class__ is UnknownAnswer:
                given, arguments = arguments[0], arguments[1:]
                if not self._holds(*arguments, *options.values()):
                    return given.part()
                raise UnknownUsedError
            if self._holds(*arguments, *options.values()):
                raise UnknownUsedError
            return self._check(function(*arguments, **options))

        # What Jinja hands to it besides: the context, the environment.
        passed = getattr(function, "jinja_pass_arg", None)
        if passed is not None:
            setattr(guarded, "jinja_pass_arg", passed)  # noqa: B010 (mypy knows of none)
        return guarded

    def _holds(self, *values: Any) -> bool:
        return any(map(self._is_unknown, values))

    def _is_unknown(self, value: Any) -> bool:
        if isinstance(value, Context) or value is self:
            return False
        if isinstance(value, TemplateModule):
            return self.answers is not None and self.answers.holds_token(str(value))
        return holds_unknown(value)

    def _check(self, made: Any) -> Any:
        """Return a result; a text that somebody made of a token is refused."""
        if isinstance(made, str) and self.answers is not None and self.answers.holds_token(made):
            raise UnknownUsedError
        return made

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Return the result of an operator; only ``+`` joins what is unknown."""
        joins = operator == "+" and (
            left.__class__ is right.__class__ is list
            or UnknownAnswer in (left.__class__, right.__class__)
        )
        if not joins and self._holds(left, right):
            raise UnknownUsedError
        made = super().call_binop(context, operator, left, right)
        return self._check(made)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return an attribute; of something unknown, something unknown."""
        return obj.part() if obj.__class__ is UnknownAnswer else super().getattr(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """Return a member; of something unknown, something unknown."""
        if obj.__class__ is UnknownAnswer:
            return obj.part()
        if self._holds(argument):
            raise UnknownUsedError
        return super().getitem(obj, argument)

    def call(self, context: Context, called: Any, /, *arguments: Any, **options: Any) -> Any:
        """Call what a template calls; code that is no macro gets nothing unknown."""
        if called.__class__ is UnknownAnswer:
            return called.part()
        if called.__class__ is Macro:
            return super().call(context, called, *arguments, **options)
        if not _hands_on(called) and self._holds(*arguments, *options.values()):
            raise UnknownUsedError
        return self._check(super().call(context, called, *arguments, **options))


def _hands_on(called: Any) -> bool:
    if called is dict or called is Namespace:
        return True
    return (
        called.__class__ is BuiltinMethodType
        and called.__self__.__class__ in (dict, list)
        and called.__name__ in _HANDED_ON
    )


def prepare(environment: SaltEnvironment, answers: UnknownAnswers, source: str) -> None:
    """Let an environment render a template with unknown answers."""
    assert isinstance(environment, UnknownEnvironment)  # noqa: S101 (made for them)
    environment.answers = answers

    def texts() -> Iterable[str]:
        yield source
        yield from (text for _, text in environment.imported.values())

    answers.describe = CallSources(environment, texts).describe
