"""The minions of a run: as the inventory declares them, with what the command line sets."""

import fnmatch
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pillarbook.inventory.asked_grains import AskedGrains
from pillarbook.inventory.minions import Minion, load_inventory
from pillarbook.inventory.permissions import Permissions
from pillarbook.inventory.settings import Settings
from pillarbook.session.run_options import RunOptions, SharedResources


@dataclass(frozen=True, slots=True)
class AskedMinions:
    """The minions of a run."""

    options: RunOptions
    """The options of the run."""

    def has(self, minion: str) -> bool:
        """Say whether the run is about a minion, by its own id."""
        globs, new = self.options.minions, self.options.as_new
        if not globs and new is None:
            return True
        return minion == new or any(fnmatch.fnmatchcase(minion, glob) for glob in globs)

    def describe(self) -> Iterator[str]:
        """Yield notes for a result with only some minions, or with other grains."""
        options = self.options
        if options.minions:
            named = ", ".join(f"`{glob}`" for glob in options.minions)
            yield f"only minions that match {named}"
        if options.as_new is not None:
            yield f"`{options.as_new}` is not in the inventory (--as-new)"
        if options.grains:
            named = ", ".join(f"`{':'.join(one.path)}`" for one in options.grains)
            yield f"with other grains (--grain): {named}"


def load_minions(
    settings: Settings,
    options: RunOptions,
    resources: SharedResources,
    *,
    shown: Callable[[Path], str],
    allowed: Permissions,
) -> tuple[Minion, ...]:
    """Return the declared minions, and the one that ``--as-new`` adds.

    They are those of the other session, if it has read the same inventory.

    Raises:
        InventoryError: The inventory has errors, or already has the new minion.
    """
    if resources.minions is not None:
        return resources.minions
    return load_inventory(
        settings.inventory,
        shown=shown,
        reach=allowed.reach,
        named_in=allowed.named_in,
        new=options.as_new,
    )


def as_asked(minions: Sequence[Minion], options: RunOptions) -> list[Minion]:
    """Return minions with the options of the command line.

    Grains are only for the requested minions, other options for all.
    """
    grains = AskedGrains(options.grains, (one.grains for one in minions))
    asked = AskedMinions(options)
    return [_as_asked(one, options, grains if asked.has(one.id) else None) for one in minions]


def _as_asked(minion: Minion, options: RunOptions, grains: AskedGrains | None) -> Minion:
    changes: dict[str, Any] = {}
    if options.pillarenv is not None:
        changes["pillarenv"] = options.pillarenv
    if options.saltenv is not None:
        changes["saltenv"] = options.saltenv
    if options.pillar is not None:
        own = minion.pillar if isinstance(minion.pillar, Mapping) else {}
        changes["pillar"] = {**own, **options.pillar}
    if options.grains and grains is not None:
        changes["grains"] = grains.set_over(minion.grains)
    return replace(minion, **changes) if changes else minion
