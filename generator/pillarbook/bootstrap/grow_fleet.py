"""Makes up the minions of a tree: guess, compile, see what was asked for, guess on."""

import copy
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pillarbook.bootstrap.find_trees import Trees
from pillarbook.bootstrap.guess_minions import ANYBODY, GuessedFleet, NewMinion
from pillarbook.bootstrap.known_minions import KnownMinions
from pillarbook.bootstrap.listing import Listing
from pillarbook.bootstrap.path_mapping import map_paths
from pillarbook.bootstrap.secret_words import is_secret_word, shown_values, shows_secret
from pillarbook.bootstrap.study import Study, guard, study
from pillarbook.bootstrap.study_states import study_states
from pillarbook.bootstrap.user_paths import Shown, show_places
from pillarbook.bootstrap.usual_grains import usual_grain
from pillarbook.inventory.settings import ERROR, Settings
from pillarbook.session.open_session import open_session
from pillarbook.session.run_options import RunOptions
from pillarbook.session.session import Session

if TYPE_CHECKING:
    from pillarbook.bootstrap.grain_reads import TemplateReads

# Each round compiles the fleet, and a template may ask for more without end.
MAX_ROUNDS = 20
"""How often guesses are looked over; each round can only add."""
MAX_STUDIED = 60
"""Minions that are compiled to see what they ask for, where all of them are known."""
UNKNOWN = "example"
"""Stands for a grain of which nothing is known but that templates need it."""
USUAL = "a usual value"
INTERFACES = ("hwaddr_interfaces", "ip4_interfaces", "ip6_interfaces", "ip_interfaces")
"""Grains by the names of interfaces, which the pillar knows more often than not."""
INTERFACE = re.compile(r"[\w.@:-]{1,15}")
"""Source: Linux ``include/uapi/linux/if.h`` (``IFNAMSIZ``)."""


@dataclass(frozen=True, slots=True)
class Grown:
    """The first fleet of a tree."""

    fleet: GuessedFleet
    """The minions, and the targets without one."""
    study: Study
    """What they ask for."""
    paths: Mapping[str, str]
    """Where absolute paths of the master lie here, those of templates too."""
    shown: Shown
    """Gives places as users see them."""


def grow(
    listing: Listing,
    settings: Settings,
    known: KnownMinions | None,
    options: RunOptions,
) -> Grown:
    """Return minions such that each target matches one of them, as far as that can be guessed.

    Args:
        listing: The folder.
        settings: How it is compiled; its inventory is not read.
        known: The minions that somebody knows.
        options: What the run was asked for.

    Raises:
        SettingsError: The master file has faults.
    """
    grower = _Grower(listing, settings, options)
    try:
        return grower.run(known)
    finally:
        grower.close()


class _Grower:
    """The rounds."""

    def __init__(self, listing: Listing, settings: Settings, options: RunOptions) -> None:
        self._listing = listing
        self._settings = replace(settings, inventory=())
        self._options = options
        self._shown = show_places(settings.master, listing.folder)
        self._paths = dict(settings.paths)
        self._parsed: dict[str, TemplateReads] = {}
        self._session: Session | None = None

    def close(self) -> None:
        """Stop what was started."""
        if self._session is not None:
            self._session.close()
            self._session = None

    def run(self, known: KnownMinions | None) -> Grown:
        minions = known.minions if known else ()
        nodegroups = self._open().compiler.project.options.values.get("nodegroups") or {}
        is_open = known is not None and known.is_open
        fleet = GuessedFleet(minions, nodegroups, is_open=is_open)
        is_fixed = any(one.fixed for one in minions) and not is_open
        most = MAX_STUDIED if is_fixed else None
        for _ in range(MAX_ROUNDS):
            before = _state(fleet, self._paths)
            found = self._study(fleet, most)
            self._map(found)
            if not is_fixed:
                fleet.satisfy([*found.requirements], guard(self._open()))
                _add_grains(fleet, found, self._shown)
            # Rounds only ever add, so one that adds nothing is the last.
            is_done = _state(fleet, self._paths) == before
            if is_done and (is_fixed or not self._satisfy_states(fleet)):
                break
        found = self._study(fleet, most)
        return Grown(fleet, found, self._paths, self._shown)

    def _open(self) -> Session:
        """Return a session of these paths; what it remembers makes the next round fast."""
        if self._session is None:
            settings = replace(self._settings, paths=self._paths, unanswered=ERROR)
            self._session = open_session(settings, self._options)
        return self._session

    def _study(self, fleet: GuessedFleet, most: int | None) -> Study:
        minions = [*fleet.minions.values()][:most] or [NewMinion(ANYBODY)]
        return study(self._open(), minions, self._parsed)

    def _satisfy_states(self, fleet: GuessedFleet) -> bool:
        """Give minions the grains that their states read; say whether there were any."""
        before = _state(fleet, self._paths)
        minions = [*fleet.minions.values()]
        found = study_states(self._open(), minions, self._parsed)
        _add_grains(fleet, found, self._shown)
        return _state(fleet, self._paths) != before

    def _map(self, found: Study) -> None:
        """Map the absolute paths that templates look for."""
        more = map_paths(self._listing, found.absolute, Trees())
        new = {there: here for there, here in more.items() if there not in self._paths}
        used = {
            there: here
            for there, here in new.items()
            if any(path.startswith(there) for path in found.absolute)
        }
        if used:
            self._paths.update(used)
            self.close()


def _state(fleet: GuessedFleet, paths: Mapping[str, str]) -> object:
    """Return what tells whether a round has changed anything."""
    minions = {one.id: copy.deepcopy(one.grains) for one in fleet.minions.values()}
    return minions, dict(paths)


def _add_grains(fleet: GuessedFleet, found: Study, shown: Shown) -> None:
    """Give minions the grains that they were asked for."""
    for one in fleet.minions.values():
        for grain in (*found.absent.get(one.id, ()), *found.failing.get(one.id, ())):
            is_sure = one.fixed and not one.invented
            if is_sure or grain in one.grains or is_secret_word(grain):
                continue
            value, why = _value_of(grain, one, found, shown)
            if value is not None:
                _set_grain(one, grain.split(":"), value, why)
        for grain, name in found.absent_parts.get(one.id, ()):
            _add_interface(one, grain, name)


def _set_grain(one: NewMinion, path: Sequence[str], value: object, why: str) -> None:
    """Give a minion a grain, or a key below one that it has; what it has stays."""
    *above, last = path
    owner: object = one.grains
    for key in above:
        if not isinstance(owner, dict):
            return
        owner = owner.setdefault(key, {})
    if isinstance(owner, dict) and last not in owner:
        owner[last] = value
        one.guesses.setdefault(path[0], why)


def _add_interface(one: NewMinion, grain: str, name: str) -> None:
    """Give a minion an interface that a template asks for by its name, like its first one."""
    known = one.grains.get(grain)
    if one.guesses.get(grain) != USUAL or grain not in INTERFACES or not isinstance(known, dict):
        return
    if INTERFACE.fullmatch(name) and not shows_secret(name):
        # A copy: YAML would write one list in two places as an alias.
        first = copy.deepcopy(next(iter(known.values())))
        one.grains[grain] = {**known, name: known.get(name, first)}


def _value_of(grain: str, one: NewMinion, found: Study, shown: Shown) -> tuple[object, str]:
    """Return a value for a grain, and why it is that; None if there is no hint.

    What Salt finds out itself has a usual value. Any other is given where an SLS does not render
    without it: what templates hold it against, else a word that says that nobody knows.
    """
    value = usual_grain(grain, one.id, one.grains)
    if value is not None:
        return value, USUAL
    if grain not in found.failing.get(one.id, ()):
        return None, ""
    candidates = shown_values(grain, found.values_of(grain))
    where = _describe_where(grain, found, shown)
    value = found.fill(grain, candidates[0] if candidates else UNKNOWN)
    why = f"{where} reads it" if candidates else f"no hint found; {where} reads it"
    return value, why


def _describe_where(grain: str, found: Study, shown: Shown) -> str:
    places = found.places_of(grain) or found.failing_places(grain)
    return next(map(shown, places), "a template").removesuffix(": ")
