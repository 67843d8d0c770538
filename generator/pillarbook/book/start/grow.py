"""Makes up the minions of a tree: guess, compile, see what was asked for, guess on."""

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pillarbook.book.fleet import FleetBook
from pillarbook.book.open_book import open_book
from pillarbook.book.options import RunOptions
from pillarbook.book.start.guess import ANYBODY, Fleet, NewMinion
from pillarbook.book.start.known import Known
from pillarbook.book.start.listing import Listing
from pillarbook.book.start.places import map_paths
from pillarbook.book.start.study import Study, guard, study
from pillarbook.book.start.trees import Trees
from pillarbook.book.start.usual_grains import usual_grain
from pillarbook.inventory.settings import Settings
from pillarbook.redact import Rules

if TYPE_CHECKING:
    from pillarbook.book.start.grain_reads import Reads

MOST_ROUNDS = 8
"""How often guesses are looked over; each round can only add."""
MOST_STUDIED = 60
"""Minions that are compiled to see what they ask for, where all of them are known."""
USUAL = "a usual value"


@dataclass(frozen=True, slots=True)
class Grown:
    """The first fleet of a tree."""

    fleet: Fleet
    """The minions, and the targets without one."""
    study: Study
    """What they ask for."""
    paths: Mapping[str, str]
    """Where absolute paths of the master lie here, those of templates too."""


def grow(
    listing: Listing,
    master: Path,
    paths: Mapping[str, str],
    known: Known | None,
    options: RunOptions,
) -> Grown:
    """Return minions such that each target matches one of them, as far as that can be guessed.

    Args:
        listing: The folder.
        master: The master file.
        paths: Where absolute paths of the master lie here.
        known: Minions that somebody told of.
        options: What the run was asked for.

    Raises:
        SettingsError: The master file has faults.
    """
    grower = _Grower(listing, master, paths, options)
    return grower.run(known)


class _Grower:
    """The rounds."""

    def __init__(
        self, listing: Listing, master: Path, paths: Mapping[str, str], options: RunOptions
    ) -> None:
        self._listing = listing
        self._master = master
        self._options = options
        self._paths = dict(paths)
        self._parsed: dict[str, Reads] = {}

    def run(self, known: Known | None) -> Grown:
        minions = known.minions if known else ()
        with self._open() as book:
            nodegroups = book.project.options.values.get("nodegroups") or {}
        fleet = Fleet(minions, nodegroups)
        is_fixed = any(one.fixed for one in minions)
        for _ in range(MOST_ROUNDS):
            before = _state(fleet, self._paths)
            found = self._study(fleet)
            self._map(found)
            if not is_fixed:
                self._satisfy(fleet, found)
                _add_grains(fleet, found)
            if _state(fleet, self._paths) == before:
                break
        found = self._study(fleet)
        return Grown(fleet, found, self._paths)

    def _open(self) -> FleetBook:
        settings = Settings(
            master=self._master,
            inventory=(),
            folder=self._listing.folder,
            paths=self._paths,
        )
        return open_book(settings, self._options)

    def _study(self, fleet: Fleet) -> Study:
        minions = [*fleet.minions.values()][:MOST_STUDIED] or [NewMinion(ANYBODY)]
        with self._open() as book:
            return study(book, minions, self._parsed)

    def _satisfy(self, fleet: Fleet, found: Study) -> None:
        with self._open() as book:
            fleet.satisfy([*found.wishes], guard(book))

    def _map(self, found: Study) -> None:
        """Map the absolute paths that templates look for."""
        more = map_paths(self._listing, found.absolute, Trees())
        new = {there: here for there, here in more.items() if there not in self._paths}
        used = {
            there: here
            for there, here in new.items()
            if any(path.startswith(there) for path in found.absolute)
        }
        self._paths.update(used)


def _state(fleet: Fleet, paths: Mapping[str, str]) -> object:
    """Return what tells whether a round has changed anything."""
    minions = {one.id: copy.deepcopy(one.grains) for one in fleet.minions.values()}
    return minions, dict(paths)


def _add_grains(fleet: Fleet, found: Study) -> None:
    """Give minions the grains that they were asked for."""
    for one in fleet.minions.values():
        for grain in (*found.absent.get(one.id, ()), *found.failing.get(one.id, ())):
            if one.fixed or grain in one.grains:
                continue
            value, why = _value_of(grain, one, found)
            if value is not None:
                one.grains[grain] = value
                one.guesses[grain] = why


def _value_of(grain: str, one: NewMinion, found: Study) -> tuple[object, str]:
    """Return a value for a grain, and why it is that; None where nothing tells.

    What Salt finds out itself has a usual value. Any other is taken from what templates hold it
    against, where an SLS does not render without it.
    """
    value = usual_grain(grain, one.id, one.grains)
    if value is not None:
        return value, USUAL
    if grain not in found.failing.get(one.id, ()) or Rules().names_secret(grain):
        return None, ""
    candidates = found.values_of(grain)
    return (candidates[0], _say_where(grain, found)) if candidates else (None, "")


def _say_where(grain: str, found: Study) -> str:
    place = next(map(str, found.places_of(grain)), "")
    return f"{place} names it"
