"""Reuses the trees of parsed documents, also for documents that differ only in words.

A template that prints ``grains.id`` gives another text for each minion, but the same document:
literal text stays, and expressions print words such as ``web1``, or text with such words. A word
without any special meaning in YAML can replace another one without other changes. So the tree of
the first document is reused: only scalars with such words, and the containers above them, are made
again.
"""

import re
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeAlias

import yaml

from pillarbook.compile.renderers.source_text import Segment, SourceText
from pillarbook.compile.renderers.yaml_loader import load_plain
from pillarbook.compile.renderers.yaml_scalars import STR_TAG, SaltLoader, resolve_tag
from pillarbook.model import KeyPath, Leaf, ListNode, MapNode, Node, Origin

WORD = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,98}[A-Za-z0-9])?")
"""A word that may replace another one anywhere in a scalar: letters and digits at both ends, and
only ``_``, ``.`` and ``-`` in between."""
TEXT_TAGS = (STR_TAG, "tag:yaml.org,2002:timestamp")
VALUE_TAGS = tuple(f"tag:yaml.org,2002:{name}" for name in ("int", "float", "bool", "null"))
MERGE_TAG = "tag:yaml.org,2002:merge"
QUOTES = ("'", '"')

FillPlan: TypeAlias = "int | dict[Hashable, FillPlan]"
"""The index of the scalar to insert, or the plans for the members of a container."""
WordSpan: TypeAlias = tuple[int, int]


@dataclass(slots=True)
class ParsedDocuments:
    """The documents that one run has parsed."""

    # By the segments as well, because the origins in the tree depend on them, and two templates may
    # print the same text. Kept to the end of the run.
    texts: dict[Hashable, list[tuple[tuple[Segment, ...], Node]]] = field(default_factory=dict)
    """Trees by SLS and text, each with its segments."""
    families: dict[Hashable, "Family"] = field(default_factory=dict)
    """Similar documents, by SLS and text without words."""

    def find(self, sls: str, saltenv: str, data: SourceText, load: Callable[[], Node]) -> Node:
        """Return the tree of a text; it is loaded only if no other document can be reused."""
        key = (sls, saltenv, data.text)
        for segments, known in self.texts.get(key, ()):
            if segments == data.segments:
                return known
        words, rest = leave_out_words(data)
        family = self.families.get((sls, saltenv, *rest)) if words else None
        tree = family.fill(data.text, words) if family is not None else None
        if tree is None:
            tree = load()
            self.texts.setdefault(key, []).append((data.segments, tree))
            if words:
                family = self.families.setdefault((sls, saltenv, *rest), Family())
                family.note(data.text, words, tree)
        return tree

    def family_of(self, sls: str, saltenv: str, data: SourceText) -> "Family | None":
        """Return the documents that differ from a text only in words."""
        words, rest = leave_out_words(data)
        return self.families.get((sls, saltenv, *rest)) if words else None


def leave_out_words(data: SourceText) -> tuple[list[WordSpan], tuple[Hashable, ...]]:
    """Return the positions of printed words, and the rest of the text with its segments."""
    words: list[WordSpan] = []
    rest: list[Hashable] = []
    ends = [segment.start for segment in data.segments[1:]]
    ends.append(len(data.text))
    for segment, end in zip(data.segments, ends, strict=True):
        # A document with a secret is never reused.
        if segment.secret is not None:
            return [], ()
        rest.append((segment.file, segment.line, segment.verbatim))
        at = segment.start
        for word in () if segment.verbatim else WORD.finditer(data.text, at, end):
            rest.append(data.text[at : word.start()])
            words.append(word.span())
            at = word.end()
        rest.append(data.text[at:end])
    return words, tuple(rest)


@dataclass(slots=True, eq=False)
class _Slot:
    """A scalar that contains words."""

    span: WordSpan
    """Its characters in the first text, without quotes."""
    first: int
    """The index of its first word."""
    last: int
    """The index of its last word."""
    quoted: bool
    """Whether it is quoted, so that it is always text."""


@dataclass(slots=True, eq=False)
class Family:
    """Documents that differ in words only; those with the same keys share an outline."""

    fixed: tuple[int, ...] | None = None
    """Indexes of the words that are not in values, but in keys, comments or blocks."""
    outlines: dict[tuple[str, ...], "Outline"] = field(default_factory=dict)
    """Outlines by these words."""
    noted: list[tuple[str, list[WordSpan], Node]] = field(default_factory=list)
    """Loaded documents without outline, because most documents have no similar one."""

    def note(self, text: str, words: list[WordSpan], tree: Node) -> None:
        """Note a loaded document; its outline is made when there is a similar one."""
        self.noted.append((text, words, tree))

    def fill(self, text: str, words: list[WordSpan]) -> Node | None:
        """Return the tree of a text with these words, if there is an outline for it."""
        for one in self.noted:
            self.learn(*one)
        self.noted.clear()
        if self.fixed is None:
            return None
        outline = self.outlines.get(self._fixed_words(text, words))
        return outline.fill(text, words) if outline is not None else None

    def learn(self, text: str, words: list[WordSpan], tree: Node) -> None:
        """Add the outline of a loaded document."""
        outline, fixed = Outline.of(text, tree, words)
        if outline is None or self.fixed not in (None, fixed):
            return
        self.fixed = fixed
        self.outlines[self._fixed_words(text, words)] = outline

    def _fixed_words(self, text: str, words: list[WordSpan]) -> tuple[str, ...]:
        return tuple(text[words[number][0] : words[number][1]] for number in self.fixed or ())


@dataclass(slots=True, eq=False)
class Outline:
    """A document whose tree is reused for others with other words."""

    tree: Node
    """The tree of the first document."""
    words: list[WordSpan]
    """The positions of its words."""
    slots: list[_Slot]
    """The scalars that contain the words."""
    plan: FillPlan
    """The positions of these scalars in the tree."""

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
        slots: list[_Slot] = []
        plan: dict[Hashable, FillPlan] = {}
        free: set[int] = set()
        for path, node, leaf in _scalars(root, tree, _find_shared(root)):
            slot = _find_slot(text, node, leaf, words)
            if slot is not None:
                _enter(plan, path, len(slots))
                slots.append(slot)
                free.update(range(slot.first, slot.last + 1))
        fixed = tuple(number for number in range(len(words)) if number not in free)
        return (cls(tree, words, slots, plan) if slots else None), fixed

    def fill(self, text: str, words: list[WordSpan]) -> Node | None:
        """Return the tree of a text with these words; None if a word has a meaning in YAML."""
        grown = [0]
        for (start, end), (old_start, old_end) in zip(words, self.words, strict=True):
            grown.append(grown[-1] + (end - start) - (old_end - old_start))
        values = []
        for slot in self.slots:
            new = text[slot.span[0] + grown[slot.first] : slot.span[1] + grown[slot.last + 1]]
            known, value = (True, new) if slot.quoted else plain_value(new)
            if not known:
                return None
            values.append(value)
        return _rebuild(self.tree, self.plan, values)


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
    node: Any, tree: Node, shared: frozenset[yaml.Node], path: KeyPath = ()
) -> Iterator[tuple[KeyPath, yaml.ScalarNode, Leaf]]:
    """Yield ``(path, YAML node, leaf)`` for the values that are in one place."""
    if node in shared:
        return
    if isinstance(node, yaml.ScalarNode):
        if isinstance(tree, Leaf):
            yield path, node, tree
        return
    for key, below, item in _members(node, tree):
        yield from _scalars(below, item, shared, (*path, key))


def _members(node: Any, tree: Node) -> Iterator[tuple[Hashable, Any, Node]]:
    """Yield ``(key, YAML node, tree)`` for each member; nothing if node and tree do not match."""
    if isinstance(node, yaml.MappingNode) and isinstance(tree, MapNode):
        if any(key_node.tag == MERGE_TAG for key_node, _ in node.value):
            return
        if len(node.value) == len(tree.items):
            for (_, value_node), (key, item) in zip(node.value, tree.items.items(), strict=True):
                yield key, value_node, item
    elif isinstance(node, yaml.SequenceNode) and isinstance(tree, ListNode):
        for index, (member, item) in enumerate(zip(node.value, tree.items, strict=True)):
            yield index, member, item


def _find_slot(text: str, node: yaml.ScalarNode, leaf: Leaf, words: list[WordSpan]) -> _Slot | None:
    """Return a scalar as a slot if it contains words and has a simple form."""
    quoted = node.style in QUOTES
    start, end = node.start_mark.index + quoted, node.end_mark.index - quoted
    within = [number for number, span in enumerate(words) if start <= span[0] and span[1] <= end]
    plain = not node.style
    if not within or not (quoted or plain) or text[start:end] != node.value:
        return None
    known, value = (True, node.value) if quoted else plain_value(node.value)
    if not known or type(value) is not type(leaf.value) or value != leaf.value:
        return None  # its tag gives it another value
    return _Slot((start, end), within[0], within[-1], quoted)


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


def _enter(plan: dict[Hashable, FillPlan], path: KeyPath, number: int) -> None:
    for key in path[:-1]:
        below = plan.setdefault(key, {})
        assert isinstance(below, dict)  # noqa: S101 (a scalar has nothing below it)
        plan = below
    plan[path[-1]] = number


def _rebuild(node: Node, plan: FillPlan, values: list[Any]) -> Node:
    if isinstance(plan, int):
        value, at = values[plan], node.origins[-1]
        return Leaf(value, (Origin(at.file, at.line, at.sls, at.saltenv, value),))
    if isinstance(node, MapNode):
        items = dict(node.items)
        for key, below in plan.items():
            items[key] = _rebuild(items[key], below, values)
        return MapNode(items, node.origins, node.overrode, node.kind, shared=node.shared)
    assert isinstance(node, ListNode)  # noqa: S101 (a plan follows the tree)
    members = list(node.items)
    for index, below in plan.items():
        assert isinstance(index, int)  # noqa: S101 (as above)
        members[index] = _rebuild(members[index], below, values)
    return ListNode(tuple(members), node.origins, node.overrode, node.kind, shared=node.shared)
