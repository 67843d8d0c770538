"""What Salt adds to a pillar besides SLS files and external pillars: its options, its errors."""

from typing import Any

from pillarbook.compile.pillar_build import PillarBuild
from pillarbook.model import Leaf, ListNode, MapNode, Origin, Position, grow


def master_options(build: PillarBuild) -> MapNode:
    """Return the master's options as ``pillar_opts`` puts them into the pillar."""
    options, minion = build.view.scope.options, build.view.minion

    def locate(path: tuple[Any, ...], value: Any) -> Origin:
        own = minion.position if path and path[0] in minion.opts else None
        file = Position(options.shown(options.file))
        place = own or (path and options.place_of(*path)) or file
        return Origin(place.file, place.line or 1, None, None, value)

    tree = grow(options.declared, locate)
    assert isinstance(tree, MapNode)  # noqa: S101 (grown from a dict)
    return tree


def error_list(build: PillarBuild, errors: list[str]) -> ListNode:
    """Return Salt's ``_errors``; no line of a file holds it, so it is the minion's own."""
    place = build.view.minion.position
    return ListNode(
        tuple(Leaf(one, (Origin(place.file, place.line, None, None, one),)) for one in errors),
        (Origin(place.file, place.line, None, None, []),),
    )
