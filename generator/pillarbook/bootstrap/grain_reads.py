"""Where templates read grains, and what they hold them against.

The compile records which grains a template asked for; the template's own text says in which line,
and which values it knows: ``grains['os_family'] == 'Debian'`` knows one.
"""

import re
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from jinja2 import TemplateError, nodes

from pillarbook.compile.renderers.jinja.environment import SaltEnvironment

_NAME_END = re.compile(r"[\w./-]*[./_-]$")
_NAME_START = re.compile(r"[\w./-]*")
_IMPORT = re.compile(r"""\{%-?\s*import_(?:yaml|json)\s+["'](?=[^"']+["']\s+as\s+(\w+))([^"']+)""")
"""Imports of data: the variable, and the file."""
_OF_MAPPINGS = frozenset(("items", "iteritems", "iterkeys", "itervalues", "keys", "values"))
"""Methods, of Python 2 too, that only a mapping has."""
_METHODS = _OF_MAPPINGS | {
    name for kind in (str, dict, list) for name in dir(kind) if not name.startswith("_")
}
_CONFIG = "config.get"
_READERS = frozenset(("grains.get", "grains.fetch", "grains.has_value", "grains.equals", _CONFIG))
_FILTER_BY = "grains.filter_by"
_FILTERED = "os_family"
"""The grain that ``grains.filter_by`` looks at unless it is told another."""


@dataclass(frozen=True, slots=True)
class TemplateReads:
    """What a template reads by name."""

    grains: tuple["GrainRead", ...] = ()
    functions: tuple[tuple[str, int], ...] = ()
    """The execution functions that it calls, each with a line."""
    names: tuple["NamePart", ...] = ()
    """Names of files that it makes with grains."""
    lookups: tuple["Lookup", ...] = ()
    """Keys that it looks up by grains."""


@dataclass(frozen=True, slots=True)
class NamePart:
    """A grain within the name of a file: ``shared.{{ grains['site'] }}``."""

    grain: str
    before: str
    """What stands before it."""
    after: str
    """What follows it."""


@dataclass(frozen=True, slots=True)
class Lookup:
    """A grain as a key of imported data: ``sites[grains['site']]``."""

    grain: str
    file: str
    """The file that was imported."""
    path: tuple[str, ...]
    """The keys above."""


@dataclass(frozen=True, slots=True)
class GrainRead:
    """One place of a template that reads a grain."""

    grain: str
    """The grain; keys below it follow behind colons."""
    line: int
    values: tuple[str | int, ...] = ()
    """What the template holds it against there."""
    is_list: bool = False
    """Whether the template takes it for a list there."""
    is_mapping: bool = False
    """Whether the template takes it for a mapping there."""
    is_sure: bool = True
    """Whether it is a grain; ``config.get`` looks for other things, too."""


def find_reads(text: str) -> TemplateReads:
    """Return what a template reads by name; nothing where Jinja does not take it."""
    if "grains" not in text and "salt" not in text:
        return TemplateReads()
    environment = SaltEnvironment({}, allow_undefined=True)
    try:
        template = environment.parse(text)
        finder = _Finder(dict(_IMPORT.findall(text)))
        grains = tuple(dict.fromkeys(finder.read(template)))
        called = [(_function(one.node), one.lineno) for one in template.find_all(nodes.Call)]
    except (TemplateError, RecursionError):
        return TemplateReads()
    functions = dict.fromkeys((name, line) for name, line in called if name)
    return TemplateReads(grains, tuple(functions), tuple(finder.names), tuple(finder.lookups))


@dataclass(frozen=True, slots=True)
class Condition:
    """Lines of a template that are under a condition on a grain."""

    first: int
    last: int
    grain: str
    value: str | int
    """The value that the condition needs."""


def find_conditions(text: str) -> list[Condition]:
    """Return the lines that are under ``if`` and the value of a grain."""
    if "grains" not in text:
        return []
    try:
        template = SaltEnvironment({}, allow_undefined=True).parse(text)
        finder = _Finder()
        deque(finder.read(template), maxlen=0)  # learns which variables stand for grains
        return [
            Condition(node.lineno, _last_line(node), read.grain, read.values[0])
            for node in template.find_all(nodes.If)
            for read in finder.demanded(node.test)
        ]
    except (TemplateError, RecursionError):
        return []


def _last_line(node: nodes.If) -> int:
    lines = [node.lineno]
    for part in node.body:
        lines += [one.lineno for one in part.find_all(nodes.Node)]
        texts = (
            [part] if isinstance(part, nodes.TemplateData) else part.find_all(nodes.TemplateData)
        )
        lines += [one.lineno + one.data.count("\n") for one in texts]
    return max(lines)


class _Finder:
    """Walks through a template in order, and knows which variables stand for grains."""

    def __init__(self, imports: Mapping[str, str] | None = None) -> None:
        self._imports = imports or {}
        self._aliases: dict[str, str] = {}
        self.names: dict[NamePart, None] = {}
        self.lookups: dict[Lookup, None] = {}
        self._maps: dict[str, tuple[str | int, ...]] = {}

    def read(self, node: nodes.Node) -> Iterator[GrainRead]:
        """Yield the reads in a node and below it."""
        if isinstance(node, nodes.Assign):
            self._note_alias(node)
        own = self._grain_of(node)
        if own:
            is_config = isinstance(node, nodes.Call) and _function(node.node) == _CONFIG
            yield GrainRead(own, node.lineno, is_sure=not is_config)
        if isinstance(node, nodes.For) and (walked := self._grain_of(node.iter)):
            yield GrainRead(walked, node.lineno, is_list=True)
        yield from self._held_against(node)
        self._note_name(node)
        for child in node.iter_child_nodes():
            if not (own and self._grain_of(child) is not None):
                yield from self.read(child)

    def _note_name(self, node: nodes.Node) -> None:
        """Note the grains between two pieces of text."""
        if not isinstance(node, nodes.Output | nodes.Concat | nodes.Add):
            return
        parts = [*_pieces(node)]
        for before, part, after in zip(parts, parts[1:], [*parts[2:], None], strict=False):
            grain = self._grain_of(part)
            start = _NAME_END.search(_written(before))
            end = _NAME_START.match(_written(after))
            if grain and start and start[0]:
                self.names[NamePart(grain, start[0], end[0] if end else "")] = None

    def _note_lookup(self, owner: nodes.Node, grain: str) -> None:
        path: list[str] = []
        while isinstance(owner, nodes.Getattr | nodes.Getitem):
            key = owner.attr if isinstance(owner, nodes.Getattr) else _text(owner.arg)
            if key is None:
                return
            path.insert(0, key)
            owner = owner.node
        if isinstance(owner, nodes.Name) and owner.name in self._imports:
            self.lookups[Lookup(grain, self._imports[owner.name], tuple(path))] = None

    def _note_alias(self, node: nodes.Assign) -> None:
        if not isinstance(node.target, nodes.Name):
            return
        grain = self._grain_of(node.node)
        if grain:
            self._aliases[node.target.name] = grain
        if isinstance(node.node, nodes.Dict):
            self._maps[node.target.name] = _keys(node.node)

    def _grain_of(self, node: nodes.Node | None) -> str | None:
        """Return the grain that an expression is; empty for all of them, None for none."""
        if isinstance(node, nodes.Name):
            return "" if node.name == "grains" else self._aliases.get(node.name)
        if isinstance(node, nodes.Filter):
            return self._grain_of(node.node)
        if isinstance(node, nodes.Getattr):
            return None if node.attr in _METHODS else self._below(node.node, node.attr)
        if isinstance(node, nodes.Getitem):
            return self._below(node.node, _text(node.arg))
        return self._called(node) if isinstance(node, nodes.Call) else None

    def _below(self, owner: nodes.Node, key: str | None) -> str | None:
        above = self._grain_of(owner)
        if above is None or key is None:
            return None
        return f"{above}:{key}" if above else key

    def _called(self, node: nodes.Call) -> str | None:
        """Return the grain that a call gives, as ``grains.get('os')`` does."""
        if not node.args:
            return None
        first = _text(node.args[0])
        if _function(node.node) in _READERS:
            return _with_colons(first, node)
        if isinstance(node.node, nodes.Getattr) and node.node.attr == "get" and first:
            above = self._grain_of(node.node.node)
            if above is not None:
                return f"{above}:{first}" if above else first
        return None

    def _held_against(self, node: nodes.Node) -> Iterator[GrainRead]:
        if isinstance(node, nodes.Compare):
            yield from self._compared(node)
        elif isinstance(node, nodes.Getitem):
            yield from self._looked_up(node.node, node.arg, node.lineno)
        elif isinstance(node, nodes.Call):
            if _function(node.node) == _FILTER_BY:
                yield from self._filtered(node)
            elif isinstance(node.node, nodes.Getattr):
                yield from self._called_on(node.node, node)

    def _called_on(self, method: nodes.Getattr, call: nodes.Call) -> Iterator[GrainRead]:
        if method.attr == "get" and call.args:
            yield from self._looked_up(method.node, call.args[0], call.lineno)
        elif method.attr in _OF_MAPPINGS and (grain := self._grain_of(method.node)):
            yield GrainRead(grain, call.lineno, is_mapping=True)

    def _compared(self, node: nodes.Compare) -> Iterator[GrainRead]:
        left: nodes.Node = node.expr
        for operand in node.ops:
            right = operand.expr
            for one, other in ((left, right), (right, left)):
                grain, values = self._grain_of(one), _constants(other)
                if grain and values:
                    is_list = operand.op in ("in", "notin") and one is right
                    yield GrainRead(grain, node.lineno, values, is_list)
            left = right

    def demanded(self, test: nodes.Node) -> Iterator[GrainRead]:
        """Yield the grains that a condition wants to be equal to something."""
        if isinstance(test, nodes.And):
            yield from self.demanded(test.left)
            yield from self.demanded(test.right)
        elif isinstance(test, nodes.Compare) and test.ops[0].op in ("eq", "in"):
            yield from self._compared(test)

    def _looked_up(
        self, owner: nodes.Node, key: nodes.Node | None, line: int
    ) -> Iterator[GrainRead]:
        """Yield the read of a mapping's key that a grain names."""
        grain = self._grain_of(key)
        if grain:
            self._note_lookup(owner, grain)
        values = _keys(owner) if isinstance(owner, nodes.Dict) else ()
        if isinstance(owner, nodes.Name):
            values = self._maps.get(owner.name, ())
        if grain and values:
            yield GrainRead(grain, line, values)

    def _filtered(self, node: nodes.Call) -> Iterator[GrainRead]:
        named = {one.key: one.value for one in node.kwargs}
        grain = _text(named.get("grain")) or _FILTERED
        table = node.args[0] if node.args else None
        values = self._maps.get(table.name, ()) if isinstance(table, nodes.Name) else ()
        if isinstance(table, nodes.Dict):
            values = _keys(table)
        default = _text(named.get("default")) or "default"
        yield GrainRead(grain, node.lineno, tuple(one for one in values if one != default))


def _pieces(node: nodes.Node) -> Iterator[nodes.Node]:
    """Yield what is put side by side, in order."""
    if isinstance(node, nodes.Add):
        yield from _pieces(node.left)
        yield from _pieces(node.right)
    elif isinstance(node, nodes.Output | nodes.Concat):
        for part in node.nodes:
            yield from _pieces(part)
    else:
        yield node


def _written(node: nodes.Node | None) -> str:
    if isinstance(node, nodes.TemplateData):
        return str(node.data)
    return _text(node) or ""


def _function(node: nodes.Node) -> str | None:
    """Return the name of an execution function in one of its three spellings."""
    if isinstance(node, nodes.Getitem) and _is_salt(node.node):
        return _text(node.arg)
    if isinstance(node, nodes.Getattr):
        module = node.node
        if isinstance(module, nodes.Getattr) and _is_salt(module.node):
            return f"{module.attr}.{node.attr}"
        if isinstance(module, nodes.Getitem) and _is_salt(module.node):
            return f"{_text(module.arg)}.{node.attr}"
    return None


def _with_colons(path: str | None, node: nodes.Call) -> str | None:
    """Return the path that a call asks for, with colons whatever its delimiter is."""
    named = {one.key: one.value for one in node.kwargs}
    delimiter = _text(named.get("delimiter"))
    return path.replace(delimiter, ":") if path and delimiter else path


def _is_salt(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Name) and node.name in ("salt", "__salt__")


def _text(node: nodes.Node | None) -> str | None:
    is_text = isinstance(node, nodes.Const) and isinstance(node.value, str)
    return str(node.value) if is_text and isinstance(node, nodes.Const) else None


def _constants(node: nodes.Node) -> tuple[str | int, ...]:
    """Return the scalars that an expression writes out."""
    items = node.items if isinstance(node, nodes.List | nodes.Tuple) else [node]
    found = [item.value for item in items if isinstance(item, nodes.Const)]
    return tuple(one for one in found if isinstance(one, str | int) and one != "")


def _keys(node: nodes.Dict) -> tuple[str | int, ...]:
    found = [pair.key.value for pair in node.items if isinstance(pair.key, nodes.Const)]
    return tuple(one for one in found if isinstance(one, str | int))
