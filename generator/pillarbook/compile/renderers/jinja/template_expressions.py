"""Finds the pure expressions of a template.

``{{ grains['id'].split('.')[0] }}`` prints a text, and changes nothing else in the render. The same
is true for ``{% set host = grains.id.split('.')[0] %}`` if only pure expressions use ``host``. Of
others, such as the condition of a block, the rest of the render depends only on their value, and
not on what they read.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from jinja2 import nodes

from pillarbook.compile.renderers.jinja.pure_expressions import (
    GRAINS_GET,
    VIEWS,
    DecidingPart,
    PureExpression,
    earliest_line,
    find_pure,
    walk,
)

BOUND = "what a name is given"
"""A filter that ``bindings`` adds to assigned values; templates have no filters with spaces."""
_NO_VALUES = (nodes.Name, nodes.Const, nodes.TemplateData, nodes.Slice, nodes.Helper)
"""Nodes that are not evaluated on their own, or whose evaluation reads no value of a minion."""
_GATHERING = (nodes.Macro, nodes.CallBlock, nodes.FilterBlock, nodes.AssignBlock, nodes.Block)
"""Statements that process their printed text."""


def find_expressions(template: nodes.Template, *, is_own: bool) -> Mapping[int, PureExpression]:
    """Return the pure expressions of a parsed template, by the ``id`` of their nodes.

    The node is that of the expression; for names that only pure expressions use, the assignment. If
    the template ``is_own``, it is the rendered file, so that only its imports and includes may use
    its variables.
    """
    finder = _Finder(template)
    if any(isinstance(one, nodes.EvalContextModifier) for one in finder.every):
        return {}  # autoescape changes printed values
    printed = dict(finder.find_printed(template.body))
    deciding = dict(finder.find_deciding(template, None, printed))
    has_blocks = any(isinstance(one, nodes.Extends | nodes.Block) for one in finder.every)
    given = finder.find_assigned(printed, deciding) if is_own and not has_blocks else {}
    free = frozenset(str(one.target) for one in given.values())
    for one in given.values():
        deciding.pop(id(one.node), None)
    found = {**printed, **given, **deciding}
    for one in found.values():
        one.free = free.intersection(one.names)
    return {at: one for at, one in found.items() if one.free or _reads(one)}


Found: TypeAlias = Iterator[tuple[int, PureExpression]]
"""Pure expressions with the ``id`` of their nodes."""


class _Finder:
    """Finds the pure expressions of one template."""

    def __init__(self, template: nodes.Template) -> None:
        self._template = template
        self._parts = [tuple(walk(node)) for node in template.body]
        self.every = [one for part in self._parts for one in part]
        """Its nodes."""
        self._containers = frozenset(("pillar", "salt", *_find_containers(self.every)))

    def find_printed(self, body: Iterable[nodes.Node]) -> Found:
        """Yield those that some statements print directly."""
        for node in body:
            if isinstance(node, nodes.Output):
                for one in node.nodes:
                    made = self._find_pure(one) if earliest_line(one) == one.lineno else None
                    if made is not None:
                        yield id(one), made
            elif not isinstance(node, _GATHERING) and not getattr(node, "recursive", False):
                for _, below in node.iter_fields():
                    if isinstance(below, list):
                        yield from self.find_printed(
                            one for one in below if isinstance(one, nodes.Stmt)
                        )

    def find_deciding(
        self, node: nodes.Node, decision: DecidingPart | None, printed: Mapping[int, PureExpression]
    ) -> Found:
        """Yield the largest pure expressions in other parts of the template.

        A path alone is none, except as a condition, because its value is one question.
        ``decision`` is what the part around the node makes of its value; None for statements.
        """
        if id(node) in printed:
            return
        if decision is not None and not isinstance(node, _NO_VALUES):
            made = self._find_pure(node)
            if made is not None:
                made.decides = decision
                if decision is DecidingPart.TRUTH or made.path is None:
                    yield id(node), made
                return
        for one, inner in _parts_of(node):
            yield from self.find_deciding(one, inner, printed)

    def find_assigned(
        self, printed: Mapping[int, PureExpression], deciding: Mapping[int, PureExpression]
    ) -> dict[int, PureExpression]:
        """Return the assignments of names that only pure expressions use.

        ``printed`` are the expressions that the template prints, ``deciding`` the others, also
        those that it assigns.
        """
        loads = [tuple(_loads(part)) for part in self._parts]
        given = dict(self._find_single(loads))
        every = {**printed, **deciding, **given}
        named = {at: Counter(_loads(walk(one.node))) for at, one in every.items()}
        everywhere = Counter(name for part in loads for name in part)
        while given:
            assigned = {id(one.node) for one in given.values()}
            inner = sum((named[at] for at in every if at not in assigned), Counter[str]())
            kept = {
                at: one
                for at, one in given.items()
                if inner[str(one.target)] == everywhere[str(one.target)] and _depends(one, given)
            }
            if len(kept) == len(given):
                break
            for at in given.keys() - kept.keys():
                del every[at]
            given = kept
        return given

    def _find_single(self, loads: Iterable[Iterable[str]]) -> Found:
        """Yield the pure assignments of names that are set once and not used before."""
        taken = Counter(name for part in self._parts for name in _names_taken(part))
        named = set(VIEWS)
        for node, names in zip(self._template.body, loads, strict=True):
            named.update(names)
            if isinstance(node, nodes.Assign) and isinstance(node.target, nodes.Name):
                name = node.target.name
                is_single = taken[name] == 1 and name not in named
                made = self._find_pure(_unbound(node.node)) if is_single else None
                if made is not None:
                    made.target = name
                    yield id(node), made

    def _find_pure(self, node: nodes.Node) -> PureExpression | None:
        return find_pure(node, self._containers)


def _reads(one: PureExpression) -> bool:
    return GRAINS_GET in one.names or not VIEWS.isdisjoint(one.names)


def _depends(one: PureExpression, given: Mapping[int, PureExpression]) -> bool:
    """Say whether an expression reads a value of the minion."""
    return _reads(one) or any(other.target in one.names for other in given.values())


def _find_containers(every: Iterable[nodes.Node]) -> Iterator[str]:
    """Yield the names to which a list or mapping is assigned."""
    for node in every:
        if isinstance(node, nodes.Assign) and isinstance(node.target, nodes.Name):
            value = node.node
            while isinstance(value, nodes.Filter) and value.node is not None:
                value = value.node
            if isinstance(value, nodes.Dict | nodes.List):
                yield node.target.name
        elif isinstance(node, nodes.Import):
            yield node.target


def _parts_of(node: nodes.Node) -> Iterator[tuple[nodes.Node, DecidingPart | None]]:
    """Yield the nodes directly below a node, and what it makes of the value of each."""
    for name, below in node.iter_fields():
        for one in below if isinstance(below, list) else (below,):
            if name == "node" and isinstance(node, nodes.Call):
                yield from _parts_of(one)  # what is called is no value
            elif isinstance(one, nodes.Stmt):
                yield one, None
            elif isinstance(one, nodes.Node):
                yield one, DecidingPart.TRUTH if name == "test" else DecidingPart.VALUE


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


def _unbound(node: nodes.Node) -> nodes.Node:
    """Return an assigned value without the filter of ``bindings``."""
    if isinstance(node, nodes.Filter) and node.name == BOUND and node.node is not None:
        return node.node
    return node
