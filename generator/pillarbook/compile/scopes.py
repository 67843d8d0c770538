"""The options and roots of a minion."""

from pillarbook.compile.project import Project, Scope
from pillarbook.inventory.minions import Minion


def scope_of(minion: Minion, project: Project) -> Scope:
    """Return the options and roots of a minion."""
    return project.scope_of(minion.opts, _environment(minion, project))


def _environment(minion: Minion, project: Project) -> str | None:
    """Return the environment that replaces ``__env__``."""
    values = project.options.values
    pinned = minion.pillarenv
    if pinned is None:
        if minion.opts.get("pillarenv_from_saltenv", values.get("pillarenv_from_saltenv")):
            pinned = minion.saltenv
        else:
            pinned = minion.opts.get("pillarenv", values.get("pillarenv"))
    return pinned or minion.saltenv or values.get("saltenv") or "base"
