"""Expressions of a template that compute nothing but what is printed, of nothing but reads.

``{{ grains['id'].split('.')[0] }}`` is a function of the grain: evaluated for another minion it
prints that minion's text, and leaves no trace in the rest of the render. The same goes for
``{% set host = grains.id.split('.')[0] %}`` where nothing but such expressions names ``host``.
What a method or filter may be is listed here, so that whatever is not known is not pure.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from jinja2 import nodes

from pillarbook.compile.renderers.jinja.read_paths import ReadPath, read_path_of

BOUND = "what a name is given"
"""A filter that ``bindings`` puts behind what is assigned; templates have none with blanks."""
VIEWS = frozenset(("grains", "opts"))
"""The names that the values of a minion have in a template."""
GRAINS_GET = "_pillarbook_grains_get"
"""Stands for ``salt['grains.get']`` among the names of an expression."""
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
"""Filters that are functions of what they are given."""
SLOW_FILTERS = frozenset(
    ("center", "format", "indent", "regex_match", "regex_replace", "regex_search", "wordwrap")
)
"""Likewise, which may take long or print much."""
SLOW_METHODS = frozenset(("center", "format", "ljust", "rjust", "zfill"))
TESTS = frozenset(
    (
        *("boolean", "defined", "divisibleby", "eq", "equalto", "even", "false", "ge", "gt", "in"),
        *("iterable", "le", "list", "lower", "lt", "mapping", "ne", "none", "number", "odd"),
        *("sameas", "sequence", "string", "true", "undefined", "upper"),
    )
)
"""Tests that are functions of what they are given."""
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
"""Nodes that have nothing below them."""
_GATHERING = (nodes.Macro, nodes.CallBlock, nodes.FilterBlock, nodes.AssignBlock, nodes.Block)
"""Statements that make something else of what is printed in them."""


@dataclass(slots=True, eq=False)
class PureExpression:
    """A pure expression of a template."""

    node: nodes.Expr
    """It itself."""
    names: tuple[str, ...]
    """What it names."""
    free: frozenset[str] = frozenset()
    """Those of the names that other pure expressions were given to."""
    target: str | None = None
    """The name that it is given to; None if it is printed."""
    is_slow: bool = False
    """Whether it may take long."""

    @property
    def path(self) -> ReadPath | None:
        """The path of the value that it is, if it is nothing else."""
        return None if self.target is not None else read_path_of(self.node)


def find_expressions(template: nodes.Template, *, is_own: bool) -> Mapping[int, PureExpression]:
    """Return the pure expressions of a parsed template, by the ``id`` of the node that has each.

    That node is what is printed, or the assignment.

    Args:
        template: The template.
        is_own: Whether it is the file that is rendered, so that no other may name its variables
            but those that it imports and includes.
    """
    parts = [tuple(walk(node)) for node in template.body]
    every = [one for part in parts for one in part]
    if any(isinstance(one, nodes.EvalContextModifier) for one in every):
        return {}  # with autoescape values print otherwise
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
    """Yield what a template prints at once, and not as part of something else."""
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
    """Return the assignments of what pure expressions alone name.

    Args:
        template: The template.
        parts: What there is of each of its statements.
        printed: The pure expressions that it prints.
    """
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
    """Yield the pure assignments of names that have one meaning, and that nothing names before."""
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
    """Say whether an expression reads anything of the minion."""
    return _reads(one) or any(other.target in one.names for other in given.values())


def walk(node: nodes.Node) -> Iterator[nodes.Node]:
    """Yield a node and all that is below it, in less time than Jinja's own ``find_all``."""
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
    """Yield the names that some nodes ask for, as Python reads them."""
    for one in part:
        if isinstance(one, nodes.Name) and one.ctx == "load":
            yield _plain(one.name)


def _plain(name: str) -> str:
    """Return a name as Python reads it, which takes letters of one shape for one."""
    return name if name.isascii() else unicodedata.normalize("NFKC", name)


def _names_taken(part: Iterable[nodes.Node]) -> Iterator[str]:
    """Yield the names that some nodes give a meaning, each as often as they do."""
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
    """Return the smallest line of a node and of what is below it; 0 where they have none."""
    if isinstance(node, _ALONE):
        return node.lineno
    return min((one.lineno for one in walk(node) if one.lineno), default=0)


def _unbound(node: nodes.Node) -> nodes.Node:
    """Return a value without the filter that shows it to whoever looks for secrets."""
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
    """What an expression has in it."""

    names: dict[str, None] = field(default_factory=dict)
    """The names."""
    is_slow: bool = False
    """Whether something in it may take long."""


def _is_pure(node: nodes.Node, found: _Parts, *, chosen: bool = False) -> bool:
    """Say whether a node is pure; ``chosen`` says that a condition decides whether it counts."""
    if isinstance(node, nodes.Name):
        found.names[node.name] = None
        # Python takes letters of one shape for one, so another name may be this one.
        return node.ctx == "load" and node.name.isascii()
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
        if chosen:  # a function that is looked up for some minions only
            return False
    elif isinstance(node.node, nodes.Getattr) and node.node.attr in METHODS | SLOW_METHODS:
        found.is_slow |= node.node.attr in SLOW_METHODS
        below.append(node.node.node)
    else:
        return False
    return all(_is_pure(one, found, chosen=chosen) for one in below)


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
