"""Which minions and environments there are, under the names that they are shown by."""

import fnmatch
from collections.abc import Sequence
from dataclasses import replace

from pillarbook.inventory.master_options import MasterOptions
from pillarbook.inventory.minions import Minion
from pillarbook.redact.secret_names import Names
from pillarbook.report.source import EnvironmentSide
from pillarbook.session.forced_environments import ForcedEnvironment
from pillarbook.session.shown_names import ShownNames


class Fleet:
    """The declared minions, and the environments that they are compared in.

    A minion is asked for by its id as it is shown, which differs from its own id if that holds a
    secret.
    """

    def __init__(
        self,
        minions: Sequence[Minion],
        environments: Sequence[ForcedEnvironment],
        names: Names,
        options: MasterOptions,
    ) -> None:
        self._options = options
        self._ids = ShownNames("the minion id", names, {one.id: one for one in minions})
        compared = {one.name: one for one in environments}
        self._environment_names = ShownNames("the environment", names, compared)

    @property
    def minions(self) -> Sequence[str]:
        """The ids of all minions as they are shown, in inventory order."""
        return tuple(self._ids.by_name)

    def has(self, minion: str) -> bool:
        """Say whether there is a minion with an id, as it is shown."""
        return minion in self._ids.by_name

    def choose(self, globs: Sequence[str]) -> list[str]:
        """Return the ids that match one of the globs, all of them without a glob."""
        return [
            minion
            for minion, declared in self._ids.by_name.items()
            if any(fnmatch.fnmatchcase(declared.id, glob) for glob in globs or "*")
        ]

    def declared(self, minion: str) -> Minion:
        """Return a minion as the inventory has it."""
        return self._ids.by_name[minion]

    def declared_by_id(self, minion: str) -> Minion:
        """Return a minion as the inventory has it, by its own id."""
        return self._ids.declared(minion)

    def shown_id(self, minion: str) -> str:
        """Return how a minion's own id is shown."""
        return self._ids.shown(minion)

    @property
    def environments(self) -> Sequence[EnvironmentSide]:
        """The environments that are compared."""
        named = self._environment_names.by_name
        return tuple(replace(one.side, name=name) for name, one in named.items())

    def forced(self, environment: str, minion: str) -> Minion:
        """Return a minion as it would be declared in an environment."""
        forced = self._environment_names.by_name[environment]
        return forced.force(self.declared(minion), self._options)

    def freeze_names(self) -> None:
        """Show names without the secrets that are known now."""
        self._ids.freeze()
        self._environment_names.freeze()
