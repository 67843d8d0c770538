"""Finds pure expressions: they only read values, and compute only printed text.

``{{ grains['id'].split('.')[0] }}`` depends on the grain only: evaluated for another minion, it
prints that minion's text, and changes nothing else in the render. The same is true for ``{% set
host = grains.id.split('.')[0] %}`` if only such expressions use ``host``. The allowed methods and
filters are listed here, so anything unknown is not pure.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeGuard

from jinja2 import nodes

from pillarbook.compile.renderers.jinja.read_paths import ReadPath, read_path_of

BOUND = "what a name is given"
"""A filter that ``bindings`` adds to assigned values; templates have no filters with spaces."""
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
_GATHERING = (nodes.Macro, nodes.CallBlock, nodes.FilterBlock, nodes.AssignBlock, nodes.Block)
"""Statements that process their printed text."""


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
    """The name to which it is assigned; None if it is printed."""
    is_slow: bool = False
    """Whether it may be slow."""

    @property
    def path(self) -> ReadPath | None:
        """The path of its value, if it does nothing else than to read it."""
        return None if self.target is not None else read_path_of(self.node)


def find_expressions(template: nodes.Template, *, is_own: bool) -> Mapping[int, PureExpression]:
    """Return the pure expressions of a parsed template, by the ``id`` of their nodes.

    The node is that of the printed expression, or of the assignment. If the template ``is_own``,
    the rendered file itself, only its imports and includes may use its variables.
    """
    parts = [tuple(walk(node)) for node in template.body]
    every = [one for part in parts for one in part]
    if any(isinstance(one, nodes.EvalContextModifier) for one in every):
        return {}  # autoescape changes printed values
    printed = {
        id(node): made for node in _printed(template.body) if (made := _pure(node)) is not None
    }
    has_blocks = any(isinstance(one, nodes.Extends | nodes.Block) for one in every)
    given = _free_assignments(template, parts, printed) if is_own and not has_blocks else {}
    free = frozenset(str(one.target) for one in given.values())
    for one in (*printed.values(), *given.values()):
        one.free = free.intersection(one.names)
    return {at: one for at, one in {**printed, **given}.items() if one.free or _reads(one)}


def _reads(one: PureExpression) -> bool:
    return GRAINS_GET in one.names or not VIEWS.isdisjoint(one.names)


def _printed(body: Iterable[nodes.Node]) -> Iterator[nodes.Expr]:
    """Yield the expressions that a template prints directly."""
    for node in body:
        if isinstance(node, nodes.Output):
            yield from (one for one in node.nodes if earliest_line(one) == one.lineno)
        elif not isinstance(node, _GATHERING) and not getattr(node, "recursive", False):
            for _, below in node.iter_fields():
                if isinstance(below, list):
                    yield from _printed(one for one in below if isinstance(one, nodes.Stmt))


def _free_assignments(
    template: nodes.Template,
    parts: Sequence[Iterable[nodes.Node]],
    printed: Mapping[int, PureExpression],
) -> dict[int, PureExpression]:
    """Return the assignments of names that only pure expressions use."""
    loads = [tuple(_loads(part)) for part in parts]
    taken = Counter(name for part in parts for name in _names_taken(part))
    given = dict(_single_assignments(template, loads, taken))
    named = {at: Counter(_loads(walk(one.node))) for at, one in {**printed, **given}.items()}
    everywhere = Counter(name for part in loads for name in part)
    while given:
        inner = sum((named[at] for at in (*printed, *given)), Counter[str]())
        kept = {
            at: one
            for at, one in given.items()
            if inner[str(one.target)] == everywhere[str(one.target)] and _depends(one, given)
        }
        if len(kept) == len(given):
            break
        given = kept
    return given


def _single_assignments(
    template: nodes.Template, loads: Iterable[Iterable[str]], taken: Mapping[str, int]
) -> Iterator[tuple[int, PureExpression]]:
    """Yield the pure assignments of names that are set once and not used before."""
    named = set(VIEWS)
    for node, names in zip(template.body, loads, strict=True):
        named.update(names)
        if isinstance(node, nodes.Assign) and isinstance(node.target, nodes.Name):
            name = node.target.name
            made = _pure(_unbound(node.node)) if taken[name] == 1 and name not in named else None
            if made is not None:
                made.target = name
                yield id(node), made


def _depends(one: PureExpression, given: Mapping[int, PureExpression]) -> bool:
    """Say whether an expression reads a value of the minion."""
    return _reads(one) or any(other.target in one.names for other in given.values())


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


def _loads(part: Iterable[nodes.Node]) -> Iterator[str]:
    """Yield the names that some nodes read, in Python's form."""
    for one in part:
        if isinstance(one, nodes.Name) and one.ctx == "load":
            yield _plain(one.name)


def _plain(name: str) -> str:
    """Return a name in Python's form, in which some different letters are equal."""
    return name if name.isascii() else unicodedata.normalize("NFKC", name)


def _names_taken(part: Iterable[nodes.Node]) -> Iterator[str]:
    """Yield the names that some nodes set, as often as they do."""
    for node in part:
        if isinstance(node, nodes.Name):
            if node.ctx != "load":
                yield _plain(node.name)
        elif isinstance(node, nodes.Macro):
            yield _plain(node.name)
        elif isinstance(node, nodes.Import):
            yield _plain(node.target)
        elif isinstance(node, nodes.FromImport):
            for name in node.names:
                yield _plain(name if isinstance(name, str) else name[1])


def earliest_line(node: nodes.Node) -> int:
    """Return the smallest line of a node and of everything below it; 0 if there is none."""
    if isinstance(node, _ALONE):
        return node.lineno
    return min((one.lineno for one in walk(node) if one.lineno), default=0)


def _unbound(node: nodes.Node) -> nodes.Node:
    """Return an assigned value without the filter of ``bindings``."""
    if isinstance(node, nodes.Filter) and node.name == BOUND and node.node is not None:
        return node.node
    return node


def _pure(node: nodes.Node) -> PureExpression | None:
    """Return an expression if it is pure."""
    found = _Parts()
    if not (isinstance(node, nodes.Expr) and _is_pure(node, found)):
        return None
    return PureExpression(node, tuple(found.names), is_slow=found.is_slow)


@dataclass(slots=True)
class _Parts:
    """The parts of an expression."""

    names: dict[str, None] = field(default_factory=dict)
    """The names."""
    is_slow: bool = False
    """Whether a part of it may be slow."""


def _is_pure(node: nodes.Node, found: _Parts, *, chosen: bool = False) -> bool:
    """Say whether a node is pure; ``chosen`` says that a condition decides about its evaluation."""
    if isinstance(node, nodes.Name):
        found.names[node.name] = None
        # For Python some different letters are equal, so another name may be this one.
        return node.ctx == "load" and node.name.isascii()
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
