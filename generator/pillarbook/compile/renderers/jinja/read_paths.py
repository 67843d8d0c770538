"""Finds expressions of a template that read one value of the minion, and do nothing else."""

from typing import TypeAlias

from jinja2 import nodes

ReadPath: TypeAlias = tuple[str | int, ...]
"""The view, then the keys: ``("grains", "ip4_interfaces", "eth0", 0)``."""
VIEWS = frozenset(("grains", "opts"))
"""The variables with the values of a minion."""


def read_path_of(node: nodes.Node) -> ReadPath | None:
    """Return the path of the value that an expression reads; None for other expressions.

    Such expressions are ``grains['id']``, ``grains.id`` and ``grains.get('id', '')``; a default is
    another value.
    """
    keys: list[str | int] = []
    while not isinstance(node, nodes.Name):
        key = _last_key(node)
        if key is None:
            return None
        keys.append(key)
        node = node.node.node if isinstance(node, nodes.Call) else node.node  # type: ignore[attr-defined] # as its last key says
    return (node.name, *reversed(keys)) if keys and node.name in VIEWS else None


def _last_key(node: nodes.Node) -> str | int | None:
    """Return the key that an expression reads from another one; None if it is not a read."""
    if isinstance(node, nodes.Getattr):
        is_key = not hasattr(dict, node.attr) and not node.attr.startswith("_")
        return node.attr if is_key else None
    if isinstance(node, nodes.Getitem):
        return _constant(node.arg)
    if isinstance(node, nodes.Call) and isinstance(node.node, nodes.Getattr):
        named = node.kwargs or node.dyn_args or node.dyn_kwargs
        is_get = node.node.attr == "get" and len(node.args) in (1, 2) and not named
        return _constant(node.args[0]) if is_get else None
    return None


def _constant(node: nodes.Node) -> str | int | None:
    value = node.value if isinstance(node, nodes.Const) else None
    return value if value.__class__ is str or value.__class__ is int else None
