"""Passes the values that a template assigns to names to ``NamedValues``.

Literals with the name of a secret are found in the text of the template. A computed value gets its
name only in the render, so each assignment, loop and mapping calls a filter.
"""

from collections.abc import Iterable
from typing import Any, TypeAlias

from jinja2 import nodes, pass_context
from jinja2.runtime import Context
from jinja2.visitor import NodeTransformer

from pillarbook.compile.renderers.jinja.literals import name_of
from pillarbook.compile.renderers.jinja.serializers import Filter, is_text
from pillarbook.compile.renderers.jinja.template_expressions import BOUND

EACH, MADE = "what a loop gives", "what a mapping is made of"
PARTS = "what several names are given"
"""Names of filters; they contain spaces, so that no template has them."""
Name: TypeAlias = "str | tuple[Name, ...]"
"""The name for a part of a value; for parts of a part, their names; empty for other targets."""


def bind_values(template: nodes.Template) -> None:
    """Add the filters to a parsed template."""
    _Binder().visit(template)


def binding_filters() -> dict[str, Filter]:
    """Return the filters that ``bind_values`` adds."""

    @pass_context
    def bound(context: Context, value: Any, *path: str) -> Any:
        named = context.environment.named  # type: ignore[attr-defined]
        return value if named is None else named.take_bound(path, value)

    @pass_context
    def parts(context: Context, value: Any, *names: Name) -> Any:
        named = context.environment.named  # type: ignore[attr-defined]
        return value if named is None else named.take_parts(names, value)

    @pass_context
    def each(context: Context, items: Any, are_several: bool, *names: Name) -> Any:
        named = context.environment.named  # type: ignore[attr-defined]
        return items if named is None else named.take_each(names, items, are_several=are_several)

    @pass_context
    def made(context: Context, mapping: dict[Any, Any]) -> Any:
        named = context.environment.named  # type: ignore[attr-defined]
        return mapping if named is None else named.take_made(mapping)

    return {BOUND: bound, EACH: each, MADE: made, PARTS: parts}


class _Binder(NodeTransformer):
    """Adds a filter to each value that is not a literal."""

    def visit_Assign(self, node: nodes.Assign) -> nodes.Node:  # noqa: N802 (Jinja's name)
        self.generic_visit(node)
        node.node = _bound(node.target, node.node)  # type: ignore[arg-type] # it is a value
        return node

    def visit_AssignBlock(self, node: nodes.AssignBlock) -> nodes.Node:  # noqa: N802 (Jinja's name)
        self.generic_visit(node)
        path = name_of(node.target)
        if path and not (all(map(is_text, node.body)) and node.filter is None):
            node.filter = _filtered(node.filter, BOUND, path, node.lineno)
        return node

    def visit_With(self, node: nodes.With) -> nodes.Node:  # noqa: N802 (Jinja's name)
        self.generic_visit(node)
        node.values = [_bound(*one) for one in zip(node.targets, node.values, strict=True)]
        return node

    def visit_For(self, node: nodes.For) -> nodes.Node:  # noqa: N802 (Jinja's name)
        self.generic_visit(node)
        target = node.target
        if isinstance(target, nodes.Tuple):
            given: tuple[Any, ...] = (True, *_names_of(target))
        else:
            given = (False, _own_name(target))
        node.iter = _filtered(node.iter, EACH, given, node.lineno)  # type: ignore[arg-type] # likewise
        return node

    def visit_Dict(self, node: nodes.Dict) -> nodes.Node:  # noqa: N802 (Jinja's name)
        self.generic_visit(node)
        parts = [part for pair in node.items for part in (pair.key, pair.value)]
        if all(isinstance(part, nodes.Const) for part in parts):
            return node
        return _filtered(node, MADE, (), node.lineno)


def _bound(target: nodes.Node, value: nodes.Expr) -> nodes.Expr:
    """Return an expression that passes the value for a target; each target gets its own."""
    if isinstance(target, nodes.Tuple):
        if not isinstance(value, nodes.Tuple):
            return _filtered(value, PARTS, _names_of(target), value.lineno)
        if len(target.items) == len(value.items):
            value.items = [_bound(*one) for one in zip(target.items, value.items, strict=True)]
        return value
    path = name_of(target)
    if not path or isinstance(value, nodes.Const):
        return value
    return _filtered(value, BOUND, path, value.lineno)


def _names_of(target: nodes.Tuple) -> tuple[Name, ...]:
    """Return the names of several targets."""
    return tuple(
        _names_of(one) if isinstance(one, nodes.Tuple) else _own_name(one) for one in target.items
    )


def _own_name(target: nodes.Node) -> str:
    """Return the name of a target, for a member of a namespace that of the member."""
    return str((name_of(target) or ("",))[-1])


def _filtered(value: nodes.Expr | None, name: str, given: Iterable[Any], line: int) -> nodes.Filter:
    names = [nodes.Const(one, lineno=line) for one in given]
    return nodes.Filter(value, name, names, [], None, None, lineno=line)
