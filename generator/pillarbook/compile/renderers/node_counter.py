"""Counts the nodes of data, with aliases expanded."""

from pillarbook.compile.limits import Limits
from pillarbook.compile.merge.mutable_nodes import ListSlot, MapSlot, MutableNode, NodeOrSlot
from pillarbook.compile.renderers.render_errors import LimitExceeded
from pillarbook.compile.renderers.source_text import Line
from pillarbook.compile.renderers.yaml_loader import too_deep


class NodeCounter:
    """Counts nodes, with aliases expanded."""

    def __init__(self, limits: Limits, place: Line, what: str) -> None:
        self._limits = limits
        self._place = place
        self._what = what
        # By id of the container: an alias counts each time but is counted only once, because the
        # test for an alias bomb would itself be slow. For one document.
        self._known: dict[MutableNode, int] = {}
        self._open: set[MutableNode] = set()

    def count(self, content: NodeOrSlot) -> int:
        """Return the number of nodes of a value.

        Raises:
            LimitExceeded: There are too many, or they are too deep.
            RecursionError: A container contains itself.
        """
        if not isinstance(content, MapSlot | ListSlot):
            return 1
        box = content.box
        if box in self._open:
            raise RecursionError("maximum recursion depth exceeded")
        number = self._known.get(box)
        if number is None:
            self._open.add(box)
            if len(self._open) > self._limits.levels:
                raise too_deep(self._limits, self._place)
            below = content.items.values() if isinstance(content, MapSlot) else content.items
            number = self._known[box] = 1 + sum(map(self.count, below))
            self._open.discard(box)
        if number > self._limits.nodes:
            raise LimitExceeded(
                f"the {self._what} has more than {self._limits.nodes:,} nodes, aliases counted",
                self._place,
            )
        return number
