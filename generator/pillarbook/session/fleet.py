"""The minions and environments of a fleet, by the names that are shown."""

import difflib
import fnmatch
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Generic, TypeVar

from pillarbook.inventory.master_options import MasterOptions
from pillarbook.inventory.minions import Minion
from pillarbook.redact.secret_names import Names
from pillarbook.session.asked_minions import AskedMinions
from pillarbook.session.forced_environments import ForcedEnvironment

if TYPE_CHECKING:
    from pillarbook.report.source import EnvironmentSide

MAX_NAMED = 3
"""Ids that a hint names: more would not fit into a line."""
Declared = TypeVar("Declared")


class ShownNames(Generic[Declared]):
    """What is declared, by the names that are shown: minions, environments.

    ``what`` says what the names are of: ``the minion id``.
    """

    def __init__(self, what: str, names: Names, declared: Mapping[str, Declared]) -> None:
        self._what = what
        self._names = names
        self._declared = declared
        self.by_name: dict[str, Declared] = dict(declared)
        """Each by its name as it is shown."""
        self.shown_names = tuple(self.by_name)
        """The names as they are shown, in the order in which they were declared."""

    def freeze(self) -> None:
        """Take the names as they are shown now."""
        shown = self._names.keep_apart(self._declared)
        self.by_name.clear()
        self.by_name.update(zip(shown, self._declared.values(), strict=True))
        self.shown_names = tuple(self.by_name)
        for name, declared in self._declared.items():
            self._names.note(self._what, name, getattr(declared, "position", None))

    def declared(self, name: str) -> Declared:
        """Return what is declared by a name, however that is shown by now.

        Two sessions that share a redactor learn of each other's secrets before both freeze them.
        """
        return self._declared[name]

    def shown(self, name: str) -> str:
        """Return how a name is shown."""
        return self._names.clean(name)


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
        asked: AskedMinions,
    ) -> None:
        self._options = options
        self._asked = asked
        self._ids = ShownNames("the minion id", names, {one.id: one for one in minions})
        compared = {one.name: one for one in environments}
        self._environment_names = ShownNames("the environment", names, compared)

    @property
    def minions(self) -> Sequence[str]:
        """The ids of all minions as they are shown, in inventory order."""
        return self._ids.shown_names

    @property
    def asked(self) -> Sequence[str]:
        """The ids of the minions that the run is about, as they are shown, in inventory order."""
        named = self._ids.by_name.items()
        return tuple(name for name, declared in named if self._asked.has(declared.id))

    @property
    def guessed(self) -> Sequence[str]:
        """The ids of the minions that are marked as guessed, as they are shown."""
        return tuple(name for name, declared in self._ids.by_name.items() if declared.is_guessed)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know if the run is not about the fleet as it is declared."""
        return tuple(self._asked.describe())

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
    def environments(self) -> "Sequence[EnvironmentSide]":
        """The environments that are compared."""
        named = self._environment_names.by_name
        return tuple(replace(one.side, name=name) for name, one in named.items())

    def environment_number(self, environment: str) -> int:
        """Return which of the environments one is, counted from 0."""
        return self._environment_names.shown_names.index(environment)

    def forced(self, environment: str, minion: str) -> Minion:
        """Return a minion as it would be declared in an environment."""
        forced = self._environment_names.by_name[environment]
        return forced.force(self.declared(minion), self._options)

    def freeze_names(self) -> None:
        """Show names without the secrets that are known now."""
        self._ids.freeze()
        self._environment_names.freeze()


def hint_at_minion(word: str, minions: Sequence[str]) -> str:
    """Return the ids that somebody may have meant, as the end of a sentence; empty without any."""
    near = (
        [minion for minion in minions if minion.startswith(f"{word}.")]
        or [minion for minion in minions if word and minion.startswith(word)]
        or difflib.get_close_matches(word, minions, n=1)
        or _with_near_host(word, minions)
    )
    named = " or ".join(f"'{minion}'" for minion in near[:MAX_NAMED])
    return f"; did you mean {named}?" if named else ""


def _with_near_host(word: str, minions: Sequence[str]) -> list[str]:
    """Return the ids whose first part is much like a word."""
    hosts = {minion.partition(".")[0] for minion in minions}
    near = difflib.get_close_matches(word.partition(".")[0], hosts, n=1)
    return [minion for minion in minions if minion.partition(".")[0] in near]
