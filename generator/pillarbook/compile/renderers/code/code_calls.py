"""Finds the calls of Salt's functions in Python code."""

import ast
from typing import Any

from pillarbook.compile.renderers.undeclared import ANY, WrittenCall


def read_calls(text: str) -> list[WrittenCall]:
    """Return the calls of functions in Python code: ``__salt__['vault.read']('x')``.

    A call of a function whose name is computed, as in ``__salt__[x]('y')``, has no name.
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    found: list[WrittenCall] = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = "" if isinstance(node.func, ast.Subscript) else None
        name = _name(node.func) or name
        if name is not None and ("." in name or not name):
            args = tuple(_literal(one) for one in node.args)
            kwargs = {one.arg: _literal(one.value) for one in node.keywords if one.arg}
            found.append(WrittenCall(name, args, kwargs, node.lineno))
    return found


def _name(node: ast.expr) -> str | None:
    """Return the dotted name that is looked up in a variable; empty for the variable itself."""
    match node:
        case ast.Name():
            return ""
        case ast.Attribute(value=value, attr=part):
            before = _name(value)
        case ast.Subscript(value=value, slice=ast.Constant(value=str(part))):
            before = _name(value)
        case _:
            return None
    if before is None:
        return None
    return f"{before}.{part}" if before else part


def _literal(node: ast.expr) -> Any:
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return ANY
    return list(value) if isinstance(value, tuple) else value
