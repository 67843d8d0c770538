"""A Jinja environment whose templates pass on assigned values, and accept placeholders."""

from collections.abc import Callable, Hashable, Iterator
from typing import Any

from jinja2 import nodes
from jinja2.runtime import Context, Macro
from jinja2.sandbox import SandboxedEnvironment

from pillarbook.compile.renderers.jinja.bindings import bind_values, binding_filters
from pillarbook.compile.renderers.jinja.evaluations import CompiledExpression, Evaluations
from pillarbook.compile.renderers.jinja.linemap import PlacedTemplate, PlacingCodeGenerator, Printed
from pillarbook.compile.renderers.jinja.literals import Change, find_literals, literals_given
from pillarbook.compile.renderers.jinja.pure_expressions import walk
from pillarbook.compile.renderers.jinja.template_secrets import NamedValues, TemplateLiterals
from pillarbook.compile.renderers.undeclared import WrittenCall
from pillarbook.compile.renderers.written_values import (
    BLOCK,
    EXPRESSION,
    WrittenValue,
    find_in_lines,
)
from pillarbook.model.limited_cache import LimitedCache

# Placeholders differ with the secrets of a minion, so there may be more templates than files.
MAX_CHANGED = 1_000
"""The most templates with placeholders that are cached; then the cache is emptied."""


class NamingEnvironment(SandboxedEnvironment):
    """A sandbox whose templates have lines and literals."""

    code_generator_class = PlacingCodeGenerator
    template_class = PlacedTemplate

    def __init__(self, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.filters.update(binding_filters())
        self.named: NamedValues | None = None
        """Collects the secrets in templates; None if they are not needed."""
        self.evaluations: Evaluations | None = None
        """Collects the reads of pure expressions; None if they are not needed."""
        self.expressions: list[CompiledExpression] = []
        """The pure expressions of the template that was compiled last."""
        # By text and rules, on which it depends which names are hidden.
        self.written_calls = LimitedCache[Hashable, list[WrittenCall]](MAX_CHANGED)
        """The calls of functions in the text of templates."""
        self._change: Change = {}
        self._literals = TemplateLiterals(())
        self._names: frozenset[str] = frozenset()
        self._changed = LimitedCache[Hashable, PlacedTemplate](MAX_CHANGED)

    def make_template(
        self, source: str, shown: str, name: str | None = None, file: str | None = None
    ) -> PlacedTemplate:
        """Compile a template."""
        code = self.compile(source, name, file)
        made = PlacedTemplate.from_code(self, code, self.make_globals(None))
        assert isinstance(made, PlacedTemplate)  # noqa: S101 (made by its own class)
        made.literals, made.names = self._literals, self._names
        made.place(shown)
        return made

    def take_part(
        self, made: PlacedTemplate, key: Hashable, make: Callable[[], PlacedTemplate]
    ) -> PlacedTemplate:
        """Return a template of a render, with placeholders for its secrets."""
        named = self.named
        if named is None:
            return made
        named.templates[made.literals] = None
        change = {} if named.placeholders is None else made.literals.change(named.placeholders)
        if not change:
            return made
        # By the placeholders as well, which are a part of the compiled code.
        changed_key = (key, tuple(change.items()))
        if changed_key not in self._changed:
            self._change = change
            try:
                self._changed[changed_key] = make()
            finally:
                self._change = {}
        return self._changed[changed_key]

    def _generate(
        self,
        source: nodes.Template,
        name: str | None,
        filename: str | None,
        defer_init: bool = False,
    ) -> str:
        printed = find_printed(source)
        self._literals = TemplateLiterals(find_literals(source, self._change), printed)
        self._names = frozenset(one.name for one in walk(source) if isinstance(one, nodes.Name))
        bind_values(source)
        self.expressions = []
        return super()._generate(source, name, filename, defer_init)

    def call(self, context: Context, called: Any, /, *arguments: Any, **options: Any) -> Any:
        """Call a function for a template; arguments of a macro have the names of its parameters."""
        named = self.named
        if called.__class__ is Macro and named is not None:
            arguments, options = named.take_arguments(tuple(called.arguments), arguments, options)
            made = super().call(context, called, *arguments, **options)
            return named.take_printed(called.name, made)
        made = super().call(context, called, *arguments, **options)
        return made if called is not dict or named is None else named.take_made(made)

    def imported_as(self, name: str, value: Any) -> Any:
        """Return a value that a template imports under another name, or its placeholder."""
        return value if self.named is None else self.named.take_bound((name,), value)

    def begin_evaluation(
        self, expression: CompiledExpression, values: tuple[Any, ...]
    ) -> int | None:
        """Note the begin of an evaluation of a pure expression."""
        return None if self.evaluations is None else self.evaluations.begin(expression, values)

    def assigned(self, number: int | None, value: Any) -> None:
        """Note the end of the evaluation of a value that is assigned."""
        if number is not None and self.evaluations is not None:
            self.evaluations.end_assigned(value)

    def decided(self, number: int | None, value: Any) -> Any:
        """Note the value of an evaluation, and return what the template uses of it."""
        if number is None or self.evaluations is None:
            return value
        return self.evaluations.decide(value)

    def printed(self, *given: Any) -> Printed:
        """Mark the output of an expression."""
        printed = Printed(given[-1])
        if len(given) == 1 or given[0] is None or self.evaluations is None:
            return printed
        self.evaluations.end_printed(printed)
        return printed.evaluated_as(given[0])


def find_printed(template: nodes.Template) -> tuple[WrittenValue, ...]:
    """Return the values in the lines of a parsed template, with their keys."""
    return tuple(find_in_lines("".join(_pieces(template))))


def _pieces(node: nodes.Node) -> Iterator[str]:
    """Yield the text below a node; for an expression, the literals that it may print."""
    if isinstance(node, nodes.Output):
        for one in node.nodes:
            if isinstance(one, nodes.TemplateData):
                yield one.data
            else:
                literals = (str(value) for value in literals_given(one))
                between = BLOCK.join(text for text in literals if "\n" not in text)
                yield f"{EXPRESSION}{BLOCK}{between}{BLOCK}{EXPRESSION}"
        return
    for _, below in node.iter_fields():
        # One field is one branch: `else` begins after the end of `if`.
        yield BLOCK
        for child in below if isinstance(below, list) else ():
            if isinstance(child, nodes.Stmt):
                yield from _pieces(child)
    yield BLOCK
