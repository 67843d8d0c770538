"""How much data weighs: its nodes, counted as often as aliases show them."""

from pillarbook.compile.limits import Limits
from pillarbook.compile.merge.mutable_nodes import ListSlot, MapSlot, MutableNode, NodeOrSlot
from pillarbook.compile.renderers.render_errors import LimitExceeded
from pillarbook.compile.renderers.source_text import Line
from pillarbook.compile.renderers.yaml_loader import too_deep


class Scales:
    """Counts nodes through aliases.

    Args:
        limits: How many there may be, and how deep ones.
        place: What a breach is about.
        what: What has them: ``YAML``.
    """

    def __init__(self, limits: Limits, place: Line, what: str) -> None:
        self._limits = limits
        self._place = place
        self._what = what
        # By identity of the container: an alias counts each time but is weighed once, or the test
        # for a bomb of aliases would itself take its time. Lives as long as one document.
        self._known: dict[MutableNode, int] = {}
        self._open: set[MutableNode] = set()

    def weigh(self, content: NodeOrSlot) -> int:
        """Return how many nodes a content has.

        Raises:
            LimitExceeded: Too many, or too deep ones.
            RecursionError: A container that holds itself.
        """
        if not isinstance(content, MapSlot | ListSlot):
            return 1
        box = content.box
        if box in self._open:
            raise RecursionError("maximum recursion depth exceeded")
        weight = self._known.get(box)
        if weight is None:
            self._open.add(box)
            if len(self._open) > self._limits.levels:
                raise too_deep(self._limits, self._place)
            below = content.items.values() if isinstance(content, MapSlot) else content.items
            weight = self._known[box] = 1 + sum(map(self.weigh, below))
            self._open.discard(box)
        if weight > self._limits.nodes:
            raise LimitExceeded(
                f"the {self._what} has more than {self._limits.nodes:,} nodes, aliases counted",
                self._place,
            )
        return weight
