"""The pillar that an external pillar changed in place, as Salt continues with it."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pillarbook.compile.limits import Limits
from pillarbook.compile.renderers.python_data import ValuePlaces, from_python
from pillarbook.compile.writes import CHANGE, describe_change
from pillarbook.diagnostics import Diagnostic
from pillarbook.model import MapNode, Origin, Position, plain
from pillarbook.roots.tree_interface import FoundFile

NAMES_PILLAR = re.compile(r"\bpillar\b")


class ChangedPillar(NamedTuple):
    """A pillar that was changed."""

    tree: MapNode
    """The pillar; a value that is unchanged keeps its origins."""
    diagnostic: Diagnostic
    """What is said of the change, with the most likely line."""


def may_change_pillar(text: str) -> bool:
    """Say whether a template names the pillar, and calls a method that changes something."""
    return NAMES_PILLAR.search(text) is not None and CHANGE.search(text) is not None


def find_changed_pillar(
    pillar: MapNode, data: Mapping[Any, Any], name: str, files: Sequence[FoundFile], limits: Limits
) -> ChangedPillar | None:
    """Return the pillar whose ``data`` templates have changed; None if it is as before.

    Raises:
        RenderError: A value is impossible in a pillar.
    """
    before = plain(pillar)
    if before == data and [*before] == [*data]:
        return None
    found = describe_change(before, data, f"the external pillar '{name}'", files)
    place = found.position or Position("", None)
    origin = Origin(place.file, place.line, f"ext_pillar:{name}", None, None)
    tree = from_python(data, ValuePlaces(origin, pillar), limits)
    assert isinstance(tree, MapNode)  # noqa: S101 (so is the data)
    return ChangedPillar(tree, found)
