"""What a compile itself adds to a pillar: options, errors, and values that templates write."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from pillarbook.compile.pillar_build import PillarBuild
from pillarbook.diagnostics import Diagnostic, new_diagnostic
from pillarbook.model import KeyPath, Leaf, ListNode, MapNode, Origin, Position, grow, plain
from pillarbook.model.long_integers import REFUSED, holds_long_integer

EMPTY = MapNode({}, (), kind="plain")


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


def pillar_opts_note(position: Position | None) -> Diagnostic:
    """Return the diagnostic of ``pillar_opts``, which is followed in part."""
    return new_diagnostic(
        "incomplete-pillar-opts",
        "`pillar_opts` puts the master's options into the pillar; here, the key `master` has "
        "only the options of the master file",
        position,
        remedy="Salt adds its defaults, and options that it sets at run time",
    )


def error_list(build: PillarBuild, errors: list[str]) -> ListNode:
    """Return Salt's ``_errors``; its origin is the minion, since no file contains it."""
    place = build.view.minion.position
    return ListNode(
        tuple(Leaf(one, (Origin(place.file, place.line, None, None, one),)) for one in errors),
        (Origin(place.file, place.line, None, None, []),),
    )


def written_by_templates(build: PillarBuild, errors: list[str], known: MapNode = EMPTY) -> MapNode:
    """Return the values that templates put into ``pillar``; needs a compile without recording.

    A value that a master cannot send is left out, and added to ``errors``. ``known`` is the pillar
    before the templates were rendered.
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
            message = f"a template changes the pillar: {REFUSED}"
            build.note(new_diagnostic("render-error", message, position))
            continue
        items[key] = grow(value, partial(_origin_at, position))
    return MapNode(items, (), kind="plain")


def _origin_at(place: Position, _path: KeyPath, value: Any) -> Origin:
    return Origin(place.file, place.line, None, None, value)


def _find_write(build: PillarBuild, key: Any) -> Position:
    """Return the line on which a template most likely put a key into ``pillar``."""
    found = build.log.into_pillar.get(key)
    if found is None or holds_long_integer(key):
        return build.view.minion.position
    lines = found.text.splitlines()
    likely = [(str(key) not in line, at) for at, line in enumerate(lines, 1) if "pillar" in line]
    return Position(found.shown, min(likely)[1] if likely else 1)


def updated(base: MapNode, update: MapNode) -> MapNode:
    """Return ``base`` with top-level keys replaced, as ``dict.update`` does."""
    if base is update or (not base.items and update.kind == "plain"):
        return update
    items = {**base.items, **update.items}
    known = base if base.items else update
    shared = base.shared or update.shared
    return MapNode(items, known.origins, known.overrode, "plain", shared=shared)


def with_key(tree: MapNode, key: str, node: MapNode | ListNode) -> MapNode:
    """Return a pillar with a new key, or with another value for a key."""
    items = {**tree.items, key: node}
    return MapNode(items, tree.origins, tree.overrode, tree.kind, tree.alias, tree.shared)


def listed_with(tree: MapNode, failed: Sequence[str]) -> list[str]:
    """Return a pillar's ``_errors`` with more entries."""
    known = tree.items.get("_errors")
    before = [str(item) for item in plain(known)] if isinstance(known, ListNode) else []
    return [*before, *failed]
