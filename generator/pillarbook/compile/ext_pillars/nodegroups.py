"""The ``nodegroups`` external pillar: to which nodegroups a minion belongs.

A master asks its cache of grains; here the declared ones are asked.

Source: Salt ``salt/pillar/nodegroups.py``.
"""

from typing import Any

from pillarbook.compile.ext_pillars.calls import read_arguments
from pillarbook.compile.ext_pillars.interface import ExtPillarContext
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.model import Leaf, ListNode, MapNode, Position


def ext_pillar(minion_id: str, pillar: Any, pillar_name: Any = None) -> Any:  # noqa: ARG001 (Salt's arguments)
    """Return the name under which the list stands."""
    return pillar_name or "nodegroups"


def list_nodegroups(context: ExtPillarContext, config: Any) -> MapNode:
    """Return the names of the nodegroups that match a minion, in the order of the options.

    Raises:
        RenderError: With Salt's words.
    """
    name = read_arguments(ext_pillar, config)
    groups = context.options.get("nodegroups")
    if not isinstance(groups, dict):
        raise RenderError(f"'{type(groups).__name__}' object has no attribute 'keys'")
    place = (context.position.file, context.position.line)
    members = []
    for group, target in groups.items():
        if context.matches(target):
            at = context.place_of("nodegroups", group) or Position(*place)
            members.append(Leaf(group, (context.new_origin((at.file, at.line), group),)))
    found = ListNode(tuple(members), (context.new_origin(place, []),))
    return MapNode({name: found}, (context.new_origin(place, {}),), kind="plain")
