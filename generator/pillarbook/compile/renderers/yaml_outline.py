"""The outline of a parsed document: where printed words are in its tree.

Other words give another tree of the same outline: only the scalars with words, and the containers
above them, are made again.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

import yaml

from pillarbook.compile.renderers.yaml_loader import load_plain
from pillarbook.compile.renderers.yaml_scalars import STR_TAG, SaltLoader, resolve_tag
from pillarbook.model import KeyPath, Leaf, ListNode, MapNode, Node, Origin

TEXT_TAGS = (STR_TAG, "tag:yaml.org,2002:timestamp")
VALUE_TAGS = tuple(f"tag:yaml.org,2002:{name}" for name in ("int", "float", "bool", "null"))
MERGE_TAG = "tag:yaml.org,2002:merge"
QUOTES = ("'", '"')
MAX_KEY = 200
"""The most characters of a key that is a slot; PyYAML refuses a key of more than 1,024."""

WordSpan: TypeAlias = tuple[int, int]
Slots: TypeAlias = "int | dict[Hashable, Slots]"
"""The index of the scalar to insert, or what to insert into the members of a container.

The slot of a key is below ``_Key``.
"""


@dataclass(frozen=True, slots=True)
class ScalarForm:
    """How a scalar is written, so what its value is for each text."""

    is_text: bool
    """Whether it is always text: quoted, or a literal block (``|``)."""
    indent: str = ""
    """The line break and the spaces before each line of a block but the first."""
    end: str = ""
    """The line breaks at the end of a block that are in its value."""

    def unfold(self, text: str) -> str:
        """Return the content of the scalar with this text."""
        return text.replace(self.indent, "\n") + self.end if self.indent else text

    def read(self, text: str) -> tuple[bool, Any]:
        """Return whether the value depends only on the text; the value."""
        return (True, self.unfold(text)) if self.is_text else plain_value(text)


_PLAIN, _QUOTED = ScalarForm(is_text=False), ScalarForm(is_text=True)


@dataclass(slots=True, eq=False)
class WordSlot:
    """A scalar that contains words."""

    span: WordSpan
    """Its characters in the first text, without quotes; of a block, from its first line on."""
    first: int
    """The index of its first word."""
    last: int
    """The index of its last word."""
    form: "ScalarForm"
    """How it is written."""
    is_key: bool = False
    """Whether it is a key of a mapping."""


@dataclass(frozen=True, slots=True)
class _Key:
    """A key of a mapping, which contains words."""

    name: str
    """The key in the first document."""


@dataclass(slots=True, eq=False)
class _FilledPart:
    """A container with slots, or with such containers."""

    node: MapNode | ListNode
    """The container in the first document."""
    slots: tuple[tuple[Any, int, Origin], ...]
    """Key, index and origin of each slot in it."""
    below: tuple[tuple[Any, "_FilledPart"], ...]
    """Key and part of each container with slots."""
    names: tuple[tuple[str, int], ...] = ()
    """Key and index of each key that is a slot."""

    @classmethod
    def of(cls, node: Node, slots: Mapping[Any, Slots]) -> "_FilledPart":
        """Return a container with its slots."""
        assert isinstance(node, MapNode | ListNode)  # noqa: S101 (a scalar has nothing below it)
        own, below, names = [], [], []
        for key, one in slots.items():
            if isinstance(key, _Key):
                assert isinstance(one, int)  # noqa: S101 (a key has nothing below it)
                names.append((key.name, one))
                continue
            item = node.items[key]
            if isinstance(one, int):
                own.append((key, one, item.origins[-1]))
            else:
                below.append((key, cls.of(item, one)))
        return cls(node, tuple(own), tuple(below), tuple(names))

    def fill(self, values: Sequence[Any]) -> MapNode | ListNode | None:
        """Return the container with other values in its slots; None if a key is there twice."""
        node = self.node
        items: Any = [*node.items] if isinstance(node, ListNode) else {**node.items}
        for key, number, at in self.slots:
            value = values[number]
            origin = Origin(at.file, at.line, at.sls, at.saltenv, value)
            items[key] = Leaf(value, (origin,))
        for key, part in self.below:
            items[key] = filled = part.fill(values)
            if filled is None:
                return None
        if isinstance(node, ListNode):
            listed = tuple(items)
            return ListNode(listed, node.origins, node.overrode, node.kind, shared=node.shared)
        if self.names:
            given = {name: values[number] for name, number in self.names}
            items = {given.get(key, key): item for key, item in items.items()}
            if len(items) != len(node.items):
                return None
        return MapNode(items, node.origins, node.overrode, node.kind, shared=node.shared)


@dataclass(slots=True, eq=False)
class Outline:
    """A document whose tree is reused for others with other words."""

    words: list[WordSpan]
    """The positions of its words."""
    slots: list[WordSlot]
    """The scalars that contain the words."""
    root: _FilledPart
    """Its tree, with the positions of these scalars."""

    @classmethod
    def of(
        cls, text: str, tree: Node, words: list[WordSpan]
    ) -> tuple["Outline | None", tuple[int, ...]]:
        """Return the outline of a document, and the indexes of words that must stay the same.

        Documents with aliases have no outline, because a scalar is in several places.
        """
        if isinstance(tree, Leaf) or "\ufeff" in text:
            return None, ()
        loader = SaltLoader(text)
        try:
            root = loader.get_single_node()
        finally:
            loader.dispose()
        slots: list[WordSlot] = []
        ends = [end for _, end in words]
        positions: dict[Hashable, Slots] = {}
        free: set[int] = set()
        starts = [start for start, _ in words]

        def has_words(node: yaml.Node) -> bool:
            first = bisect_left(starts, node.start_mark.index)
            return first < len(starts) and starts[first] < node.end_mark.index

        for path, node, value in _scalars(root, tree, _find_shared(root), has_words):
            slot = _find_slot(text, node, value, (words, ends))
            if slot is not None and isinstance(path[-1], _Key):
                slot.is_key = True
                slot = slot if slot.form in (_PLAIN, _QUOTED) and isinstance(value, str) else None
            if slot is not None:
                _enter(positions, path, len(slots))
                slots.append(slot)
                free.update(range(slot.first, slot.last + 1))
        fixed = tuple(number for number in range(len(words)) if number not in free)
        return (cls(words, slots, _FilledPart.of(tree, positions)) if slots else None), fixed

    def spans(self, words: list[WordSpan]) -> Iterator[tuple[int, int]]:
        """Yield the position of each slot in a text with these words."""
        grown = [0]
        for (start, end), (old_start, old_end) in zip(words, self.words, strict=True):
            grown.append(grown[-1] + (end - start) - (old_end - old_start))
        for slot in self.slots:
            yield slot.span[0] + grown[slot.first], slot.span[1] + grown[slot.last + 1]

    def fill(self, texts: Iterable[str]) -> Node | None:
        """Return the tree with these texts in its slots; None if one has a meaning in YAML."""
        values = []
        for slot, text in zip(self.slots, texts, strict=True):
            known, value = slot.form.read(text)
            is_no_key = slot.is_key and (value.__class__ is not str or len(text) > MAX_KEY)
            if not known or is_no_key:
                return None
            values.append(value)
        return self.root.fill(values)


def _find_shared(root: yaml.Node | None) -> frozenset[yaml.Node]:
    """Return the nodes of a document that are in several places, or below such a node."""
    seen: set[yaml.Node] = set()
    shared: set[yaml.Node] = set()
    waiting = [] if root is None else [root]
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            waiting += _below(node)
            continue
        several = [node]
        while several:
            one = several.pop()
            if one not in shared:
                shared.add(one)
                several += _below(one)
    return frozenset(shared)


def _below(node: yaml.Node) -> list[yaml.Node]:
    """Return the members of a node, and their keys."""
    if isinstance(node, yaml.MappingNode):
        return [one for pair in node.value for one in pair]
    return list(node.value) if isinstance(node, yaml.SequenceNode) else []


def _scalars(
    node: Any,
    tree: Any,
    shared: frozenset[yaml.Node],
    has_words: Callable[[yaml.Node], bool],
    path: KeyPath = (),
) -> Iterator[tuple[KeyPath, yaml.ScalarNode, Any]]:
    """Yield ``(path, YAML node, value)`` for the values and keys with words, in one place each."""
    if node in shared or not has_words(node):
        return
    if isinstance(node, yaml.ScalarNode):
        if isinstance(tree, Leaf):
            yield path, node, tree.value
        elif path and isinstance(path[-1], _Key):
            yield path, node, tree
        return
    for key, below, item in _members(node, tree):
        yield from _scalars(below, item, shared, has_words, (*path, key))


def _members(node: Any, tree: Any) -> Iterator[tuple[Hashable, Any, Any]]:
    """Yield ``(key, YAML node, tree)`` for each member; nothing if node and tree do not match.

    Each text that is a key is yielded, too, with ``_Key`` in place of the key.
    """
    if isinstance(node, yaml.MappingNode) and isinstance(tree, MapNode):
        if any(key_node.tag == MERGE_TAG for key_node, _ in node.value):
            return
        if len(node.value) == len(tree.items):
            for (name, value_node), (key, item) in zip(node.value, tree.items.items(), strict=True):
                yield key, value_node, item
                if key.__class__ is str:
                    yield _Key(key), name, key
    elif isinstance(node, yaml.SequenceNode) and isinstance(tree, ListNode):
        for index, (member, item) in enumerate(zip(node.value, tree.items, strict=True)):
            yield index, member, item


def _find_slot(
    text: str, node: yaml.ScalarNode, value: Any, words: tuple[list[WordSpan], list[int]]
) -> WordSlot | None:
    """Return a scalar as a slot if it contains words and has a simple form.

    ``words`` are the positions of all words, and where they end.
    """
    start, end, form = _find_form(text, node)
    spans, ends = words
    first, last = bisect_left(spans, (start, start)), bisect_right(ends, end) - 1
    if form is None or first > last or form.unfold(text[start:end]) != node.value:
        return None
    known, read = form.read(text[start:end])
    if not known or type(read) is not type(value) or read != value:
        return None  # its tag gives it another value
    return WordSlot((start, end), first, last, form)


def _find_form(text: str, node: yaml.ScalarNode) -> tuple[int, int, ScalarForm | None]:
    """Return where the text of a scalar is, and its form, if this is a simple one."""
    start, end = node.start_mark.index, node.end_mark.index
    if not node.style:
        return start, end, _PLAIN
    if node.style in QUOTES:
        return start + 1, end - 1, _QUOTED
    start = text.find("\n", start, end) + 1
    body = text[start:end].lstrip(" ")
    value: str = node.value
    # A block that begins with an empty or indented line does not show its indentation here.
    if node.style != "|" or not start or not body or body[0] != value[:1]:
        return start, end, None
    indent = text[start:end].index(body)
    kept = value.rstrip("\n")
    end = start + len(text[start:end].rstrip())
    return (
        start + indent,
        end,
        ScalarForm(is_text=True, indent=f"\n{' ' * indent}", end=value[len(kept) :]),
    )


# By the text, which determines the value of an unquoted scalar. The value is immutable, so minions
# may share it.
@lru_cache(maxsize=65536)
def plain_value(text: str) -> tuple[bool, Any]:
    """Return whether the value of an unquoted scalar depends only on its text; the value."""
    tag = resolve_tag(yaml.ScalarNode, text, (True, False))
    if tag in TEXT_TAGS:
        return True, text
    if tag not in VALUE_TAGS:
        return False, None
    try:
        return True, load_plain(text)
    except (ValueError, yaml.YAMLError):
        return False, None


def _enter(slots: dict[Hashable, Slots], path: KeyPath, number: int) -> None:
    for key in path[:-1]:
        below = slots.setdefault(key, {})
        assert isinstance(below, dict)  # noqa: S101 (a scalar has nothing below it)
        slots = below
    slots[path[-1]] = number
