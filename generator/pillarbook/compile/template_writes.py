"""What templates put into ``pillar`` itself, which Salt lets later files and the result see."""

import functools
from typing import Any

from pillarbook.compile.option_faults import unsendable
from pillarbook.compile.pillar_build import PillarBuild
from pillarbook.compile.pillar_nodes import EMPTY, put_in
from pillarbook.model import MapNode, Position, grow, plain
from pillarbook.model.long_integers import REFUSED, holds_long_integer


def written_by_templates(build: PillarBuild, errors: list[str], known: MapNode = EMPTY) -> MapNode:
    """Return what templates put into ``pillar``; only a compile without recording lets them.

    Args:
        build: The compile.
        errors: Salt's errors; a value that no master can send is left out and appended here.
        known: What was in it before they were rendered.
    """
    if not build.view.without_recording:
        return EMPTY
    items = {}
    for key, value in build.view.pillar_shown.items():
        if key in known.items and plain(known.items[key]) == value:
            continue
        position = _find_write(build, key)
        if holds_long_integer({key: value}):
            errors.append(REFUSED)
            build.note(unsendable(position))
            continue
        items[key] = grow(value, functools.partial(put_in, position))
    return MapNode(items, (), kind="plain")


def _find_write(build: PillarBuild, key: Any) -> Position:
    """Return the likeliest line where a template put a key into ``pillar``."""
    found = build.log.into_pillar.get(key)
    if found is None or holds_long_integer(key):
        return build.view.minion.position
    lines = found.content.decode("utf-8", "replace").splitlines()
    likely = [(str(key) not in line, at) for at, line in enumerate(lines, 1) if "pillar" in line]
    return Position(found.shown, min(likely)[1] if likely else 1)
