"""What stands when one value takes the place of another."""

from typing import overload

from pillarbook.compile.merge.mirror import Content, ListPlace, MapPlace, origins_below
from pillarbook.model import Leaf, MapNode, Node
from pillarbook.model.tree import ListNode


@overload
def replace(old: Node, new: Node) -> Node: ...
@overload
def replace(old: Content, new: Content) -> Content: ...
def replace(old: Content, new: Content) -> Content:
    """Return the new value with all that the old one had among what it overrides.

    A leaf has the old origins in front of its own; a container keeps them apart, as its
    ``overrode``, so that nothing below it is touched.
    """
    before = origins_below(old)
    if isinstance(new, Leaf):
        return Leaf(new.value, before + new.origins, new.secret)
    if isinstance(new, MapPlace):
        return MapPlace(new.box, before + new.overrode)
    if isinstance(new, ListPlace):
        return ListPlace(new.box, before + new.overrode)
    before += new.overrode
    if isinstance(new, MapNode):
        return MapNode(new.items, new.origins, before, new.kind, new.alias, new.shared)
    return ListNode(new.items, new.origins, before, new.kind, new.alias, new.shared)
