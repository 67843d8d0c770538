"""Builds one file of a hierarchy with all files that it names, found by name in any folder.

Source: ``hierarchy_pillar.py`` of salt_hierarchy_pillar (``build_pillar``, ``process_merge_tag``,
``find_file``, ``load_pillar_from_file``).
"""

from collections import ChainMap
from collections.abc import Hashable, Iterator, MutableMapping
from dataclasses import dataclass, field
from operator import is_
from pathlib import Path
from typing import Any, Self, TypeAlias

import yaml

from pillarbook.compile.ext_pillars.hierarchy_merge import combine, open_list
from pillarbook.compile.ext_pillars.interface import ExtPillarContext, QuietFailure
from pillarbook.compile.merge.freeze import freeze
from pillarbook.compile.merge.mutable_nodes import ListSlot, MapSlot, NodeOrSlot, open_map, thaw
from pillarbook.compile.merge.replace import replace
from pillarbook.compile.renderers.render_errors import LimitExceeded, RenderError
from pillarbook.compile.renderers.source_text import Line, SourceText
from pillarbook.compile.renderers.yaml_loader import load_tree
from pillarbook.model import Leaf, ListNode, MapNode, Node, Origin, distinct_origins
from pillarbook.roots.file_access import Files

# Files may name each other in a cycle. Python's limit of recursion would end it much later, without
# a file name in the error.
MAX_FILES = 100
"""The longest chain of files, each named by the one before it."""
# If files name the same file in several ways, its origins double with each level.
FEW = 8
"""The number of origins with duplicates; a longer chain is shortened."""

NamedFile: TypeAlias = tuple[str, Line]
"""A file name, and the line that names it."""
SLS = "ext_pillar:hierarchy_pillar"
ENDING = ".yaml"


@dataclass(frozen=True, slots=True)
class HierarchyFolder:
    """The folder ``hierarchy_pillar.data_path`` with everything below it."""

    path: Path
    """The folder."""
    folders: tuple[Path, ...]
    """Each folder that was listed."""
    files: dict[str, Path]
    """The file for each name without ending."""

    @classmethod
    def list(cls, path: Path, disk: Files) -> Self:
        """Return the listing of a folder.

        If several files have the same name, the first one counts: files of a folder come before
        those below it. Folders are sorted by name; in Salt, they have the order of the file system.
        """
        folders: list[Path] = []
        files: dict[str, Path] = {}
        for root, below, names in disk.walk(path):
            below.sort()
            folders.append(Path(root))
            for name in names:
                if name.endswith(ENDING):
                    files.setdefault(name.removesuffix(ENDING), Path(root, name))
        return cls(path, tuple(folders) or (path,), files)


@dataclass(frozen=True, slots=True)
class Built:
    """A file with all files that it names."""

    tree: Node
    """The data."""
    files: frozenset[Path]
    """All files that it was built from."""


@dataclass(slots=True)
class Hierarchy:
    """One folder, with one set of keys; caches built files."""

    folder: HierarchyFolder
    """Its files."""
    keys: tuple[Hashable, ...]
    """The keys with names of files to merge, in the order of processing."""
    neighbour_key: Hashable
    """The key with names of files that get keys of their own."""
    built: dict[str, Built] = field(default_factory=dict)
    """The built files by name."""
    weights: MutableMapping[Node, int] = field(default_factory=dict)
    """The number of nodes in each built tree."""
    settled: dict[Node, Node] = field(default_factory=dict)
    """Built nodes with shortened chains of origins."""


class Builder:
    """Builds the file of one minion, with all files that it names directly or indirectly."""

    def __init__(self, hierarchy: Hierarchy, context: ExtPillarContext) -> None:
        self._hierarchy = hierarchy
        self._context = context
        self._open: dict[str, set[Path]] = {}

    def build(self, name: str) -> Node:
        """Return a minion's file with all files that it names.

        Raises:
            QuietFailure: A file is missing or malformed.
        """
        built = self._build(name, None)
        for path in built.files:
            self._context.note_file(path)
        return built.tree

    def _build(self, name: str, named_at: Line | None) -> Built:
        path = self._hierarchy.folder.files.get(name)
        if path is None:
            raise QuietFailure(f"there is no file {name}.yaml", named_at)
        self._check_open(name, named_at)
        files = self._open[name] = {path}
        tree = self._fill(load_file(path, self._context), self._context.shown(path))
        del self._open[name]
        weights = self._hierarchy.weights
        if self._open:
            tree = _settle_tree(tree, self._hierarchy.settled)
        else:  # the minion's own file, which is not cached
            weights = ChainMap({}, weights)
        limit = self._context.limits.nodes
        if _weigh(tree, weights) > limit:
            raise QuietFailure(f"{name} and what it names have more than {limit:,} nodes", named_at)
        return Built(tree, frozenset(files))

    def _check_open(self, name: str, named_at: Line | None) -> None:
        """Refuse a chain that Python's limit of recursion ends in Salt."""
        if name in self._open:
            names = list(self._open)
            ring = " > ".join([*names[names.index(name) :], name])
            raise QuietFailure(f"files name each other in a cycle: {ring}", named_at)
        if len(self._open) >= MAX_FILES:
            raise QuietFailure(f"more than {MAX_FILES} files name one another", named_at)

    def _built(self, named: NamedFile) -> Node:
        """Return a file that another one names; it is built once."""
        name, place = named
        built = self._hierarchy.built.get(name)
        if built is None:
            built = self._hierarchy.built[name] = self._build(name, place)
        list(self._open.values())[-1].update(built.files)
        return built.tree

    def _fill(self, tree: Node, shown: str) -> Node:
        content: NodeOrSlot = thaw(tree, movable=True)
        for key in self._hierarchy.keys:
            named = _find(content, key, shown)
            if named is not None:
                content = self._merge(content, key, named)
        named = _find(content, self._hierarchy.neighbour_key, shown)
        if named is not None:
            content = self._add_neighbours(content, named)
        return freeze(content)

    def _merge(self, content: NodeOrSlot, key: Hashable, named: NodeOrSlot) -> NodeOrSlot:
        """Return a mapping with the files merged that one of its keys names."""
        assert isinstance(content, MapNode | MapSlot)  # noqa: S101 (it has keys)
        made = open_map(content)
        if isinstance(named, Leaf):
            return self._combine(made, _name(named, key))
        if not isinstance(named, ListNode | ListSlot):
            raise QuietFailure(f"`{key}` names no file", _place_of(named))
        names = made.items[key] = open_list(named)
        at = 0
        while at < len(names.items):  # the list may grow, because a merged file can add names
            made = self._combine(made, _name(names.items[at], key))
            at += 1
        return made

    def _combine(self, upper: MapSlot, named: NamedFile) -> MapSlot:
        tree = self._built(named)
        if not isinstance(tree, MapNode):
            return upper
        made = combine(upper, thaw(tree, movable=True))
        assert isinstance(made, MapSlot)  # noqa: S101 (so are both)
        return made

    def _add_neighbours(self, content: NodeOrSlot, named: NodeOrSlot) -> NodeOrSlot:
        """Return a mapping with a key for each neighbour, which has the neighbour's name."""
        assert isinstance(content, MapNode | MapSlot)  # noqa: S101 (it has keys)
        made = open_map(content)
        for name, place in _list_names(named, self._hierarchy.neighbour_key):
            tree = thaw(self._built((name, place)), movable=False)
            before = made.items.get(name)
            made.items[name] = tree if before is None else replace(before, tree)
        return made


def _find(content: NodeOrSlot, key: Hashable, shown: str) -> NodeOrSlot | None:
    """Return the value of a key; None if the key is missing."""
    if isinstance(content, MapNode | MapSlot):
        return content.items.get(key)
    try:
        is_there = key in (_plain(content))
    except TypeError as error:
        raise QuietFailure(f"{shown} is empty, or holds no mapping", (shown, 1)) from error
    if is_there:
        raise QuietFailure(f"{shown} holds no mapping, and `{key}`", (shown, 1))
    return None


def _plain(content: NodeOrSlot) -> Any:
    if isinstance(content, Leaf):
        return content.value
    return [item.value for item in content.items if isinstance(item, Leaf)]


def _name(content: NodeOrSlot, key: Hashable) -> NamedFile:
    if not isinstance(content, Leaf) or not isinstance(content.value, str):
        raise QuietFailure(f"`{key}` has a value that names no file", _place_of(content))
    return content.value, _place_of(content)


def _list_names(content: NodeOrSlot, key: Hashable) -> Iterator[NamedFile]:
    """Yield the names in a list; keys of a mapping and letters of a text are names as well."""
    if isinstance(content, ListNode | ListSlot):
        yield from (_name(item, key) for item in content.items)
        return
    value = content.items if not isinstance(content, Leaf) else content.value
    if not isinstance(value, dict | str | set):
        raise QuietFailure(f"`{key}` has a value that names no file", _place_of(content))
    for name in value:
        if not isinstance(name, str):
            raise QuietFailure(f"`{key}` has a value that names no file", _place_of(content))
        yield name, _place_of(content)


def _place_of(content: NodeOrSlot) -> Line:
    origin = content.origins[-1]
    return origin.file, origin.line


def _weigh(node: Node, known: MutableMapping[Node, int]) -> int:
    """Return the number of nodes in a tree, counted at each use; fills ``known``."""
    if isinstance(node, Leaf):
        return 1
    if node not in known:
        items = node.items.values() if isinstance(node, MapNode) else node.items
        known[node] = 1 + sum(_weigh(item, known) for item in items)
    return known[node]


def _settle_tree(node: Node, known: dict[Node, Node]) -> Node:
    """Return a tree whose long chains of origins have no duplicates; fills ``known``.

    If two files merge the same third file, its origins come twice, and with each further level
    twice as often.
    """
    made = known.get(node)
    if made is None:
        made = known[node] = _shorten_origins(node, known)
        known[made] = made
    return made


def _shorten_origins(node: Node, known: dict[Node, Node]) -> Node:
    origins = _shorten(node.origins)
    if isinstance(node, Leaf):
        return node if origins is node.origins else Leaf(node.value, origins, node.secret)
    overrode = _shorten(node.overrode)
    is_same = origins is node.origins and overrode is node.overrode
    if isinstance(node, ListNode):
        listed = tuple(_settle_tree(item, known) for item in node.items)
        if is_same and all(map(is_, listed, node.items)):
            return node
        return ListNode(listed, origins, overrode, node.kind, node.alias, node.shared)
    items = {key: _settle_tree(item, known) for key, item in node.items.items()}
    if is_same and all(map(is_, items.values(), node.items.values())):
        return node
    return MapNode(items, origins, overrode, node.kind, node.alias, node.shared)


def _shorten(origins: tuple[Origin, ...]) -> tuple[Origin, ...]:
    if len(origins) <= FEW:
        return origins
    made = distinct_origins(origins)
    return made if len(made) < len(origins) else origins


def load_file(path: Path, context: ExtPillarContext) -> Node:
    """Return the content of a file; null for an empty one.

    Raises:
        QuietFailure: It must not or cannot be read, or it is not YAML.
    """
    shown = context.shown(path)
    text = _read(path, shown, context)
    try:
        tree = _parse(text, shown, context)
    except LimitExceeded as error:
        raise QuietFailure(f"{shown}: {error}", error.place) from error
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        reason = getattr(error, "problem", None) or type(error).__name__
        mark = getattr(error, "problem_mark", None)
        line = min(mark.line + 1, len(text.splitlines())) if mark else None
        raise QuietFailure(f"{shown} is not YAML: {reason}", (shown, line)) from error
    return tree if tree is not None else Leaf(None, (_new_origin((shown, 1), None),))


def _read(path: Path, shown: str, context: ExtPillarContext) -> str:
    try:
        text = context.read_bytes(path, -1).decode()
    except RenderError as error:
        raise QuietFailure(str(error), (shown, None)) from error
    except OSError as error:
        raise QuietFailure(f"{shown} cannot be read: {error.strerror}", (shown, None)) from error
    except UnicodeDecodeError as error:
        raise QuietFailure(f"{shown} is not UTF-8", (shown, None)) from error
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _parse(text: str, shown: str, context: ExtPillarContext) -> Node | None:
    # The parser in C is ten times as fast; the results differ only for tabs.
    loader_class = yaml.SafeLoader if "\t" in text else yaml.CSafeLoader
    source = SourceText.of_file(text, shown)
    return load_tree(source, _new_origin, context.limits, kind="plain", loader_class=loader_class)


def _new_origin(place: Line, value: Any) -> Origin:
    return Origin(place[0], place[1], SLS, None, value)
