"""What an SLS gave, and that under the keys of an include."""

from pillarbook.model import KeyPath, MapNode, Node


class SlsData:
    """What an SLS gave, as Salt has it: one object, for all that include it, that may change.

    With the strategy ``overwrite`` it does where something is merged over it: whoever has gathered
    it before, and merges it later, merges what it has become. Rendered anew, it is another one.
    """

    __slots__ = ("tree",)

    def __init__(self, tree: Node) -> None:
        self.tree = tree


def put_under(state: Node, key: KeyPath) -> Node:
    """Return data under the keys of ``include: key:``."""
    for part in reversed(key):
        shared = getattr(state, "shared", False)
        state = MapNode({part: state}, state.origins, kind="plain", shared=shared)
    return state
