"""Finds the texts and numbers in a template, each with its names.

In ``{% set db = {'password': 'x'} %}``, the names of ``x`` are ``db:password``. In ``{% macro
m(token='x') %}``, ``dict(token='x')`` and ``token

default('x')``, the name is ``token``. In ``cfg.get('app:token', 'x')``, the names are
``app:token``. Callers decide which names are secret.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from jinja2 import nodes

from pillarbook.compile.renderers.undeclared import DEFAULT
from pillarbook.model import KeyPath
from pillarbook.patterns.named_values import names_beside

DEFAULTS = frozenset(("default", "d"))
"""Filters whose argument replaces a missing value."""
READS = frozenset(("get", "pop", "setdefault", "traverse", "option"))
"""Last names of functions that take a key and a default."""
COMPARING = frozenset(("eq", "equalto", "ne", "in", "sameas", "gt", "ge", "lt", "le"))
"""Tests that compare a value with their argument."""
MAKING = frozenset(("dict", "format", "namespace"))
"""Functions that make an object from their arguments."""
ADDING = frozenset(("add", "append", "extend", "insert"))
"""Methods that add their arguments to their object."""
MERGING = frozenset(("deepcopy", "filter_by", "merge", "merge_all", "update"))
"""Last names of Salt's functions that return what is in the mappings that they get."""
SALT = ("salt", "__salt__")


@dataclass(frozen=True, slots=True)
class Literal:
    """A text or number in a template."""

    path: KeyPath
    """The names to which it is assigned; empty for none."""
    value: str | int
    """The value."""
    is_fixed: bool
    """Whether another literal would change the actions or questions of the template."""

    def __repr__(self) -> str:
        """Return its names, never the value."""
        return f"Literal({self.path!r})"


Change = dict[int, str | int]
"""Replacements for literals, by their index in the template."""


def find_literals(template: nodes.Template, change: Change | None = None) -> tuple[Literal, ...]:
    """Return the literals of a parsed template, in order.

    ``change`` replaces some of them.
    """
    found = []
    arguments = _arguments_of_macros(template)
    for number, (own, node, is_fixed) in enumerate(_visit(template, (), is_fixed=False)):
        path = arguments.get(id(node), own)
        value = node.data if isinstance(node, nodes.TemplateData) else node.value
        found.append(Literal(path, value, is_fixed))
        if change is not None and number in change:
            if isinstance(node, nodes.TemplateData):
                node.data = str(change[number])
            else:
                node.value = change[number]
    return tuple(found)


def _arguments_of_macros(template: nodes.Template) -> dict[int, KeyPath]:
    """Return names for literals by the ``id`` of their nodes: those of parameters of own macros."""
    macros = {one.name: one.args for one in template.find_all(nodes.Macro)}
    found: dict[int, KeyPath] = {}
    for call in template.find_all(nodes.Call) if macros else ():
        parameters = macros.get(call.node.name, []) if isinstance(call.node, nodes.Name) else []
        for parameter, value in zip(parameters, call.args, strict=False):
            literals = _visit(value, name_of(parameter), is_fixed=False)
            found.update((id(node), path) for path, node, is_fixed in literals if not is_fixed)
    return found


def literals_given(value: nodes.Expr) -> Iterator[str | int]:
    """Yield the literals that may be the value of an expression."""
    for path, node, is_fixed in _visit(value, ("",), is_fixed=False):
        if path and not is_fixed and isinstance(node, nodes.Const):
            yield node.value


_Found = Iterator[tuple[KeyPath, nodes.Const | nodes.TemplateData, bool]]


def _visit(node: nodes.Node, path: KeyPath, *, is_fixed: bool) -> _Found:
    """Yield the literals below a node.

    ``path`` has the names for its value. If it ``is_fixed``, its literals decide an action, and are
    not data.
    """
    visit = _VISITS.get(type(node))
    if isinstance(node, nodes.Const):
        if isinstance(node.value, str | int) and not isinstance(node.value, bool):
            yield path, node, is_fixed
    elif visit is not None:
        yield from visit(node, path, is_fixed)
    elif isinstance(node, nodes.BinExpr | nodes.Concat):
        yield from _each(node.iter_child_nodes(), path, is_fixed)
    else:
        yield from _each(node.iter_child_nodes(), (), is_fixed)


def _each(several: Iterable[nodes.Node | None], path: KeyPath, is_fixed: bool) -> _Found:
    for node in several:
        if node is not None:
            yield from _visit(node, path, is_fixed=is_fixed)


def _of_assign(node: nodes.Assign, _: KeyPath, is_fixed: bool) -> _Found:
    yield from _given(node.target, node.node, is_fixed)


def _given(target: nodes.Node, value: nodes.Node, is_fixed: bool, above: KeyPath = ()) -> _Found:
    """Yield the literals of an assigned value; for several targets, each with its own name."""
    if isinstance(target, nodes.Tuple) and isinstance(value, nodes.Tuple | nodes.List):
        targets, values = target.items, value.items
        if len(targets) == len(values):
            named = _name_before(values)
            for one, other in zip(targets, values, strict=True):
                yield from _given(one, other, is_fixed, () if other is values[0] else named)
            return
    yield from _visit(value, (*above, *name_of(target)), is_fixed=is_fixed)


def _name_before(values: list[nodes.Expr]) -> KeyPath:
    """Return the name if the first of two values is the name of the second."""
    first = values[0] if len(values) == 2 else None
    is_name = isinstance(first, nodes.Const) and isinstance(first.value, str)
    return (first.value,) if is_name else ()  # type: ignore[union-attr] # as it says itself


def _of_block(node: nodes.AssignBlock, _: KeyPath, is_fixed: bool) -> _Found:
    path = name_of(node.target)
    for one in node.body:
        if not isinstance(one, nodes.Output):
            yield from _visit(one, path, is_fixed=is_fixed)
            continue
        for part in one.nodes:
            if isinstance(part, nodes.TemplateData):
                yield path, part, is_fixed
            else:
                yield from _visit(part, path, is_fixed=is_fixed)


def _of_with(node: nodes.With, _: KeyPath, is_fixed: bool) -> _Found:
    for target, value in zip(node.targets, node.values, strict=True):
        yield from _given(target, value, is_fixed)
    yield from _each(node.body, (), is_fixed)


def _of_for(node: nodes.For, _: KeyPath, is_fixed: bool) -> _Found:
    if isinstance(node.iter, nodes.List | nodes.Tuple):
        for item in node.iter.items:
            yield from _given(node.target, item, is_fixed)
    else:
        yield from _visit(node.iter, (), is_fixed=is_fixed)
    yield from _each((node.test, *node.body, *node.else_), (), is_fixed)


def _of_macro(node: nodes.Macro | nodes.CallBlock, _: KeyPath, is_fixed: bool) -> _Found:
    with_default = node.args[len(node.args) - len(node.defaults) :]
    for name, value in zip(with_default, node.defaults, strict=True):
        yield from _given(name, value, is_fixed)
    if isinstance(node, nodes.CallBlock):
        yield from _visit(node.call, (), is_fixed=is_fixed)
    yield from _each(node.body, (), is_fixed)


def _of_dict(node: nodes.Dict, path: KeyPath, is_fixed: bool) -> _Found:
    names = list(names_beside({_constant(one.key): _constant(one.value) for one in node.items}))
    for pair in node.items:
        key = _constant(pair.key)
        below = () if key is None else (key, *(name for named, name in names if named == key))
        yield from _visit(pair.key, (), is_fixed=True)
        yield from _visit(pair.value, (*path, *below), is_fixed=is_fixed)


def _of_list(node: nodes.List, path: KeyPath, is_fixed: bool) -> _Found:
    names = list(names_beside([_constant(item) for item in node.items]))
    for at, item in enumerate(node.items):
        below = (*path, *(name for named, name in names if named == at))
        yield from _visit(item, below, is_fixed=is_fixed)


def _constant(node: nodes.Expr) -> Any:
    """Return the value of a literal; None for other expressions."""
    return node.value if isinstance(node, nodes.Const) else None


def _of_condition(node: nodes.CondExpr, path: KeyPath, is_fixed: bool) -> _Found:
    yield from _visit(node.test, (), is_fixed=is_fixed)
    yield from _visit(node.expr1, path, is_fixed=is_fixed)
    if node.expr2 is not None:
        yield from _visit(node.expr2, (*path, *name_of(node.expr1)), is_fixed=is_fixed)


def _of_choice(node: nodes.Or | nodes.And, path: KeyPath, is_fixed: bool) -> _Found:
    """Yield the literals of ``a or b``, where ``b`` replaces an ``a`` that is false."""
    yield from _visit(node.left, path, is_fixed=is_fixed)
    above = name_of(node.left) if isinstance(node, nodes.Or) else ()
    yield from _visit(node.right, (*path, *above), is_fixed=is_fixed)


def _of_tuple(node: nodes.Tuple, path: KeyPath, is_fixed: bool) -> _Found:
    """Yield the literals of a tuple; for a name and a value, with that name."""
    yield from _each(node.items[:1], path, is_fixed)
    yield from _each(node.items[1:], (*path, *_name_before(node.items)), is_fixed)


def _of_remainder(node: nodes.Mod, path: KeyPath, is_fixed: bool) -> _Found:
    """Yield the literals of ``'%s' % x``; another text may accept no value."""
    yield from _visit(node.left, path, is_fixed=is_fixed or isinstance(node.left, nodes.Const))
    yield from _visit(node.right, path, is_fixed=is_fixed)


def _of_filter(node: nodes.Filter, path: KeyPath, is_fixed: bool) -> _Found:
    if node.node is not None:
        yield from _visit(node.node, path, is_fixed=is_fixed or node.name == "format")
    if node.name in DEFAULTS and node.node is not None:
        path = (*path, *name_of(node.node))
    elif node.name != "format":
        path = ()
    yield from _each(node.args, path, is_fixed)
    yield from _each(node.kwargs, path, is_fixed)


def _of_keyword(node: nodes.Keyword, path: KeyPath, is_fixed: bool) -> _Found:
    yield from _visit(node.value, (*path, node.key), is_fixed=is_fixed)


def _of_call(node: nodes.Call, path: KeyPath, is_fixed: bool) -> _Found:
    function, owner = _function_of(node.node)
    is_salts = isinstance(owner, nodes.Name) and owner.name in SALT
    if owner is not None and not is_salts:
        yield from _visit(owner, path, is_fixed=is_fixed or function == "format")
    key = _key_read(node)
    if key:
        yield from _of_read(node, (*path, *key), is_fixed)
        return
    if is_salts and function in MERGING:
        yield from _of_merge(node, path, is_fixed, has_cases=function == "filter_by")
        return
    given = path if function in MAKING else ()
    if function in ADDING and owner is not None:
        given = name_of(owner)
    yield from _each(node.args, given, is_fixed or is_salts)
    for one in node.kwargs:
        if one.key == DEFAULT and function not in MAKING:
            yield from _visit(one.value, path, is_fixed=is_fixed)
        else:
            yield from _visit(one, given, is_fixed=is_fixed or is_salts)
    yield from _each((node.dyn_args, node.dyn_kwargs), given, is_fixed or is_salts)


def _of_read(node: nodes.Call, path: KeyPath, is_fixed: bool) -> _Found:
    """Yield the literals of a call that reads a key; the default gets that key as its name.

    All other keyword arguments, such as ``token``, have their own names.
    """
    yield from _visit(node.args[0], (), is_fixed=True)
    yield from _each(node.args[1:2], path, is_fixed)
    yield from _each(node.args[2:], (), True)
    for one in node.kwargs:
        if one.key == DEFAULT:
            yield from _visit(one.value, path, is_fixed=False)
        else:
            yield from _visit(one, (), is_fixed=True)


def _of_merge(node: nodes.Call, path: KeyPath, is_fixed: bool, *, has_cases: bool) -> _Found:
    """Yield the literals of a call that merges mappings; only those in mappings are data.

    Others, such as the name of a grain, decide which mapping is taken. With ``has_cases``, the keys
    of the first mapping are cases (``Debian``), and no names.
    """
    for at, one in enumerate((*node.args, *node.kwargs, node.dyn_args, node.dyn_kwargs)):
        value = one.value if isinstance(one, nodes.Keyword) else one
        if has_cases and at == 0 and isinstance(value, nodes.Dict):
            yield from _each((pair.key for pair in value.items), (), True)
            yield from _each((pair.value for pair in value.items), path, is_fixed)
        elif isinstance(value, nodes.Dict | nodes.List | nodes.Call):
            yield from _visit(value, path, is_fixed=is_fixed)
        else:
            yield from _each((one,), (), True)


def _function_of(node: nodes.Node) -> tuple[str, nodes.Node | None]:
    """Return the last name of the called function, and its object."""
    if isinstance(node, nodes.Getattr):
        _, owner = _function_of(node.node)
        is_module = isinstance(owner, nodes.Name) and owner.name in SALT
        return node.attr, owner if is_module else node.node
    if isinstance(node, nodes.Getitem) and isinstance(node.arg, nodes.Const):
        return str(node.arg.value).rpartition(".")[2], node.node
    return (node.name, None) if isinstance(node, nodes.Name) else ("", node)


def _key_read(node: nodes.Call) -> KeyPath:
    """Return the key that a call reads; empty if it reads none."""
    first = node.args[0] if node.args else None
    is_read = _function_of(node.node)[0] in READS
    if is_read and isinstance(first, nodes.Const) and isinstance(first.value, str):
        return tuple(first.value.split(":"))
    return ()


def _of_member(node: nodes.Getattr | nodes.Getitem, path: KeyPath, is_fixed: bool) -> _Found:
    yield from _visit(node.node, path, is_fixed=is_fixed)
    if isinstance(node, nodes.Getitem):
        yield from _visit(node.arg, (), is_fixed=True)


def _of_comparison(node: nodes.Compare, _: KeyPath, is_fixed: bool) -> _Found:
    sides = [node.expr, *(one.expr for one in node.ops)]
    names = [name_of(one) for one in sides]
    path = next((one for one in names if one), ())
    for side, name in zip(sides, names, strict=True):
        yield from _visit(side, () if name else path, is_fixed=is_fixed or not name)


def _of_test(node: nodes.Test, _: KeyPath, is_fixed: bool) -> _Found:
    path = name_of(node.node) if node.name in COMPARING else ()
    yield from _visit(node.node, (), is_fixed=is_fixed)
    yield from _each((*node.args, *node.kwargs), path, True)


def _of_import(
    node: nodes.Import | nodes.FromImport | nodes.Include | nodes.Extends, _: KeyPath, __: bool
) -> _Found:
    yield from _visit(node.template, (), is_fixed=True)


def name_of(node: nodes.Node) -> KeyPath:
    """Return the names of an expression, or of the key that it reads; empty for others."""
    path: KeyPath = ()
    match node:
        case nodes.Name(name=name):
            path = (name,)
        case nodes.NSRef(name=name, attr=attr):
            path = (name, attr)
        case nodes.Getattr(node=owner, attr=attr):
            path = (*name_of(owner), attr)
        case nodes.Getitem(node=owner, arg=nodes.Const(value=key)):
            path = (*name_of(owner), key)
        case nodes.Filter(node=nodes.Expr() as owner):
            path = name_of(owner)
        case nodes.Call():
            path = _key_read(node)
        case _:
            pass
    return path


_VISITS: dict[type[nodes.Node], Callable[[Any, KeyPath, bool], _Found]] = {
    nodes.And: _of_choice,
    nodes.Assign: _of_assign,
    nodes.AssignBlock: _of_block,
    nodes.Call: _of_call,
    nodes.CallBlock: _of_macro,
    nodes.Compare: _of_comparison,
    nodes.CondExpr: _of_condition,
    nodes.Dict: _of_dict,
    nodes.Extends: _of_import,
    nodes.Filter: _of_filter,
    nodes.For: _of_for,
    nodes.FromImport: _of_import,
    nodes.Getattr: _of_member,
    nodes.Getitem: _of_member,
    nodes.Import: _of_import,
    nodes.Include: _of_import,
    nodes.Keyword: _of_keyword,
    nodes.List: _of_list,
    nodes.Macro: _of_macro,
    nodes.Mod: _of_remainder,
    nodes.Or: _of_choice,
    nodes.Test: _of_test,
    nodes.Tuple: _of_tuple,
    nodes.With: _of_with,
}
"""The functions that assign names to values, by the type of node."""
