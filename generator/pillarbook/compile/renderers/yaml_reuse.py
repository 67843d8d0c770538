"""Documents that were parsed before, and documents that differ from such a one in words only.

A template that reads ``grains.id`` prints another text for each minion, but the same document:
literal text stays, and what expressions print are words such as ``web1``, or text with words in it
such as what a macro returns. A word that cannot mean
anything to YAML takes the place of another without changing what stands around it. So the tree of
the first document serves for the others: only the scalars that hold such words are made again, and
the containers above them.
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
"""What may take the place of another word anywhere in a scalar: no sign that YAML knows at either
end, none but ``_``, ``.`` and ``-`` within."""
TEXT_TAGS = (STR_TAG, "tag:yaml.org,2002:timestamp")
VALUE_TAGS = tuple(f"tag:yaml.org,2002:{name}" for name in ("int", "float", "bool", "null"))
MERGE_TAG = "tag:yaml.org,2002:merge"
QUOTES = ("'", '"')

FillPlan: TypeAlias = "int | dict[Hashable, FillPlan]"
"""Which scalar to put where: its number, or the plans of the members of a container."""
WordSpan: TypeAlias = tuple[int, int]


@dataclass(slots=True)
class ParsedDocuments:
    """What one run has parsed."""

    # The text alone is not enough as a key: the tree's origins follow from the segments, and two
    # templates may print one text from other lines. Kept for the run.
    texts: dict[Hashable, list[tuple[tuple[Segment, ...], Node]]] = field(default_factory=dict)
    """Trees by SLS and text; the same text may have come from other lines."""
    families: dict[Hashable, "Family"] = field(default_factory=dict)
    """Documents that are alike, by SLS and text with the words left out."""

    def find(self, sls: str, saltenv: str, data: SourceText, load: Callable[[], Node]) -> Node:
        """Return the tree of a text, loaded only where no other document serves."""
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
        """Return the documents that a text is like, but for its words."""
        words, rest = leave_out_words(data)
        return self.families.get((sls, saltenv, *rest)) if words else None


def leave_out_words(data: SourceText) -> tuple[list[WordSpan], tuple[Hashable, ...]]:
    """Return where expressions printed words, and the rest of the text with its places."""
    words: list[WordSpan] = []
    rest: list[Hashable] = []
    ends = [segment.start for segment in data.segments[1:]]
    ends.append(len(data.text))
    for segment, end in zip(data.segments, ends, strict=True):
        # A document with a secret in it is never the model of another one.
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
    """A scalar with words in it."""

    span: WordSpan
    """Its characters in the first text, without quotes."""
    first: int
    """The number of its first word."""
    last: int
    """The number of its last word."""
    quoted: bool
    """Whether it is text whatever it looks like."""


@dataclass(slots=True, eq=False)
class Family:
    """Documents that differ in words only; those that agree in keys share an outline."""

    fixed: tuple[int, ...] | None = None
    """Numbers of the words that are no part of a value: they are in keys, comments, blocks."""
    outlines: dict[tuple[str, ...], "Outline"] = field(default_factory=dict)
    """Outlines by the fixed words."""
    noted: list[tuple[str, list[WordSpan], Node]] = field(default_factory=list)
    """Documents that were loaded and not learnt from yet: for most there is never another."""

    def note(self, text: str, words: list[WordSpan], tree: Node) -> None:
        """Note a document that was loaded, to learn from it once there is another."""
        self.noted.append((text, words, tree))

    def fill(self, text: str, words: list[WordSpan]) -> Node | None:
        """Return the tree of a text with these words, where an outline serves."""
        for one in self.noted:
            self.learn(*one)
        self.noted.clear()
        if self.fixed is None:
            return None
        outline = self.outlines.get(self._fixed_words(text, words))
        return outline.fill(text, words) if outline is not None else None

    def learn(self, text: str, words: list[WordSpan], tree: Node) -> None:
        """Take the outline of a document that was loaded."""
        outline, fixed = Outline.of(text, tree, words)
        if outline is None or self.fixed not in (None, fixed):
            return
        self.fixed = fixed
        self.outlines[self._fixed_words(text, words)] = outline

    def _fixed_words(self, text: str, words: list[WordSpan]) -> tuple[str, ...]:
        return tuple(text[words[number][0] : words[number][1]] for number in self.fixed or ())


@dataclass(slots=True, eq=False)
class Outline:
    """A document whose tree serves for others that differ from it in words."""

    tree: Node
    """The tree of the first one."""
    words: list[WordSpan]
    """Where its words are."""
    slots: list[_Slot]
    """The scalars that hold them."""
    plan: FillPlan
    """Their positions in the tree."""

    @classmethod
    def of(
        cls, text: str, tree: Node, words: list[WordSpan]
    ) -> tuple["Outline | None", tuple[int, ...]]:
        """Return the outline of a document, and the numbers of the words that it does not free.

        What has aliases is left alone: a scalar there is in several places.
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
        """Return the tree of a text with these words; None where one of them means something."""
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
    """Return the nodes of a document that are in several places, or below one that does."""
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
    """Yield the values that are in one place: path, YAML node and leaf of each."""
    if node in shared:
        return
    if isinstance(node, yaml.ScalarNode):
        if isinstance(tree, Leaf):
            yield path, node, tree
        return
    for key, below, item in _members(node, tree):
        yield from _scalars(below, item, shared, (*path, key))


def _members(node: Any, tree: Node) -> Iterator[tuple[Hashable, Any, Node]]:
    """Yield key, YAML node and tree of each member; none where the two do not go together."""
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
    """Return a scalar as a slot, where it holds words and stands as it is."""
    quoted = node.style in QUOTES
    start, end = node.start_mark.index + quoted, node.end_mark.index - quoted
    within = [number for number, span in enumerate(words) if start <= span[0] and span[1] <= end]
    plain = not node.style
    if not within or not (quoted or plain) or text[start:end] != node.value:
        return None
    known, value = (True, node.value) if quoted else plain_value(node.value)
    if not known or type(value) is not type(leaf.value) or value != leaf.value:
        return None  # a tag says otherwise
    return _Slot((start, end), within[0], within[-1], quoted)


# A function of the text: an unquoted scalar has no other input. The value is immutable, so minions
# may share it.
@lru_cache(maxsize=65536)
def plain_value(text: str) -> tuple[bool, Any]:
    """Return whether an unquoted scalar has a value that can be told from its text, and that."""
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
