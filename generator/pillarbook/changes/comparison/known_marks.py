"""The marks of derived values in a trial, taken over from both sides.

To mark a pillar takes many compiles, and a comparison may need a trial for each changed line. The
values of a trial are nearly all those of the base or the head, which are marked already.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from pillarbook.changes.comparison.alike import is_same_data
from pillarbook.compare.fold import ANY_POSITION
from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.reads import fingerprint
from pillarbook.model import Leaf, MapNode, Node
from pillarbook.model.limited_cache import LimitedCache
from pillarbook.model.tree import all_leaves
from pillarbook.patterns.ciphertexts import is_sealed
from pillarbook.patterns.distinctive import is_distinctive
from pillarbook.redact.declared_secrets import DECLARED
from pillarbook.roots.environment_roots import Roots

# Protects memory: an entry keeps the nodes of its part alive. What is dropped is made again.
MAX_KEPT = 50_000
"""The most parts whose marks are cached; then the cache is emptied."""
Place: TypeAlias = tuple[Hashable, ...]
"""A path in which positions in lists are ignored, because a change moves the members behind it."""


class UnlikeMarksError(Exception):
    """The sides do not tell whether a value is derived, so the pillar has to be marked anew."""


@dataclass(frozen=True, slots=True)
class PillarOfRoots:
    """A pillar with the roots that its SLS files come from."""

    compiled: CompiledPillar
    roots: Roots

    def line_of(self, leaf: Leaf) -> bytes | None:
        """Return the line that set a value; None if it is in no SLS."""
        origin = leaf.origins[-1] if leaf.origins else None
        if origin is None or origin.line is None or origin.sls is None or origin.saltenv is None:
            return None
        found, _ = self.roots.find_sls(origin.sls, origin.saltenv)
        if found is None or found.shown != origin.file:
            return None
        return dict(enumerate(found.content.splitlines(), 1)).get(origin.line)


_Known: TypeAlias = dict[Hashable, dict[int, Leaf]]
"""Values at a place: by the effect of their marks, then by side."""
_Marks: TypeAlias = dict[Place, dict[Hashable, _Known]]
"""All values of both sides, by place and value."""


class KnownMarks:
    """Takes over the marks of a minion's pillars; parts that minions share are processed once."""

    def __init__(self) -> None:
        # By the nodes, which never change. Emptied after the comparison.
        self._made = LimitedCache[tuple[Node, tuple[Node | None, ...]], Node](MAX_KEPT)
        self._known = LimitedCache[tuple[Node | None, ...], _Marks](MAX_KEPT)

    def take_over(self, trial: PillarOfRoots, sides: Sequence[PillarOfRoots]) -> CompiledPillar:
        """Return a pillar with the marks that equal values have on both sides.

        It is good for a comparison with these sides, and not to be shown: a value that neither side
        has keeps no mark if its place has none.

        Raises:
            UnlikeMarksError: The sides do not tell whether a value is derived.
        """
        compiled, items = trial.compiled, {}
        for key, node in compiled.tree.items.items():
            others = tuple(side.compiled.tree.items.get(key) for side in sides)
            made = self._made.get((node, others))
            if made is None:
                taking = _Taking(self._marks_of(others), trial, sides)
                made = taking.copy(node, others) or taking.mark(node, ())
                self._made[node, others] = made
            items[key] = made
        names = dict.fromkeys(name for side in sides for name in side.compiled.secret_names)
        return replace(
            compiled, tree=replace(compiled.tree, items=items), secret_names=tuple(names)
        )

    def _marks_of(self, sides: tuple[Node | None, ...]) -> _Marks:
        """Return the values of both sides by place; nothing if none of them has a mark."""
        marks = self._known.get(sides)
        if marks is None:
            marks, is_marked = {}, False
            for number, side in enumerate(sides):
                for place, leaf in _placed(side, ()) if side else ():
                    known = marks.setdefault(place, {}).setdefault(fingerprint(leaf.value), {})
                    known.setdefault(_effect_of(leaf.secret), {})[number] = leaf
                    is_marked = is_marked or leaf.secret is not None
            marks = self._known[sides] = marks if is_marked else {}
        return marks


def _is_marked_alike(one: Node, other: Node) -> bool:
    """Say whether two nodes have the same data and the same marks."""
    return is_same_data(one, other) and all(
        left.secret == right.secret
        for left, right in zip(all_leaves(one), all_leaves(other), strict=True)
    )


def _with_marks(node: Node, marks: Iterator[str | None]) -> Node:
    """Return a node whose scalars have the given marks, in order."""
    if isinstance(node, Leaf):
        mark = next(marks)
        return node if mark == node.secret else replace(node, secret=mark)
    if isinstance(node, MapNode):
        items = {key: _with_marks(item, marks) for key, item in node.items.items()}
        return replace(node, items=items)
    return replace(node, items=tuple(_with_marks(item, marks) for item in node.items))


def _effect_of(mark: str | None) -> Hashable:
    """Return what a mark means for a token, which does not depend on its other words."""
    return mark if mark in (None, DECLARED) else is_sealed(mark)


def _placed(node: Node, place: Place) -> Iterator[tuple[Place, Leaf]]:
    """Yield the scalars of a node with their places."""
    if isinstance(node, Leaf):
        yield place, node
    elif isinstance(node, MapNode):
        for key, item in node.items.items():
            yield from _placed(item, (*place, key))
    else:
        for item in node.items:
            yield from _placed(item, (*place, ANY_POSITION))


@dataclass(frozen=True, slots=True)
class _Taking:
    """Takes over the marks for one part of a pillar."""

    marks: _Marks
    trial: PillarOfRoots
    sides: Sequence[PillarOfRoots]

    def copy(self, node: Node, others: Sequence[Node | None]) -> Node | None:
        """Return a node with the marks of a side that has the same data; None if there is none.

        A trial changes few parts of a pillar. In the others each value keeps its position, so that
        equal members of a list can be told apart.
        """
        if not self.marks:
            return None
        alike = {
            number: one
            for number, one in enumerate(others)
            if one is not None and is_same_data(node, one)
        }
        first, *rest = alike.values() or (None,)
        if first is None or not all(_is_marked_alike(first, one) for one in rest):
            return None
        if len(alike) < len(self.sides):
            (number,) = alike
            pairs = zip(_placed(node, ()), all_leaves(first), strict=True)
            if not all(self._is_certain(place, leaf, number, one) for (place, leaf), one in pairs):
                return None
        return _with_marks(node, (leaf.secret for leaf in all_leaves(first)))

    def mark(self, node: Node, place: Place) -> Node:
        """Return a node with the marks that are known for its values."""
        if not self.marks:
            return node
        if isinstance(node, Leaf):
            mark = self._find(node, self.marks.get(place, {}))
            return node if mark is None or mark == node.secret else replace(node, secret=mark)
        if isinstance(node, MapNode):
            items = {key: self.mark(item, (*place, key)) for key, item in node.items.items()}
            return replace(node, items=items)
        below = (*place, ANY_POSITION)
        return replace(node, items=tuple(self.mark(item, below) for item in node.items))

    def _find(self, leaf: Leaf, known: Mapping[Hashable, _Known]) -> str | None:
        """Return the mark of the same value at the same place, else any mark at this place."""
        found = known.get(fingerprint(leaf.value))
        if found is None:
            others = (one.secret for some in known.values() for one in _leaves(some))
            return next((mark for mark in others if mark is not None), None)
        mark = next(_leaves(found)).secret
        by_side = found[_effect_of(mark)]
        is_certain = mark is None or len(by_side) == len(self.sides) or self._is_same(leaf, by_side)
        if len(found) > 1 or not is_certain:
            raise UnlikeMarksError
        return mark

    def _is_certain(self, place: Place, leaf: Leaf, number: int, other: Leaf) -> bool:
        """Say whether a value has the mark of the same value of one side."""
        if len(self.marks[place][fingerprint(leaf.value)]) > 1:
            return self._has_line_of(leaf, {number: other})
        return other.secret is None or self._is_same(leaf, {number: other})

    def _is_same(self, leaf: Leaf, by_side: Mapping[int, Leaf]) -> bool:
        """Say whether a value is that of a side, and not equal to it by chance."""
        if isinstance(leaf.value, str) and is_distinctive(leaf.value):
            return True
        return self._has_line_of(leaf, by_side)

    def _has_line_of(self, leaf: Leaf, by_side: Mapping[int, Leaf]) -> bool:
        """Say whether the line that set a value is that of a side."""
        line = self.trial.line_of(leaf)
        return line is not None and any(
            self.sides[number].line_of(other) == line for number, other in by_side.items()
        )


def _leaves(known: _Known) -> Iterator[Leaf]:
    return (leaf for by_side in known.values() for leaf in by_side.values())
