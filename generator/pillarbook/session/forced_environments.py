"""The compared environments, and minions as they are declared in one of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pillarbook.compile.project import Project, scope_of
from pillarbook.compile.top.tops import top_path
from pillarbook.inventory.declaration_errors import SettingsError
from pillarbook.inventory.master import with_overlay
from pillarbook.inventory.master_options import MasterOptions
from pillarbook.inventory.minions import Minion
from pillarbook.inventory.settings import Environment, Settings

if TYPE_CHECKING:
    from pillarbook.report.source import EnvironmentSide

DYNAMIC = "__env__"


@dataclass(frozen=True, slots=True)
class ForcedEnvironment:
    """An environment in which every minion is compiled."""

    name: str
    options: Mapping[str, Any] | None
    """The named set of master options; None for a pillarenv."""
    has_top: bool

    @property
    def side(self) -> "EnvironmentSide":
        """The environment as the pages show it."""
        from pillarbook.report.source import EnvironmentSide  # noqa: PLC0415 (most commands have none)

        return EnvironmentSide(self.name, self.options is None, self.has_top)

    def force(self, minion: Minion, master: MasterOptions) -> Minion:
        """Return a minion as it would be declared in this environment.

        With a named set of options, the minion's own pillarenv is ignored, unless the set has one.
        """
        if self.options is not None:
            opts = {**minion.opts, **self.options}
            return replace(minion, opts=opts, pillarenv=self.options.get("pillarenv"))
        follows = minion.opts.get(
            "pillarenv_from_saltenv", master.values.get("pillarenv_from_saltenv")
        )
        saltenv = self.name if follows else minion.saltenv
        return replace(minion, pillarenv=self.name, saltenv=saltenv)


def unpinned(minions: Sequence[Minion], project: Project) -> Iterator[Minion]:
    """Yield minions without pillarenv, if no minion is compiled in some environment.

    Such a minion merges the pillar of all environments, so it has the secrets of each.
    """
    minions = [minion for minion in minions if _can_be_compiled(minion, project)]
    pins = [_pin_of(minion, project) for minion in minions]
    environments = {
        name
        for minion in minions
        for name in (*scope_of(minion, project).roots.environments, DYNAMIC)
    }
    if None in pins or environments <= {DYNAMIC, *pins}:
        return
    for minion in minions:
        opts = {**minion.opts, "pillarenv": None, "pillarenv_from_saltenv": False}
        is_named = _pin_of(replace(minion, pillarenv=None), project) is not None
        yield replace(minion, pillarenv=None, opts=opts if is_named else minion.opts)


def _can_be_compiled(minion: Minion, project: Project) -> bool:
    """Say whether a minion's own options are valid; if not, its compile reports why."""
    try:
        scope_of(minion, project)
    except SettingsError:
        return False
    return True


def _pin_of(minion: Minion, project: Project) -> str | None:
    """Return the environment that a minion is pinned to."""
    if minion.pillarenv is not None:
        return minion.pillarenv
    values = scope_of(minion, project).options.values
    pin: str | None = (
        minion.saltenv if values.get("pillarenv_from_saltenv") else values.get("pillarenv")
    )
    return pin or None


def find_environments(settings: Settings, project: Project) -> tuple[ForcedEnvironment, ...]:
    """Return the environments to compare, by default all of ``pillar_roots``.

    Raises:
        SettingsError: An option of a named set has a type that cannot be used.
    """
    declared: Sequence[Environment] = settings.environments
    if not declared:
        roots = project.options.values.get("pillar_roots") or {}
        declared = [Environment(name=name) for name in roots if name != DYNAMIC]
    place = settings.positions.get("environments")
    for one in declared:
        with_overlay(project.options, one.options or {}, position=place)
    found = tuple(
        ForcedEnvironment(one.name, one.options, _has_top(one, project)) for one in declared
    )
    return found if len(found) > 1 else ()


def _has_top(environment: Environment, project: Project) -> bool:
    options = environment.options or {}
    pinned = environment.name if environment.options is None else options.get("pillarenv")
    scope = project.scope_of(options, pinned)
    state_top = top_path(scope.options.values)
    names = (pinned,) if pinned else scope.roots.environments
    return any(scope.roots.find(state_top, name) is not None for name in names)
