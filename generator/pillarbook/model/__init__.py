"""The data that all other packages use: positions, origins, key paths and the compiled tree.

Nothing here knows YAML, Jinja, disk or git.
"""

from pillarbook.model.origin import (
    KeyPath,
    ListIndex,
    Origin,
    Position,
    SecretOrigin,
    format_path,
    parse_path,
)
from pillarbook.model.tagged import from_tagged, to_tagged, write_as_salt
from pillarbook.model.tree import (
    Leaf,
    ListNode,
    MapNode,
    Node,
    all_origins,
    distinct_origins,
    grow,
    leaves,
    node_at,
    plain,
    share_overridden,
    with_members,
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
    "distinct_origins",
    "format_path",
    "from_tagged",
    "grow",
    "leaves",
    "node_at",
    "parse_path",
    "plain",
    "share_overridden",
    "to_tagged",
    "with_members",
    "write_as_salt",
]
