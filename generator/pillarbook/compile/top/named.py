"""Which SLS files the targets that match a minion name, wildcards expanded.

Source: Salt ``salt/pillar/__init__.py`` (``render_pillar``).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pillarbook.compile.looks import Look, RootsLook
from pillarbook.compile.sight import Sight
from pillarbook.compile.top.matches import Matches
from pillarbook.compile.top.tops import MergedTop
from pillarbook.diagnostics import Diagnostic, Severity
from pillarbook.model import Position


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """The SLS files of one environment that a minion gets; one object for all who match alike."""

    saltenv: Any
    """The environment."""
    files: tuple[tuple[str, Position | None], ...]
    """SLS names, and who names each."""
    look: Look
    """What was looked at."""
    errors: tuple[str, ...] = ()
    """What Salt says went wrong."""
    diagnostics: tuple[Diagnostic, ...] = ()
    """What there is to say."""


def find_named(matches: Matches, top: MergedTop, sight: Sight) -> tuple[Named, ...]:
    """Return the SLS files that a minion gets, by environment, in order."""
    key = ("named", sight.scope.number, matches, top)
    derived = sight.remembered.derived
    if key not in derived:
        derived[key] = tuple(
            _expand(saltenv, matches.sls[saltenv], top, sight)
            for saltenv in _in_order(matches, sight)
        )
    found: tuple[Named, ...] = derived[key]
    return found


def _in_order(matches: Matches, sight: Sight) -> list[Any]:
    first = sight.scope.options.values.get("env_order") or []
    return list(dict.fromkeys([*(env for env in first if env in matches.sls), *matches.sls]))


def _expand(saltenv: Any, names: tuple[str, ...], top: MergedTop, sight: Sight) -> Named:
    roots = sight.scope.roots
    errors: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    if roots.available(saltenv) is None:
        errors = (f"No matching pillar environment for environment '{saltenv}' found",) * len(names)
        diagnostics = (_unknown_environment(saltenv, top),)
    places = _places(saltenv, top, sight)
    files = tuple(
        (sls, places.get(name))
        for name in names
        for sls in roots.matching(name, saltenv) or (name,)
    )
    return Named(saltenv, files, RootsLook("matching", names, saltenv), errors, diagnostics)


def _places(saltenv: Any, top: MergedTop, sight: Sight) -> Mapping[str, Position]:
    """Return where the top file first names each SLS of an environment."""
    key = ("places", saltenv, top)
    derived = sight.remembered.derived
    if key not in derived:
        derived[key] = top.places(saltenv)
    places: Mapping[str, Position] = derived[key]
    return places


def _unknown_environment(saltenv: Any, top: MergedTop) -> Diagnostic:
    return Diagnostic(
        code="unknown-environment",
        severity=Severity.ERROR,
        message=f"the top file names the environment '{saltenv}', which has no roots",
        position=top.first_place(saltenv),
        help="add the environment to `pillar_roots`, or quote its name as text",
    )
