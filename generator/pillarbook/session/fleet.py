"""The minions and environments of a fleet, by their shown names."""

import difflib
import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Generic, TypeVar

from pillarbook.inventory.master_options import MasterOptions
from pillarbook.inventory.minions import Minion
from pillarbook.redact.secret_names import Names
from pillarbook.session.asked_minions import matches_globs
from pillarbook.session.forced_environments import ForcedEnvironment

if TYPE_CHECKING:
    from pillarbook.report.source import EnvironmentSide

MAX_NAMED = 3
"""The most ids in a hint, so that it fits on a line."""
_NUMBER = re.compile(r"\d+")
"""The part that differs in the ids of similar minions."""
Declared = TypeVar("Declared")


class ShownNames(Generic[Declared]):
    """Declarations by their shown names: minions, environments.

    ``what`` is the description of the names: ``the minion id``.
    """

    def __init__(self, what: str, names: Names, declared: Mapping[str, Declared]) -> None:
        self._what = what
        self._names = names
        self._declared = declared
        self.by_name: dict[str, Declared] = dict(declared)
        """The declarations by shown name."""
        self.shown_names = tuple(self.by_name)
        """The shown names, in the order of the declarations."""

    def freeze(self) -> None:
        """Update the shown names."""
        shown = self._names.keep_apart(self._declared)
        self.by_name.clear()
        self.by_name.update(zip(shown, self._declared.values(), strict=True))
        self.shown_names = tuple(self.by_name)
        for name, declared in self._declared.items():
            self._names.note(self._what, name, getattr(declared, "position", None))

    def declared(self, name: str) -> Declared:
        """Return the declaration for a name, even if it is shown differently by now.

        Two sessions that share a redactor collect each other's secrets before both freeze them.
        """
        return self._declared[name]

    def shown(self, name: str) -> str:
        """Return the shown name."""
        return self._names.clean(name)


class Fleet:
    """The declared minions, and the environments in which they are compared.

    A minion is identified by its shown id, which differs from its own id if that contains a secret.
    """

    def __init__(
        self,
        minions: Sequence[Minion],
        environments: Sequence[ForcedEnvironment],
        names: Names,
        options: MasterOptions,
        asked: Container[str],
        notes: Sequence[str] = (),
    ) -> None:
        self._options = options
        self._asked = asked
        self.notes = tuple(notes)
        """Notes for the reader if the run is not about the whole fleet as declared."""
        self._ids = ShownNames("the minion id", names, {one.id: one for one in minions})
        compared = {one.name: one for one in environments}
        self._environment_names = ShownNames("the environment", names, compared)

    @property
    def minions(self) -> Sequence[str]:
        """The shown ids of all minions, in inventory order."""
        return self._ids.shown_names

    @property
    def asked(self) -> Sequence[str]:
        """The shown ids of the minions of the run, in inventory order."""
        named = self._ids.by_name.items()
        return tuple(name for name, declared in named if declared.id in self._asked)

    @property
    def guessed(self) -> Sequence[str]:
        """The shown ids of the minions that are marked as guessed."""
        return tuple(name for name, declared in self._ids.by_name.items() if declared.is_guessed)

    @property
    def inventory(self) -> Sequence[str]:
        """The files that declare minions."""
        return tuple({one.position.file: None for one in self._ids.by_name.values()})

    def has(self, minion: str) -> bool:
        """Say whether a minion with a shown id exists."""
        return minion in self._ids.by_name

    def choose(self, globs: Sequence[str]) -> list[str]:
        """Return the ids that match one of the globs, all of them without a glob."""
        return [
            minion
            for minion, declared in self._ids.by_name.items()
            if matches_globs(declared.id, globs)
        ]

    def sort_by_kind(self, minions: Iterable[str]) -> list[str]:
        """Return ids sorted so that what is cached for one minion serves its neighbours.

        First by pillar environment, as each renders its own files, then by the id without numbers.
        """
        kinds = ((self.declared(one).pillarenv or "", _NUMBER.sub("", one), one) for one in minions)
        return [minion for _, _, minion in sorted(kinds)]

    def declared(self, minion: str) -> Minion:
        """Return a minion as the inventory has it."""
        return self._ids.by_name[minion]

    def declared_by_id(self, minion: str) -> Minion:
        """Return a minion as the inventory has it, by its own id."""
        return self._ids.declared(minion)

    def shown_id(self, minion: str) -> str:
        """Return the shown id for a minion's own id."""
        return self._ids.shown(minion)

    @property
    def environments(self) -> "Sequence[EnvironmentSide]":
        """The environments that are compared."""
        named = self._environment_names.by_name
        return tuple(replace(one.side, name=name) for name, one in named.items())

    def environment_number(self, environment: str) -> int:
        """Return the index of an environment."""
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
    """Return a hint with similar ids, as the end of a sentence; empty if there are none."""
    near = (
        [minion for minion in minions if minion.startswith(f"{word}.")]
        or [minion for minion in minions if word and minion.startswith(word)]
        or difflib.get_close_matches(word, minions, n=1)
        or _with_near_host(word, minions)
    )
    named = " or ".join(f"'{minion}'" for minion in near[:MAX_NAMED])
    return f"; did you mean {named}?" if named else ""


def _with_near_host(word: str, minions: Sequence[str]) -> list[str]:
    """Return the ids whose first part is similar to a word."""
    hosts = {minion.partition(".")[0] for minion in minions}
    near = difflib.get_close_matches(word.partition(".")[0], hosts, n=1)
    return [minion for minion in minions if minion.partition(".")[0] in near]
