"""The SLS files of the targets that match a minion, with wildcards expanded.

Source: Salt ``salt/pillar/__init__.py`` (``render_pillar``).
"""

from dataclasses import dataclass
from functools import partial
from typing import Any

from pillarbook.compile.broken import suggest_environment, word_missing_environment
from pillarbook.compile.minion_view import MinionView
from pillarbook.compile.top.matches import Matches
from pillarbook.compile.top.tops import MergedTop
from pillarbook.compile.tree_lookups import Look, RootsLookup
from pillarbook.diagnostics import Diagnostic, new_diagnostic
from pillarbook.model import Position


@dataclass(frozen=True, slots=True, eq=False)
class NamedSls:
    """The SLS files of one environment; one object for all minions with the same matches."""

    saltenv: Any
    """The environment."""
    files: tuple[tuple[str, Position | None], ...]
    """SLS names, each with the position that names it."""
    look: Look
    """The lookup."""
    errors: tuple[str, ...] = ()
    """Salt's errors."""
    diagnostics: tuple[Diagnostic, ...] = ()
    """Diagnostics."""


def find_named(matches: Matches, top: MergedTop, view: MinionView) -> tuple[NamedSls, ...]:
    """Return the SLS files that a minion gets, by environment, in order."""

    def expand() -> tuple[NamedSls, ...]:
        first = view.scope.options.values.get("env_order") or []
        envs = dict.fromkeys([*(env for env in first if env in matches.sls), *matches.sls])
        return tuple(_expand(env, matches.sls[env], top, view) for env in envs)

    return view.remembered.derive(("named", view.scope.number, matches, top), expand)


def _expand(saltenv: Any, names: tuple[str, ...], top: MergedTop, view: MinionView) -> NamedSls:
    roots = view.scope.roots
    errors: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    if roots.available(saltenv) is None:
        errors = (word_missing_environment(saltenv),) * len(names)
        unknown = new_diagnostic(
            "unknown-environment",
            f"the top file names the environment '{saltenv}', which has no roots",
            top.first_place(saltenv),
            remedy=suggest_environment(saltenv, roots.environments, "pillar_roots"),
        )
        diagnostics = (unknown,)
    # The position at which the top file first names each SLS.
    places = view.remembered.derive(("places", saltenv, top), partial(top.places, saltenv))
    files = tuple(
        (sls, places.get(name))
        for name in names
        for sls in roots.matching(name, saltenv) or (name,)
    )
    return NamedSls(saltenv, files, RootsLookup("matching", names, saltenv), errors, diagnostics)
