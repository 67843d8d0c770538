"""Makes up the minions of a tree: guess, compile, see what was asked for, guess on."""

import copy
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial

from pillarbook.bootstrap.find_trees import Trees
from pillarbook.bootstrap.grain_reads import TemplateReads
from pillarbook.bootstrap.guess_minions import ANYBODY, GuessedFleet, NewMinion
from pillarbook.bootstrap.known_minions import KnownMinions
from pillarbook.bootstrap.listing import Listing, Shown, show_places
from pillarbook.bootstrap.path_mapping import map_paths, map_root
from pillarbook.bootstrap.private_grains import is_secret_word, shown_values, shows_secret
from pillarbook.bootstrap.study import Study, as_declared, guard, study, take
from pillarbook.bootstrap.target_requirements import ID_GRAIN
from pillarbook.bootstrap.try_guesses import dotted, find_better, fit_files, is_anybody, own_files
from pillarbook.bootstrap.usual_grains import usual_grain, usual_system
from pillarbook.highstate.highstate import compile_states
from pillarbook.inventory.settings import ERROR, PLACEHOLDER, Settings
from pillarbook.session.failed_compiles import or_failed
from pillarbook.session.open_session import open_session
from pillarbook.session.run_options import RunOptions
from pillarbook.session.session import Session

# Each round compiles the fleet, and a template may ask for more without end.
MAX_ROUNDS = 20
"""How often guesses are looked over; each round can only add."""
MAX_STUDIED = 60
"""Minions that are compiled to see what they ask for, where all of them are known."""
MAX_IN_VAIN = 3
"""Minions for which a guess is tried that is no help."""
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
    listing: Listing, settings: Settings, known: KnownMinions | None, options: RunOptions
) -> Grown:
    """Return minions such that each target matches one of them, as far as that can be guessed.

    Raises:
        SettingsError: The master file has faults.
    """
    with closing(_Grower(listing, settings, options)) as grower:
        return grower.run(known)


class _Grower:
    """The rounds."""

    def __init__(self, listing: Listing, settings: Settings, options: RunOptions) -> None:
        self._listing = listing
        self._settings = replace(settings, inventory=())
        self._options = options
        self._shown = show_places(settings.master, listing.folder)
        self._paths = dict(settings.paths)
        self._parsed: dict[str, TemplateReads] = {}
        self._unanswered = ERROR
        self._sessions: dict[str, Session] = {}
        self._in_vain: Counter[tuple[str, ...]] = Counter()

    def close(self) -> None:
        """Stop what was started."""
        for session in self._sessions.values():
            session.close()
        self._sessions.clear()

    def run(self, known: KnownMinions | None) -> Grown:
        minions = known.minions if known else ()
        nodegroups = self._open().compiler.project.options.values.get("nodegroups") or {}
        is_open = known is not None and known.is_open
        fleet = GuessedFleet(minions, nodegroups, is_open=is_open)
        is_fixed = any(one.fixed for one in minions) and not is_open
        found = self._grow(fleet, is_fixed=is_fixed)
        if found.asks_functions and not is_fixed:
            # Behind a call without an answer, templates read more grains.
            self._unanswered = PLACEHOLDER
            self._grow(fleet, is_fixed=False)
            self._unanswered = ERROR
        return Grown(fleet, self._study(fleet, is_fixed=is_fixed), self._paths, self._shown)

    def _grow(self, fleet: GuessedFleet, *, is_fixed: bool) -> Study:
        """Guess until a round adds nothing, and return what the last one asked for."""
        found = Study()
        for _ in range(MAX_ROUNDS):
            before = _state(fleet, self._paths)
            found = self._study(fleet, is_fixed=is_fixed)
            self._map(found)
            if not is_fixed:
                fleet.satisfy([*found.requirements], guard(self._open()))
                _add_grains(fleet, found, self._shown)
                self._use_files(fleet, found)
                self._try_guesses(fleet, found)
            # Rounds only ever add, so one that adds nothing is the last.
            is_done = _state(fleet, self._paths) == before
            if is_done and (is_fixed or not self._satisfy_states(fleet)):
                break
        return found

    def _open(self) -> Session:
        """Return a session of these paths; what it remembers makes the next round fast."""
        if self._unanswered not in self._sessions:
            settings = replace(self._settings, paths=self._paths, unanswered=self._unanswered)
            self._sessions[self._unanswered] = open_session(settings, self._options)
        return self._sessions[self._unanswered]

    def _study(self, fleet: GuessedFleet, *, is_fixed: bool) -> Study:
        most = MAX_STUDIED if is_fixed else None
        minions = [*fleet.minions.values()][:most] or [NewMinion(ANYBODY)]
        return study(self._open(), minions, self._parsed)

    def _satisfy_states(self, fleet: GuessedFleet) -> bool:
        """Give minions the grains that their states read; say whether there were any."""
        before = _state(fleet, self._paths)
        minions = [*fleet.minions.values()]
        found = study_states(self._open(), minions, self._parsed)
        _add_grains(fleet, found, self._shown)
        return _state(fleet, self._paths) != before

    def _use_files(self, fleet: GuessedFleet, found: Study) -> None:
        """Take ids and values that the tree has files for, instead of others."""
        project = self._open().compiler.project
        roots = project.scope_of({}, None).roots
        names = [name for saltenv in roots.environments for name in roots.names(saltenv)]
        names += [name for tree in project.mapped.values() for name in tree.names()]
        for one in [*fleet.minions.values()]:
            sought = found.sought.get(one.id, ())
            if not one.fixed:
                fit_files(one, sought, names)
            words = own_files(one.id, sought, names) if is_anybody(one.id) else ()
            if words:
                is_dotted = not self._seeks(dotted(words[0]))
                ids = [dotted(word) if is_dotted else word for word in words]
                fleet.replace(one.id, [NewMinion(name, invented=True) for name in ids])

    def _seeks(self, minion: str) -> bool:
        """Say whether a minion looks for a file of its own that does not exist."""
        found = study(self._open(), [NewMinion(minion)], self._parsed)
        word = minion.replace(".", "_")
        return any(word in path.replace(".", "_") for path in found.sought.get(minion, ()))

    def _try_guesses(self, fleet: GuessedFleet, found: Study) -> None:
        """Guess also what SLS that do not render ask for with a default, if it helps them."""

        def value_of(one: NewMinion, grain: str) -> tuple[object, str]:
            usual = _usual_value(grain, one, found)
            return (usual, USUAL) if usual is not None else _any_value(grain, found, self._shown)

        for one in [*fleet.minions.values()]:
            asked = found.uncertain.get(one.id)
            # What is no help to a few minions is none to others that are asked the same.
            key = tuple(asked or ())
            if asked is None or one.fixed or self._in_vain[key] >= MAX_IN_VAIN:
                continue
            wanted = [
                grain
                for grain in asked
                if grain not in (*one.grains, ID_GRAIN)
                and found.is_grain(grain)
                and not is_secret_word(grain)
            ]
            better = find_better(self._open(), one, wanted, partial(value_of, one))
            if better is not None:
                fleet.replace(one.id, [better])
            else:
                self._in_vain[key] += 1

    def _map(self, found: Study) -> None:
        """Map the absolute paths that templates look for, and those that functions are given."""
        more = map_paths(self._listing, found.absolute, Trees())
        new = {there: here for there, here in more.items() if there not in self._paths}
        used = {
            there: here
            for there, here in new.items()
            if any(path.startswith(there) for path in found.absolute)
        }
        used.update(self._map_roots(found.outside))
        if used:
            self._paths.update(used)
            self.close()

    def _map_roots(self, outside: Iterable[str]) -> Iterator[tuple[str, str]]:
        scope = self._open().compiler.project.scope_of({}, None)
        trees = [tree.full for roots in (scope.roots, scope.states) for _, tree in roots.trees()]
        here = [os.path.relpath(full, self._listing.folder) for full in trees]
        roots = [one for one in dict.fromkeys(here) if not one.startswith("..")]
        for path in outside:
            place = map_root(path, roots, self._listing)
            if place is not None and place[0] not in self._paths:
                yield place


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
    value = _usual_value(grain, one, found)
    if value is not None:
        return value, USUAL
    if grain not in found.failing.get(one.id, ()):
        return None, ""
    return _any_value(grain, found, shown)


def _usual_value(grain: str, one: NewMinion, found: Study) -> object:
    named = usual_system(grain, one.grains, shown_values(grain, found.values_of(grain)))
    return usual_grain(grain, one.id, one.grains) if named is None else named


def _any_value(grain: str, found: Study, shown: Shown) -> tuple[object, str]:
    """Return a value for a grain of which only the tree may know something, and why it is that."""
    candidates = shown_values(grain, found.values_of(grain))
    where = _describe_where(grain, found, shown)
    value = found.fill(grain, candidates[0] if candidates else UNKNOWN)
    why = f"{where} reads it" if candidates else f"no hint found; {where} reads it"
    return value, why


def _describe_where(grain: str, found: Study, shown: Shown) -> str:
    places = found.places_of(grain) or found.failing_places(grain)
    return next(map(shown, places), "a template").removesuffix(": ")


def study_states(
    session: Session, minions: Iterable[NewMinion], parsed: dict[str, TemplateReads]
) -> Study:
    """Return what the states of minions ask for; nothing of minions without states.

    Targets of the states invent no minion: a report is about pillar, and states are what uses it.
    ``parsed`` has what files of earlier studies read, by digest, and is filled.
    """
    found = Study(parsed=parsed)
    project = session.compiler.project
    scope = project.scope_of_states(project.scope_of({}, None))
    for one in minions:
        minion = as_declared(one)
        if session.compiler.minion_compiler.has_states(minion):
            pillar = session.compiler.compile_as(minion, briefly=True)
            # Once: which of them are secret does not matter here.
            states = or_failed(minion, partial(compile_states, minion, project, pillar))
            take(found, states, one.grains, scope)
    return found
