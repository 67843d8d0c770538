"""What the other packages talk about: positions, origins, key paths and the compiled tree.

Nothing here knows YAML, Jinja, disk or git.
"""

from pillarbook.model.keypath import KeyPath, ListIndex, format_path, parse_path
from pillarbook.model.origin import Origin, SecretOrigin
from pillarbook.model.position import Position
from pillarbook.model.tagged import from_tagged, to_tagged
from pillarbook.model.tree import (
    Leaf,
    ListNode,
    MapNode,
    Node,
    all_origins,
    grow,
    leaves,
    plain,
    settle,
)

__all__ = [
    "KeyPath",
    "Leaf",
    "ListIndex",
    "ListNode",
    "MapNode",
    "Node",
    "Origin",
    "Position",
    "SecretOrigin",
    "all_origins",
    "format_path",
    "from_tagged",
    "grow",
    "leaves",
    "parse_path",
    "plain",
    "settle",
    "to_tagged",
]
