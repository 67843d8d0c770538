"""A Jinja environment that hands on answers which are not known.

Filters, operators and functions are Python code that may look at what it is given, so they are not
called with anything unknown: what they would give is as unknown as that. Tests and comparisons are
decisions.
"""

from collections.abc import Callable, Mapping
from types import BuiltinMethodType
from typing import Any, cast

import yaml
from jinja2.runtime import Context, LoopContext, Macro
from jinja2.utils import Namespace
from markupsafe import Markup

from pillarbook.compile.reads import View, whole_of
from pillarbook.compile.renderers.jinja.bindings import EACH, MADE, PARTS
from pillarbook.compile.renderers.jinja.function_errors import (
    SaltTemplateError,
    UnansweredCallError,
)
from pillarbook.compile.renderers.jinja.functions.loader import LoadedFunction
from pillarbook.compile.renderers.jinja.functions.unknown_functions import (
    decide_existence,
    optional_function,
)
from pillarbook.compile.renderers.jinja.serializers import SerializerExtension
from pillarbook.compile.renderers.jinja.template_expressions import BOUND
from pillarbook.compile.renderers.jinja.unknown_answers import (
    CHANGEABLE,
    UnknownAnswer,
    UnknownAnswers,
    UnknownUsedError,
    is_sealed,
    mutable_parts,
)
from pillarbook.compile.renderers.jinja.unknown_merges import merge_unknown, merges
from pillarbook.compile.renderers.jinja.unknown_operations import UnknownOperations
from pillarbook.compile.renderers.unknown_text import mark_unknown
from pillarbook.model import ListNode, MapNode, Node, Origin, grow
from pillarbook.model.unknown import unknown_of

_INTERNAL = frozenset((BOUND, EACH, MADE, PARTS))
"""Filters that show what a template holds, and look at texts and numbers only."""
_QUOTING = frozenset(("json", "tojson", "yaml", "yaml_dquote", "yaml_encode", "yaml_squote"))
"""Filters of which the result is on one line, or YAML by itself."""
_QUOTES = {"json": '"', "tojson": '"', "yaml_dquote": '"', "yaml_encode": '"', "yaml_squote": "'"}
"""The quotes that such filters put around a text."""
_WRITING = frozenset(("json", "tojson", "yaml"))
"""Filters that write a container with its members."""
_TEXT = frozenset(("indent", "string", "trim"))
"""Filters that leave a text as it is, but for white space around it and its lines."""
_HANDED_ON = frozenset(("append", "extend", "get", "setdefault", "update"))
"""Methods of lists and mappings that put in or hand on what they are given."""
_CHANGING = frozenset(
    (
        *("append", "clear", "extend", "insert", "pop", "popitem", "remove", "reverse"),
        *("setdefault", "sort", "update"),
    )
)
"""Methods that change a list or a mapping."""
_READING = frozenset(
    (
        *("capitalize", "copy", "count", "endswith", "find", "format", "get", "index", "items"),
        *("join", "keys", "lower", "lstrip", "partition", "replace", "rpartition", "rsplit"),
        *("rstrip", "split", "splitlines", "startswith", "strip", "title", "upper", "values"),
    )
)
"""Methods that change nothing."""
_SCALARS = (str, Markup, int, float, tuple)
_OF_JINJA = ("_block_vars", "_loop_vars")
"""Options that the generated code adds to a call."""
_DEFAULTS = frozenset(("config.get", "grains.get", "pillar.get"))
"""Functions that hand on a default."""
_UNLIKELY = frozenset(("none", "undefined", "false", "boolean", "odd"))
"""Tests that an answer fails by default."""
_OF_TYPES = frozenset(
    (
        *("boolean", "defined", "false", "float", "integer", "iterable", "mapping"),
        *("none", "number", "sequence", "string", "true", "undefined"),
    )
)
"""Tests of which the result is the same for any text. They do not look into containers."""
_OF_SHAPE = frozenset(
    ("count", "d", "default", "dictsort", "first", "items", "last", "length", "list")
)
"""Filters that do not look at what a container holds."""
_CONTAINERS = (View, Mapping, list, tuple)


class UnknownEnvironment(UnknownOperations):
    """Salt's environment for renders with unknown answers; ``answers`` are those of the render."""

    intercepted_binops = frozenset(("+", "-", "*", "/", "//", "%", "**"))
    intercepted_unops = frozenset(("+", "-"))

    def __init__(self, arguments: Mapping[str, Any], *, allow_undefined: bool) -> None:
        super().__init__(arguments, allow_undefined=allow_undefined)
        if self.autoescape:
            raise UnknownUsedError
        for name, function in list(self.filters.items()):
            if name not in _INTERNAL:
                self.filters[name] = self._guard(name, function, self._filter)
        for name, function in list(cast("dict[str, Any]", self.tests).items()):
            self.tests[name] = self._guard(name, function, self._test)
        self._pure = (dict, *(self.globals[name] for name in ("ifelse", "odict", "range")))
        finalize: Callable[[Any], Any] = self.finalize or (lambda value: value)
        self.finalize = lambda value: finalize(self.shown(value))

    def _guard(
        self, name: str, function: Callable[..., Any], replace: Callable[..., Any]
    ) -> Callable[..., Any]:
        """Return a filter or test that is not called with anything unknown."""
        passed = getattr(function, "jinja_pass_arg", None)
        is_existence = name in ("defined", "undefined") and replace == self._test
        is_of_itself = name in (_OF_TYPES if replace == self._test else _OF_SHAPE)

        def guarded(*arguments: Any, **options: Any) -> Any:
            given = arguments if passed is None else arguments[1:]
            if is_existence and (missing := optional_function(given[0])):
                return decide_existence(self.answers, missing) is (name == "defined")
            is_by_keys = name != "dictsort" or (len(given) < 3 and "by" not in options)
            if is_of_itself and is_by_keys and isinstance(self.lift(given[0]), _CONTAINERS):
                return self._check(function(*arguments, **options))
            if self.holds(*given, *options.values()):
                own = arguments[: len(arguments) - len(given)]
                return replace(name, function, own, given, options)
            try:
                return self._check(function(*arguments, **options))
            except UnansweredCallError:
                # Of Salt's filters, all that may have no answer depend on more than their input.
                return self.answers.answer(name, given[1:], options)

        if passed is not None:  # the context, the environment
            setattr(guarded, "jinja_pass_arg", passed)  # noqa: B010 (mypy knows of none)
        return guarded

    def _filter(
        self,
        name: str,
        function: Callable[..., Any],
        own: tuple[Any, ...],
        given: tuple[Any, ...],
        options: Mapping[str, Any],
    ) -> Any:
        value, *others = given
        value = whole_of(value) if isinstance(value, View) else value
        if name in _WRITING and value.__class__ in CHANGEABLE and not self.holds(others, options):
            written = self.written(value, "%")
            if written is not value:
                return self.answers.join((function(*own, written, *others, **options),))
        if name in _TEXT and value.__class__ is UnknownAnswer and not self.holds(others, options):
            if name == "string" or not value.is_partly_known:
                return value.again()
            return value.again(function(*own, str(value), *others, **options))
        if name in _QUOTES and is_sealed(value):
            return self.answers.join((_QUOTES[name], str(value), _QUOTES[name]))
        made = self.answers.derive(*given, *options.values())
        if name in _QUOTING:
            made.has_lines = False
        return made

    def _test(self, name: str, function: Any, own: Any, given: Any, options: Any) -> Any:
        if name in _OF_TYPES and is_sealed(given[0]):
            return function(*own, "text", *given[1:])
        return self.answers.decide(*given, *options.values(), default=name not in _UNLIKELY)

    def _check(self, made: Any) -> Any:
        """Return a result; a text that somebody made of a token is refused."""
        if isinstance(made, str) and self.answers.holds_token(made):
            raise self.answers.refuse()
        return self.lift(made)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Return the result of an operator."""
        joins = operator == "+" and left.__class__ is right.__class__ is list
        if joins or not self.holds(left, right):
            return self._check(super().call_binop(context, operator, left, right))
        if operator == "+" and UnknownAnswer in (left.__class__, right.__class__):
            return left + right
        return self.answers.derive(left, right)

    def call_unop(self, context: Context, operator: str, arg: Any) -> Any:
        """Return the result of a sign."""
        if self.holds(arg):
            return self.answers.derive(arg)
        return super().call_unop(context, operator, arg)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return an attribute; of something unknown, something unknown."""
        if obj.__class__ is UnknownAnswer:
            made = obj.part()
            made.is_reading = attribute in _READING
            return made
        if obj.__class__ is LoopContext:
            return self._of_loop(obj, attribute)
        return self.lift(super().getattr(obj, attribute))

    def _of_loop(self, loop: LoopContext, attribute: str) -> Any:
        unknown = [one.over for one in self.answers.path.open_loops if one.over is not None]
        if unknown and not attribute.startswith("depth"):
            return self.answers.derive(*unknown)
        return super().getattr(loop, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """Return a member; of something unknown, something unknown."""
        if obj.__class__ is UnknownAnswer or self.holds(argument):
            return self.answers.derive(obj, argument)
        return self.lift(super().getitem(obj, argument))

    def call(self, context: Context, called: Any, /, *arguments: Any, **options: Any) -> Any:
        """Call what a template calls; code that is no macro gets nothing unknown."""
        if called.__class__ is Macro:
            return super().call(context, called, *arguments, **options)
        named = {name: value for name, value in options.items() if name not in _OF_JINJA}
        if called.__class__ is UnknownAnswer:
            if not called.is_reading:
                self.answers.change(called, *arguments, *named.values())
            return self.answers.derive(called, *arguments, *named.values())
        given = (*arguments, *named.values())
        # Jinja wraps the method `format` of a text.
        owner = getattr(getattr(called, "__wrapped__", called), "__self__", None)
        if called.__class__ is BuiltinMethodType and owner.__class__ in CHANGEABLE:
            return self._call_method(context, called, arguments, options, given)
        if self.holds(*given) and not _hands_on(called, arguments, named):
            return self._replace(called, owner, arguments, named)
        if called.__class__ is LoadedFunction:
            return self._call_function(context, called, arguments, options)
        return self._check(super().call(context, called, *arguments, **options))

    def _call_function(
        self,
        context: Context,
        called: LoadedFunction,
        arguments: tuple[Any, ...],
        options: dict[str, Any],
    ) -> Any:
        """Call a function, which may read something unknown by itself."""
        read = self.answers.stood_in
        before = len(read)
        try:
            made = self._check(super().call(context, called, *arguments, **options))
        except Exception:
            if len(read) > before:  # it may succeed for a real value
                raise self.answers.refuse() from None
            raise
        if len(read) > before and not self.holds(made):
            return self.answers.derive(*read[before:], made)
        return made

    def _call_method(
        self,
        context: Context,
        called: Any,
        arguments: tuple[Any, ...],
        options: dict[str, Any],
        given: tuple[Any, ...],
    ) -> Any:
        """Call a method of a mapping, list or set that a template can change."""
        owner, is_change = called.__self__, called.__name__ in _CHANGING
        over = self.answers.path.note_change() if is_change else []
        if over:
            self.answers.taint(owner, *over, *given)
        first = arguments[0] if arguments else None
        is_known = first.__class__ is not UnknownAnswer or called.__name__ == "append"
        puts_in = called.__name__ in _HANDED_ON and is_known
        if puts_in or not self.holds(*given):
            return self._check(super().call(context, called, *arguments, **options))
        if is_change:
            self.answers.taint(owner, *given)
        return self.answers.derive(owner, *given)

    def _load(self, owner: SerializerExtension, value: Any, tag: str, *names: Any) -> Any:
        """Return what a tag loads from a text in which something is not known."""
        if tag != "load_yaml":
            return self.answers.derive(value)
        text = str(value)
        return load_unknown(self.answers, value, text, owner.load(text, tag, *names))

    def _replace(
        self, called: Any, owner: Any, arguments: tuple[Any, ...], named: Mapping[str, Any]
    ) -> Any:
        """Return what other code would give for something unknown."""
        given = (*arguments, *named.values())
        derive = self.answers.derive
        if merges(called) and not any(one.__class__ is UnknownAnswer for one in given):
            return merge_unknown(self.answers, called, arguments, named)
        if called is self.globals.get("raise"):
            raise SaltTemplateError("a message that is not known")
        if called.__class__ is LoadedFunction:
            for one in mutable_parts(given):
                self.answers.taint(one, *given)
            return derive(self.answers.answer(called._name, arguments, named), *given)  # noqa: SLF001 (not for templates)
        if isinstance(owner, SerializerExtension):
            return self._load(owner, *arguments)
        is_read = isinstance(owner, View) and called.__name__ == "get"
        if is_read or called in self._pure or owner.__class__ in _SCALARS:
            return derive(owner, *given)
        raise self.answers.refuse()


def _hands_on(called: Any, arguments: tuple[Any, ...], named: Mapping[str, Any]) -> bool:
    """Say whether code only puts in or hands on what it is given."""
    if called is dict or called is Namespace:
        return not arguments
    first = arguments[0] if arguments else None
    if first.__class__ is not str:
        return False
    if called.__class__ is LoadedFunction:
        is_default = len(arguments) + len(named) == 2 and named.keys() <= {"default"}
        return called._name in _DEFAULTS and is_default  # noqa: SLF001 (not for templates)
    return isinstance(getattr(called, "__self__", None), View) and called.__name__ == "get"


def load_unknown(answers: UnknownAnswers, value: Any, text: str, data: Any) -> Any:
    """Return loaded data with what is not known in it; something unknown if more may hang on that.

    As in an SLS file, an answer is assumed not to end the scalar in which it is printed. ``text``
    is the text of the value, with tokens, and ``data`` what is loaded from it.
    """
    tree = grow(data, lambda _, one: Origin("", 1, None, None, one))
    try:
        marked = mark_unknown(tree, text, answers)
    except yaml.YAMLError:
        marked = None
    if marked is None or data.__class__ is not dict:
        return answers.derive(value)
    return _restore(answers, value, data, marked)


def _restore(answers: UnknownAnswers, value: Any, data: Any, node: Node) -> Any:
    if isinstance(data, str) and unknown_of(node) is not None:
        return answers.join((data,))
    if unknown_of(node) is not None or (isinstance(node, MapNode) and node.kind == "open"):
        made = answers.derive(value)
        made.has_lines = False  # a container is printed on one line
        return made
    if isinstance(node, MapNode):
        return {key: _restore(answers, value, data[key], item) for key, item in node.items.items()}
    if isinstance(node, ListNode):
        members = zip(data, node.items, strict=True)
        return [_restore(answers, value, one, item) for one, item in members]
    return data
