"""The ``salt`` of templates in which calls without an answer give unknown answers.

Only a function that some Salt has, or that somebody declared answers of, may have an answer that is
not known here. All others are missing, as they are in Salt.
"""

from collections.abc import Mapping
from typing import Any

from pillarbook.compile.renderers.jinja.function_errors import (
    UnansweredCallError,
    UndeclaredClockError,
)
from pillarbook.compile.renderers.jinja.functions.function_context import FunctionContext
from pillarbook.compile.renderers.jinja.functions.known_functions import (
    is_known,
    is_optional,
    known_functions,
)
from pillarbook.compile.renderers.jinja.functions.loader import (
    Function,
    Functions,
    LoadedFunction,
    Module,
)
from pillarbook.compile.renderers.jinja.unknown_answers import UnknownAnswers, mutable_parts
from pillarbook.inventory.declared_functions import DeclaredFunction

_CHANGING = frozenset(
    ("config", "cp", "defaults", "file", "grains", "log", "match", "pillar", "slsutil", "test")
)
"""Modules of which the functions that pillarbook lacks may change what others of them answer."""
_RUNS = frozenset(("saltutil.runner",))
"""Functions of ``saltutil`` that change nothing here; the others change what is loaded."""


class UnknownFunctions(Functions):
    """Finds functions by name; ``strict`` is what code other than templates sees."""

    __slots__ = ("_answering", "_answers")

    def __init__(
        self,
        context: FunctionContext,
        declared: Mapping[str, DeclaredFunction],
        strict: Functions,
        answers: UnknownAnswers,
    ) -> None:
        super().__init__(context, declared)
        self._own = strict._own  # noqa: SLF001 (the same modules, which see the strict functions)
        self._answers = answers
        self._answering: dict[str, Function] = {}

    def _find(self, name: str) -> Function | None:
        found = super()._find(name)
        may_answer = name in self._declared or (is_known(name) and not _may_change(name, found))
        if not may_answer:
            return found
        if name not in self._answering:
            answering = AnsweringFunction(name, found, self._answers)
            self._answering[name] = LoadedFunction(name, answering)
        return self._answering[name]

    def __contains__(self, name: object) -> bool:
        if isinstance(name, str) and super()._find(name) is None and is_optional(name):
            return decide_existence(self._answers, name)
        return super().__contains__(name)

    def __getattr__(self, name: str) -> Any:
        try:
            return super().__getattr__(name)
        except AttributeError:
            if name in known_functions():
                return Module(self, name)
            raise


def decide_existence(answers: UnknownAnswers, name: str) -> bool:
    """Return whether Salt has a function that is not here: which load depends on the master."""
    return answers.decide(answers.answer(name, (), {}), default=True)


def optional_function(value: Any) -> str | None:
    """Return the name of a function that only some masters have; None for everything else."""
    if value.__class__ is not LoadedFunction:
        return None
    function = value._function  # noqa: SLF001 (a template must not see it)
    is_missing = function.__class__ is AnsweringFunction and function._function is None  # noqa: SLF001
    name: str = value._name  # noqa: SLF001 (as above)
    return name if is_missing and is_optional(name) else None


def _may_change(name: str, found: Function | None) -> bool:
    """Say whether a function may change what other functions and variables give."""
    module = name.partition(".")[0]
    if module == "saltutil":
        return name not in _RUNS
    return module == "cp" or (found is None and module in _CHANGING)


class AnsweringFunction:
    """A function whose answer is unknown if nobody answers it; None for one that is not here."""

    __slots__ = ("_answers", "_function", "_name")

    def __init__(self, name: str, function: Function | None, answers: UnknownAnswers) -> None:
        self._name = name
        self._function = function
        self._answers = answers

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """Call it."""
        if self._function is None:
            return self._answer(arguments, options)
        try:
            return self._function(*arguments, **options)
        except UndeclaredClockError:
            raise
        except UnansweredCallError:
            return self._answer(arguments, options)

    def _answer(self, arguments: tuple[Any, ...], options: Mapping[str, Any]) -> Any:
        made = self._answers.answer(self._name, arguments, options)
        # A function may change a mapping or a list that it is given, and the template may have it.
        for one in mutable_parts((*arguments, *options.values())):
            self._answers.taint(one, made)
        return made
