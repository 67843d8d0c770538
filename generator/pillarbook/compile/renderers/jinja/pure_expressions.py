"""Pure expressions: they only read values, and change nothing.

``grains['id'].split('.')[0]`` depends on the grain only: evaluated for another minion, it gives
that minion's text. The allowed methods and filters are listed here, so anything unknown is not
pure.
"""

from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias, TypeGuard

from jinja2 import nodes

VIEWS = frozenset(("grains", "opts"))
"""The variables with the values of a minion."""
GRAINS_GET = "_pillarbook_grains_get"
"""Replaces ``salt['grains.get']`` among the names of an expression."""
LOOP = "_pillarbook_loop_"
"""With an attribute, replaces ``loop.index`` and the like among the names of an expression."""
LOOP_ATTRIBUTES = frozenset(("depth", "depth0", "first", "index", "index0"))
"""Those that do not look at what the loop has not reached yet."""
METHODS = frozenset(
    (
        *("capitalize", "casefold", "count", "endswith", "find", "get", "index", "isalnum"),
        *("isalpha", "isdigit", "islower", "isnumeric", "isspace", "istitle", "isupper", "items"),
        *("join", "keys", "lower", "lstrip", "partition", "removeprefix", "removesuffix"),
        *("replace", "rfind", "rindex", "rpartition", "rsplit", "rstrip", "split", "splitlines"),
        *("startswith", "strip", "swapcase", "title", "upper", "values"),
    )
)
"""Methods of texts, lists and mappings that change nothing."""
FILTERS = frozenset(
    (
        *("abs", "base64_decode", "base64_encode", "capitalize", "contains_whitespace", "count"),
        *("d", "default", "first", "float", "int", "is_ip", "is_ipv4", "is_ipv6", "join", "json"),
        *("last", "length", "list", "lower", "max", "md5", "min", "path_join", "quote", "replace"),
        *("reverse", "round", "sha1", "sha256", "sha512", "sort", "string", "to_bool", "to_num"),
        *("to_camelcase", "to_snake_case", "tojson", "traverse", "trim", "truncate", "upper"),
        *("uuid", "wordcount", "yaml_dquote", "yaml_encode", "yaml_squote"),
    )
)
"""Filters that depend only on their arguments."""
SLOW_FILTERS = frozenset(
    ("center", "format", "indent", "regex_match", "regex_replace", "regex_search", "wordwrap")
)
"""The same, but they may be slow or print much."""
SLOW_METHODS = frozenset(("center", "format", "ljust", "rjust", "zfill"))
TESTS = frozenset(
    (
        *("boolean", "defined", "divisibleby", "eq", "equalto", "even", "false", "ge", "gt", "in"),
        *("iterable", "le", "list", "lower", "lt", "mapping", "ne", "none", "number", "odd"),
        *("sameas", "sequence", "string", "true", "undefined", "upper"),
    )
)
"""Tests that depend only on their arguments."""
_CHOOSING = (nodes.And, nodes.Or, nodes.CondExpr)
_SLOW = (nodes.Mul, nodes.Mod, nodes.Pow)
_PLAIN = (
    *_CHOOSING,
    *_SLOW,
    *(nodes.Const, nodes.Getattr, nodes.Getitem, nodes.Slice, nodes.List, nodes.Tuple),
    *(nodes.Concat, nodes.Compare, nodes.Operand, nodes.Neg, nodes.Pos, nodes.Not),
    *(nodes.Add, nodes.Sub, nodes.Div, nodes.FloorDiv, nodes.Keyword),
)
_ALONE = (nodes.Name, nodes.Const, nodes.TemplateData)
"""Nodes without children."""
ReadPath: TypeAlias = tuple[str | int, ...]
"""The view, then the keys: ``("grains", "ip4_interfaces", "eth0", 0)``."""


class DecidingPart(Enum):
    """The part of a value on which the rest of a render depends."""

    TRUTH = "truth"
    """Whether it counts as true."""
    VALUE = "value"
    """All of it."""


@dataclass(slots=True, eq=False)
class PureExpression:
    """A pure expression of a template."""

    node: nodes.Expr
    """The expression."""
    names: tuple[str, ...]
    """The names in it."""
    free: frozenset[str] = frozenset()
    """The names that other pure expressions have set."""
    target: str | None = None
    """The name to which it is assigned, if only pure expressions use that name."""
    is_slow: bool = False
    """Whether it may be slow."""
    decides: "DecidingPart | None" = None
    """What of its value the rest of the render depends on; None if it is printed, or assigned."""

    @property
    def path(self) -> ReadPath | None:
        """The path of its value, if it does nothing else than to read it."""
        return None if self.target is not None else read_path_of(self.node)


def walk(node: nodes.Node) -> Iterator[nodes.Node]:
    """Yield a node and everything below it, faster than Jinja's own ``find_all``."""
    left = [node]
    while left:
        one = left.pop()
        yield one
        for name in one.fields:
            value = getattr(one, name, None)
            if isinstance(value, nodes.Node):
                left.append(value)
            elif value.__class__ is list:
                left += [below for below in value if isinstance(below, nodes.Node)]


def earliest_line(node: nodes.Node) -> int:
    """Return the smallest line of a node and of everything below it; 0 if there is none."""
    if isinstance(node, _ALONE):
        return node.lineno
    return min((one.lineno for one in walk(node) if one.lineno), default=0)


def find_pure(node: nodes.Node, containers: Container[str]) -> PureExpression | None:
    """Return an expression if it is pure.

    ``containers`` are names of lists and mappings, which are not stored with an expression.
    """
    found = _Parts(containers)
    if not (isinstance(node, nodes.Expr) and _is_pure(node, found)):
        return None
    return PureExpression(node, tuple(found.names), is_slow=found.is_slow)


@dataclass(slots=True)
class _Parts:
    """The parts of an expression."""

    containers: Container[str]
    """The names that it must not have."""
    names: dict[str, None] = field(default_factory=dict)
    """The names."""
    is_slow: bool = False
    """Whether a part of it may be slow."""


def _is_pure(node: nodes.Node, found: _Parts, *, chosen: bool = False) -> bool:
    """Say whether a node is pure; ``chosen`` says that a condition decides about its evaluation."""
    if isinstance(node, nodes.Name):
        found.names[node.name] = None
        # For Python some different letters are equal, so another name may be this one.
        return node.ctx == "load" and node.name.isascii() and node.name not in found.containers
    # Not if a condition decides, because outside of a loop it is an error.
    if is_of_loop(node) and not chosen:
        found.names[f"{LOOP}{node.attr}"] = None
        return True
    if isinstance(node, nodes.Call):
        return _is_call(node, found, chosen=chosen)
    if isinstance(node, nodes.Filter | nodes.Test):
        if not _is_known(node):
            return False
        found.is_slow |= node.name in SLOW_FILTERS
    elif not isinstance(node, _PLAIN):
        return False
    found.is_slow |= isinstance(node, _SLOW)
    chosen = chosen or isinstance(node, _CHOOSING)
    return all(_is_pure(one, found, chosen=chosen) for one in node.iter_child_nodes())


def _is_known(node: nodes.Filter | nodes.Test) -> bool:
    names = FILTERS | SLOW_FILTERS if isinstance(node, nodes.Filter) else TESTS
    # a filter block has no node
    return node.name in names and node.node is not None and not (node.dyn_args or node.dyn_kwargs)


def _is_call(node: nodes.Call, found: _Parts, *, chosen: bool) -> bool:
    if node.dyn_args or node.dyn_kwargs:
        return False
    below: list[nodes.Node] = [*node.args, *node.kwargs]
    if is_grains_get(node.node):
        found.names[GRAINS_GET] = None
        if chosen:  # a function that is called for some minions only
            return False
    elif isinstance(node.node, nodes.Getattr) and node.node.attr in METHODS | SLOW_METHODS:
        found.is_slow |= node.node.attr in SLOW_METHODS
        below.append(node.node.node)
    else:
        return False
    return all(_is_pure(one, found, chosen=chosen) for one in below)


def is_of_loop(node: nodes.Node) -> TypeGuard[nodes.Getattr]:
    """Say whether an expression is ``loop.index`` or the like."""
    if not (isinstance(node, nodes.Getattr) and isinstance(node.node, nodes.Name)):
        return False
    return node.node.name == "loop" and node.attr in LOOP_ATTRIBUTES


def name_node(name: str) -> nodes.Expr:
    """Return an expression for a name of an expression, in a template."""
    if name.startswith(LOOP):
        return nodes.Getattr(nodes.Name("loop", "load"), name.removeprefix(LOOP), "load")
    return nodes.Name("salt" if name == GRAINS_GET else name, "load")


def is_grains_get(node: nodes.Node) -> bool:
    """Say whether an expression is ``salt['grains.get']`` or ``salt.grains.get``."""
    match node:
        case nodes.Getitem(node=nodes.Name(name="salt"), arg=nodes.Const(value="grains.get")):
            return True
        case nodes.Getattr(
            node=nodes.Getattr(node=nodes.Name(name="salt"), attr="grains"), attr="get"
        ):
            return True
        case _:
            return False


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
