"""Finds the keys under which ``include: key:`` puts the data of an SLS."""

from collections import deque
from collections.abc import Iterable
from fnmatch import fnmatchcase

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.model import KeyPath

# An SLS that includes itself under a key would have a new path for each round.
MAX_PATHS = 8
"""The most paths that are kept of one SLS."""
Spot = tuple[str, str]
"""An environment and an SLS in it."""


def find_keys_above(compiled: CompiledPillar) -> dict[Spot, tuple[KeyPath, ...]]:
    """Return the key paths above the data of each SLS; empty if no include has a key."""
    if not compiled.under:
        return {}
    below: dict[Spot, set[tuple[str, KeyPath]]] = {}
    for saltenv, sls, included, key in compiled.under:
        below.setdefault((saltenv, sls), set()).add((included, key))
    keyed = {one[:3] for one in compiled.under}
    for saltenv, sls, included in compiled.includes - keyed:
        below.setdefault((saltenv, sls), set()).add((included, ()))
    named = {(saltenv, included) for saltenv, _, included in compiled.includes}
    found: dict[Spot, dict[KeyPath, None]] = {}
    tops = {*below, *named}
    _follow(
        [(one, ()) for one in sorted(tops) if one not in named or _is_given(one, compiled)],
        below,
        found,
    )
    return {spot: tuple(paths) for spot, paths in found.items()}


def _follow(
    tops: Iterable[tuple[Spot, KeyPath]],
    below: dict[Spot, set[tuple[str, KeyPath]]],
    found: dict[Spot, dict[KeyPath, None]],
) -> None:
    todo = deque(tops)
    while todo:
        spot, path = todo.popleft()
        paths = found.setdefault(spot, {})
        if path in paths or len(paths) >= MAX_PATHS:
            continue
        paths[path] = None
        for included, key in sorted(below.get(spot, ())):
            todo.append(((spot[0], included), (*path, *key)))


def _is_given(spot: Spot, compiled: CompiledPillar) -> bool:
    """Say whether a target gives an SLS itself."""
    saltenv, sls = spot
    return any(
        verdict.matched
        and verdict.saltenv == saltenv
        and any(fnmatchcase(sls, name) for name in verdict.sls)
        for verdict in compiled.targets
    )
