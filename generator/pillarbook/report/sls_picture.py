"""How a file of the pillar comes to minions, as a picture: targets, includes, imports."""

from collections.abc import Callable, Iterable
from itertools import pairwise

from pillarbook.report.pictures import Graph, draw_graph
from pillarbook.report.sls_facts import FilePage

LEAST = 3
"""Boxes from which on a picture says more than the list beside it."""
Box = tuple[str, str, str | None]


def draw_ways(
    page: FilePage,
    address: Callable[[str, int | None], str | None],
    sls_address: Callable[[str, str], str | None],
) -> Graph | None:
    """Return the picture of what leads to a file; None if it says nothing, or is too large.

    Args:
        page: The file.
        address: Finds the page of a line of a file.
        sls_address: Finds the page of an SLS, by environment and name.
    """
    ways = [
        (
            (f"{target[4]}, {target[0]}", target[3], address(target[1], target[2] or None)),
            *(("SLS", name, sls_address(target[0], name)) for name in chain[:-1]),
        )
        for target, chain, _ in page.ways
    ]
    ways += [(("imports it", file, address(file, None)),) for file in sorted(page.use.imported)]
    boxes = _number(way for way in ways)
    if len(boxes) + 1 < LEAST:
        return None
    here = len(boxes)
    pairs: dict[tuple[int, int], str] = {}
    for way in ways:
        numbers = [*(boxes[box] for box in way), here]
        pairs.update(dict.fromkeys(pairwise(numbers), "gives"))
    return draw_graph([*boxes, ("this file", page.source.name, None)], pairs)


def _number(ways: Iterable[tuple[Box, ...]]) -> dict[Box, int]:
    """Return the boxes of some ways with their numbers, what comes first before the rest."""
    ranks: dict[Box, int] = {}
    for way in ways:
        for rank, box in enumerate(way):
            ranks[box] = max(rank, ranks.get(box, 0))
    ordered = sorted(ranks, key=lambda box: ranks[box])
    return {box: number for number, box in enumerate(ordered)}
